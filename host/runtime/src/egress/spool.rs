//! Keeps the bytes of an answer until they are stored: a few in memory, many in a file without a name. So a
//! call that receives much costs disk space, not the memory of all tenants.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use gtm_domain::{Digest, Failure, FailureKind};

use crate::blocking_work::blocking_work;

/// Bodies up to this size stay in memory. Usage meters are read only from these.
pub const LARGEST_IN_MEMORY: usize = 1024 * 1024;

/// The bytes of one answer.
#[derive(Debug, Clone)]
pub enum KeptBody {
    /// Up to [`LARGEST_IN_MEMORY`].
    Memory(Bytes),
    /// More than that.
    Spooled(SpooledBody),
}

/// Bytes in a file that disappears with its last handle.
#[derive(Debug, Clone)]
pub struct SpooledBody {
    file: Arc<File>,
    len: u64,
    digest: Digest,
}

impl SpooledBody {
    /// The file, which holds the bytes and nothing else. Handles share its cursor, so read it at positions.
    #[must_use]
    pub const fn file(&self) -> &Arc<File> {
        &self.file
    }
}

impl KeptBody {
    /// Keeps a whole body.
    ///
    /// # Errors
    /// `spool_failed` if the disk has no room for it.
    pub(crate) async fn of(dir: &Path, body: &Bytes) -> Result<Self, Failure> {
        if body.len() <= LARGEST_IN_MEMORY {
            return Ok(Self::Memory(body.clone()));
        }
        let mut spool = Spool::new(dir.to_owned());
        spool.push(body.clone()).await?;
        Ok(spool.finish())
    }

    #[must_use]
    pub fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::Spooled(spooled) => spooled.len,
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[must_use]
    pub fn digest(&self) -> Digest {
        match self {
            Self::Memory(bytes) => Digest::of(bytes),
            Self::Spooled(spooled) => spooled.digest,
        }
    }

    /// The bytes, if they are in memory.
    #[must_use]
    pub const fn in_memory(&self) -> Option<&Bytes> {
        match self {
            Self::Memory(bytes) => Some(bytes),
            Self::Spooled(_) => None,
        }
    }
}

impl Default for KeptBody {
    fn default() -> Self {
        Self::Memory(Bytes::new())
    }
}

impl From<Bytes> for KeptBody {
    fn from(bytes: Bytes) -> Self {
        Self::Memory(bytes)
    }
}

/// A body that is kept while it arrives.
pub(super) struct Spool {
    dir: PathBuf,
    memory: Vec<u8>,
    file: Option<Arc<File>>,
    len: u64,
    digest: Context,
}

impl Spool {
    pub(super) fn new(dir: PathBuf) -> Self {
        Self {
            dir,
            memory: Vec::new(),
            file: None,
            len: 0,
            digest: Context::new(&SHA256),
        }
    }

    /// Keeps the next bytes.
    ///
    /// # Errors
    /// `spool_failed`; what was kept before stays kept.
    pub(super) async fn push(&mut self, piece: Bytes) -> Result<(), Failure> {
        if self.file.is_none() && self.memory.len() + piece.len() <= LARGEST_IN_MEMORY {
            self.memory.extend_from_slice(&piece);
        } else {
            let file = match &self.file {
                Some(file) => Arc::clone(file),
                None => self.spill().await?,
            };
            let written = piece.clone();
            blocking(move || (&*file).write_all(&written)).await?;
        }
        self.digest.update(&piece);
        self.len += piece.len() as u64;
        Ok(())
    }

    /// Moves what is in memory to a file.
    async fn spill(&mut self) -> Result<Arc<File>, Failure> {
        let (dir, memory) = (self.dir.clone(), std::mem::take(&mut self.memory));
        let file = blocking(move || {
            let file = tempfile::tempfile_in(dir)?;
            (&file).write_all(&memory)?;
            Ok(Arc::new(file))
        })
        .await?;
        self.file = Some(Arc::clone(&file));
        Ok(file)
    }

    /// The bytes so far, as long as all of them are in memory.
    pub(super) fn in_memory(&self) -> &[u8] {
        &self.memory
    }

    pub(super) fn finish(self) -> KeptBody {
        let Some(file) = self.file else {
            return KeptBody::Memory(self.memory.into());
        };
        let mut digest = [0; 32];
        digest.copy_from_slice(self.digest.finish().as_ref());
        KeptBody::Spooled(SpooledBody {
            file,
            len: self.len,
            digest: Digest::from_bytes(digest),
        })
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, Failure> {
    blocking_work(work)
        .await
        .map_err(io::Error::other)
        .and_then(|done| done)
        .map_err(|error| {
            tracing::error!(%error, "an answer could not be spooled");
            Failure::new(
                FailureKind::Internal,
                "spool_failed",
                "the host has no room for the answer",
            )
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::unix::fs::{FileExt as _, MetadataExt as _};

    use super::*;

    #[tokio::test]
    async fn many_bytes_go_to_a_file_without_a_name() {
        let dir = tempfile::tempdir().unwrap();
        let piece = Bytes::from((0..=255).cycle().take(300_000).collect::<Vec<u8>>());
        for pieces in [0, 1, 3, 4, 9] {
            let mut spool = Spool::new(dir.path().to_owned());
            for _ in 0..pieces {
                spool.push(piece.clone()).await.unwrap();
            }
            let all = piece.repeat(pieces);
            let kept = spool.finish();
            assert_eq!(
                (kept.len(), kept.digest()),
                (all.len() as u64, Digest::of(&all))
            );
            assert_eq!(kept.in_memory().is_some(), all.len() <= LARGEST_IN_MEMORY);
            assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
            if let KeptBody::Spooled(spooled) = &kept {
                let mut read = vec![0; all.len()];
                spooled.file().read_exact_at(&mut read, 0).unwrap();
                assert_eq!(read, all);
                let metadata = spooled.file().metadata().unwrap();
                assert_eq!((metadata.len(), metadata.nlink()), (kept.len(), 0));
            }
            let whole = KeptBody::of(dir.path(), &all.into()).await.unwrap();
            assert_eq!((whole.len(), whole.digest()), (kept.len(), kept.digest()));
        }
    }

    #[tokio::test]
    async fn without_room_the_exchange_fails() {
        let absent = PathBuf::from("/nowhere/at/all");
        let body = Bytes::from(vec![0; LARGEST_IN_MEMORY + 1]);
        let failure = KeptBody::of(&absent, &body).await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (FailureKind::Internal, "spool_failed")
        );
        assert!(KeptBody::of(&absent, &body.slice(1..)).await.is_ok());
    }
}
