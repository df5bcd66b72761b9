//! The input and output files of a renderer.

use bytes::Bytes;

/// An input of a renderer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    pub media_type: String,
    pub bytes: Bytes,
}

/// A finished file of a renderer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Without a folder.
    pub filename: String,
    pub media_type: String,
    pub bytes: Bytes,
}
