//! Blobs in portions, for readers that must not have all of one in memory.

use std::ops::Range;

use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{StreamExt as _, TryStreamExt as _};
use gtm_domain::Digest;
use gtm_domain::digest::DigestOfPortions;
use object_store::{GetOptions, GetRange, ObjectStore as _, ObjectStoreExt as _};

use super::{Blobs, failed, path};
use crate::error::StoreError;

impl Blobs {
    /// The bytes of a digest in this range, in portions, when there are `size` of them in all. The whole is checked
    /// against the digest before its last portion is sent: whoever reads a damaged blob does not get all of it.
    pub(crate) async fn stream(
        &self,
        digest: Digest,
        size: u64,
        range: Range<u64>,
    ) -> Result<BoxStream<'static, Result<Bytes, StoreError>>, StoreError> {
        let damaged = move || StoreError::BlobDamaged(digest.to_string());
        let whole = range == (0..size);
        let found = if range.is_empty() {
            self.store.get(&path(digest)).await
        } else {
            let options = GetOptions {
                range: Some(GetRange::Bounded(range)),
                ..GetOptions::default()
            };
            self.store.get_opts(&path(digest), options).await
        };
        let found = match found {
            Ok(found) if found.meta.size == size => found,
            Ok(_) | Err(object_store::Error::NotFound { .. }) => return Err(damaged()),
            Err(error) => return Err(failed(&error)),
        };
        let portions = found.into_stream().map_err(|error| failed(&error));
        if !whole {
            return Ok(portions.boxed());
        }
        let checked = futures::stream::try_unfold(
            (portions, Some(DigestOfPortions::default()), Bytes::new()),
            move |(mut portions, hashed, held)| async move {
                let Some(mut hashed) = hashed else {
                    return Ok(None);
                };
                let mut held = held;
                while let Some(next) = portions.try_next().await? {
                    hashed.add(&next);
                    if next.is_empty() {
                        continue;
                    }
                    let ready = std::mem::replace(&mut held, next);
                    if !ready.is_empty() {
                        return Ok(Some((ready, (portions, Some(hashed), held))));
                    }
                }
                if hashed.finish() != digest {
                    return Err(damaged());
                }
                Ok(Some((held, (portions, None, Bytes::new()))))
            },
        );
        Ok(checked.boxed())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn a_blob_is_streamed_and_a_damaged_one_is_never_whole() {
        let dir = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(dir.path()).unwrap();
        let bytes = Bytes::from(
            (0..100_000_u32)
                .map(|n| n.to_le_bytes()[0])
                .collect::<Vec<_>>(),
        );
        let digest = blobs.put(bytes.clone()).await.unwrap();
        let size = bytes.len() as u64;
        let read = async |range: Range<u64>| -> Result<Vec<u8>, (usize, StoreError)> {
            let mut all = Vec::new();
            let mut portions = blobs.stream(digest, size, range).await.unwrap();
            while let Some(portion) = portions.next().await {
                match portion {
                    Ok(portion) => all.extend_from_slice(&portion),
                    Err(error) => return Err((all.len(), error)),
                }
            }
            Ok(all)
        };
        assert_eq!(read(0..size).await.unwrap(), bytes);
        assert_eq!(read(10..9_000).await.unwrap(), bytes[10..9_000]);
        assert_eq!(
            read(size - 1..size).await.unwrap(),
            bytes[bytes.len() - 1..]
        );
        let file = dir.path().join(path(digest).as_ref());
        let mut changed = bytes.to_vec();
        changed[5] ^= 1;
        std::fs::write(&file, &changed).unwrap();
        let (got, error) = read(0..size).await.unwrap_err();
        assert!(got < bytes.len(), "{got}");
        assert!(matches!(error, StoreError::BlobDamaged(_)), "{error}");
        std::fs::write(&file, b"short").unwrap();
        assert!(blobs.stream(digest, size, 0..size).await.is_err());
        let empty = blobs.put(Bytes::new()).await.unwrap();
        let mut portions = blobs.stream(empty, 0, 0..0).await.unwrap();
        assert!(
            portions
                .next()
                .await
                .is_none_or(|portion| portion.unwrap().is_empty())
        );
    }
}
