//! Jobs to create, which of them to list, and what a worker gets when it claims one.

use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::job::Job;
use gtm_domain::{JobId, JobStage, JobStatus, JobType, MicroUsd, Timestamp};
use serde_json::Value;

use crate::scope::Lease;

/// A job to create. The caller chooses id and time so that it can render the answer that an idempotent
/// replay repeats byte for byte.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Identifier, the [`crate::uuid_v7`] of `created_at`: lists use the order of ids as the order of
    /// creation.
    pub id: JobId,
    pub job_type: JobType,
    /// Creation time; retention counts from it.
    pub created_at: Timestamp,
    /// The normalized input.
    pub input: Value,
    /// Plug-in digests, settings, bindings, connection versions: everything that a resumed run must find
    /// unchanged.
    pub pins: Value,
    /// Seed of the job's deterministic random numbers.
    pub seed: [u8; 32],
    /// Key of the generation backend; `None` if nothing is bound. The expected cost of jobs is learned for
    /// each backend.
    pub backend: Option<String>,
    /// Its stages, none of which has begun; `None` if its type has no stages.
    pub stages: Option<Vec<JobStage>>,
    /// The caller's own reference, by which the job can be found.
    pub external_ref: Option<String>,
    /// What the job is expected to cost. Zero only for a job that makes nothing but free calls; its cost
    /// cap is then set to zero too. As much of it as limits and credit allow is reserved until the job is
    /// settled.
    pub expected_cost: MicroUsd,
    /// The most that its provider calls may cost together, whatever was expected.
    pub cost_cap: MicroUsd,
    /// The answer that a replay repeats.
    pub response: StoredAnswer,
}

/// Which jobs to list, newest first.
#[derive(Debug, Clone, Default)]
pub struct JobFilter {
    /// Only this type.
    pub job_type: Option<JobType>,
    /// Only this status.
    pub status: Option<JobStatus>,
    /// Only with this reference of the caller.
    pub external_ref: Option<String>,
    /// Only jobs whose `created_at`, as the API shows it in milliseconds, is later than this.
    pub created_after: Option<Timestamp>,
    /// Only jobs after this one in the list, that is, created before it (cursor).
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
    pub job: Job,
    /// The pins stored when the job was created.
    pub pins: Value,
    /// Seed of the job's deterministic random numbers.
    pub seed: [u8; 32],
    /// When it was first started: the clock that its backend sees, the same in every run.
    pub started_at: Timestamp,
    /// The most that its provider calls may cost together.
    pub cost_cap: MicroUsd,
    /// Whether it ran before, so that its journal may hold steps.
    pub resumed: bool,
}

/// A job that a worker owns but whose row it cannot read: the worker can only give it up.
#[derive(Debug, Clone)]
pub struct UnreadableJob {
    /// The right to write its outcome.
    pub lease: Lease,
    /// How often it was claimed.
    pub attempts: u32,
    /// Whether cancellation was requested.
    pub cancel_requested: bool,
}

/// What a worker gets when it claims jobs.
#[derive(Debug, Clone, Default)]
pub struct Claims {
    /// Jobs to run.
    pub jobs: Vec<ClaimedJob>,
    /// Jobs whose row cannot be read. If nobody gives them up, each is claimed again when its lease has
    /// expired.
    pub unreadable: Vec<UnreadableJob>,
}

/// What a worker learns when it renews a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseState {
    /// Whether the job should stop.
    pub cancel_requested: bool,
}
