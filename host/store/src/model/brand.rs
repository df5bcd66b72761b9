//! Brands to be created, and which of them and of their guidelines' revisions to list.

use gtm_domain::BrandId;
use gtm_domain::brand::BrandKey;

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
