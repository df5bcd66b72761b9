//! Stores the artifacts of renderers as files of a job.

use gtm_domain::job::NewFile;
use gtm_domain::{FileId, JobId, Timestamp};
use gtm_runtime::Artifact;

use super::derived_ids::derived_id;

/// Turns artifacts into files of a job, in the same order.
#[must_use]
pub fn new_files(job: JobId, created_at: Timestamp, artifacts: Vec<Artifact>) -> Vec<NewFile> {
    let file = |(position, artifact): (u64, Artifact)| NewFile {
        id: FileId::from_uuid(derived_id(job, created_at, &format!("files/{position}"))),
        name: artifact.filename,
        media_type: artifact.media_type,
        bytes: artifact.bytes,
    };
    (0..).zip(artifacts).map(file).collect()
}
