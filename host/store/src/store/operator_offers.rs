//! The operator's side of offers: creating, revising, approving and archiving them.

use gtm_domain::audit::{AuditAction, AuditEvent};
use gtm_domain::offer::{
    Offer, OfferContent, OfferKey, OfferRefusal, OfferRevision, OfferSelection, RevisedOffer,
    offer_hash,
};
use gtm_domain::{Digest, OfferId, OrganizationId, Timestamp};

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Creates an offer, whose first revision is a draft. [`StoreError::Absent`] if the organization does not exist,
    /// [`StoreError::Conflict`] if it is archived, or has an offer with this key.
    pub async fn create_offer(
        &self,
        organization: OrganizationId,
        key: OfferKey,
        content: OfferContent,
    ) -> Result<RevisedOffer, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let id = OfferId::from_uuid(self.0.new_uuid());
        on_database!(self.0, write, Access::All, |c, repo| {
            let owner = repo::tenants::organization(c, organization).await?;
            owner
                .ok_or_else(|| StoreError::absent("organization", organization))?
                .active()
                .map_err(StoreError::conflict)?;
            let by = OfferSelection::Key(key.clone());
            if repo::offers::select(c, organization, &by).await?.is_some() {
                let taken = OfferRefusal::KeyTaken { organization, key };
                return Err(StoreError::conflict(taken));
            }
            let offer = Offer::new(id, organization, key, now);
            let made = first_or_next(offer, content, now)?;
            repo::offers::insert(c, &made).await?;
            let hash = Some(made.revision.hash);
            let event = operator.offer_event(AuditAction::OfferCreated, &made.offer, None, hash);
            repo::audit::append(c, &event, now).await?;
            Ok(made)
        })
    }

    /// Adds a revision to an offer, as a draft; content that is the newest revision's already adds none. `key` is the
    /// key that the author gave, if any. [`StoreError::Absent`] if the offer does not exist, [`StoreError::Conflict`]
    /// if it is archived or has another key.
    pub async fn revise_offer(
        &self,
        id: OfferId,
        key: Option<OfferKey>,
        content: OfferContent,
    ) -> Result<RevisedOffer, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let before = repo::offers::held(c, id).await?;
            let newest = repo::offers::operator_get(c, id, None).await?;
            let newest = newest.ok_or_else(|| StoreError::absent("offer", id))?;
            let row = before
                .revised(key.as_ref(), now)
                .map_err(StoreError::conflict)?;
            if newest.revision.content == content {
                return Ok(newest);
            }
            let made = first_or_next(row, content, now)?;
            repo::offers::update(c, &made.offer).await?;
            repo::offers::insert_revision(c, made.offer.organization, &made.revision).await?;
            let hashes = (newest.revision.hash, made.revision.hash);
            let (from, to) = (Some(hashes.0), Some(hashes.1));
            let event = operator.offer_event(AuditAction::OfferRevised, &made.offer, from, to);
            repo::audit::append(c, &event, now).await?;
            Ok(made)
        })
    }

    /// Approves the newest revision of an offer; `wanted` is the one that was read. Approving it twice changes
    /// nothing. [`StoreError::Absent`] if the offer does not exist, [`StoreError::Conflict`] if it is archived or has a
    /// newer revision.
    pub async fn approve_offer(
        &self,
        id: OfferId,
        wanted: Option<u64>,
        by: &str,
    ) -> Result<RevisedOffer, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let by = by.to_owned();
        on_database!(self.0, write, Access::All, |c, repo| {
            let before = repo::offers::held(c, id).await?;
            let approved = before.approved(wanted, now).map_err(StoreError::conflict)?;
            if let Some(row) = approved {
                let from = repo::offers::binding_of(c, &before).await?;
                repo::offers::approve(c, id, row.revision, &by, now).await?;
                repo::offers::update(c, &row).await?;
                let to = repo::offers::binding_of(c, &row).await?;
                let [from, to] = [from, to].map(|bound| bound.map(|bound| bound.offer_hash));
                let event = operator.offer_event(AuditAction::OfferApproved, &row, from, to);
                repo::audit::append(c, &event, now).await?;
            }
            let found = repo::offers::operator_get(c, id, None).await?;
            found.ok_or_else(|| StoreError::absent("offer", id))
        })
    }

    /// Archives an offer for good: nothing can be bound to it any more, and what is bound stays so. Archiving twice
    /// changes nothing. [`StoreError::Absent`] if it does not exist.
    pub async fn archive_offer(&self, id: OfferId) -> Result<RevisedOffer, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let before = repo::offers::held(c, id).await?;
            if let Some(row) = before.archived(now) {
                repo::offers::update(c, &row).await?;
                let event = operator.offer_event(AuditAction::OfferArchived, &row, None, None);
                repo::audit::append(c, &event.before(&before)?.after(&row)?, now).await?;
            }
            let found = repo::offers::operator_get(c, id, None).await?;
            found.ok_or_else(|| StoreError::absent("offer", id))
        })
    }

    /// Offers of one organization or all with their newest revisions, newest first: those that are archived, or the
    /// others.
    pub async fn list_offers(
        &self,
        organization: Option<OrganizationId>,
        archived: bool,
    ) -> Result<Vec<RevisedOffer>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::offers::operator_list(c, organization, archived).await
        })
    }

    /// An offer with a revision of it, the newest one if `revision` is `None`; `None` if either does not exist.
    pub async fn show_offer(
        &self,
        id: OfferId,
        revision: Option<u64>,
    ) -> Result<Option<RevisedOffer>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::offers::operator_get(c, id, revision).await
        })
    }

    /// The offer of an organization that the selector names.
    pub async fn find_offer(
        &self,
        organization: OrganizationId,
        by: OfferSelection,
    ) -> Result<Option<Offer>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::offers::select(c, organization, &by).await
        })
    }

    fn offer_event(
        &self,
        action: AuditAction,
        offer: &Offer,
        before: Option<Digest>,
        after: Option<Digest>,
    ) -> AuditEvent {
        AuditEvent {
            before,
            after,
            ..self.event(action, offer.id, Some(offer.organization), None)
        }
    }
}

/// An offer with the newest of its revisions, not approved yet.
fn first_or_next(
    offer: Offer,
    content: OfferContent,
    now: Timestamp,
) -> Result<RevisedOffer, StoreError> {
    let hash = offer_hash(
        offer.id,
        offer.organization,
        &offer.key,
        offer.revision,
        &content,
    )?;
    let revision = OfferRevision {
        offer: offer.id,
        revision: offer.revision,
        hash,
        content,
        created_at: now,
        approval: None,
    };
    Ok(RevisedOffer { offer, revision })
}
