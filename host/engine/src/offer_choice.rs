//! Choice of the offer that a job sells: named by id or key, and bound in its approved revision.

use gtm_domain::OfferId;
use gtm_domain::offer::{OfferBinding, OfferSelection, SelectedOffer};

/// How a job chooses its offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferChoice(pub(crate) OfferSelection);

/// Why the chosen offer cannot be bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OfferProblem {
    /// Also another organization's offer.
    #[error("the organization has no such offer")]
    Unknown,
    #[error("no revision of offer {0} is approved yet")]
    NotApproved(OfferId),
    #[error("offer {0} is archived")]
    Archived(OfferId),
}

impl From<OfferId> for OfferChoice {
    fn from(id: OfferId) -> Self {
        Self(OfferSelection::Id(id))
    }
}

impl OfferChoice {
    /// A choice by id or by key.
    ///
    /// # Errors
    /// If the text can be the name of no offer.
    pub fn named(text: &str) -> Result<Self, OfferProblem> {
        let by = text.parse().map_err(|_| OfferProblem::Unknown)?;
        Ok(Self(by))
    }
}

/// What a job that chose this offer is bound to.
pub(crate) fn binding(found: Option<SelectedOffer>) -> Result<OfferBinding, OfferProblem> {
    let SelectedOffer { offer, binding } = found.ok_or(OfferProblem::Unknown)?;
    if offer.archived_at.is_some() {
        return Err(OfferProblem::Archived(offer.id));
    }
    binding.ok_or(OfferProblem::NotApproved(offer.id))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gtm_domain::offer::Offer;
    use gtm_domain::{Digest, OrganizationId, Timestamp};
    use uuid::Uuid;

    #[test]
    fn only_an_approved_offer_that_is_not_archived_is_bound() {
        let now = Timestamp::from_millis(1_800_000_000_000);
        let id = OfferId::from_uuid(Uuid::from_u128(1));
        let organization = OrganizationId::from_uuid(Uuid::from_u128(2));
        let draft = Offer::new(id, organization, "meters".parse().unwrap(), now);
        let bound = OfferBinding {
            offer_id: id,
            revision: 1,
            offer_hash: Digest::of(b"offer"),
        };
        let found = |offer: &Offer, approved: bool| {
            binding(Some(SelectedOffer {
                offer: offer.clone(),
                binding: approved.then(|| bound.clone()),
            }))
        };
        let active = draft.approved(None, now).unwrap().unwrap();
        assert_eq!(found(&active, true), Ok(bound.clone()));
        assert_eq!(found(&draft, false), Err(OfferProblem::NotApproved(id)));
        let archived = Err(OfferProblem::Archived(id));
        assert_eq!(found(&active.archived(now).unwrap(), true), archived);
        assert_eq!(found(&draft.archived(now).unwrap(), false), archived);
        assert_eq!(binding(None), Err(OfferProblem::Unknown));
    }

    #[test]
    fn what_cannot_name_an_offer_names_none() {
        let id = OfferId::from_uuid(Uuid::from_u128(1));
        assert_eq!(OfferChoice::named(&id.to_string()), Ok(id.into()));
        assert!(OfferChoice::named("meters").is_ok());
        assert_eq!(OfferChoice::named("No key!"), Err(OfferProblem::Unknown));
    }
}
