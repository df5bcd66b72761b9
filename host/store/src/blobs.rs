//! Content-addressed blobs in an object store: `blobs/ab/cd/<sha256 in hex>`. A blob is written, and
//! on disk, before a row names it; what no row names is an orphan that the sweep removes. Every read
//! is checked against the digest.

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

/// Bodies up to this size lie in their row; larger ones are blobs.
pub(crate) const LARGEST_INLINE: usize = 16 * 1024;
/// An orphan may be a blob whose row is about to be written; after this long it is not.
const ORPHAN_AGE: Duration = Duration::from_secs(60 * 60);

/// Bytes that are kept in their row or behind a digest.
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
    /// Writers of blobs hold it shared until their rows are committed; the sweep takes it for each
    /// blob it removes, so that it never removes one that was just written again.
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

/// Make the directory for its owner alone, which then holds for all below it. One of an earlier version,
/// which made it for everybody, is changed.
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
        // It belongs to another user, with whom this one shares it.
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

/// All bytes of a file, wherever its cursor is.
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

    /// Keep the sweep from removing blobs until the guard goes.
    pub(crate) async fn writing(&self) -> tokio::sync::OwnedRwLockReadGuard<()> {
        self.gate.clone().read_owned().await
    }

    /// Keep bytes: small ones are to be put into their row, large ones are written here. Writing what
    /// is there already is deliberate: it makes the blob young again.
    pub(crate) async fn keep(&self, bytes: Bytes) -> Result<Kept, StoreError> {
        if bytes.len() <= LARGEST_INLINE {
            return Ok(Kept::Inline(bytes));
        }
        self.put(bytes).await.map(Kept::Blob)
    }

    /// Write bytes behind their digest, however few.
    pub(crate) async fn put(&self, bytes: Bytes) -> Result<Digest, StoreError> {
        let digest = Digest::of(&bytes);
        self.store
            .put(&path(digest), bytes.into())
            .await
            .map_err(|e| failed(&e))?;
        Ok(digest)
    }

    /// Keep an answer's bytes, wherever they are.
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

    /// The bytes behind a digest, checked against it.
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

    /// The bytes that were kept.
    pub(crate) async fn fetch(&self, kept: Kept) -> Result<Bytes, StoreError> {
        match kept {
            Kept::Inline(bytes) => Ok(bytes),
            Kept::Blob(digest) => self.read(digest).await,
        }
    }

    /// Blobs old enough to be removed if nobody names them.
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

    /// Remove a blob if `unused` still says so while nobody writes blobs.
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
