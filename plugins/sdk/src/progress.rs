//! What the caller sees while the job runs.

use crate::host;

/// State of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StageStatus {
    /// It has begun.
    Started,
    /// It is done.
    Succeeded,
    /// It could not be done.
    Failed,
    /// There was nothing to do.
    Skipped,
}

/// Reports a named stage, for example `research`.
pub fn stage(key: &str, status: StageStatus) {
    host::progress_stage(key, status);
}

/// Reports a coarse percentage (0 to 100, never falling) and, if one was reached, a milestone for people.
pub fn report(percent: u8, milestone: Option<&str>) {
    host::progress_report(percent.min(100), milestone);
}

/// Whether the job has been canceled; if so, return soon.
pub fn canceled() -> bool {
    host::progress_canceled()
}
