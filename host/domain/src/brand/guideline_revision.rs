//! Revisions of a brand's guideline.

use serde_json::Value;

use super::record::Brand;
use crate::{BrandId, Digest, JobId, Timestamp};

/// A revision of a guideline that is about to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewGuideline {
    pub brand: BrandId,
    /// The brand's current revision plus one.
    pub revision: u64,
    /// RFC 8785 hash of the document.
    pub hash: Digest,
    /// Version of the document's schema.
    pub schema_version: String,
    /// When the research was done.
    pub generated_at: Timestamp,
    /// Number of sources behind it.
    pub source_count: u64,
    /// RFC 6901 pointers to the values that differ from the previous revision.
    pub changed_pointers: Vec<String>,
    /// The public document.
    pub document: Value,
}

/// A stored revision without its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuidelineRevision {
    pub brand: BrandId,
    /// From 1.
    pub revision: u64,
    /// The job that did the research.
    pub job: JobId,
    /// RFC 8785 hash of the document.
    pub hash: Digest,
    /// Version of the document's schema.
    pub schema_version: String,
    /// When the research was done.
    pub generated_at: Timestamp,
    /// Number of sources behind it.
    pub source_count: u64,
    /// RFC 6901 pointers to the values that differ from the previous revision.
    pub changed_pointers: Vec<String>,
}

/// A stored revision with its document.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredGuideline {
    pub revision: GuidelineRevision,
    /// The public document.
    pub document: Value,
}

/// The brand that a research job is about.
#[derive(Debug, Clone, PartialEq)]
pub struct ResearchSubject {
    pub brand: Brand,
    /// Its current guideline.
    pub previous: Option<StoredGuideline>,
}

/// The guideline that a job was bound to when it was created.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundGuideline {
    /// The public document of the bound revision.
    pub document: Value,
    /// When the brand was archived, if it was.
    pub archived_at: Option<Timestamp>,
}
