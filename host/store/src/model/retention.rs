//! Report of a retention sweep.

use serde::Serialize;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SweepReport {
    /// Expired jobs whose data was removed; their bare rows stay so that the API can answer 410.
    pub jobs: u64,
    /// Idempotency rows older than 24 hours.
    pub idempotency: u64,
    /// Ended searches whose erasures of persons were completed.
    pub erasures: u64,
    /// Blobs that no job needs any more.
    pub blobs: u64,
}
