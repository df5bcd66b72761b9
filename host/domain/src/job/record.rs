//! A job: its input, its state and its outcome.

use serde_json::Value;

use super::{JobError, JobStatus};
use crate::idempotency::Create;
use crate::{
    JobErrorCode, JobId, JobStage, JobType, KeyRecordId, MicroUsd, OrganizationId, ProjectId,
    Timestamp, Usage, WorkerId,
};

#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: JobId,
    /// The project that owns it.
    pub project: ProjectId,
    /// The project's organization.
    pub organization: OrganizationId,
    /// The key that created it.
    pub key: KeyRecordId,
    /// What it makes.
    pub job_type: JobType,
    pub status: JobStatus,
    /// 0 to 100; never decreases.
    pub progress: u8,
    /// The normalized input; `null` once the job's data has been erased.
    pub input: Value,
    /// What a worker needs to run it again in the same way; `null` once retention has erased the job's
    /// data.
    pub pins: Value,
    /// The result of a succeeded job.
    pub result: Option<Value>,
    /// The error of a failed job.
    pub error: Option<JobError>,
    /// What it consumed; all zero until it ends.
    pub usage: Usage,
    /// Amount reserved at creation: the expected cost, as far as limits and credit had room for it.
    pub reserved: MicroUsd,
    /// Maximum total cost of its provider calls.
    pub cost_cap: MicroUsd,
    /// Key of the generation backend that it was created with; `None` if none was bound.
    pub backend: Option<String>,
    /// Its stages; `None` if its type has none.
    pub stages: Option<Vec<JobStage>>,
    /// The caller's own reference.
    pub external_ref: Option<String>,
    pub created_at: Timestamp,
    /// When it and its result stop being readable (`job_expired`).
    pub expires_at: Timestamp,
    /// Whether `expires_at` has passed by the store's clock. An expired job's data may be gone.
    pub expired: bool,
    /// When a worker first claimed it.
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    /// Whether its worker has been asked to stop.
    pub cancel_requested: bool,
    /// How often it was claimed.
    pub attempts: u32,
}

/// A job for operators: the row and the worker on it.
#[derive(Debug, Clone, PartialEq)]
pub struct OperatorJob {
    pub job: Job,
    /// The worker that holds, or last held, the lease.
    pub worker: Option<WorkerId>,
    /// When the lease ends.
    pub lease_until: Option<Timestamp>,
    /// What of the row is unreadable and left out here; `None` if all of it is readable.
    pub damage: Option<String>,
}

/// An entry in a list of jobs for operators. One damaged row must not hide all others.
#[derive(Debug, Clone, PartialEq)]
pub enum ListedJob {
    /// A job, without its unreadable parts.
    Job(Box<OperatorJob>),
    /// A row so damaged that its job cannot be shown.
    Unreadable {
        id: JobId,
        /// The project that owns it.
        project: ProjectId,
        damage: String,
    },
}

/// Outcome of creating a job, which starts out queued. An exhausted limit or credit is not an outcome but
/// an error, a [`Refusal`](crate::money::Refusal).
pub type CreateJob = Create<Box<Job>>;

impl ListedJob {
    #[must_use]
    pub const fn id(&self) -> JobId {
        match self {
            Self::Job(row) => row.job.id,
            Self::Unreadable { id, .. } => *id,
        }
    }
}

impl Job {
    /// Whether the row says that the job was given up: it failed without its ordinary end and was charged
    /// nothing. The ledger holds the other half of the proof.
    #[must_use]
    pub fn says_it_was_given_up(&self) -> bool {
        let error = self.error.as_ref();
        let told = error.is_some_and(|e| e.code == JobErrorCode::SettlementFailed.as_str());
        self.status == JobStatus::Failed && told && self.usage.cost == MicroUsd::ZERO
    }
}
