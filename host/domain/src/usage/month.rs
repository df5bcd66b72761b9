//! A project's usage in a month (specification, Usage; annex A9): totals, no single jobs.

use std::collections::BTreeMap;

use super::Usage;
use crate::job::JobType;
use crate::{KeyRecordId, Month, Timestamp};

/// Number of jobs by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JobCounts {
    /// Created in the month.
    pub created: u64,
    /// Ended with a result in the month.
    pub succeeded: u64,
    /// Ended with an error in the month.
    pub failed: u64,
    /// Canceled in the month.
    pub canceled: u64,
}

/// Jobs and what they consumed. A job counts as created in the month of its creation; its outcome, tokens,
/// cost and all other counts belong to the month in which it ended and was charged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageSum {
    pub jobs: JobCounts,
    /// What the ended jobs consumed.
    pub consumed: Usage,
}

impl UsageSum {
    /// The sum of both.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            jobs: JobCounts {
                created: self.jobs.created.saturating_add(other.jobs.created),
                succeeded: self.jobs.succeeded.saturating_add(other.jobs.succeeded),
                failed: self.jobs.failed.saturating_add(other.jobs.failed),
                canceled: self.jobs.canceled.saturating_add(other.jobs.canceled),
            },
            consumed: self.consumed.plus(&other.consumed),
        }
    }
}

/// A project's usage in one month, as of one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct MonthUsage {
    pub month: Month,
    /// When it was read.
    pub as_of: Timestamp,
    /// Totals of all jobs: equal to the sum of `by_type` and to that of `by_key`.
    pub totals: UsageSum,
    /// Jobs that have not ended: for the current month all of the project's, for another month those
    /// created in it.
    pub active: u64,
    /// By job type, which corresponds to the capability.
    pub by_type: BTreeMap<JobType, UsageSum>,
    /// By the key that created the job.
    pub by_key: BTreeMap<KeyRecordId, UsageSum>,
    /// What the provider calls of jobs that ended in the month consumed, by the connector that served them;
    /// `None` for calls that no connector served. Holds tokens, cost, connector requests and bytes, but
    /// nothing of the backends themselves. Its costs add up to that of `totals`. Empty unless requested.
    pub by_connector: BTreeMap<Option<String>, Usage>,
}
