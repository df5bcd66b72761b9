//! A job: what it was asked, where it stands, and what came of it.

use serde_json::Value;

use super::{JobError, JobStatus};
use crate::idempotency::Create;
use crate::{
    JobErrorCode, JobId, JobStage, JobType, KeyRecordId, MicroUsd, OrganizationId, ProjectId,
    Timestamp, Usage, WorkerId,
};

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Identifier.
    pub id: JobId,
    /// The project that owns it.
    pub project: ProjectId,
    /// The project's organization.
    pub organization: OrganizationId,
    /// The key that created it.
    pub key: KeyRecordId,
    /// What it makes.
    pub job_type: JobType,
    /// Where it stands.
    pub status: JobStatus,
    /// 0 to 100, never falling.
    pub progress: u8,
    /// The normalized input; `null` once the job was swept.
    pub input: Value,
    /// What a worker needs to run it the same way again; `null` once the job was swept.
    pub pins: Value,
    /// The result of a succeeded job.
    pub result: Option<Value>,
    /// The error of a failed job.
    pub error: Option<JobError>,
    /// What it consumed; all zero until it ended.
    pub usage: Usage,
    /// What was reserved at create: as much of what it was expected to cost as there was room for.
    pub reserved: MicroUsd,
    /// What its provider calls may cost together.
    pub cost_cap: MicroUsd,
    /// Key of the generation backend that it was created with; none if nothing was bound.
    pub backend: Option<String>,
    /// Its stages; none if its type has none.
    pub stages: Option<Vec<JobStage>>,
    /// The caller's own reference.
    pub external_ref: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it and its result stop being readable (410 `job_expired`).
    pub expires_at: Timestamp,
    /// Whether `expires_at` has passed by the store's clock. An expired job's data may be gone.
    pub expired: bool,
    /// When a worker first claimed it.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// Whether its worker was asked to stop.
    pub cancel_requested: bool,
    /// How often it was claimed.
    pub attempts: u32,
}

/// A job for operators: the row and who works on it.
#[derive(Debug, Clone, PartialEq)]
pub struct OperatorJob {
    /// The job.
    pub job: Job,
    /// The worker that holds or held it.
    pub worker: Option<WorkerId>,
    /// Until when the worker holds it.
    pub lease_until: Option<Timestamp>,
    /// What of the row cannot be read, and is absent here; none if all of it can.
    pub damage: Option<String>,
}

/// A place in a list of jobs for operators. One damaged row must not hide all others.
#[derive(Debug, Clone, PartialEq)]
pub enum ListedJob {
    /// A job, without what cannot be read of it.
    Job(Box<OperatorJob>),
    /// A row of which too much is damaged to say what job it is.
    Unreadable {
        /// The job.
        id: JobId,
        /// The project that owns it.
        project: ProjectId,
        /// What is damaged.
        damage: String,
    },
}

/// What became of the create of a job, which is queued then. A limit or a credit that is used up is an
/// error beside it, a [`Refusal`](crate::money::Refusal).
pub type CreateJob = Create<Box<Job>>;

impl ListedJob {
    /// The job's id.
    #[must_use]
    pub const fn id(&self) -> JobId {
        match self {
            Self::Job(row) => row.job.id,
            Self::Unreadable { id, .. } => *id,
        }
    }
}

impl Job {
    /// Whether it says of itself that it failed without its ordinary end, and was charged nothing. What
    /// the ledger says of it is the other half of the proof.
    #[must_use]
    pub fn says_it_was_given_up(&self) -> bool {
        let error = self.error.as_ref();
        let told = error.is_some_and(|e| e.code == JobErrorCode::SettlementFailed.as_str());
        self.status == JobStatus::Failed && told && self.usage.cost == MicroUsd::ZERO
    }
}
