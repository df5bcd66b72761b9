//! Queued and running work of the whole installation, for monitoring: totals only, no tenant's data.

use super::{JobStatus, JobType};
use crate::Timestamp;

/// Work that is not finished.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Jobs that have not ended.
    pub open: Vec<OpenJobs>,
    /// When the oldest queued job was created.
    pub oldest_queued: Option<Timestamp>,
    /// Provider calls whose cost an operator has yet to settle.
    pub awaiting_calls: u64,
}

/// Number of jobs of one type and status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenJobs {
    pub job_type: JobType,
    /// Queued or running.
    pub status: JobStatus,
    pub jobs: u64,
}
