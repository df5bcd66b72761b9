//! Offers of an organization, for the tenant and for the worker.

use gtm_domain::OfferId;
use gtm_domain::offer::{OfferBinding, OfferContent, OfferSelection, RevisedOffer, SelectedOffer};

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::offer::OfferPage;
use crate::scope::ProjectScope;

impl Store {
    /// An offer of the organization, with what a job that selects it now is bound to.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn select_offer(
        &self,
        scope: &ProjectScope,
        by: OfferSelection,
    ) -> Result<Option<SelectedOffer>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        on_database!(self, snapshot, Access::Project(project), |c, repo| {
            let Some(offer) = repo::offers::select(c, organization, &by).await? else {
                return Ok(None);
            };
            let binding = repo::offers::binding_of(c, &offer).await?;
            Ok(Some(SelectedOffer { offer, binding }))
        })
    }

    /// An offer of the organization with its approved revision, active or archived; `None` if none of its revisions
    /// was ever approved.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn get_offer(
        &self,
        scope: &ProjectScope,
        id: OfferId,
    ) -> Result<Option<RevisedOffer>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::offers::get(c, organization, id, None).await
        })
    }

    /// Active offers of the organization with their approved revisions, newest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn list_offers(
        &self,
        scope: &ProjectScope,
        page: OfferPage,
    ) -> Result<Vec<RevisedOffer>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::offers::list(c, organization, page).await
        })
    }

    /// What the revision that a job is bound to says; `None` if it does not exist or has another hash than the bound
    /// one.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn bound_offer(
        &self,
        scope: &ProjectScope,
        bound: &OfferBinding,
    ) -> Result<Option<OfferContent>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        let (id, revision, hash) = (bound.offer_id, bound.revision, bound.offer_hash);
        let found = on_database!(self, read, Access::Project(project), |c, repo| {
            repo::offers::get(c, organization, id, Some(revision)).await
        })?;
        let bound = found.filter(|found| found.revision.hash == hash);
        Ok(bound.map(|found| found.revision.content))
    }
}
