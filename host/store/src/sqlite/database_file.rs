//! Whether the database is still the file that was opened. A deleted or replaced file stays alive for those
//! who have it open: SQLite would go on, and everything written would vanish with the last connection. A
//! file overwritten in place is not detected here; SQLite reports that itself, if it can.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// A file's identity in the file system, independent of its name: device and number.
type Identity = (u64, u64);

/// The database's files as they were opened.
#[derive(Debug)]
pub(super) struct DatabaseFile {
    path: PathBuf,
    identity: Option<Identity>,
    /// The write-ahead log: commits are written there first, so losing it is as bad as losing the database.
    log: Option<(PathBuf, Identity)>,
}

impl DatabaseFile {
    /// Remembers the open `file` at `path`.
    pub(super) fn of(path: &Path, file: &File) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            identity: identity(&file.metadata()?),
            log: None,
        })
    }

    /// Adds the write-ahead log, once a connection has created it.
    ///
    /// # Errors
    /// [`StoreError::FileGone`] if the database itself no longer exists.
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

    /// Checks that the files are still those that were opened. Takes a few microseconds.
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
