//! Candidates of a project's prospecting jobs, for the tenant and for the worker. No function returns an address in
//! clear.

use gtm_domain::outcome_ledger::LedgerSubject;
use gtm_domain::prospecting::Candidate;
use gtm_domain::{JobId, ProspectId};

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::prospecting::{CandidatePage, Prospect};
use crate::scope::{Lease, ProjectScope};

impl Store {
    /// A candidate of a prospecting job of the project, with its evidence and whom the outcome ledger is to be asked
    /// for; `None` if the project has no such job, or the job no such candidate. It may have expired.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn prospect(
        &self,
        scope: &ProjectScope,
        job: JobId,
        id: ProspectId,
    ) -> Result<Option<Prospect>, StoreError> {
        let project = scope.project;
        on_database!(self, snapshot, Access::Project(project), |c, repo| {
            repo::prospects::get(c, project, job, id).await
        })
    }

    /// Whether a search must not store somebody with these subjects: the outcome ledger of its project or the platform's
    /// list names them, or they were erased while the search ran. [`Self::finish`] asks the same again.
    ///
    /// # Errors
    /// If the database cannot be read or holds something unexpected. DANGER: nobody may be stored then.
    pub async fn must_not_store(
        &self,
        lease: &Lease,
        subjects: &[LedgerSubject],
    ) -> Result<bool, StoreError> {
        let (project, job, subjects) = (lease.project, lease.job, subjects.to_vec());
        on_database!(self, snapshot, Access::Project(project), |c, repo| {
            repo::searches::must_not_store(c, project, job, &subjects).await
        })
    }

    /// Candidates of a prospecting job of the project, in the order of the file; `None` if the project has no such
    /// job. An expired job has none.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn candidates(
        &self,
        scope: &ProjectScope,
        job: JobId,
        page: CandidatePage,
    ) -> Result<Option<Vec<Candidate>>, StoreError> {
        let project = scope.project;
        on_database!(self, snapshot, Access::Project(project), |c, repo| {
            if !repo::prospects::job_exists(c, project, job).await? {
                return Ok(None);
            }
            repo::prospects::list(c, project, job, page).await.map(Some)
        })
    }
}
