//! Repair of a job's end: what was missing and has now been written.

use serde::Serialize;

use super::record::Job;
use crate::{JobId, MicroUsd, OrganizationId, ProjectId};

/// What was written to complete the end of a job that had been given up without one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JobSettlement {
    pub job: JobId,
    /// The organization that pays.
    pub organization: OrganizationId,
    /// The job's project.
    pub project: ProjectId,
    /// The amount reserved for the job, if its settlement was missing; it is now free again.
    pub released: Option<MicroUsd>,
    /// Whether its usage row was missing.
    pub usage_row: bool,
    /// Calls that may have cost something and were marked for reconciliation only now. The settlement is
    /// written when the last of them is settled.
    pub calls_marked: u64,
    /// Whether totals of its key, project or organization were wrong and have been recounted.
    pub sums_recounted: bool,
}

impl JobSettlement {
    /// For an ended job, with nothing written yet.
    #[must_use]
    pub const fn nothing(job: &Job) -> Self {
        Self {
            job: job.id,
            organization: job.organization,
            project: job.project,
            released: None,
            usage_row: false,
            calls_marked: 0,
            sums_recounted: false,
        }
    }
    /// Whether anything was written.
    #[must_use]
    pub const fn is_something(&self) -> bool {
        self.released.is_some() || self.usage_row || self.calls_marked > 0 || self.sums_recounted
    }
}
