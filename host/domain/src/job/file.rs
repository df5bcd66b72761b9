//! Files that jobs make.

use crate::{Digest, FileId, JobId, Timestamp};
use bytes::Bytes;

/// A file to be stored with the end of its job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// Derived from the job, so that a repeated run makes the same file.
    pub id: FileId,
    /// File name without a folder.
    pub name: String,
    pub media_type: String,
    pub bytes: Bytes,
}

/// A stored file, without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobFile {
    pub id: FileId,
    pub job: JobId,
    /// File name without a folder.
    pub name: String,
    pub media_type: String,
    /// Digest of the content.
    pub digest: Digest,
    /// Size of the content.
    pub size_bytes: u64,
    pub created_at: Timestamp,
}
