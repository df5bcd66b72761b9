//! The operator's view of jobs, across projects.

use gtm_domain::audit::job::job_canceled;
use gtm_domain::job::{JobEvent, JobFile, JobReceipt, ListedJob, OperatorJob};
use gtm_domain::money::LedgerTransaction;
use gtm_domain::step::Step;
use gtm_domain::{JobId, Permissions, ProjectId};

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;
use crate::model::job::JobFilter;
use crate::scope::ProjectScope;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Jobs of one project or all, newest first. A damaged row hides no other.
    pub async fn list_jobs(
        &self,
        project: Option<ProjectId>,
        filter: &JobFilter,
    ) -> Result<Vec<ListedJob>, StoreError> {
        let (filter, now) = (filter.clone(), self.0.now());
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::jobs::operator_list(c, project, &filter, now).await
        })
    }

    /// A job without its unreadable parts.
    pub async fn show_job(&self, id: JobId) -> Result<Option<OperatorJob>, StoreError> {
        let now = self.0.now();
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::damaged_jobs::read(c, id, now).await
        })
    }

    /// Cancels a job: a queued one ends at once, a running one is asked to stop, an ended one stays as it
    /// is. Unreadable parts of the job are left out. [`StoreError::Absent`] if it does not exist.
    pub async fn cancel_job(&self, id: JobId) -> Result<OperatorJob, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let canceled = repo::cancellations::cancel(c, id, now).await?;
            let job = repo::damaged_jobs::read(c, id, now).await?;
            if let Some(job) = &canceled {
                repo::audit::append(c, &job_canceled(&operator.1, job)?, now).await?;
            }
            job.ok_or_else(|| StoreError::absent("job", id))
        })
    }

    /// The scope of a job's own project, for reads on its behalf. It carries no permissions, like
    /// [`crate::Lease::scope`].
    pub async fn job_scope(&self, id: JobId) -> Result<Option<ProjectScope>, StoreError> {
        Ok(self.show_job(id).await?.map(|found| ProjectScope {
            project: found.job.project,
            organization: found.job.organization,
            key: found.job.key,
            permissions: Permissions::of(Vec::new()),
            origin: None,
            terms: None,
        }))
    }

    /// The journal of a job; empty if the job does not exist.
    pub async fn job_steps(&self, id: JobId) -> Result<Vec<Step>, StoreError> {
        let stored = on_database!(self.0, read, Access::All, |c, repo| repo::steps::list(
            c, id
        )
        .await)?;
        self.0.with_outcomes(stored).await
    }

    /// Events of a job after `after_seq`; empty if the job does not exist.
    pub async fn job_events(
        &self,
        id: JobId,
        after_seq: u64,
        limit: u32,
    ) -> Result<Vec<JobEvent>, StoreError> {
        let Some(found) = self.show_job(id).await? else {
            return Ok(Vec::new());
        };
        let project = found.job.project;
        on_database!(self.0, read, Access::All, |c, repo| repo::events::list(
            c, project, id, after_seq, limit
        )
        .await)
    }

    /// Receipts of a job; empty if the job does not exist.
    pub async fn job_receipts(&self, id: JobId) -> Result<Vec<JobReceipt>, StoreError> {
        let Some(found) = self.show_job(id).await? else {
            return Ok(Vec::new());
        };
        let project = found.job.project;
        on_database!(self.0, read, Access::All, |c, repo| repo::steps::receipts(
            c, project, id, None, None
        )
        .await)
    }

    /// The files of a job, in order; empty if the job does not exist.
    pub async fn job_files(&self, id: JobId) -> Result<Vec<JobFile>, StoreError> {
        let Some(found) = self.show_job(id).await? else {
            return Ok(Vec::new());
        };
        let project = found.job.project;
        on_database!(self.0, read, Access::All, |c, repo| repo::files::of_job(
            c, project, id
        )
        .await)
    }

    /// Ledger transactions of a job.
    pub async fn job_ledger(&self, id: JobId) -> Result<Vec<LedgerTransaction>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| repo::ledger::of_job(
            c, id
        )
        .await)
    }
}
