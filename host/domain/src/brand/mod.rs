//! Brands: requests for them, the state of their research, and what other results bind to (specification,
//! Brand; annex A2).

pub mod guideline_revision;
pub mod record;
pub mod research_job;
pub mod transitions;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::website::Website;
use crate::{BrandId, Digest, JobStatus};

pub use crate::brand_key::BrandKey;
pub use guideline_revision::{
    BoundGuideline, GuidelineRevision, NewGuideline, ResearchSubject, StoredGuideline,
};
pub use record::{Brand, BrandSelection, BrandStatus, SelectedBrand};
pub use research_job::{ActiveResearch, Research, ResearchJob};
pub use transitions::{BrandRefusal, MadeDefault};

/// A valid request for a brand. At least one of name and website is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandCreate {
    pub company_name: Option<String>,
    pub website: Option<Website>,
    /// Whether it becomes the organization's default brand with its first guideline.
    pub is_default: bool,
}

/// Normalized request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BrandInput {
    /// Null if the request names a website alone.
    #[schema(required)]
    pub company_name: Option<String>,
    /// The website's address in normal form.
    #[schema(required)]
    pub website_url: Option<String>,
    /// Whether the brand was the organization's default when the job was created, or was to become it with
    /// its first guideline.
    pub is_default: bool,
    /// The brand that is researched.
    #[schema(value_type = String, pattern = "^brd_[0-9a-hjkmnp-tv-z]{26}$")]
    pub brand_profile_id: BrandId,
}

/// State of a brand's research (specification, Brand `research_status`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResearchStatus {
    /// No research was ever requested.
    NotStarted,
    /// The research job waits for a worker.
    Queued,
    /// A worker is running the research job.
    Researching,
    /// The last research produced a guideline.
    Ready,
    /// The last research failed; an earlier guideline remains.
    Failed,
    /// The last research was canceled; an earlier guideline remains.
    Canceled,
}

impl ResearchStatus {
    pub const ALL: [Self; 6] = [
        Self::NotStarted,
        Self::Queued,
        Self::Researching,
        Self::Ready,
        Self::Failed,
        Self::Canceled,
    ];

    /// The value of `research_status`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotStarted => "not_started",
            Self::Queued => "queued",
            Self::Researching => "researching",
            Self::Ready => "ready",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.as_str() == text)
    }

    /// Whether a job is queued or running.
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Queued | Self::Researching)
    }

    /// The status after a research job that ended this way without a guideline; `None` if the job has not
    /// ended or produced one.
    #[must_use]
    pub const fn after_job(ended: JobStatus) -> Option<Self> {
        match ended {
            JobStatus::Failed => Some(Self::Failed),
            JobStatus::Canceled => Some(Self::Canceled),
            JobStatus::Queued | JobStatus::Running | JobStatus::Succeeded => None,
        }
    }

    /// Whether a brand may go from this status to `next` (annex A2).
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (
                Self::NotStarted | Self::Ready | Self::Failed | Self::Canceled,
                Self::Queued
            ) | (
                Self::Queued,
                Self::Researching | Self::Failed | Self::Canceled
            ) | (
                Self::Researching,
                Self::Ready | Self::Failed | Self::Canceled
            )
        )
    }
}

/// The outcome of a brand's research.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BrandsResult {
    /// The brand that was researched.
    #[schema(value_type = String, pattern = "^brd_[0-9a-hjkmnp-tv-z]{26}$")]
    pub brand_profile_id: BrandId,
    /// Version of the guideline's schema.
    pub schema_version: String,
    /// The guideline's revision.
    #[schema(minimum = 1)]
    pub revision: u64,
    /// SHA-256 of the RFC 8785 form of the guideline without this member.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub guideline_hash: Digest,
    /// Number of sources that the guideline rests on.
    pub source_count: u64,
}

/// The brand that the result was written for, with the guideline's revision and the hash that identifies
/// it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BrandBinding {
    /// The brand whose guideline was used.
    #[schema(value_type = String, pattern = "^brd_[0-9a-hjkmnp-tv-z]{26}$")]
    pub brand_profile_id: BrandId,
    /// The guideline's revision.
    #[schema(minimum = 1)]
    pub revision: u64,
    /// SHA-256 of the RFC 8785 form of the guideline without its own `guideline_hash`.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub guideline_hash: Digest,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_new_request_leads_out_of_an_end() {
        for from in ResearchStatus::ALL {
            assert_eq!(ResearchStatus::parse(from.as_str()), Some(from));
            assert!(!from.may_become(ResearchStatus::NotStarted), "{from:?}");
            // While a job is active, no other one may start.
            assert_eq!(
                from.may_become(ResearchStatus::Queued),
                !from.is_active(),
                "{from:?}"
            );
        }
    }
}
