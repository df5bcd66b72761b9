//! The operator's side of brands: listing all of them, archiving, the default, and reviews.

use gtm_domain::audit::job::job_canceled;
use gtm_domain::audit::{AuditAction, AuditActor, AuditEvent};
use gtm_domain::brand::{
    Brand, BrandRefusal, BrandStatus, GuidelineRevision, MadeDefault, StoredGuideline,
};
use gtm_domain::guideline::review::Review;
use gtm_domain::{BrandId, OrganizationId};

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;
use crate::model::brand::GuidelineRevisionPage;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Brands of one organization or all, in one status or any, newest first.
    pub async fn list_brands(
        &self,
        organization: Option<OrganizationId>,
        status: Option<BrandStatus>,
    ) -> Result<Vec<Brand>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::brands::operator_list(c, organization, status).await
        })
    }

    pub async fn show_brand(&self, id: BrandId) -> Result<Option<Brand>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::brands::operator_get(c, id).await
        })
    }

    /// Archives a brand. It can no longer be selected but stays readable; queued research is canceled,
    /// running research is asked to stop. A default brand stays the default, so that playbooks which name
    /// no brand are refused instead of written without one. Archiving twice changes nothing.
    /// [`StoreError::Absent`] if it does not exist.
    pub async fn archive_brand(&self, id: BrandId) -> Result<Brand, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let organization = repo::brands::organization_of(c, id).await?;
            // Lock order: money, job, brand, as when a job ends.
            repo::money::lock(c, organization).await?;
            let mut events = Vec::new();
            let job = repo::brands::operator_get(c, id)
                .await?
                .and_then(|row| row.research_job);
            if let Some(job) = job
                && let Some(job) = repo::cancellations::cancel(c, job, now).await?
            {
                events.push(job_canceled(&AuditActor::system("brand_archive"), &job)?);
            }
            let before = repo::brands::existing(c, organization, id).await?;
            let Some(row) = before.archived(now) else {
                return Ok(before);
            };
            repo::brands::update(c, &row).await?;
            let event = operator.brand_event(AuditAction::BrandArchived, &row);
            events.insert(0, event.before(&before)?.after(&row)?);
            repo::audit::append_all(c, &events, now).await?;
            Ok(row)
        })
    }

    /// Takes a brand out of the archive. Doing so twice changes nothing. [`StoreError::Absent`] if it does
    /// not exist.
    pub async fn unarchive_brand(&self, id: BrandId) -> Result<Brand, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let organization = repo::brands::organization_of(c, id).await?;
            let before = repo::brands::existing(c, organization, id).await?;
            let Some(row) = before.unarchived(now) else {
                return Ok(before);
            };
            repo::brands::update(c, &row).await?;
            let event = operator.brand_event(AuditAction::BrandUnarchived, &row);
            repo::audit::append(c, &event.before(&before)?.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// Makes a brand its organization's default brand, instead of the previous one, and drops the wishes of
    /// other brands that wait for their first guideline to become the default. A brand without a guideline
    /// becomes the default with its first. [`StoreError::Absent`] if it does not exist,
    /// [`StoreError::Conflict`] if it is archived or its guideline was rejected.
    pub async fn set_default_brand(&self, id: BrandId) -> Result<Brand, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let organization = repo::brands::organization_of(c, id).await?;
            // Changes of the default, including those by research, run one after the other.
            repo::money::lock(c, organization).await?;
            let before = repo::brands::existing(c, organization, id).await?;
            let selected = repo::brand_guidelines::selected(c, before.clone()).await?;
            let (action, row) = match selected.made_default(now).map_err(StoreError::conflict)? {
                MadeDefault::Already => {
                    repo::brands::drop_wishes(c, organization, now, now).await?;
                    return Ok(before);
                }
                MadeDefault::Now(row) => {
                    repo::brands::clear_default(c, organization, now).await?;
                    repo::brands::drop_wishes(c, organization, now, now).await?;
                    (AuditAction::BrandMadeDefault, row)
                }
                MadeDefault::WithFirstGuideline(row) => (AuditAction::BrandDefaultRequested, row),
            };
            repo::brands::update(c, &row).await?;
            let event = operator.brand_event(action, &row);
            repo::audit::append(c, &event.before(&before)?.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// Removes the default from a brand, so that its organization has none, or drops its wish to become the
    /// default. [`StoreError::Absent`] if it does not exist.
    pub async fn clear_default_brand(&self, id: BrandId) -> Result<Brand, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let organization = repo::brands::organization_of(c, id).await?;
            repo::money::lock(c, organization).await?;
            let before = repo::brands::existing(c, organization, id).await?;
            let Some(row) = before.without_default(now) else {
                return Ok(before);
            };
            repo::brands::update(c, &row).await?;
            let event = operator.brand_event(AuditAction::BrandDefaultCleared, &row);
            repo::audit::append(c, &event.before(&before)?.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// A revision of a brand's guideline, the current one if `revision` is `None`; `None` if it does not
    /// exist.
    pub async fn brand_guideline(
        &self,
        id: BrandId,
        revision: Option<u64>,
    ) -> Result<Option<StoredGuideline>, StoreError> {
        on_database!(self.0, snapshot, Access::All, |c, repo| {
            let Some(brand) = repo::brands::operator_get(c, id).await? else {
                return Ok(None);
            };
            match revision.or(brand.guideline_revision) {
                None => Ok(None),
                Some(revision) => {
                    repo::brand_guidelines::get(c, brand.organization, id, revision).await
                }
            }
        })
    }

    /// Revisions of a brand's guideline, newest first; empty if the brand does not exist.
    pub async fn brand_guideline_revisions(
        &self,
        id: BrandId,
        page: GuidelineRevisionPage,
    ) -> Result<Vec<GuidelineRevision>, StoreError> {
        on_database!(self.0, snapshot, Access::All, |c, repo| {
            let Some(brand) = repo::brands::operator_get(c, id).await? else {
                return Ok(Vec::new());
            };
            repo::brand_guidelines::list(c, brand.organization, id, page).await
        })
    }

    /// Reviews a brand's current guideline: creates the next revision, which records the review.
    /// [`StoreError::Absent`] if the brand does not exist, [`StoreError::Conflict`] if it has no guideline,
    /// or if research is under way that would publish the next one.
    pub async fn review_brand(
        &self,
        id: BrandId,
        review: Review,
    ) -> Result<StoredGuideline, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let organization = repo::brands::organization_of(c, id).await?;
            let brand = repo::brands::existing(c, organization, id).await?;
            brand.reviewable().map_err(StoreError::conflict)?;
            let current = match brand.guideline_revision {
                None => None,
                Some(revision) => {
                    repo::brand_guidelines::get(c, organization, id, revision).await?
                }
            };
            let current =
                current.ok_or_else(|| StoreError::conflict(BrandRefusal::NoGuideline(id)))?;
            let new = current
                .reviewed(&review, now)
                .map_err(|e| StoreError::Corrupt(format!("brand {id}: {e}")))?;
            repo::brand_guidelines::amend(c, &brand, current.revision.job, &new, now).await?;
            let event = AuditEvent {
                before: Some(current.revision.hash),
                after: Some(new.hash),
                ..operator.brand_event(AuditAction::BrandReviewed, &brand)
            };
            repo::audit::append(c, &event, now).await?;
            repo::brand_guidelines::get(c, organization, id, new.revision)
                .await?
                .ok_or_else(|| StoreError::absent("guideline of brand", id))
        })
    }

    fn brand_event(&self, action: AuditAction, brand: &Brand) -> AuditEvent {
        self.event(action, brand.id, Some(brand.organization), None)
    }
}
