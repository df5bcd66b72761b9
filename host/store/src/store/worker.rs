//! The worker's side: claiming jobs and writing their journal, events and outcome. Every write is
//! fenced by the lease: [`StoreError::LeaseLost`] means that nothing was written.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::receipt::Receipt;
use gtm_domain::{ConnectionId, MicroUsd, ReceiptId, Timestamp, Usage, WorkerId};

use super::Store;
use crate::error::StoreError;
use crate::model::connection::ConnectionSecrets;
use crate::model::event::JobEventNew;
use crate::model::job::{ClaimedJob, Finish, JobRow, LeaseState};
use crate::model::step::{NewStep, Settlement, StepRow};
use crate::scope::Lease;

impl Store {
    /// Claim up to `max` jobs for `lease`: queued ones, and running ones whose lease ran out. Fair
    /// between projects: those with the fewest running jobs and, among these, those served longest
    /// ago come first; no project gets more than `per_project_running` jobs at a time.
    pub async fn claim_jobs(&self, worker: WorkerId, max: usize, per_project_running: usize, lease: Duration) -> Result<Vec<ClaimedJob>, StoreError> { todo!() }
    /// Wait until a job may be claimable: a job was created or handed back here, or half a second
    /// passed (jobs of other nodes, leases that ran out).
    pub async fn job_available(&self) { todo!() }
    /// Extend the lease to `duration` from now.
    pub async fn renew(&self, lease: &Lease, duration: Duration) -> Result<LeaseState, StoreError> { todo!() }
    /// Hand the job back: it stays `running` and is claimable at once, by others too.
    pub async fn release(&self, lease: &Lease) -> Result<(), StoreError> { todo!() }
    /// The job's row as it stands.
    pub async fn leased_job(&self, lease: &Lease) -> Result<JobRow, StoreError> { todo!() }
    /// The journal in order, with outcomes.
    pub async fn load_steps(&self, lease: &Lease) -> Result<Vec<StepRow>, StoreError> { todo!() }
    /// Record the intent of a provider call. On disk when this returns.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if the position is taken.
    pub async fn start_step(&self, lease: &Lease, step: NewStep) -> Result<(), StoreError> { todo!() }
    /// Record that an in-doubt step is tried again. Returns the number of attempts including this.
    pub async fn restart_step(&self, lease: &Lease, seq: u64) -> Result<u32, StoreError> { todo!() }
    /// Settle a provider call: blobs first, then in one transaction the step's outcome, its receipts,
    /// its usage and its cost row.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if the step is not started or is settled already.
    pub async fn settle_step(&self, lease: &Lease, seq: u64, settlement: Settlement) -> Result<(), StoreError> { todo!() }
    /// Record an event, once for each ordinal. Returns whether it was new.
    pub async fn emit(&self, lease: &Lease, event: JobEventNew) -> Result<bool, StoreError> { todo!() }
    /// End the job in one transaction: result or error, usage, settlement on the ledger, status. The
    /// cost that is charged and shown is the sum of the job's cost rows, whatever `usage` says;
    /// everything else of `usage` is taken as it is.
    pub async fn finish(&self, lease: &Lease, finish: Finish, usage: Usage) -> Result<JobRow, StoreError> { todo!() }
    /// A receipt of this job with the bytes behind it; `None` if the job has no such receipt.
    pub async fn read_receipt_body(&self, lease: &Lease, id: ReceiptId) -> Result<Option<(Receipt, Bytes)>, StoreError> { todo!() }
    /// What the job's settled steps cost.
    pub async fn job_spend(&self, lease: &Lease) -> Result<MicroUsd, StoreError> { todo!() }
    /// What the job's organization has been charged in settled steps since `since`.
    pub async fn organization_spend(&self, lease: &Lease, since: Timestamp) -> Result<MicroUsd, StoreError> { todo!() }
    /// A connection with its opened secrets. `None` if it is absent or not of the job's organization.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] if a secret does not open; other connections are not affected.
    pub async fn connection_for_job(&self, lease: &Lease, id: ConnectionId) -> Result<Option<ConnectionSecrets>, StoreError> { todo!() }
}
