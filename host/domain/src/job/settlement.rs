//! What was missing of the end of a job and has been written.

use serde::Serialize;

use super::record::Job;
use crate::{JobId, MicroUsd, OrganizationId, ProjectId};

/// What was written of the end of a job that had been given up without it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JobSettlement {
    /// The job.
    pub job: JobId,
    /// Who pays.
    pub organization: OrganizationId,
    /// Whose job.
    pub project: ProjectId,
    /// What was reserved for it, if its settlement was missing: it is free again now.
    pub released: Option<MicroUsd>,
    /// Whether its usage row was missing.
    pub usage_row: bool,
    /// Calls of it that may have cost something and are marked for reconciliation only now. The settlement
    /// is written when the last of them is settled.
    pub calls_marked: u64,
    /// Whether sums of its key, project or organization were off and have been counted anew.
    pub sums_recounted: bool,
}

impl JobSettlement {
    /// Of an ended job for which nothing was written.
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
