//! Jobs: their rows, their creation with idempotency, and what a worker gets when it claims one.

use bytes::Bytes;
use gtm_domain::job::JobError;
use gtm_domain::{
    Digest, JobId, JobStatus, JobType, KeyRecordId, MicroUsd, OrganizationId, ProjectId, Timestamp,
    Usage, WorkerId,
};
use serde_json::Value;

use super::brand::NewGuideline;
use super::create::Create;
use crate::scope::Lease;

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRow {
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
    /// When it was created.
    pub created_at: Timestamp,
    /// When it and its result stop to be readable (410 `job_expired`).
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

/// A job to be created. The caller chooses id and time so that it can render the answer that an
/// idempotent replay repeats byte for byte.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Identifier, the [`crate::uuid_v7`] of `created_at`: lists take its order for that of creation.
    pub id: JobId,
    /// What it makes.
    pub job_type: JobType,
    /// Creation time; retention counts from it.
    pub created_at: Timestamp,
    /// The normalized input.
    pub input: Value,
    /// Plug-in digests, settings, bindings, connection versions: all that a resumed run must find
    /// unchanged.
    pub pins: Value,
    /// Seed of the deterministic random numbers.
    pub seed: [u8; 32],
    /// Key of the generation backend; none if nothing is bound. What jobs cost is learned by it.
    pub backend: Option<String>,
    /// What the job is expected to cost; zero only if it makes free calls alone, which is held against
    /// it. As much as limits and credit leave is reserved until the job is settled.
    pub expected_cost: MicroUsd,
    /// What its provider calls may cost together, whatever was expected.
    pub cost_cap: MicroUsd,
    /// The answer that a replay repeats.
    pub response: StoredResponse,
}

/// An answer as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// HTTP status.
    pub status: u16,
    /// Headers that belong to the answer itself, such as `location`. No request ids.
    pub headers: Vec<(String, String)>,
    /// The body's exact bytes.
    pub body: Bytes,
}

/// A claim of an idempotency key (specification, Idempotency).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdempotencyClaim {
    /// From [`crate::Store::idempotency_hmac`]: the key itself is not stored.
    pub key_hmac: [u8; 32],
    /// Digest of what makes two requests the same.
    pub fingerprint: Digest,
}

/// What became of the create of a job, which is queued then. A limit or a credit that is used up is an
/// error beside it: [`crate::StoreError::Refused`].
pub type CreateJob = Create<Box<JobRow>>;

/// What is known of an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownRequest {
    /// The same request was answered with this.
    Replay(StoredResponse),
    /// The key belongs to another request.
    Reused,
}

/// Which jobs to list. Newest first.
#[derive(Debug, Clone, Default)]
pub struct JobFilter {
    /// Only this type.
    pub job_type: Option<JobType>,
    /// Only this status.
    pub status: Option<JobStatus>,
    /// Only jobs whose `created_at`, as the API shows it in milliseconds, lies after this.
    pub created_after: Option<Timestamp>,
    /// Only jobs after this one in the list, that is, made before it (cursor).
    pub before: Option<JobId>,
    /// At most this many; 0 means 100.
    pub limit: u32,
}

/// A job that a worker now owns.
#[derive(Debug, Clone)]
pub struct ClaimedJob {
    /// The right to write its outcome.
    pub lease: Lease,
    /// Its row.
    pub job: JobRow,
    /// What was pinned at create.
    pub pins: Value,
    /// Seed of the deterministic random numbers.
    pub seed: [u8; 32],
    /// When it was first started: the clock that its backend sees, the same in every run.
    pub started_at: Timestamp,
    /// What its provider calls may cost together.
    pub cost_cap: MicroUsd,
    /// Whether it ran before, so that its journal may hold steps.
    pub resumed: bool,
}

/// A job that a worker owns and whose row it cannot read: it can only be given up.
#[derive(Debug, Clone)]
pub struct UnreadableJob {
    /// The right to write its outcome.
    pub lease: Lease,
    /// How often it was claimed.
    pub attempts: u32,
    /// Whether it is to be canceled.
    pub cancel_requested: bool,
}

/// What a worker gets when it claims jobs.
#[derive(Debug, Clone, Default)]
pub struct Claims {
    /// Jobs to run.
    pub jobs: Vec<ClaimedJob>,
    /// Jobs whose row cannot be read. Left alone, each is claimed again when its lease has run out.
    pub unreadable: Vec<UnreadableJob>,
}

/// What a worker learns when it renews a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseState {
    /// Whether the job is to be stopped.
    pub cancel_requested: bool,
}

/// How a job ends.
#[derive(Debug, Clone, PartialEq)]
pub enum Finish {
    /// With a result.
    Succeeded {
        /// The result as the API shows it.
        result: Value,
        /// What the research of a brand found; there for research jobs, and for them alone. It is
        /// refused as a conflict unless it follows the brand's current revision.
        guideline: Option<NewGuideline>,
    },
    /// With an error.
    Failed {
        /// Why.
        error: JobError,
    },
    /// By an operator, an archived project or an erasure.
    Canceled,
}

/// A job for operators: the row and who works on it.
#[derive(Debug, Clone, PartialEq)]
pub struct OperatorJob {
    /// The job.
    pub job: JobRow,
    /// The worker that holds or held it.
    pub worker: Option<WorkerId>,
    /// Until when the worker holds it.
    pub lease_until: Option<Timestamp>,
}
