//! The research of a brand: the outcome of a request for it, and its job as other projects of the
//! organization see it.

use serde_json::Value;

use crate::idempotency::StoredAnswer;
use crate::job::{CreateJob, Job, JobError, JobStatus, JobType};
use crate::{JobErrorCode, JobId, OrganizationId, ProjectId, Timestamp};

/// A research job without anything about its project's charges, limits and refusals.
#[derive(Debug, Clone, PartialEq)]
pub struct ResearchJob {
    pub id: JobId,
    /// The project that is charged for it.
    pub project: ProjectId,
    /// The organization of the brand, the project and the reader.
    pub organization: OrganizationId,
    pub job_type: JobType,
    pub status: JobStatus,
    /// 0 to 100; never decreases.
    pub progress: u8,
    /// The normalized input.
    pub input: Value,
    /// The result of a succeeded job.
    pub result: Option<Value>,
    /// The error of a failed job, without details and without sums.
    pub error: Option<JobError>,
    pub created_at: Timestamp,
    /// When it and its result stop being readable.
    pub expires_at: Timestamp,
    /// Whether `expires_at` has passed by the store's clock.
    pub expired: bool,
    /// When a worker first claimed it.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

impl From<Job> for ResearchJob {
    fn from(row: Job) -> Self {
        Self {
            id: row.id,
            project: row.project,
            organization: row.organization,
            job_type: row.job_type,
            status: row.status,
            progress: row.progress,
            input: row.input,
            result: row.result,
            error: row.error.map(without_sums),
            created_at: row.created_at,
            expires_at: row.expires_at,
            expired: row.expired,
            started_at: row.started_at,
            finished_at: row.finished_at,
        }
    }
}

/// Drops the amounts: the messages of these three codes name limits and balances.
fn without_sums(error: JobError) -> JobError {
    let of_money = [
        JobErrorCode::BudgetExceeded,
        JobErrorCode::QuotaExceeded,
        JobErrorCode::InsufficientCredits,
    ];
    let message = if of_money.iter().any(|code| code.as_str() == error.code) {
        "A limit or the credit of the project that asked for this job was used up.".to_owned()
    } else {
        error.message
    };
    JobError {
        code: error.code,
        message,
        details: None,
    }
}

/// The running research job of a brand, for whoever asks for research in the meantime.
#[derive(Debug, Clone, PartialEq)]
pub enum ActiveResearch {
    /// A job of the asking project.
    Own(Box<Job>),
    /// A job of another project of the organization.
    Shared(Box<ResearchJob>),
}

impl ActiveResearch {
    /// The job as a project of its organization may read it.
    #[must_use]
    pub fn of(row: Job, reader: ProjectId) -> Self {
        if row.project == reader {
            Self::Own(Box::new(row))
        } else {
            Self::Shared(Box::new(row.into()))
        }
    }

    #[must_use]
    pub fn id(&self) -> JobId {
        match self {
            Self::Own(job) => job.id,
            Self::Shared(job) => job.id,
        }
    }
}

/// Outcome of a request to research a brand again.
#[derive(Debug, Clone, PartialEq)]
pub enum Research {
    /// The organization has no such brand.
    Absent,
    Archived,
    /// A job is already running, possibly of another project of the organization. Holds the answer given
    /// and stored under the request's idempotency key.
    Active(JobId, StoredAnswer),
    /// The outcome of creating a job.
    Job(CreateJob),
}
