//! Files that a renderer gets and makes.

use bytes::Bytes;

/// An input of a renderer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Media type.
    pub media_type: String,
    /// Bytes.
    pub bytes: Bytes,
}

/// A finished file of a renderer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// File name without any folder.
    pub filename: String,
    /// Media type.
    pub media_type: String,
    /// Bytes.
    pub bytes: Bytes,
}
