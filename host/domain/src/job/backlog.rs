//! What waits and runs in the whole installation, for monitoring: sums alone, of no tenant.

use super::{JobStatus, JobType};
use crate::Timestamp;

/// The work that is not done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Jobs that have not ended.
    pub open: Vec<OpenJobs>,
    /// When the oldest job that waits for a worker was created.
    pub oldest_queued: Option<Timestamp>,
    /// Provider calls whose cost waits for an operator.
    pub awaiting_calls: u64,
}

/// How many jobs of one type have one status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenJobs {
    /// What they make.
    pub job_type: JobType,
    /// Queued or running.
    pub status: JobStatus,
    /// How many.
    pub jobs: u64,
}
