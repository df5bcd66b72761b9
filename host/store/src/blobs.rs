//! Content-addressed blobs in an object store: `blobs/ab/cd/<sha256 in hex>`. A blob is on disk before a
//! row names it; a blob that no row names is an orphan, and the sweep removes it. Every read is checked
//! against the digest.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::TryStreamExt;
use gtm_domain::{Digest, Timestamp};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use tokio::sync::RwLock;

use crate::error::StoreError;
use crate::model::step::AnswerBody;

/// Bodies up to this size are stored in their row; larger ones become blobs.
pub(crate) const LARGEST_INLINE: usize = 16 * 1024;
/// The row of an orphan may be about to be written; after this long we assume that none will be.
const ORPHAN_AGE: Duration = Duration::from_secs(60 * 60);

/// Bytes stored in their row, or as a blob named by its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kept {
    Inline(Bytes),
    Blob(Digest),
}

impl Kept {
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
        })
    }

    /// Keeps the sweep from removing blobs until the guard is dropped.
    pub(crate) async fn writing(&self) -> tokio::sync::OwnedRwLockReadGuard<()> {
        self.gate.clone().read_owned().await
    }

    /// Stores bytes: small ones are returned for their row, large ones are written as a blob. A blob that
    /// exists is written again on purpose: that renews its age.
    pub(crate) async fn keep(&self, bytes: Bytes) -> Result<Kept, StoreError> {
        if bytes.len() <= LARGEST_INLINE {
            return Ok(Kept::Inline(bytes));
        }
        self.put(bytes).await.map(Kept::Blob)
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
    pub(crate) async fn keep_answer(&self, body: AnswerBody) -> Result<Kept, StoreError> {
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
    pub(crate) async fn fetch(&self, kept: Kept) -> Result<Bytes, StoreError> {
        match kept {
            Kept::Inline(bytes) => Ok(bytes),
            Kept::Blob(digest) => self.read(digest).await,
        }
    }

    /// Blobs old enough to be removed if no row names them.
    pub(crate) async fn old(&self, now: Timestamp) -> Result<Vec<Digest>, StoreError> {
        let newest = now.minus(ORPHAN_AGE).micros();
        self.store
            .list(Some(&Path::from("blobs")))
            .try_filter_map(|meta| {
                let old = meta.last_modified.timestamp_micros() <= newest;
                futures::future::ready(Ok(digest_of(&meta.location).filter(|_| old)))
            })
            .try_collect()
            .await
            .map_err(|e| failed(&e))
    }

    /// Removes a blob if `unused` still confirms it while nobody writes blobs.
    pub(crate) async fn remove_if<F>(&self, digest: Digest, unused: F) -> Result<bool, StoreError>
    where
        F: Future<Output = Result<bool, StoreError>>,
    {
        let _alone = self.gate.write().await;
        if !unused.await? {
            return Ok(false);
        }
        match self.store.delete(&path(digest)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(true),
            Err(error) => Err(failed(&error)),
        }
    }
}
