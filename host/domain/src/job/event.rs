//! Job events: progress, stages and milestones, reported once however often the job is replayed.

use serde::Serialize;
use serde_json::Value;

use crate::Timestamp;

/// An event to be recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct JobEventNew {
    /// Position among the reports of the backend; a replay reports the same ordinals again.
    pub ordinal: u64,
    /// `stage`, `milestone`, `progress`, …
    pub kind: String,
    /// Facts of the event.
    pub data: Value,
    /// Percent to raise the job's progress to. A lower value than the job's is ignored.
    pub progress: Option<u8>,
}

/// A recorded event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JobEvent {
    /// Position in the job's stream, from 1, without gaps.
    pub seq: u64,
    /// Position among the backend's reports.
    pub ordinal: u64,
    /// Kind.
    pub kind: String,
    /// Facts.
    pub data: Value,
    /// The job's progress after the event.
    pub progress: u8,
    /// When it was recorded.
    pub at: Timestamp,
}
