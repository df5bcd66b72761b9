//! The brand guideline (annex A2): its document, what the host derives from its facts, its hash, its
//! differences from an earlier revision, and its rendering for people.
//!
//! Not here: checking claims against their sources (the engine does that before it makes a guideline),
//! storing revisions (store), and serving them (API).

pub mod applications;
pub mod changes;
pub mod claim;
mod completion;
pub mod declaration;
pub mod field_rule;
pub mod fields;
pub mod governance;
pub mod markdown;
pub mod review;
pub mod sections;
pub mod shape;
pub mod tokens;
pub mod words;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use changes::changed_pointers;
pub use claim::{Claim, SectionEvidence};
pub use completion::Completed;
pub use markdown::markdown;

use crate::{BrandId, Digest, JobId, Timestamp, canonical_digest, canonical_json};
use governance::{Applications, Governance, Research};
use sections::{Audience, Foundations, Identity, Messaging, Positioning, Visual, Voice};

pub const GUIDELINE_SCHEMA_VERSION: &str = "1.0";

/// A guideline: one immutable revision (specification, Guideline; annex A2). All sections are always
/// present; unknown values are null or empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guideline {
    /// [`GUIDELINE_SCHEMA_VERSION`].
    pub schema_version: String,
    pub brand_profile_id: BrandId,
    /// Starts at 1.
    pub revision: u64,
    /// See [`guideline_hash`].
    pub guideline_hash: Digest,
    /// When the facts were complete.
    pub generated_at: Timestamp,
    /// BCP 47 tag of the language in which the site is written; `und` if unknown.
    pub language: String,
    /// The job that made it.
    pub job_id: JobId,
    /// Who the company is.
    pub identity: Identity,
    /// Why it exists.
    pub foundations: Foundations,
    /// For whom it works.
    pub audience: Audience,
    /// Where it stands in its market.
    pub positioning: Positioning,
    /// How it speaks.
    pub voice: Voice,
    /// What it says.
    pub messaging: Messaging,
    /// How it looks.
    pub visual: Visual,
    /// Rules derived from the sections above.
    pub applications: Applications,
    /// Limits of use.
    pub governance: Governance,
    /// How the facts were found.
    pub research: Research,
}

/// Why a value is not a valid guideline.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The shape.
    #[error("the document is no guideline: {0}")]
    Shape(#[from] serde_json::Error),
    /// A member is missing, or a value is not in its canonical form.
    #[error("the document is no guideline: it is not complete, or a value is not in its one form")]
    Form,
    /// The document has another schema version.
    #[error("the document has the schema version {0}, not {GUIDELINE_SCHEMA_VERSION}")]
    Version(String),
    /// The hash does not match: the document was changed.
    #[error("the document does not have the hash that it names")]
    Hash,
}

impl Guideline {
    /// Reads a stored document strictly: every member present, none unknown, and a matching hash.
    ///
    /// # Errors
    /// Why the document is not a valid guideline.
    pub fn read(document: &Value) -> Result<Self, ReadError> {
        let guideline = Self::deserialize(document)?;
        if canonical_json(&guideline)? != canonical_json(document)? {
            return Err(ReadError::Form);
        }
        if guideline.schema_version != GUIDELINE_SCHEMA_VERSION {
            return Err(ReadError::Version(guideline.schema_version));
        }
        if guideline.guideline_hash != guideline_hash(document) {
            return Err(ReadError::Hash);
        }
        Ok(guideline)
    }

    /// The document.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "a guideline has only text keys, which is all that can fail"
    )]
    pub fn document(&self) -> Value {
        serde_json::to_value(self).expect("a guideline is JSON")
    }
}

/// SHA-256 of the RFC 8785 form of the document without its own `guideline_hash` (annex A0).
#[must_use]
#[expect(
    clippy::expect_used,
    reason = "a JSON value holds no number or key without a canonical form"
)]
pub fn guideline_hash(document: &Value) -> Digest {
    let mut document = document.clone();
    if let Value::Object(members) = &mut document {
        members.remove("guideline_hash");
    }
    canonical_digest(&document).expect("a JSON value has a canonical form")
}

#[cfg(test)]
mod tests;
