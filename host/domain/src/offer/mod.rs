//! Offers: what an organization sells, in words and numbers that a person has approved (annex A13). An offer's
//! revisions are immutable; jobs bind one of them by its hash.

pub mod content;
pub mod forbidden;
pub mod key;
pub mod reading;
pub mod transitions;

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::canonical::NotCanonical;
use crate::{Digest, OfferId, OrganizationId, Timestamp, canonical_digest};

pub use content::{
    IdealCustomer, OfferContent, OfferText, Pricing, ProofPoint as OfferProofPoint, StageFit,
};
pub use key::{OfferKey, ParseOfferKeyError};
pub use reading::{OfferFault, OfferInput};
pub use transitions::OfferRefusal;

/// Whether an offer may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferStatus {
    /// None of its revisions was approved yet.
    Draft,
    /// It has an approved revision.
    Active,
    /// Archived for good: jobs can no longer bind it, those bound to it keep it.
    Archived,
}

impl OfferStatus {
    pub const ALL: [Self; 3] = [Self::Draft, Self::Active, Self::Archived];

    /// The value of `status`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Active => "active",
            Self::Archived => "archived",
        }
    }
}

/// An offer without its contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Offer {
    pub id: OfferId,
    pub organization: OrganizationId,
    /// Its key, unique in the organization; it never changes.
    pub key: OfferKey,
    /// The newest revision, approved or not.
    pub revision: u64,
    /// The revision that was approved last; jobs bind this one.
    pub approved_revision: Option<u64>,
    pub created_at: Timestamp,
    /// When it was last revised, approved or archived.
    pub updated_at: Timestamp,
    pub archived_at: Option<Timestamp>,
}

impl Offer {
    #[must_use]
    pub const fn status(&self) -> OfferStatus {
        match (self.archived_at, self.approved_revision) {
            (Some(_), _) => OfferStatus::Archived,
            (None, Some(_)) => OfferStatus::Active,
            (None, None) => OfferStatus::Draft,
        }
    }
}

/// Who approved a revision, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Approval {
    /// The person who approved it.
    #[schema(max_length = 200)]
    pub by: String,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// One revision of an offer. Only its approval is added later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferRevision {
    pub offer: OfferId,
    /// From 1.
    pub revision: u64,
    pub hash: Digest,
    pub content: OfferContent,
    pub created_at: Timestamp,
    pub approval: Option<Approval>,
}

/// An offer with one of its revisions, both read at the same moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisedOffer {
    pub offer: Offer,
    pub revision: OfferRevision,
}

/// How an offer is named: by its id or by its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OfferSelection {
    Id(OfferId),
    Key(OfferKey),
}

impl FromStr for OfferSelection {
    type Err = ParseOfferKeyError;

    /// Ids contain an underscore and keys none, so no text is both.
    fn from_str(text: &str) -> Result<Self, ParseOfferKeyError> {
        text.parse()
            .map(Self::Id)
            .or_else(|_| text.parse().map(Self::Key))
    }
}

/// An offer as it was selected: with its approved revision, if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectedOffer {
    pub offer: Offer,
    /// What a job that selects the offer is bound to.
    pub binding: Option<OfferBinding>,
}

/// The offer that a result was written for, with its revision and the hash that identifies it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OfferBinding {
    /// The offer whose revision was used.
    #[schema(value_type = String, pattern = "^offr_[0-9a-hjkmnp-tv-z]{26}$")]
    pub offer_id: OfferId,
    /// The offer's revision.
    #[schema(minimum = 1)]
    pub revision: u64,
    /// Hash of that revision.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub offer_hash: Digest,
}

/// The hash of a revision: over its content, and over which revision of which offer it is.
///
/// # Errors
/// Never for a content that was read from JSON.
pub fn offer_hash(
    offer: OfferId,
    organization: OrganizationId,
    key: &OfferKey,
    revision: u64,
    content: &OfferContent,
) -> Result<Digest, NotCanonical> {
    #[derive(Serialize)]
    struct Hashed<'h> {
        id: OfferId,
        key: &'h OfferKey,
        organization_id: OrganizationId,
        revision: u64,
        #[serde(flatten)]
        content: &'h OfferContent,
    }
    let hashed = Hashed {
        id: offer,
        key,
        organization_id: organization,
        revision,
        content,
    };
    canonical_digest(&hashed).map_err(|e| NotCanonical::new("offer", &e))
}

#[cfg(test)]
mod tests;
