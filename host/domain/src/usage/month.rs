//! What a project used in a month (specification, Usage; annex A9): sums, no single jobs.

use std::collections::BTreeMap;

use super::Usage;
use crate::job::JobType;
use crate::{KeyRecordId, Month, Timestamp};

/// Jobs by what became of them.
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

/// Jobs and what they consumed. A job counts as created in the month of its creation; its outcome,
/// tokens, cost and all other counts belong to the month in which it ended, when it is charged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageSum {
    /// How many jobs.
    pub jobs: JobCounts,
    /// What the ended ones consumed.
    pub consumed: Usage,
}

impl UsageSum {
    /// Both together.
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

/// A project's usage in one month, as it stands at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct MonthUsage {
    /// The month.
    pub month: Month,
    /// When it was read.
    pub as_of: Timestamp,
    /// All of it. Equal to the sum of `by_type` and to that of `by_key`.
    pub totals: UsageSum,
    /// Jobs that have not ended: in the current month all of the project's, in another one those
    /// that were created in it.
    pub active: u64,
    /// By type of the job, which is the key of its capability.
    pub by_type: BTreeMap<JobType, UsageSum>,
    /// By the key that created the job.
    pub by_key: BTreeMap<KeyRecordId, UsageSum>,
    /// What the provider calls of the jobs that ended in the month consumed, by the connector that
    /// served them; none for calls that no connector served. Holds tokens, cost, connector requests and
    /// bytes, and nothing of the backends'. Its cost adds up to that of `totals`. Empty unless asked
    /// for.
    pub by_connector: BTreeMap<Option<String>, Usage>,
}
