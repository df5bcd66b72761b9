//! Job events: progress, stages and milestones. Each is recorded once, however often the job is replayed.

use serde::Serialize;
use serde_json::Value;

use crate::Timestamp;

/// An event that is about to be recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct JobEventNew {
    /// Position among the backend's reports; a replay reports the same ordinals again.
    pub ordinal: u64,
    /// `stage`, `milestone`, `progress`, …
    pub kind: String,
    /// Facts of the event.
    pub data: Value,
    /// Raises the job's progress to this percentage. A value below the job's progress is ignored.
    pub progress: Option<u8>,
}

/// A recorded event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JobEvent {
    /// Position in the job's stream, from 1, without gaps.
    pub seq: u64,
    /// Position among the backend's reports.
    pub ordinal: u64,
    pub kind: String,
    /// Facts of the event.
    pub data: Value,
    /// The job's progress after the event.
    pub progress: u8,
    pub at: Timestamp,
}
