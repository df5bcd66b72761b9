//! Brands of an organization, for the tenant and for the worker.

use bytes::Bytes;
use gtm_domain::audit::AuditAction;
use gtm_domain::audit::job::AuditedJob;
use gtm_domain::brand::{
    ActiveResearch, BoundGuideline, Brand, BrandBinding, BrandSelection, GuidelineRevision,
    Research, ResearchJob, ResearchSubject, SelectedBrand, StoredGuideline,
};
use gtm_domain::idempotency::{Create, IdempotencyClaim, StoredAnswer};
use gtm_domain::job::CreateJob;
use gtm_domain::{BrandId, JobId, ReceiptId};

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::brand::{BrandPage, GuidelineRevisionPage, NewBrand};
use crate::model::job::NewJob;
use crate::scope::{Lease, ProjectScope};

impl Store {
    /// Creates a brand with its first research job, its idempotency row, its reservation and its audit
    /// entries in one transaction. The brand belongs to the scope's organization, the job to its project.
    /// If another brand has the wanted key, a number is appended to it. Of concurrent requests with one
    /// idempotency key, exactly one creates anything.
    ///
    /// # Errors
    /// If the database cannot be written; then nothing was.
    pub async fn create_brand(
        &self,
        scope: &ProjectScope,
        brand: NewBrand,
        job: NewJob,
        idempotency: Option<IdempotencyClaim>,
    ) -> Result<CreateJob, StoreError> {
        let (store, owner, now) = (self.clone(), scope.clone(), self.now());
        let made = self.key_event(scope, AuditAction::BrandCreated, brand.id);
        let queued = self.key_event(scope, AuditAction::JobCreated, job.id);
        let result = on_database!(self, write, Access::Project(owner.project), |c, repo| {
            let claim = idempotency.as_ref();
            let (outcome, row) =
                repo::brands::create(c, &owner, &brand, &job, claim, store.tiers(), now).await?;
            if let (Create::Created(job), Some(row)) = (&outcome, row) {
                let events = [made.after(&row)?, queued.after(&AuditedJob::of(job))?];
                repo::audit::append_all(c, &events, now).await?;
            }
            Ok(outcome)
        });
        if matches!(result, Ok(Create::Created(_))) {
            self.job_waits();
        }
        self.settle_race(scope, idempotency, result).await
    }

    /// Researches a brand again, in one transaction like [`Self::create_brand`], unless a job is already at
    /// work: of any number of concurrent requests, one creates a job. The others get `answer`, which the
    /// same transaction stores under their idempotency keys.
    ///
    /// # Errors
    /// If the database cannot be written; then nothing was.
    pub async fn research_brand(
        &self,
        scope: &ProjectScope,
        brand: BrandId,
        job: NewJob,
        idempotency: Option<IdempotencyClaim>,
        answer: impl Fn(&ActiveResearch) -> StoredAnswer + Send + Sync + 'static,
    ) -> Result<Research, StoreError> {
        let (store, owner, now) = (self.clone(), scope.clone(), self.now());
        let queued = self.key_event(scope, AuditAction::JobCreated, job.id);
        let result = on_database!(self, write, Access::Project(owner.project), |c, repo| {
            let (claim, tiers) = (idempotency.as_ref(), store.tiers());
            let begun =
                repo::brands::research(c, &owner, brand, &job, claim, &answer, tiers, now).await?;
            if let Research::Job(Create::Created(row)) = &begun {
                repo::audit::append(c, &queued.after(&AuditedJob::of(row))?, now).await?;
            }
            Ok(begun)
        });
        let outcome = match result {
            Ok(Research::Job(outcome)) => Ok(outcome),
            Ok(instead) => return Ok(instead),
            Err(error) => Err(error),
        };
        if matches!(outcome, Ok(Create::Created(_))) {
            self.job_waits();
        }
        let settled = self.settle_race(scope, idempotency, outcome).await?;
        Ok(Research::Job(settled))
    }

    /// A research job for a brand of the scope's organization, whichever of its projects requested it,
    /// without its costs. [`Store::get_job`] returns a project's own jobs in full.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn research_job(
        &self,
        scope: &ProjectScope,
        id: JobId,
    ) -> Result<Option<ResearchJob>, StoreError> {
        let (project, organization, now) = (scope.project, scope.organization, self.now());
        let found = on_database!(self, read, Access::Project(project), |c, repo| {
            repo::brands::research_job(c, organization, id, now).await
        })?;
        Ok(found.map(ResearchJob::from))
    }

    /// What a research job of the organization received, whichever of its projects it belongs to; `None` if there is no
    /// such job or receipt, or the job's retention is over.
    ///
    /// # Errors
    /// If the database or the blob cannot be read.
    pub async fn research_body(
        &self,
        scope: &ProjectScope,
        job: JobId,
        receipt: ReceiptId,
    ) -> Result<Option<Bytes>, StoreError> {
        let research = self.research_job(scope, job).await?;
        let Some(research) = research.filter(|research| !research.expired) else {
            return Ok(None);
        };
        let project = research.project;
        let found = on_database!(self, read, Access::Project(project), |c, repo| {
            repo::steps::receipt(c, project, job, receipt).await
        })?;
        match found {
            None => Ok(None),
            Some((_, kept)) => Ok(Some(self.inner.blobs.fetch(kept).await?)),
        }
    }

    /// A brand of the organization, with the guideline that results are bound to.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn select_brand(
        &self,
        scope: &ProjectScope,
        by: BrandSelection,
    ) -> Result<Option<SelectedBrand>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        on_database!(self, snapshot, Access::Project(project), |c, repo| {
            let Some(brand) = repo::brands::select(c, organization, &by).await? else {
                return Ok(None);
            };
            repo::brand_guidelines::selected(c, brand).await.map(Some)
        })
    }

    /// A brand of the organization, active or archived.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn get_brand(
        &self,
        scope: &ProjectScope,
        id: BrandId,
    ) -> Result<Option<Brand>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::brands::select(c, organization, &BrandSelection::Id(id)).await
        })
    }

    /// Active brands of the organization, newest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn list_brands(
        &self,
        scope: &ProjectScope,
        page: BrandPage,
    ) -> Result<Vec<Brand>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::brands::list(c, organization, page).await
        })
    }

    /// A guideline revision of the organization's brand; `None` if the brand or revision does not exist.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn guideline(
        &self,
        scope: &ProjectScope,
        brand: BrandId,
        revision: u64,
    ) -> Result<Option<StoredGuideline>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::brand_guidelines::get(c, organization, brand, revision).await
        })
    }

    /// The guideline that a job is bound to; `None` if that revision does not exist or has another hash
    /// than the bound one.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn bound_guideline(
        &self,
        scope: &ProjectScope,
        bound: &BrandBinding,
    ) -> Result<Option<BoundGuideline>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        let (id, revision, hash) = (bound.brand_profile_id, bound.revision, bound.guideline_hash);
        on_database!(self, snapshot, Access::Project(project), |c, repo| {
            let by = BrandSelection::Id(id);
            let Some(brand) = repo::brands::select(c, organization, &by).await? else {
                return Ok(None);
            };
            let stored = repo::brand_guidelines::get(c, organization, id, revision).await?;
            let stored = stored.filter(|stored| stored.revision.hash == hash);
            Ok(stored.map(|stored| BoundGuideline {
                document: stored.document,
                archived_at: brand.archived_at,
            }))
        })
    }

    /// Guideline revisions of the organization's brand, newest first; empty if the brand does not exist.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn guideline_revisions(
        &self,
        scope: &ProjectScope,
        brand: BrandId,
        page: GuidelineRevisionPage,
    ) -> Result<Vec<GuidelineRevision>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::brand_guidelines::list(c, organization, brand, page).await
        })
    }

    /// The subject of the leased research job: its brand and the brand's current guideline.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if no brand follows this job; a failure of the database.
    pub async fn research_subject(&self, lease: &Lease) -> Result<ResearchSubject, StoreError> {
        let (job, organization) = (lease.job, lease.organization);
        on_database!(self, snapshot, Access::Project(lease.project), |c, repo| {
            let brand = repo::brands::of_job(c, organization, job).await?;
            let brand = brand.ok_or_else(|| StoreError::absent("brand of job", job))?;
            let previous = match brand.guideline_revision {
                None => None,
                Some(revision) => {
                    repo::brand_guidelines::get(c, organization, brand.id, revision).await?
                }
            };
            Ok(ResearchSubject { brand, previous })
        })
    }
}
