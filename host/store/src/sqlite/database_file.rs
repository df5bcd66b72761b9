//! Whether the database is still the file that was opened. A file that is deleted or replaced stays
//! with who has it open: SQLite would go on, and everything it was told would be gone with the last
//! connection. What is overwritten in place is not noticed here; SQLite tells that itself, if it can.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// A file as the file system knows it, whatever its name: device and number.
type Identity = (u64, u64);

/// The database's files as they were opened.
#[derive(Debug)]
pub(super) struct DatabaseFile {
    path: PathBuf,
    identity: Option<Identity>,
    /// The write-ahead log: commits stand there first, so it is as precious as the database.
    log: Option<(PathBuf, Identity)>,
}

impl DatabaseFile {
    /// The open `file` at `path`.
    pub(super) fn of(path: &Path, file: &File) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            identity: identity(&file.metadata()?),
            log: None,
        })
    }

    /// The same with its write-ahead log, once a connection has made that.
    ///
    /// # Errors
    /// [`StoreError::FileGone`] if the database itself is not there any more.
    pub(super) fn with_log(mut self) -> Result<Self, StoreError> {
        let mut name = self.path.clone().into_os_string();
        name.push("-wal");
        let path = PathBuf::from(name);
        self.log = std::fs::metadata(&path)
            .ok()
            .and_then(|found| identity(&found))
            .map(|identity| (path, identity));
        self.check()?;
        Ok(self)
    }

    /// Whether the files are still those that were opened. Takes a few microseconds.
    ///
    /// # Errors
    /// [`StoreError::FileGone`].
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let database = self.identity.map(|identity| (&self.path, identity));
        let log = self.log.as_ref().map(|(path, identity)| (path, *identity));
        for (path, opened) in [database, log].into_iter().flatten() {
            let now = std::fs::metadata(path).ok().and_then(|m| identity(&m));
            if now != Some(opened) {
                return Err(StoreError::FileGone {
                    path: path.display().to_string(),
                });
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn identity(found: &std::fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> Option<Identity> {
    None
}
