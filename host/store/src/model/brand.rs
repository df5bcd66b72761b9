//! Brands of an organization and the revisions of their guidelines.

use gtm_domain::brand::{BrandBinding, BrandKey, ResearchStatus};
use gtm_domain::{BrandId, Digest, JobId, OrganizationId, Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::job::{CreateJob, StoredResponse};

/// Whether a brand can be selected and researched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BrandStatus {
    /// It can.
    Active,
    /// An operator put it away: it stays readable.
    Archived,
}

impl BrandStatus {
    /// The value of `status`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Archived => "archived",
        }
    }
    /// The status with this value.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Active, Self::Archived]
            .into_iter()
            .find(|s| s.as_str() == text)
    }
}

/// A brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BrandRow {
    /// Identifier.
    pub id: BrandId,
    /// The organization that owns it.
    pub organization: OrganizationId,
    /// Its key, unique in the organization.
    pub key: BrandKey,
    /// Name of the company, as it was given.
    pub company_name: Option<String>,
    /// Its website, normalized.
    pub website_url: Option<String>,
    /// Whether it is the organization's default brand. Then it has a guideline.
    pub is_default: bool,
    /// Since when it is to become the default with its first guideline; none if it is not to.
    pub default_wished_at: Option<Timestamp>,
    /// Active or archived.
    pub status: BrandStatus,
    /// Where its research stands.
    pub research_status: ResearchStatus,
    /// The newest research, maybe another project's of the organization ([`super::research_job`]).
    pub research_job: Option<JobId>,
    /// Revision of the current guideline; none before the first.
    pub guideline_revision: Option<u64>,
    /// Sources of the current guideline; 0 before the first.
    pub source_count: u64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When anything of this last changed.
    pub updated_at: Timestamp,
    /// When it was archived.
    pub archived_at: Option<Timestamp>,
}

/// A brand to be created. The caller chooses the id, so that it can stand in the input of the job
/// that is created with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBrand {
    /// Identifier, the [`crate::uuid_v7`] of its creation.
    pub id: BrandId,
    /// The wanted key; the store puts a number behind it where it is taken.
    pub key: BrandKey,
    /// Name of the company.
    pub company_name: Option<String>,
    /// Its website, normalized.
    pub website_url: Option<String>,
    /// Whether it becomes the organization's default brand with its first guideline.
    pub is_default: bool,
}

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
    /// The public document.
    pub document: Value,
}

/// What a research job is about.
#[derive(Debug, Clone, PartialEq)]
pub struct ResearchSubject {
    /// The brand.
    pub brand: BrandRow,
    /// Its current guideline.
    pub previous: Option<StoredGuideline>,
}

/// How a caller names a brand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrandSelection {
    /// By id.
    Id(BrandId),
    /// By key.
    Key(BrandKey),
    /// The organization's default one.
    Default,
}

/// A brand with what results are bound to, both of one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectedBrand {
    /// The brand.
    pub brand: BrandRow,
    /// Its current guideline; none before the first, and none that its reviewer rejected.
    pub binding: Option<BrandBinding>,
    /// Whether the current guideline was rejected.
    pub rejected: bool,
}

/// The guideline that a job was bound to when it was created.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundGuideline {
    /// The public document of the bound revision.
    pub document: Value,
    /// When its brand was archived, if it is.
    pub archived_at: Option<Timestamp>,
}

/// Which part of the list of active brands, newest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct BrandPage {
    /// Only those after this one in the list (cursor).
    pub before: Option<BrandId>,
    /// At most this many.
    pub limit: u32,
}

/// Which part of the list of a guideline's revisions, newest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct GuidelineRevisionPage {
    /// Only those after this one in the list (cursor).
    pub before: Option<u64>,
    /// At most this many.
    pub limit: u32,
}

/// What became of a request to research a brand again.
#[derive(Debug, Clone, PartialEq)]
pub enum Research {
    /// The organization has no such brand.
    Absent,
    /// It is archived.
    Archived,
    /// A job is at work already, maybe another project's of the organization: what was answered, and
    /// kept under the request's idempotency key.
    Active(JobId, StoredResponse),
    /// As for any create of a job.
    Job(CreateJob),
}
