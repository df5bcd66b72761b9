//! Files that jobs make.

use crate::{Digest, FileId, JobId, Timestamp};
use bytes::Bytes;

/// A file to be stored with the end of its job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// Identifier. It follows from the job, so that a job that is run again makes the same file.
    pub id: FileId,
    /// Name without any folder.
    pub name: String,
    /// Media type.
    pub media_type: String,
    /// Content.
    pub bytes: Bytes,
}

/// A stored file, without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobFile {
    /// Identifier.
    pub id: FileId,
    /// The job that made it.
    pub job: JobId,
    /// Name without any folder.
    pub name: String,
    /// Media type.
    pub media_type: String,
    /// Digest of the content.
    pub digest: Digest,
    /// Length of the content.
    pub size_bytes: u64,
    /// When it was stored.
    pub created_at: Timestamp,
}
