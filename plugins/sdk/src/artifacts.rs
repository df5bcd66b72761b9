//! Files that a renderer makes. The host counts, hashes and stores the bytes.

use crate::{Failure, host};

/// A file that is being written. Without [`Writer::finish`] it is discarded.
#[derive(Debug)]
pub struct Writer(host::ArtifactWriter);

/// Begins a file.
pub fn create(filename: &str, media_type: &str) -> Result<Writer, Failure> {
    host::artifacts_create(filename, media_type).map(Writer)
}

impl Writer {
    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.0.write(bytes)
    }

    /// Finishes the file.
    pub fn finish(self) -> Result<(), Failure> {
        self.0.finish()
    }
}
