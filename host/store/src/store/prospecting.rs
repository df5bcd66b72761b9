//! Candidates of a project's prospecting jobs, for the tenant and for the worker. No function returns an address in
//! clear.

use gtm_domain::prospecting::Candidate;
use gtm_domain::{JobId, ProspectId};

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::prospecting::{CandidatePage, Prospect};
use crate::scope::ProjectScope;

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
