//! The text of an API key: `gtm_k1_<key id>_<secret>_<checksum>` (annex A15).
//!
//! The checksum lets clients and secret scanners recognize a key, and refuse a mistyped one,
//! without asking the server. The prefix names product and format, never an environment.

use std::fmt;

const PREFIX: &str = "gtm_k1_";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_CHARS: usize = 12;
const SECRET_CHARS: usize = 43;
const CHECK_CHARS: usize = 6;

/// The public part of a key, used to look up its record: 12 base62 characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyId(String);

impl KeyId {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A complete API key. Shown once to its owner; `Debug` hides the secret.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKeySecret {
    id: KeyId,
    secret: String,
}

/// Why a text is not an API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseApiKeyError {
    /// The prefix, a length or a character is wrong.
    #[error("not an API key of the form gtm_k1_<id>_<secret>_<checksum>")]
    Malformed,
    /// The checksum does not match: a typo or a truncated key.
    #[error("the key's checksum does not fit: it was mistyped or cut off")]
    Checksum,
}

impl ApiKeySecret {
    /// Makes a key from 9 random bytes for the id and 32 for the secret.
    #[must_use]
    pub fn from_entropy(id: &[u8; 9], secret: &[u8; 32]) -> Self {
        Self {
            id: KeyId(base62(id, ID_CHARS)),
            secret: base62(secret, SECRET_CHARS),
        }
    }

    /// Parses the text of a key and verifies its checksum.
    ///
    /// # Errors
    /// If the text has another form or its checksum does not match.
    pub fn parse(text: &str) -> Result<Self, ParseApiKeyError> {
        let rest = text
            .strip_prefix(PREFIX)
            .ok_or(ParseApiKeyError::Malformed)?;
        let parts: Vec<&str> = rest.split('_').collect();
        let [id, secret, check] = parts.as_slice() else {
            return Err(ParseApiKeyError::Malformed);
        };
        let well_formed =
            |s: &str, n: usize| s.len() == n && s.bytes().all(|b| BASE62.contains(&b));
        if !well_formed(id, ID_CHARS)
            || !well_formed(secret, SECRET_CHARS)
            || !well_formed(check, CHECK_CHARS)
        {
            return Err(ParseApiKeyError::Malformed);
        }
        let key = Self {
            id: KeyId((*id).to_owned()),
            secret: (*secret).to_owned(),
        };
        if key.checksum() == *check {
            Ok(key)
        } else {
            Err(ParseApiKeyError::Checksum)
        }
    }

    #[must_use]
    pub const fn id(&self) -> &KeyId {
        &self.id
    }
    /// The secret part: authenticated by HMAC, never stored.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.secret
    }
    /// The last four characters of the secret, kept so that people recognize a key in a list.
    #[must_use]
    pub fn last4(&self) -> &str {
        &self.secret[SECRET_CHARS - 4..]
    }
    /// The complete text, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}_{}_{}", self.id.0, self.secret, self.checksum())
    }

    fn checksum(&self) -> String {
        let crc = crc32fast::hash(format!("{PREFIX}{}_{}", self.id.0, self.secret).as_bytes());
        base62(&crc.to_be_bytes(), CHECK_CHARS)
    }
}

impl fmt::Debug for ApiKeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKeySecret({}, ****{})", self.id.0, self.last4())
    }
}

/// The big-endian number in `bytes` as base62, truncated to its last `width` digits.
fn base62(bytes: &[u8], width: usize) -> String {
    let mut number = bytes.to_vec();
    let mut out = vec![BASE62[0]; width];
    for slot in out.iter_mut().rev() {
        let mut remainder = 0u32;
        for byte in &mut number {
            let value = (remainder << 8) | u32::from(*byte);
            *byte = (value / 62) as u8;
            remainder = value % 62;
        }
        *slot = BASE62[remainder as usize];
    }
    out.iter().map(|b| char::from(*b)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_key_survives_its_text(id: [u8; 9], secret: [u8; 32]) {
            let key = ApiKeySecret::from_entropy(&id, &secret);
            prop_assert_eq!(ApiKeySecret::parse(&key.reveal()).unwrap(), key);
        }

        #[test]
        fn one_wrong_character_is_noticed(id: [u8; 9], secret: [u8; 32], at in 7usize..62, to in 0usize..62) {
            let text = ApiKeySecret::from_entropy(&id, &secret).reveal();
            let mut bytes = text.clone().into_bytes();
            prop_assume!(bytes[at] != b'_' && bytes[at] != BASE62[to]);
            bytes[at] = BASE62[to];
            prop_assert!(ApiKeySecret::parse(std::str::from_utf8(&bytes).unwrap()).is_err());
        }

        #[test]
        fn no_text_panics(text in "(gtm_k1_)?[\\PC_]{0,80}") {
            let _ = ApiKeySecret::parse(&text);
        }
    }

    #[test]
    fn debug_hides_the_secret() {
        let key = ApiKeySecret::from_entropy(&[7; 9], &[9; 32]);
        assert!(!format!("{key:?}").contains(key.secret()));
    }
}
