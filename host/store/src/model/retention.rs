//! What a retention sweep removed.

use serde::Serialize;

/// Counts of one sweep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SweepReport {
    /// Expired jobs whose data was removed; their bare rows stay to answer 410.
    pub jobs: u64,
    /// Idempotency rows past 24 hours.
    pub idempotency: u64,
    /// Blobs that no job needs any more.
    pub blobs: u64,
}
