//! What an operator may do to an offer. Each function returns the changed offer.

use super::{Offer, OfferKey};
use crate::{OfferId, OrganizationId, Timestamp};

/// Why an offer is not changed as requested.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OfferRefusal {
    /// What is archived stays as it is.
    #[error("offer {0} is archived; create another one")]
    Archived(OfferId),
    /// Only the newest revision can be approved.
    #[error("revision {wanted} of offer {offer} is not the newest, which is {newest}")]
    NotNewest {
        offer: OfferId,
        wanted: u64,
        newest: u64,
    },
    /// Another offer of the organization has the key.
    #[error("organization {organization} has an offer {key} already")]
    KeyTaken {
        organization: OrganizationId,
        key: OfferKey,
    },
    /// A key never changes.
    #[error("the key of offer {offer} is {key}, and it never changes")]
    OtherKey { offer: OfferId, key: OfferKey },
}

impl Offer {
    /// A new offer, with its first revision as a draft.
    #[must_use]
    pub const fn new(
        id: OfferId,
        organization: OrganizationId,
        key: OfferKey,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            organization,
            key,
            revision: 1,
            approved_revision: None,
            created_at: now,
            updated_at: now,
            archived_at: None,
        }
    }

    /// Adds a revision as a draft. The approved revision stays in use until the new one is approved.
    ///
    /// # Errors
    /// If the offer is archived, or `key` names another one.
    pub fn revised(&self, key: Option<&OfferKey>, now: Timestamp) -> Result<Self, OfferRefusal> {
        self.changeable()?;
        if key.is_some_and(|key| *key != self.key) {
            return Err(OfferRefusal::OtherKey {
                offer: self.id,
                key: self.key.clone(),
            });
        }
        Ok(Self {
            revision: self.revision + 1,
            updated_at: now,
            ..self.clone()
        })
    }

    /// Approves the newest revision. `wanted` is the revision that the approver has read; `None` is returned if it
    /// was approved before.
    ///
    /// # Errors
    /// If the offer is archived, or has a newer revision.
    pub fn approved(
        &self,
        wanted: Option<u64>,
        now: Timestamp,
    ) -> Result<Option<Self>, OfferRefusal> {
        self.changeable()?;
        if let Some(wanted) = wanted.filter(|wanted| *wanted != self.revision) {
            return Err(OfferRefusal::NotNewest {
                offer: self.id,
                wanted,
                newest: self.revision,
            });
        }
        let approved = Some(self.revision);
        Ok((self.approved_revision != approved).then(|| Self {
            approved_revision: approved,
            updated_at: now,
            ..self.clone()
        }))
    }

    /// Archives the offer for good; `None` if it is archived.
    #[must_use]
    pub fn archived(&self, now: Timestamp) -> Option<Self> {
        self.archived_at.is_none().then(|| Self {
            archived_at: Some(now),
            updated_at: now,
            ..self.clone()
        })
    }

    const fn changeable(&self) -> Result<(), OfferRefusal> {
        match self.archived_at {
            None => Ok(()),
            Some(_) => Err(OfferRefusal::Archived(self.id)),
        }
    }
}
