//! Seals bytes with AES-256-GCM under a random key for each record, which is itself sealed under a wrapping
//! key.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use zeroize::Zeroizing;

use crate::error::StoreError;
use crate::identity::random_bytes;

/// First byte of a sealed value; it identifies the layout of the rest.
const LAYOUT: u8 = 1;

/// Layout, nonce, sealed record key (32 bytes and tag), nonce; then the sealed value with its tag.
const WRAPPED: usize = 32 + 16;

fn key(bytes: &[u8; 32]) -> Result<LessSafeKey, StoreError> {
    UnboundKey::new(&AES_256_GCM, bytes)
        .map(LessSafeKey::new)
        .map_err(|_| failed())
}

fn failed() -> StoreError {
    StoreError::KeyRing("sealing or opening failed".to_owned())
}

pub(super) fn seal(wrapping: &[u8; 32], aad: &[u8], value: &[u8]) -> Result<Vec<u8>, StoreError> {
    let record_key = Zeroizing::new(random_bytes::<32>());
    let mut out = vec![LAYOUT];
    append(&mut out, &key(wrapping)?, aad, record_key.as_slice())?;
    append(&mut out, &key(&record_key)?, aad, value)?;
    Ok(out)
}

fn append(
    out: &mut Vec<u8>,
    key: &LessSafeKey,
    aad: &[u8],
    value: &[u8],
) -> Result<(), StoreError> {
    let nonce = random_bytes::<NONCE_LEN>();
    out.extend_from_slice(&nonce);
    let mut buffer = Zeroizing::new(value.to_vec());
    let tag = key
        .seal_in_place_separate_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(aad),
            &mut buffer,
        )
        .map_err(|_| failed())?;
    out.extend_from_slice(&buffer);
    out.extend_from_slice(tag.as_ref());
    Ok(())
}

pub(super) fn open(
    wrapping: &[u8; 32],
    aad: &[u8],
    sealed: &[u8],
) -> Result<Zeroizing<Vec<u8>>, StoreError> {
    let (layout, rest) = sealed.split_first().ok_or_else(failed)?;
    if *layout != LAYOUT {
        return Err(failed());
    }
    let (wrapped, value) = rest
        .split_at_checked(NONCE_LEN + WRAPPED)
        .ok_or_else(failed)?;
    let record_key = part(&key(wrapping)?, aad, wrapped)?;
    let record_key = record_key
        .as_slice()
        .try_into()
        .map(Zeroizing::new)
        .map_err(|_| failed())?;
    part(&key(&record_key)?, aad, value)
}

fn part(key: &LessSafeKey, aad: &[u8], sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, StoreError> {
    let (nonce, rest) = sealed.split_at_checked(NONCE_LEN).ok_or_else(failed)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| failed())?;
    let mut buffer = Zeroizing::new(rest.to_vec());
    let length = key
        .open_in_place(nonce, Aad::from(aad), &mut buffer)
        .map_err(|_| failed())?
        .len();
    buffer.truncate(length);
    Ok(buffer)
}
