//! Ids of what jobs make, derived from the job: a resumed or replayed job uses the same ones.

use gtm_domain::{Digest, JobId, Timestamp};
use uuid::{Builder, Uuid};

/// The id of what a job makes under this name. Names are unique within a job.
#[must_use]
pub fn derived_id(job: JobId, created_at: Timestamp, name: &str) -> Uuid {
    let digest = Digest::of(format!("{job}/{name}").as_bytes());
    let mut tail = [0u8; 10];
    tail.copy_from_slice(&digest.as_bytes()[..10]);
    let millis = u64::try_from(created_at.millis()).unwrap_or(0);
    Builder::from_unix_timestamp_millis(millis, &tail).into_uuid()
}
