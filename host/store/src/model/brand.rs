//! Brands to create, and which brands and guideline revisions to list.

use gtm_domain::BrandId;
use gtm_domain::brand::BrandKey;

/// A brand to create. The caller chooses the id, so that the input of the job created with it can contain
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBrand {
    /// Identifier, the [`crate::uuid_v7`] of its creation.
    pub id: BrandId,
    /// The wanted key; the store appends a number if it is taken.
    pub key: BrandKey,
    pub company_name: Option<String>,
    /// Its website, normalized.
    pub website_url: Option<String>,
    /// Whether it becomes the organization's default brand once it has a guideline.
    pub is_default: bool,
}

/// A page of the list of active brands, newest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct BrandPage {
    /// Only brands after this one in the list (cursor).
    pub before: Option<BrandId>,
    /// At most this many.
    pub limit: u32,
}

/// A page of the list of a guideline's revisions, newest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct GuidelineRevisionPage {
    /// Only revisions after this one in the list (cursor).
    pub before: Option<u64>,
    /// At most this many.
    pub limit: u32,
}
