//! The tenant's side: operations of a request that holds a [`ProjectScope`].

use std::ops::Range;

use aws_lc_rs::hmac;
use bytes::Bytes;
use futures::stream::BoxStream;
use gtm_domain::audit::AuditAction;
use gtm_domain::audit::job::AuditedJob;
use gtm_domain::binding::Bindings;
use gtm_domain::idempotency::{Create, IdempotencyClaim, KnownRequest};
use gtm_domain::job::{CreateJob, Job, JobEvent, JobFile, JobReceipt};
use gtm_domain::receipt::Receipt;
use gtm_domain::{FileId, JobId, JobType, MicroUsd, ReceiptId};

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::job::{JobFilter, NewJob};
use crate::model::step::ReceiptPlace;
use crate::scope::ProjectScope;

/// How often a create is begun that the database ends for another transaction's sake. Each time it was the other one that
/// went on, so a third end in a row is no coincidence.
const CREATE_TRIES: usize = 3;

impl Store {
    /// The bindings in effect for the project.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn resolve_bindings(&self, scope: &ProjectScope) -> Result<Bindings, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        // A binding of the organization or platform may name another project's connection.
        on_database!(self, read, Access::All, |c, repo| repo::bindings::resolve(
            c,
            project,
            organization
        )
        .await)
    }

    /// The keyed digest under which an idempotency key of this project is stored.
    #[must_use]
    pub fn idempotency_hmac(&self, scope: &ProjectScope, key: &str) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.inner.secret);
        context.update(b"idempotency ");
        context.update(scope.project.to_string().as_bytes());
        context.update(b" ");
        context.update(key.as_bytes());
        let mut out = [0; 32];
        out.copy_from_slice(context.sign().as_ref());
        out
    }

    /// Looks up an idempotency key without claiming it.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn find_idempotent(
        &self,
        scope: &ProjectScope,
        claim: &IdempotencyClaim,
    ) -> Result<Option<KnownRequest>, StoreError> {
        let (project, claim, now) = (scope.project, *claim, self.now());
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::idempotency::find(c, project, &claim, now).await
        })
    }

    /// The answer to a create that the idempotency key decided: a request that lost the race for its key
    /// gets the winner's answer. Every create uses this function, whatever it creates.
    ///
    /// # Errors
    /// The create's own errors that do not concern the key; if the database cannot be read.
    pub(super) async fn settle_race<T>(
        &self,
        scope: &ProjectScope,
        claim: Option<IdempotencyClaim>,
        result: Result<Create<T>, StoreError>,
    ) -> Result<Create<T>, StoreError> {
        match (result, claim) {
            // The other request has committed; otherwise it could not have taken the key.
            (Err(StoreError::KeyClaimed), Some(claim)) => {
                let known = self.find_idempotent(scope, &claim).await?;
                Ok(known.map_or(Create::InProgress, Create::known))
            }
            (Err(StoreError::KeyHeld), _) => Ok(Create::InProgress),
            (result, _) => result,
        }
    }

    /// Creates a queued job, its idempotency row, its reservation and its audit entry in one transaction.
    /// Of any number of concurrent requests with one key, exactly one creates a job. Limits and credit are
    /// checked for new jobs, never for replays.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if a limit or the credit is used up; [`StoreError::Busy`] if others held the
    /// organization's money for too long; if the database cannot be written. In every case nothing was
    /// written.
    pub async fn create_job(
        &self,
        scope: &ProjectScope,
        job: NewJob,
        idempotency: Option<IdempotencyClaim>,
    ) -> Result<CreateJob, StoreError> {
        let mut tries = 1..CREATE_TRIES;
        let result = loop {
            let result = self.try_create(scope, job.clone(), idempotency).await;
            let is_deadlock = matches!(result, Err(StoreError::Deadlocked));
            if !is_deadlock || tries.next().is_none() {
                break result;
            }
            tracing::warn!(job = %job.id, "the database ended a create in favour of another transaction; it is tried again");
        };
        if matches!(result, Ok(Create::Created(_))) {
            self.job_waits();
        }
        self.settle_race(scope, idempotency, result).await
    }

    async fn try_create(
        &self,
        scope: &ProjectScope,
        job: NewJob,
        idempotency: Option<IdempotencyClaim>,
    ) -> Result<CreateJob, StoreError> {
        let (store, owner, now) = (self.clone(), scope.clone(), self.now());
        let event = self.key_event(scope, AuditAction::JobCreated, job.id);
        on_database!(self, write, Access::Project(owner.project), |c, repo| {
            let claim = idempotency.as_ref();
            let tiers = store.tiers();
            let outcome = repo::creates::job(c, &owner, &job, claim, tiers, now).await?;
            if let Create::Created(row) = &outcome {
                let event = event.after(&AuditedJob::of(row))?;
                repo::audit::append(c, &event, now).await?;
            }
            Ok(outcome)
        })
    }

    /// The expected cost of jobs of this type with a backend in the project's organization; `None` until
    /// one has succeeded.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn expected_cost(
        &self,
        scope: &ProjectScope,
        job_type: JobType,
        backend: &str,
    ) -> Result<Option<MicroUsd>, StoreError> {
        let (organization, backend) = (scope.organization, backend.to_owned());
        on_database!(self, read, Access::Project(scope.project), |c, repo| {
            repo::expected_costs::get(c, organization, job_type, &backend).await
        })
    }

    /// A job of the project.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn get_job(
        &self,
        scope: &ProjectScope,
        id: JobId,
    ) -> Result<Option<Job>, StoreError> {
        let (project, now) = (scope.project, self.now());
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::jobs::get(c, project, id, now).await
        })
    }

    /// Jobs of the project that have not expired, newest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn list_jobs(
        &self,
        scope: &ProjectScope,
        filter: &JobFilter,
    ) -> Result<Vec<Job>, StoreError> {
        let (project, filter, now) = (scope.project, filter.clone(), self.now());
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::jobs::list(c, project, &filter, now).await
        })
    }

    /// Events of a job after `after_seq`, oldest first; `None` if the project has no such job.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn job_events(
        &self,
        scope: &ProjectScope,
        id: JobId,
        after_seq: u64,
        limit: u32,
    ) -> Result<Option<Vec<JobEvent>>, StoreError> {
        let project = scope.project;
        on_database!(self, read, Access::Project(project), |c, repo| {
            if !repo::jobs::exists(c, project, id).await? {
                return Ok(None);
            }
            repo::events::list(c, project, id, after_seq, limit)
                .await
                .map(Some)
        })
    }

    /// Receipts of a job in order; `None` if the project has no such job.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn job_receipts(
        &self,
        scope: &ProjectScope,
        id: JobId,
    ) -> Result<Option<Vec<JobReceipt>>, StoreError> {
        let project = scope.project;
        on_database!(self, read, Access::Project(project), |c, repo| {
            if !repo::jobs::exists(c, project, id).await? {
                return Ok(None);
            }
            repo::steps::receipts(c, project, id, None, None)
                .await
                .map(Some)
        })
    }

    /// Receipts of a job after a position, at most `limit`; `None` if the project has no such job.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn job_receipts_page(
        &self,
        scope: &ProjectScope,
        id: JobId,
        after: Option<ReceiptPlace>,
        limit: u32,
    ) -> Result<Option<Vec<JobReceipt>>, StoreError> {
        let project = scope.project;
        on_database!(self, read, Access::Project(project), |c, repo| {
            if !repo::jobs::exists(c, project, id).await? {
                return Ok(None);
            }
            repo::steps::receipts(c, project, id, after, Some(limit))
                .await
                .map(Some)
        })
    }

    /// A receipt of a job with the bytes that it describes; `None` if the project has no such receipt or
    /// its bytes were not stored.
    ///
    /// # Errors
    /// If database or blobs cannot be read, or a blob is damaged.
    pub async fn receipt_body(
        &self,
        scope: &ProjectScope,
        job: JobId,
        id: ReceiptId,
    ) -> Result<Option<(Receipt, Bytes)>, StoreError> {
        let project = scope.project;
        let found = on_database!(self, read, Access::Project(project), |c, repo| {
            repo::steps::receipt(c, project, job, id).await
        })?;
        match found {
            None => Ok(None),
            Some((receipt, kept)) => Ok(Some((receipt, self.inner.blobs.fetch(kept).await?))),
        }
    }

    /// The files of a job, in order; `None` if the project has no such job.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn job_files(
        &self,
        scope: &ProjectScope,
        job: JobId,
    ) -> Result<Option<Vec<JobFile>>, StoreError> {
        let project = scope.project;
        on_database!(self, read, Access::Project(project), |c, repo| {
            if !repo::jobs::exists(c, project, job).await? {
                return Ok(None);
            }
            repo::files::of_job(c, project, job).await.map(Some)
        })
    }

    /// A file of a job without its content; `None` if the project has no such job, or the job no such file.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn job_file(
        &self,
        scope: &ProjectScope,
        job: JobId,
        id: FileId,
    ) -> Result<Option<JobFile>, StoreError> {
        let project = scope.project;
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::files::get(c, project, job, id).await
        })
    }

    /// The content of a file in this range, in portions: no more than a few of them are in memory. `range` is within
    /// the file.
    ///
    /// # Errors
    /// If the file's blob cannot be read or has another size. The stream ends with an error if the whole is read and
    /// is damaged.
    pub async fn file_stream(
        &self,
        file: &JobFile,
        range: Range<u64>,
    ) -> Result<BoxStream<'static, Result<Bytes, StoreError>>, StoreError> {
        let blobs = &self.inner.blobs;
        blobs.stream(file.digest, file.size_bytes, range).await
    }

    /// A file of a job with its content; `None` if the project has no such job, or the job no such file.
    ///
    /// # Errors
    /// If the database cannot be read; if the file's blob cannot be read or is damaged.
    pub async fn file_content(
        &self,
        scope: &ProjectScope,
        job: JobId,
        id: FileId,
    ) -> Result<Option<(JobFile, Bytes)>, StoreError> {
        let project = scope.project;
        let found = on_database!(self, read, Access::Project(project), |c, repo| {
            repo::files::get(c, project, job, id).await
        })?;
        match found {
            None => Ok(None),
            Some(file) => {
                let content = self.inner.blobs.read(file.digest).await?;
                Ok(Some((file, content)))
            }
        }
    }
}
