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
mod schema;
pub mod sections;
pub mod shape;
pub mod tokens;
pub mod words;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(
    as = BrandGuideline,
    description = "One immutable revision of a brand's guideline. Unknown facts are null or empty, never invented; /research/unknowns says why."
)]
#[serde(deny_unknown_fields)]
pub struct Guideline {
    // [`GUIDELINE_SCHEMA_VERSION`].
    #[schema(schema_with = schema_version)]
    pub schema_version: String,
    #[schema(value_type = String, pattern = "^brd_[0-9a-hjkmnp-tv-z]{26}$")]
    pub brand_profile_id: BrandId,
    /// Starts at 1.
    #[schema(minimum = 1)]
    pub revision: u64,
    /// SHA-256 of the RFC 8785 form of this document without guideline_hash.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub guideline_hash: Digest,
    /// When the facts were complete.
    #[schema(value_type = String, format = DateTime)]
    pub generated_at: Timestamp,
    /// BCP 47 tag of the language in which the site is written; `und` if unknown.
    pub language: String,
    /// The job that made it.
    #[schema(value_type = String, pattern = "^job_[0-9a-hjkmnp-tv-z]{26}$")]
    pub job_id: JobId,
    #[schema(inline)]
    pub identity: Identity,
    #[schema(inline)]
    pub foundations: Foundations,
    #[schema(inline)]
    pub audience: Audience,
    #[schema(inline)]
    pub positioning: Positioning,
    #[schema(inline)]
    pub voice: Voice,
    #[schema(inline)]
    pub messaging: Messaging,
    #[schema(inline)]
    pub visual: Visual,
    #[schema(inline)]
    pub applications: Applications,
    #[schema(inline)]
    pub governance: Governance,
    #[schema(inline)]
    pub research: Research,
}

fn schema_version() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some([GUIDELINE_SCHEMA_VERSION]))
        .build()
}

/// Why a value is not a valid guideline.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
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
