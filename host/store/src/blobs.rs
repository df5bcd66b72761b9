//! Content-addressed blobs in an object store: `blobs/ab/cd/<sha256 in hex>`. A blob is on disk before a
//! row names it; a blob that no row names is an orphan, and the sweep removes it. Every read is checked
//! against the digest.
//!
//! DANGER: several processes may share the folder, and one of them may be about to name a blob that another
//! one sweeps away. So writers hold a lock on a file in the folder until their rows are committed, and the
//! sweep removes a blob only while nobody else holds it.

mod streaming;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::TryStreamExt;
use gtm_domain::{Digest, Timestamp};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use tokio::sync::{OwnedRwLockReadGuard, RwLock};
use tokio::time::Instant;

use crate::error::StoreError;
use crate::model::step::AnswerBody;

/// Bodies up to this size are stored in their row; larger ones become blobs.
pub(crate) const LARGEST_INLINE: usize = 16 * 1024;
/// The row of an orphan may be about to be written; after this long we assume that none will be.
const ORPHAN_AGE: Duration = Duration::from_secs(60 * 60);
/// The file that is locked, within the folder of blobs.
const LOCK_FILE: &str = "blobs/.lock";
/// How long the sweep tries to be alone for a blob. Other processes release the lock after each write.
const SWEEP_PATIENCE: Duration = Duration::from_millis(100);
/// How long a writer waits for the sweep of another process, which holds the lock for one blob at a time. One
/// that holds it longer hangs, and must not stop the others' writes without a word.
const WRITER_PATIENCE: Duration = Duration::from_secs(10);
/// Wait between two tries for the lock.
const RETRY: Duration = Duration::from_millis(20);

/// Bytes stored in their row, or as a blob named by its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoredBytes {
    Inline(Bytes),
    Blob(Digest),
}

impl StoredBytes {
    pub(crate) fn inline(&self) -> Option<&[u8]> {
        match self {
            Self::Inline(bytes) => Some(bytes),
            Self::Blob(_) => None,
        }
    }
    pub(crate) const fn blob(&self) -> Option<Digest> {
        match self {
            Self::Inline(_) => None,
            Self::Blob(digest) => Some(*digest),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Blobs {
    store: Arc<LocalFileSystem>,
    /// Without it, the sweep could remove a blob that was just written again. Writers of blobs hold it
    /// shared until their rows are committed; the sweep holds it exclusively for each blob that it removes.
    gate: Arc<RwLock<()>>,
    /// The same for all processes that share the folder.
    lock_file: Arc<PathBuf>,
    /// How long a writer waits for a sweep.
    patience: Duration,
}

/// While it exists, no process removes blobs.
pub(crate) struct Writing {
    _here: OwnedRwLockReadGuard<()>,
    _elsewhere: Option<File>,
}

/// What became of the wait for the lock.
enum Locked {
    Held(File),
    /// Another process holds it.
    Taken,
    /// The file system has no locks: no sweep gets one either, so none removes anything.
    Unsupported,
}

fn failed(error: &object_store::Error) -> StoreError {
    StoreError::Blob(error.to_string())
}

fn path(digest: Digest) -> Path {
    let hex = digest.to_hex();
    Path::from(format!("blobs/{}/{}/{hex}", &hex[..2], &hex[2..4]))
}

fn digest_of(path: &Path) -> Option<Digest> {
    format!("sha256:{}", path.filename()?).parse().ok()
}

/// `ENOLCK` on Linux: a network file system without a lock service.
const NO_LOCKS: i32 = 37;

/// Whether the error says that the file system has no locks.
fn has_no_locks(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error() == Some(NO_LOCKS)
}

/// Whether no row that names the blob is still about to be written.
fn is_old(meta: &ObjectMeta, now: Timestamp) -> bool {
    meta.last_modified.timestamp_micros() <= now.minus(ORPHAN_AGE).micros()
}

/// Opens the lock file, which the first process makes, with its folder if that was removed meanwhile.
fn open_lock_file(path: &std::path::Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true).mode(0o600);
    match (options.open(path), path.parent()) {
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
            make_private(folder)?;
            options.open(path)
        }
        (opened, _) => opened,
    }
}

/// Creates the directory, accessible to its owner alone, which protects everything below it. Earlier
/// versions made it accessible to everybody; such a directory is corrected.
#[cfg(unix)]
fn make_private(dir: &std::path::Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)?;
    let mut permissions = std::fs::metadata(dir)?.permissions();
    if permissions.mode() & 0o077 == 0 {
        return Ok(());
    }
    permissions.set_mode(0o700);
    match std::fs::set_permissions(dir, permissions) {
        // It belongs to another user who shares it with this one.
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            tracing::warn!(dir = %dir.display(), "others may look into the directory of blobs");
            Ok(())
        }
        done => done,
    }
}
#[cfg(not(unix))]
fn make_private(dir: &std::path::Path) -> std::io::Result<()> {
    std::fs::create_dir_all(dir)
}

/// All bytes of a file, wherever its cursor stands.
fn read_whole(file: &File) -> io::Result<Bytes> {
    let len = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
    let mut bytes = vec![0; len];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes.into())
}

impl Blobs {
    pub(crate) fn open(dir: &std::path::Path) -> Result<Self, StoreError> {
        make_private(&dir.join("blobs"))
            .map_err(|e| StoreError::Blob(format!("{}: {e}", dir.display())))?;
        let store = LocalFileSystem::new_with_prefix(dir)
            .map_err(|e| failed(&e))?
            .with_fsync(true);
        Ok(Self {
            store: Arc::new(store),
            gate: Arc::default(),
            lock_file: Arc::new(dir.join(LOCK_FILE)),
            patience: WRITER_PATIENCE,
        })
    }

    /// Keeps the sweeps of all processes from removing blobs until the guard is dropped.
    ///
    /// # Errors
    /// If a sweep does not end in time, here or in another process.
    pub(crate) async fn writing(&self) -> Result<Writing, StoreError> {
        let here = self.gate.clone().read_owned();
        let here = tokio::time::timeout(self.patience, here)
            .await
            .map_err(|_| self.not_released("a sweep of this process"))?;
        let elsewhere = match self.locked(self.patience, File::try_lock_shared).await? {
            Locked::Held(file) => Some(file),
            Locked::Unsupported => None,
            Locked::Taken => return Err(self.not_released("another process")),
        };
        Ok(Writing {
            _here: here,
            _elsewhere: elsewhere,
        })
    }

    fn not_released(&self, holder: &str) -> StoreError {
        StoreError::Blob(format!(
            "{holder} has held the lock {} for more than {} s, so nothing can be written; if it hangs, end it",
            self.lock_file.display(),
            self.patience.as_secs_f32(),
        ))
    }

    /// Tries to lock the file until it works or the time is over.
    async fn locked(
        &self,
        patience: Duration,
        lock: fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Locked, StoreError> {
        let until = Instant::now() + patience;
        loop {
            let path = Arc::clone(&self.lock_file);
            let once = move || {
                let file = open_lock_file(&path)?;
                match lock(&file) {
                    Ok(()) => Ok(Locked::Held(file)),
                    Err(TryLockError::WouldBlock) => Ok(Locked::Taken),
                    Err(TryLockError::Error(error)) if has_no_locks(&error) => {
                        Ok(Locked::Unsupported)
                    }
                    Err(TryLockError::Error(error)) => Err(error),
                }
            };
            let tried = tokio::task::spawn_blocking(once)
                .await
                .map_err(io::Error::other)
                .and_then(|tried| tried)
                .map_err(|error| StoreError::Blob(format!("the lock of the blobs: {error}")))?;
            if !matches!(tried, Locked::Taken) || Instant::now() >= until {
                return Ok(tried);
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Stores bytes: small ones are returned for their row, large ones are written as a blob. A blob that
    /// exists is written again on purpose: that renews its age.
    pub(crate) async fn keep(&self, bytes: Bytes) -> Result<StoredBytes, StoreError> {
        if bytes.len() <= LARGEST_INLINE {
            return Ok(StoredBytes::Inline(bytes));
        }
        self.put(bytes).await.map(StoredBytes::Blob)
    }

    /// Writes bytes as a blob, however few they are.
    pub(crate) async fn put(&self, bytes: Bytes) -> Result<Digest, StoreError> {
        let digest = Digest::of(&bytes);
        self.store
            .put(&path(digest), bytes.into())
            .await
            .map_err(|e| failed(&e))?;
        Ok(digest)
    }

    /// Stores an answer's bytes, from memory or from a file.
    pub(crate) async fn keep_answer(&self, body: AnswerBody) -> Result<StoredBytes, StoreError> {
        let bytes = match body {
            AnswerBody::Bytes(bytes) => bytes,
            AnswerBody::File(file) => tokio::task::spawn_blocking(move || read_whole(&file))
                .await
                .map_err(io::Error::other)
                .and_then(|read| read)
                .map_err(|error| StoreError::Blob(format!("a spooled answer: {error}")))?,
        };
        self.keep(bytes).await
    }

    /// Reads the bytes of a digest and checks them against it.
    pub(crate) async fn read(&self, digest: Digest) -> Result<Bytes, StoreError> {
        let damaged = || StoreError::BlobDamaged(digest.to_string());
        let found = match self.store.get(&path(digest)).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Err(damaged()),
            Err(error) => return Err(failed(&error)),
        };
        let bytes = found.bytes().await.map_err(|e| failed(&e))?;
        if Digest::of(&bytes) == digest {
            Ok(bytes)
        } else {
            Err(damaged())
        }
    }

    /// The bytes, from the row or from the blob.
    pub(crate) async fn fetch(&self, kept: StoredBytes) -> Result<Bytes, StoreError> {
        match kept {
            StoredBytes::Inline(bytes) => Ok(bytes),
            StoredBytes::Blob(digest) => self.read(digest).await,
        }
    }

    /// Blobs old enough to be removed if no row names them.
    pub(crate) async fn old(&self, now: Timestamp) -> Result<Vec<Digest>, StoreError> {
        self.store
            .list(Some(&Path::from("blobs")))
            .try_filter_map(|meta| {
                let found = digest_of(&meta.location).filter(|_| is_old(&meta, now));
                futures::future::ready(Ok(found))
            })
            .try_collect()
            .await
            .map_err(|e| failed(&e))
    }

    /// Removes a blob if it is still old, and `unused` still confirms it, while no process writes blobs.
    /// `unused` is asked twice: most blobs are in use, and those must not keep writers waiting.
    pub(crate) async fn remove_if<F>(
        &self,
        digest: Digest,
        now: Timestamp,
        unused: impl Fn() -> F,
    ) -> Result<bool, StoreError>
    where
        F: Future<Output = Result<bool, StoreError>>,
    {
        if !unused().await? {
            return Ok(false);
        }
        let _alone_here = self.gate.write().await;
        let Locked::Held(_alone) = self.locked(SWEEP_PATIENCE, File::try_lock).await? else {
            return Ok(false);
        };
        // It may have been written again since it was listed.
        match self.store.head(&path(digest)).await {
            Ok(meta) if is_old(&meta, now) => {}
            Ok(_) | Err(object_store::Error::NotFound { .. }) => return Ok(false),
            Err(error) => return Err(failed(&error)),
        }
        if !unused().await? {
            return Ok(false);
        }
        match self.store.delete(&path(digest)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(true),
            Err(error) => Err(failed(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    /// Two processes that share a folder, and a moment at which all that they wrote is old.
    fn two() -> (tempfile::TempDir, Blobs, Blobs, Timestamp) {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (
            Blobs::open(dir.path()).unwrap(),
            Blobs::open(dir.path()).unwrap(),
        );
        let later = Timestamp::from_millis(4_000_000_000_000);
        (dir, one, other, later)
    }

    async fn unnamed() -> Result<bool, StoreError> {
        Ok(true)
    }

    #[tokio::test]
    async fn no_process_removes_what_another_one_is_about_to_name() {
        let (_dir, sweeper, writer, later) = two();
        let writing = writer.writing().await.unwrap();
        let digest = writer.put(Bytes::from_static(b"an answer")).await.unwrap();
        assert_eq!(sweeper.old(later).await.unwrap(), [digest]);
        assert!(!sweeper.remove_if(digest, later, unnamed).await.unwrap());
        assert_eq!(writer.read(digest).await.unwrap(), "an answer");
        drop(writing);
        assert!(sweeper.remove_if(digest, later, unnamed).await.unwrap());
        assert!(sweeper.old(later).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn writers_do_not_wait_for_each_other_but_for_the_sweep() {
        let (_dir, sweeper, writer, _) = two();
        let _one = writer.writing().await.unwrap();
        let _other = sweeper.writing().await.unwrap();
        drop((_one, _other));
        let Locked::Held(alone) = (sweeper.locked(SWEEP_PATIENCE, File::try_lock).await).unwrap()
        else {
            panic!("nobody else holds the lock");
        };
        let soon = Duration::from_millis(50);
        let blocked = tokio::time::timeout(soon, writer.writing()).await;
        assert!(blocked.is_err());
        drop(alone);
        writer.writing().await.unwrap();
    }

    #[tokio::test]
    async fn a_writer_says_who_keeps_it_waiting_and_does_not_wait_forever() {
        let (_dir, hanging, mut writer, _) = two();
        writer.patience = Duration::from_millis(50);
        let elsewhere = hanging.locked(SWEEP_PATIENCE, File::try_lock).await;
        let refused = writer.writing().await.err().unwrap().to_string();
        assert!(refused.contains("another process"), "{refused}");
        assert!(refused.contains("blobs/.lock"), "{refused}");
        drop(elsewhere);
        let here = writer.gate.clone().write_owned().await;
        let refused = writer.writing().await.err().unwrap().to_string();
        assert!(refused.contains("this process"), "{refused}");
        drop(here);
        writer.writing().await.unwrap();
    }

    #[tokio::test]
    async fn blobs_in_use_are_passed_over_while_others_write() {
        let (_dir, sweeper, _, later) = two();
        let digest = sweeper.put(Bytes::from_static(b"an answer")).await.unwrap();
        let _writing = sweeper.writing().await.unwrap();
        let named = || async { Ok(false) };
        // With the lock first, this would wait for the write to end.
        let soon = Duration::from_secs(5);
        let passed = tokio::time::timeout(soon, sweeper.remove_if(digest, later, named)).await;
        assert!(!passed.unwrap().unwrap());
    }

    #[tokio::test]
    async fn a_blob_that_was_named_before_the_lock_was_had_stays() {
        let (_dir, sweeper, _, later) = two();
        let digest = sweeper.put(Bytes::from_static(b"an answer")).await.unwrap();
        let asked = std::cell::Cell::new(0);
        let unused = || {
            asked.set(asked.get() + 1);
            std::future::ready(Ok(asked.get() == 1))
        };
        assert!(!sweeper.remove_if(digest, later, unused).await.unwrap());
        sweeper.read(digest).await.unwrap();
    }

    #[tokio::test]
    async fn a_blob_that_was_written_again_stays() {
        let (_dir, sweeper, writer, later) = two();
        let digest = writer.put(Bytes::from_static(b"an answer")).await.unwrap();
        assert_eq!(sweeper.old(later).await.unwrap(), [digest]);
        let just_written = Timestamp::from_millis(1_000);
        let removed = sweeper.remove_if(digest, just_written, unnamed).await;
        assert!(!removed.unwrap());
        writer.read(digest).await.unwrap();
    }
}
