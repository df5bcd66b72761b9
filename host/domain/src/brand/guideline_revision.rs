//! Revisions of a brand's guideline.

use serde_json::Value;

use super::record::Brand;
use crate::{BrandId, Digest, JobId, Timestamp};

/// A revision of a guideline to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewGuideline {
    /// The brand.
    pub brand: BrandId,
    /// The brand's current revision plus one.
    pub revision: u64,
    /// RFC 8785 hash of the document.
    pub hash: Digest,
    /// Version of the document's schema.
    pub schema_version: String,
    /// When the research was done.
    pub generated_at: Timestamp,
    /// Sources that it rests on.
    pub source_count: u64,
    /// RFC 6901 pointers of what differs from the revision before.
    pub changed_pointers: Vec<String>,
    /// The public document.
    pub document: Value,
}

/// A stored revision without its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuidelineRevision {
    /// The brand.
    pub brand: BrandId,
    /// From 1.
    pub revision: u64,
    /// The job whose research it is.
    pub job: JobId,
    /// RFC 8785 hash of the document.
    pub hash: Digest,
    /// Version of the document's schema.
    pub schema_version: String,
    /// When the research was done.
    pub generated_at: Timestamp,
    /// Sources that it rests on.
    pub source_count: u64,
    /// RFC 6901 pointers of what differs from the revision before.
    pub changed_pointers: Vec<String>,
}

/// A stored revision with its document.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredGuideline {
    /// Which revision, of which brand.
    pub revision: GuidelineRevision,
    /// The public document.
    pub document: Value,
}

/// What a research job is about.
#[derive(Debug, Clone, PartialEq)]
pub struct ResearchSubject {
    /// The brand.
    pub brand: Brand,
    /// Its current guideline.
    pub previous: Option<StoredGuideline>,
}

/// The guideline that a job was bound to when it was created.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundGuideline {
    /// The public document of the bound revision.
    pub document: Value,
    /// When its brand was archived, if it is.
    pub archived_at: Option<Timestamp>,
}
