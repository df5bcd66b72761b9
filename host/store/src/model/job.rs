//! Jobs to be created, which of them to list, and what a worker gets when it claims one.

use gtm_domain::idempotency::StoredResponse;
use gtm_domain::job::Job;
use gtm_domain::{JobId, JobStage, JobStatus, JobType, MicroUsd, Timestamp};
use serde_json::Value;

use crate::scope::Lease;

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
    /// Its stages, none of which has begun; none if its type has none.
    pub stages: Option<Vec<JobStage>>,
    /// The caller's own reference, by which the job can be found.
    pub external_ref: Option<String>,
    /// What the job is expected to cost; zero only if it makes free calls alone, which is held against
    /// it. As much as limits and credit leave is reserved until the job is settled.
    pub expected_cost: MicroUsd,
    /// What its provider calls may cost together, whatever was expected.
    pub cost_cap: MicroUsd,
    /// The answer that a replay repeats.
    pub response: StoredResponse,
}

/// Which jobs to list. Newest first.
#[derive(Debug, Clone, Default)]
pub struct JobFilter {
    /// Only this type.
    pub job_type: Option<JobType>,
    /// Only this status.
    pub status: Option<JobStatus>,
    /// Only with this reference of the caller's.
    pub external_ref: Option<String>,
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
    pub job: Job,
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
