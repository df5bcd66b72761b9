//! The tenant's side: what a request may do with a [`ProjectScope`].

use bytes::Bytes;
use gtm_domain::{Digest, JobId};

use super::Store;
use crate::error::StoreError;
use crate::model::binding::Bindings;
use crate::model::event::JobEvent;
use crate::model::job::{CreateJob, IdempotencyClaim, JobFilter, JobRow, KnownRequest, NewJob};
use crate::model::step::JobReceipt;
use crate::scope::ProjectScope;

impl Store {
    /// The bindings that hold for the project.
    pub async fn resolve_bindings(&self, scope: &ProjectScope) -> Result<Bindings, StoreError> { todo!() }
    /// The keyed digest under which an idempotency key of this project is stored.
    #[must_use]
    pub fn idempotency_hmac(&self, scope: &ProjectScope, key: &str) -> [u8; 32] { todo!() }
    /// What is known of an idempotency key, without claiming it.
    pub async fn find_idempotent(&self, scope: &ProjectScope, claim: &IdempotencyClaim) -> Result<Option<KnownRequest>, StoreError> { todo!() }
    /// Create a queued job, its idempotency row and its reservation in one transaction.
    pub async fn create_job(&self, scope: &ProjectScope, job: NewJob, idempotency: Option<IdempotencyClaim>) -> Result<CreateJob, StoreError> { todo!() }
    /// A job of the project.
    pub async fn get_job(&self, scope: &ProjectScope, id: JobId) -> Result<Option<JobRow>, StoreError> { todo!() }
    /// Jobs of the project, newest first.
    pub async fn list_jobs(&self, scope: &ProjectScope, filter: &JobFilter) -> Result<Vec<JobRow>, StoreError> { todo!() }
    /// Events of a job after `after_seq`, oldest first; `None` if the project has no such job.
    pub async fn job_events(&self, scope: &ProjectScope, id: JobId, after_seq: u64, limit: u32) -> Result<Option<Vec<JobEvent>>, StoreError> { todo!() }
    /// Receipts of a job in order; `None` if the project has no such job.
    pub async fn job_receipts(&self, scope: &ProjectScope, id: JobId) -> Result<Option<Vec<JobReceipt>>, StoreError> { todo!() }
    /// Bytes that a job keeps, by digest; `None` if the project's job does not keep them.
    pub async fn job_blob(&self, scope: &ProjectScope, id: JobId, digest: Digest) -> Result<Option<Bytes>, StoreError> { todo!() }
}
