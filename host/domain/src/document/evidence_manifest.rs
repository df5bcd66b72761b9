//! The evidence manifest: what a file's statements rest on, embedded in the file itself, so that they can be checked
//! by whoever has it.
//!
//! DANGER: a file prints its brief but for what its reader must not see. A digest of the whole would let the reader test
//! guesses at the rest, so there is none of the brief, nor of anything else that is kept from the reader (decision 0114).

use serde::Serialize;

use super::format::DocumentFormat;
use crate::brand::BrandBinding;
use crate::evidence::ConnectorRef;
use crate::offer::OfferBinding;
use crate::{Digest, JobId, ReceiptId, Timestamp};

/// Name of the asset that holds the manifest.
pub const EVIDENCE_MANIFEST_ASSET: &str = "evidence-manifest.json";
/// The version of its form.
pub const EVIDENCE_MANIFEST_VERSION: &str = "gtm.evidence/2";

/// The manifest of the files of one job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvidenceManifest {
    pub schema: &'static str,
    pub job_id: JobId,
    /// When the job began.
    pub started_at: Timestamp,
    pub brand: BrandBinding,
    pub offer: Option<OfferBinding>,
    /// Digests of the components that wrote and rendered.
    pub plugins: Vec<ManifestPlugin>,
    /// Digests of the operator's fonts.
    pub fonts: Vec<ManifestAsset>,
    pub sources: Vec<ManifestSource>,
    /// Which texts rest on the request itself.
    pub provided: Vec<ManifestProvided>,
}

/// A plug-in that took part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ManifestPlugin {
    /// `writer` or `render.pptx`.
    pub role: String,
    pub component_digest: Option<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<DocumentFormat>,
}

/// A file that the renderers were given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ManifestAsset {
    pub name: String,
    pub digest: Digest,
}

/// A source that was fetched, and what rests on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ManifestSource {
    /// Its id in the document.
    pub id: String,
    pub url: String,
    pub receipt_id: ReceiptId,
    pub retrieved_at: Timestamp,
    /// Digest of the bytes that were received.
    pub content_digest: Option<Digest>,
    pub connector: ConnectorRef,
    /// Words of the source that were found in those bytes.
    pub excerpts: Vec<String>,
    /// Pointers (RFC 6901) into the document: the texts that cite it.
    pub bears: Vec<String>,
}

/// What the caller or its organization gave, and what rests on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ManifestProvided {
    /// `brief`, `offer` or `brand`.
    pub by: String,
    pub bears: Vec<String>,
}
