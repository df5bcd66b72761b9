//! A brand of an organization.

use serde::Serialize;

use super::{BrandBinding, BrandKey, ResearchStatus};
use crate::{BrandId, JobId, OrganizationId, Timestamp};

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
pub struct Brand {
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
    /// The newest research, maybe another project's of the organization ([`ResearchJob`](super::ResearchJob)).
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
    pub brand: Brand,
    /// Its current guideline; none before the first, and none that its reviewer rejected.
    pub binding: Option<BrandBinding>,
    /// Whether the current guideline was rejected.
    pub rejected: bool,
}
