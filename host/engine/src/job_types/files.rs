//! Stores the artifacts of renderers as files of a job.

use gtm_domain::job::NewFile;
use gtm_domain::{Digest, FileId, JobId, Timestamp};
use gtm_runtime::Artifact;
use uuid::Builder;

/// Turns artifacts into files of a job, in the same order.
#[must_use]
pub fn new_files(job: JobId, created_at: Timestamp, artifacts: Vec<Artifact>) -> Vec<NewFile> {
    let file = |(position, artifact): (u64, Artifact)| NewFile {
        id: file_id(job, created_at, position),
        name: artifact.filename,
        media_type: artifact.media_type,
        bytes: artifact.bytes,
    };
    (0..).zip(artifacts).map(file).collect()
}

/// A file's id is derived from its job and position, so that a resumed or replayed job uses the same id.
fn file_id(job: JobId, created_at: Timestamp, position: u64) -> FileId {
    let digest = Digest::of(format!("{job}/files/{position}").as_bytes());
    let mut tail = [0u8; 10];
    tail.copy_from_slice(&digest.as_bytes()[..10]);
    let millis = u64::try_from(created_at.millis()).unwrap_or(0);
    FileId::from_uuid(Builder::from_unix_timestamp_millis(millis, &tail).into_uuid())
}
