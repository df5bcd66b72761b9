//! Master keys, which seal credentials, and peppers, which authenticate API keys. The first of each is the
//! current one; the others only open or verify what was made with them earlier.

use std::fmt;
use std::path::{Path, PathBuf};

use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use aws_lc_rs::hmac;
use gtm_domain::{ApiKeySecret, Digest};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{encoded_key, key_ring_file, sealing};
use crate::error::StoreError;

/// Master keys and peppers of an installation. Its `Debug` form shows ids only; its memory is wiped on
/// drop.
#[derive(Clone)]
pub struct KeyRing {
    masters: Vec<RingKey>,
    peppers: Vec<RingKey>,
    /// New keys that are not on disk yet, and where to write them.
    unwritten: Option<Unwritten>,
}

#[derive(Clone)]
struct Unwritten {
    dir: PathBuf,
    text: Zeroizing<String>,
}

#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(super) struct RingKey {
    /// Derived from the key, so that two rings never give different keys the same id.
    #[zeroize(skip)]
    id: String,
    bytes: [u8; 32],
}

/// A stored proof that a key belongs to the database. For a master key it seals the secret that keys the
/// database's own digests; for a pepper it holds a MAC.
#[derive(Debug, Clone)]
pub(crate) struct RingCheck {
    pub(crate) key_id: String,
    pub(crate) kind: String,
    pub(crate) sealed: Vec<u8>,
}

impl RingKey {
    fn new(kind: &str, bytes: [u8; 32]) -> Self {
        let mut labelled = Zeroizing::new(format!("gtm key id {kind} ").into_bytes());
        labelled.extend_from_slice(&bytes);
        let id = format!("{kind}-{}", &Digest::of(&labelled).to_hex()[..16]);
        Self { id, bytes }
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = |keys: &[RingKey]| keys.iter().map(|k| k.id.clone()).collect::<Vec<_>>();
        f.debug_struct("KeyRing")
            .field("masters", &ids(&self.masters))
            .field("peppers", &ids(&self.peppers))
            .finish()
    }
}

impl KeyRing {
    /// The ring in `<dir>/master.key`. A new ring must not replace the one of an existing database, so a
    /// missing file is not written here: a new ring is generated, and [`crate::Store::connect`] writes it
    /// there (readable for its owner only, atomically) if the database is new too.
    ///
    /// # Errors
    /// [`StoreError::KeyRing`] if the file cannot be read or parsed, or if others may read it.
    pub fn from_dir(dir: &Path) -> Result<Self, StoreError> {
        if let Some(text) = key_ring_file::read(dir)? {
            return Self::from_text(&text);
        }
        let text = key_ring_file::new_text();
        let mut ring = Self::from_text(&text)?;
        ring.unwritten = Some(Unwritten {
            dir: dir.to_owned(),
            text,
        });
        Ok(ring)
    }

    fn from_text(text: &str) -> Result<Self, StoreError> {
        let (masters, peppers) = key_ring_file::parse(text)?;
        Ok(Self::from_keys(masters.to_vec(), peppers.to_vec()))
    }

    /// The ring as it is on disk, once it is known whether the database already has one. Of two processes
    /// that start at once, both get the ring that was written first.
    pub(crate) fn on_disk(self, database_has_one: bool) -> Result<Self, StoreError> {
        let Some(Unwritten { dir, text }) = &self.unwritten else {
            return Ok(self);
        };
        if !database_has_one {
            key_ring_file::make(dir, text)?;
        }
        match key_ring_file::read(dir)? {
            Some(text) => Self::from_text(&text),
            None => Err(StoreError::KeyRingLost(
                key_ring_file::path(dir).display().to_string(),
            )),
        }
    }

    /// Decodes base64 texts of 32-byte keys, separated by commas, the current one first. Without peppers,
    /// one is derived from each master key.
    ///
    /// # Errors
    /// [`StoreError::KeyRing`] if the text is malformed.
    pub fn from_base64(masters: &str, peppers: Option<&str>) -> Result<Self, StoreError> {
        let decode = |text: &str| {
            text.split(',')
                .map(|key| encoded_key::decode(key.trim()))
                .collect::<Result<Vec<_>, _>>()
        };
        let masters = decode(masters)?;
        let peppers = match peppers {
            Some(text) => decode(text)?,
            None => masters
                .iter()
                .map(|key| derive(key, b"pepper"))
                .collect::<Result<_, _>>()?,
        };
        Ok(Self::from_keys(masters, peppers))
    }

    fn from_keys(masters: Vec<[u8; 32]>, peppers: Vec<[u8; 32]>) -> Self {
        Self {
            masters: masters
                .into_iter()
                .map(|bytes| RingKey::new("master", bytes))
                .collect(),
            peppers: peppers
                .into_iter()
                .map(|bytes| RingKey::new("pepper", bytes))
                .collect(),
            unwritten: None,
        }
    }

    fn current(keys: &[RingKey]) -> Result<&RingKey, StoreError> {
        keys.first()
            .ok_or_else(|| StoreError::KeyRing("it holds no key".to_owned()))
    }

    /// Id of the master key that new credentials are sealed under.
    pub(crate) fn current_master(&self) -> Result<&str, StoreError> {
        Self::current(&self.masters).map(|key| key.id.as_str())
    }

    /// Derives a separate key for each use of a master key.
    pub(super) fn derived_master(
        &self,
        id: &str,
        info: &[u8],
    ) -> Result<Zeroizing<[u8; 32]>, StoreError> {
        let key = self.masters.iter().find(|key| key.id == id);
        let key = key.ok_or_else(|| StoreError::KeyRing(format!("it does not hold {id}")))?;
        derive(&key.bytes, info).map(Zeroizing::new)
    }

    /// The MAC of an API key under the current pepper, and the pepper's id.
    pub(crate) fn mac(&self, key: &ApiKeySecret) -> Result<(String, Vec<u8>), StoreError> {
        let pepper = Self::current(&self.peppers)?;
        Ok((pepper.id.clone(), api_key_mac(pepper, key)))
    }

    /// Whether `mac` is an API key's MAC under the pepper with that id. The work is the same for every
    /// input, so that timing reveals nothing: an unknown pepper or a missing MAC is compared with a MAC
    /// too.
    pub(crate) fn verify(
        &self,
        key: &ApiKeySecret,
        stored: Option<(&str, &[u8])>,
    ) -> Result<bool, StoreError> {
        let known = stored
            .and_then(|(id, mac)| Some((self.peppers.iter().find(|pepper| pepper.id == id)?, mac)));
        let (pepper, mac) = match known {
            Some((pepper, mac)) => (pepper, mac),
            None => (Self::current(&self.peppers)?, [0; 32].as_slice()),
        };
        let equal =
            aws_lc_rs::constant_time::verify_slices_are_equal(&api_key_mac(pepper, key), mac)
                .is_ok();
        Ok(equal && known.is_some())
    }

    /// A check record of the current master key, for a database whose secret is `secret`.
    pub(crate) fn master_check(&self, secret: &[u8]) -> Result<RingCheck, StoreError> {
        let key_id = self.current_master()?.to_owned();
        let wrapping = self.derived_master(&key_id, b"database")?;
        Ok(RingCheck {
            sealed: sealing::seal(&wrapping, key_id.as_bytes(), secret)?,
            key_id,
            kind: "master".to_owned(),
        })
    }

    /// The database's secret from its check records, if this ring opens one of them.
    pub(crate) fn database_secret(&self, checks: &[RingCheck]) -> Option<Zeroizing<Vec<u8>>> {
        let masters = checks.iter().filter(|check| check.kind == "master");
        masters.into_iter().find_map(|check| {
            let wrapping = self.derived_master(&check.key_id, b"database").ok()?;
            sealing::open(&wrapping, check.key_id.as_bytes(), &check.sealed).ok()
        })
    }

    /// A check record of the current pepper.
    pub(crate) fn pepper_check(&self) -> Result<RingCheck, StoreError> {
        let pepper = Self::current(&self.peppers)?;
        let mac = hmac::sign(
            &hmac::Key::new(hmac::HMAC_SHA256, &pepper.bytes),
            b"gtm pepper check",
        );
        Ok(RingCheck {
            key_id: pepper.id.clone(),
            kind: "pepper".to_owned(),
            sealed: mac.as_ref().to_vec(),
        })
    }

    /// Whether this ring holds a pepper that the database knows.
    pub(crate) fn knows_pepper(&self, checks: &[RingCheck]) -> bool {
        let mut peppers = checks.iter().filter(|check| check.kind == "pepper");
        peppers.any(|check| self.peppers.iter().any(|pepper| pepper.id == check.key_id))
    }
}

#[cfg(test)]
thread_local! {
    /// Number of MACs of API keys that this thread has computed.
    pub(crate) static API_KEY_MACS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

fn api_key_mac(pepper: &RingKey, key: &ApiKeySecret) -> Vec<u8> {
    #[cfg(test)]
    API_KEY_MACS.with(|count| count.set(count.get() + 1));
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, &pepper.bytes));
    context.update(key.id().as_str().as_bytes());
    context.update(b"_");
    context.update(key.secret().as_bytes());
    context.sign().as_ref().to_vec()
}

struct Length32;

impl KeyType for Length32 {
    fn len(&self) -> usize {
        32
    }
}

/// Derives a key for one use with HKDF-SHA256.
fn derive(key: &[u8; 32], info: &[u8]) -> Result<[u8; 32], StoreError> {
    let mut out = [0; 32];
    Salt::new(HKDF_SHA256, b"gtm key ring v1")
        .extract(key)
        .expand(&[info], Length32)
        .and_then(|okm| okm.fill(&mut out))
        .map_err(|_| StoreError::KeyRing("deriving a key failed".to_owned()))?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn ring(masters: &[[u8; 32]], peppers: &[[u8; 32]]) -> KeyRing {
        KeyRing::from_keys(masters.to_vec(), peppers.to_vec())
    }

    #[test]
    fn debug_hides_keys() {
        let ring = ring(&[[7; 32]], &[[9; 32]]);
        let text = format!("{ring:?}");
        assert!(!text.contains("7, 7") && !text.contains("9, 9"), "{text}");
    }

    #[test]
    fn old_peppers_still_verify_and_foreign_ones_do_not() {
        let key = ApiKeySecret::from_entropy(&[1; 9], &[2; 32]);
        let (id, mac) = ring(&[[0; 32]], &[[1; 32]]).mac(&key).unwrap();
        let rotated = ring(&[[0; 32]], &[[2; 32], [1; 32]]);
        assert!(rotated.verify(&key, Some((&id, &mac))).unwrap());
        assert!(
            !ring(&[[0; 32]], &[[2; 32]])
                .verify(&key, Some((&id, &mac)))
                .unwrap()
        );
        assert!(
            !rotated
                .verify(
                    &ApiKeySecret::from_entropy(&[1; 9], &[3; 32]),
                    Some((&id, &mac))
                )
                .unwrap()
        );
        assert!(!rotated.verify(&key, None).unwrap());
    }

    #[test]
    fn a_database_secret_opens_only_with_its_ring() {
        let first = ring(&[[1; 32]], &[[1; 32]]);
        let check = first.master_check(&[5; 32]).unwrap();
        assert_eq!(
            first
                .database_secret(std::slice::from_ref(&check))
                .unwrap()
                .as_slice(),
            [5; 32]
        );
        assert!(
            ring(&[[2; 32]], &[[1; 32]])
                .database_secret(std::slice::from_ref(&check))
                .is_none()
        );
        assert!(
            ring(&[[2; 32], [1; 32]], &[[1; 32]])
                .database_secret(&[check])
                .is_some()
        );
    }

    #[test]
    fn text_that_is_no_key_is_refused() {
        for text in [
            "",
            "x",
            "AAAA",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,",
        ] {
            assert!(KeyRing::from_base64(text, None).is_err(), "{text:?}");
        }
        assert!(KeyRing::from_base64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None).is_ok());
    }
}
