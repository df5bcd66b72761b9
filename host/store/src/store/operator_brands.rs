//! The operator's side of brands: reading them all, archiving, the default, and reviews.

use gtm_domain::guideline::review::{REVIEW_POINTER, Review, reviewed};
use gtm_domain::{BrandId, OrganizationId};

use super::on_engine;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;
use crate::model::audit::{AuditActor, AuditEvent};
use crate::model::audit_action::AuditAction;
use crate::model::brand::{
    BrandRow, BrandStatus, GuidelineRevision, GuidelineRevisionPage, NewGuideline, StoredGuideline,
};
use crate::model::job_audit::job_canceled;

/// Every function fails if the database does; further errors are named where there are any.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Brands, of one organization or all, in one status or any, newest first.
    pub async fn list_brands(
        &self,
        organization: Option<OrganizationId>,
        status: Option<BrandStatus>,
    ) -> Result<Vec<BrandRow>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| {
            repo::brands::operator_list(c, organization, status).await
        })
    }

    /// A brand.
    pub async fn show_brand(&self, id: BrandId) -> Result<Option<BrandRow>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| {
            repo::brands::operator_get(c, id).await
        })
    }

    /// Archive a brand: it is selected no more and stays readable; research that waits is canceled,
    /// research that runs is asked to stop. A default brand stays the default, so that playbooks which
    /// name none are refused rather than written without a brand. Archiving twice changes nothing.
    /// [`StoreError::Absent`] if it does not exist.
    pub async fn archive_brand(&self, id: BrandId) -> Result<BrandRow, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_engine!(self.0, write, Access::All, |c, repo| {
            let organization = repo::brands::organization_of(c, id).await?;
            // Money, job, brand: the order in which a job ends.
            repo::money::lock(c, organization).await?;
            let mut events = Vec::new();
            let job = repo::brands::operator_get(c, id)
                .await?
                .and_then(|row| row.research_job);
            if let Some(job) = job
                && let Some(job) = repo::jobs::cancel(c, job, now).await?
            {
                events.push(job_canceled(&AuditActor::system("brand_archive"), &job)?);
            }
            let before = repo::brands::existing(c, organization, id).await?;
            if before.status == BrandStatus::Archived {
                return Ok(before);
            }
            let row = BrandRow {
                status: BrandStatus::Archived,
                default_wished_at: None,
                archived_at: Some(now),
                updated_at: now,
                ..before.clone()
            };
            repo::brands::update(c, &row).await?;
            let event = operator.brand_event(AuditAction::BrandArchived, &row);
            events.insert(0, event.before(&before)?.after(&row)?);
            repo::audit::append_all(c, &events, now).await?;
            Ok(row)
        })
    }

    /// Take a brand out of the archive. Doing so twice changes nothing. [`StoreError::Absent`] if it
    /// does not exist.
    pub async fn unarchive_brand(&self, id: BrandId) -> Result<BrandRow, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_engine!(self.0, write, Access::All, |c, repo| {
            let organization = repo::brands::organization_of(c, id).await?;
            let before = repo::brands::existing(c, organization, id).await?;
            if before.status == BrandStatus::Active {
                return Ok(before);
            }
            let row = BrandRow {
                status: BrandStatus::Active,
                archived_at: None,
                updated_at: now,
                ..before.clone()
            };
            repo::brands::update(c, &row).await?;
            let event = operator.brand_event(AuditAction::BrandUnarchived, &row);
            repo::audit::append(c, &event.before(&before)?.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// Make a brand its organization's default one; whichever was it before is it no more, and other
    /// brands that wait for their first guideline to become it wait in vain. A brand without a
    /// guideline becomes it with its first. [`StoreError::Absent`] if it does not exist,
    /// [`StoreError::Conflict`] if it is archived or its guideline was rejected.
    pub async fn set_default_brand(&self, id: BrandId) -> Result<BrandRow, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_engine!(self.0, write, Access::All, |c, repo| {
            let organization = repo::brands::organization_of(c, id).await?;
            // Changes of the default follow each other, those by research included.
            repo::money::lock(c, organization).await?;
            let before = repo::brands::existing(c, organization, id).await?;
            if before.status == BrandStatus::Archived {
                return Err(StoreError::Conflict(format!("brand {id} is archived")));
            }
            let selected = repo::brand_guidelines::selected(c, before.clone()).await?;
            if selected.rejected {
                return Err(StoreError::Conflict(format!(
                    "the guideline of brand {id} was rejected by its review; research the brand or review it again first"
                )));
            }
            if before.is_default {
                repo::brands::drop_wishes(c, organization, now, now).await?;
                return Ok(before);
            }
            let (action, row) = if selected.binding.is_some() {
                repo::brands::clear_default(c, organization, now).await?;
                repo::brands::drop_wishes(c, organization, now, now).await?;
                let row = BrandRow {
                    is_default: true,
                    updated_at: now,
                    ..before.clone()
                };
                (AuditAction::BrandMadeDefault, row)
            } else {
                let row = BrandRow {
                    default_wished_at: Some(now),
                    updated_at: now,
                    ..before.clone()
                };
                (AuditAction::BrandDefaultRequested, row)
            };
            repo::brands::update(c, &row).await?;
            let event = operator.brand_event(action, &row);
            repo::audit::append(c, &event.before(&before)?.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// Take the default from a brand, so that its organization has none, or let it not become the
    /// default. [`StoreError::Absent`] if it does not exist.
    pub async fn clear_default_brand(&self, id: BrandId) -> Result<BrandRow, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_engine!(self.0, write, Access::All, |c, repo| {
            let organization = repo::brands::organization_of(c, id).await?;
            repo::money::lock(c, organization).await?;
            let before = repo::brands::existing(c, organization, id).await?;
            if !before.is_default && before.default_wished_at.is_none() {
                return Ok(before);
            }
            let row = BrandRow {
                is_default: false,
                default_wished_at: None,
                updated_at: now,
                ..before.clone()
            };
            repo::brands::update(c, &row).await?;
            let event = operator.brand_event(AuditAction::BrandDefaultCleared, &row);
            repo::audit::append(c, &event.before(&before)?.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// A revision of a brand's guideline, the current one if none is named; none if there is none.
    pub async fn brand_guideline(
        &self,
        id: BrandId,
        revision: Option<u64>,
    ) -> Result<Option<StoredGuideline>, StoreError> {
        on_engine!(self.0, snapshot, Access::All, |c, repo| {
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

    /// Revisions of a brand's guideline, newest first; none for a brand that does not exist.
    pub async fn brand_guideline_revisions(
        &self,
        id: BrandId,
        page: GuidelineRevisionPage,
    ) -> Result<Vec<GuidelineRevision>, StoreError> {
        on_engine!(self.0, snapshot, Access::All, |c, repo| {
            let Some(brand) = repo::brands::operator_get(c, id).await? else {
                return Ok(Vec::new());
            };
            repo::brand_guidelines::list(c, brand.organization, id, page).await
        })
    }

    /// Review a brand's current guideline: makes the next revision, which says so.
    /// [`StoreError::Absent`] if the brand does not exist, [`StoreError::Conflict`] if it has no
    /// guideline, or if research is under way whose guideline would follow.
    pub async fn review_brand(
        &self,
        id: BrandId,
        review: Review,
    ) -> Result<StoredGuideline, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_engine!(self.0, write, Access::All, |c, repo| {
            let organization = repo::brands::organization_of(c, id).await?;
            let brand = repo::brands::existing(c, organization, id).await?;
            if brand.research_status.is_active() {
                return Err(StoreError::Conflict(format!(
                    "brand {id} is being researched; review what comes of it"
                )));
            }
            let current = match brand.guideline_revision {
                None => None,
                Some(revision) => {
                    repo::brand_guidelines::get(c, organization, id, revision).await?
                }
            };
            let current = current
                .ok_or_else(|| StoreError::Conflict(format!("brand {id} has no guideline")))?;
            let (document, hash) = reviewed(&current.document, &review, now)
                .map_err(|e| StoreError::Corrupt(format!("brand {id}: {e}")))?;
            let new = NewGuideline {
                brand: id,
                revision: current.revision + 1,
                hash,
                schema_version: current.schema_version,
                generated_at: current.generated_at,
                source_count: current.source_count,
                changed_pointers: vec![REVIEW_POINTER.to_owned()],
                document,
            };
            repo::brand_guidelines::amend(c, &brand, current.job, &new, now).await?;
            let event = AuditEvent {
                before: Some(current.hash),
                after: Some(hash),
                ..operator.brand_event(AuditAction::BrandReviewed, &brand)
            };
            repo::audit::append(c, &event, now).await?;
            repo::brand_guidelines::get(c, organization, id, new.revision)
                .await?
                .ok_or_else(|| StoreError::absent("guideline of brand", id))
        })
    }

    fn brand_event(&self, action: AuditAction, brand: &BrandRow) -> AuditEvent {
        self.event(action, brand.id, Some(brand.organization), None)
    }
}
