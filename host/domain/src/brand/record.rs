//! A brand of an organization.

use serde::Serialize;

use super::{BrandBinding, BrandKey, ResearchStatus};
use crate::{BrandId, JobId, OrganizationId, Timestamp};

/// Whether a brand can be selected and researched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BrandStatus {
    Active,
    /// Archived by an operator: cannot be selected or researched, stays readable.
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
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Active, Self::Archived]
            .into_iter()
            .find(|s| s.as_str() == text)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Brand {
    pub id: BrandId,
    pub organization: OrganizationId,
    /// Its key, unique in the organization.
    pub key: BrandKey,
    /// Name of the company, as the caller gave it.
    pub company_name: Option<String>,
    /// Its website, normalized.
    pub website_url: Option<String>,
    /// Whether it is the organization's default brand. A default brand has a guideline.
    pub is_default: bool,
    /// Since when it waits to become the default with its first guideline; `None` if it does not.
    pub default_wished_at: Option<Timestamp>,
    pub status: BrandStatus,
    /// Where its research stands.
    pub research_status: ResearchStatus,
    /// The newest research job, possibly of another project of the organization
    /// ([`ResearchJob`](super::ResearchJob)).
    pub research_job: Option<JobId>,
    /// Revision of the current guideline; `None` before the first.
    pub guideline_revision: Option<u64>,
    /// Number of sources of the current guideline; 0 before the first.
    pub source_count: u64,
    pub created_at: Timestamp,
    /// When any field last changed.
    pub updated_at: Timestamp,
    pub archived_at: Option<Timestamp>,
}

/// How a request identifies a brand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrandSelection {
    Id(BrandId),
    Key(BrandKey),
    /// The organization's default brand.
    Default,
}

/// A brand with the guideline that results bind to, both read at the same moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectedBrand {
    pub brand: Brand,
    /// Its current guideline; `None` before the first one, and if its reviewer rejected it.
    pub binding: Option<BrandBinding>,
    /// Whether the current guideline was rejected.
    pub rejected: bool,
}
