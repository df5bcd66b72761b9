//! SHA-256 digests, written `sha256:<64 hex digits>`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Digest([u8; 32]);

/// A text that is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected sha256: and 64 lower-case hex digits")]
pub struct ParseDigestError;

impl Digest {
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
    /// From the 32 raw bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
    /// The 32 raw bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
    /// The 64 hex digits without the algorithm.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }
}

/// The digest of bytes that come in portions.
#[derive(Debug, Clone, Default)]
pub struct DigestOfPortions(Sha256);

impl DigestOfPortions {
    pub fn add(&mut self, portion: &[u8]) {
        self.0.update(portion);
    }
    #[must_use]
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", hex::encode(self.0))
    }
}
impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl FromStr for Digest {
    type Err = ParseDigestError;
    fn from_str(text: &str) -> Result<Self, ParseDigestError> {
        let digits = text.strip_prefix("sha256:").ok_or(ParseDigestError)?;
        if digits.len() != 64 || digits.bytes().any(|b| b.is_ascii_uppercase()) {
            return Err(ParseDigestError);
        }
        let mut bytes = [0; 32];
        hex::decode_to_slice(digits, &mut bytes).map_err(|_| ParseDigestError)?;
        Ok(Self(bytes))
    }
}
impl From<Digest> for String {
    fn from(d: Digest) -> String {
        d.to_string()
    }
}
impl TryFrom<String> for Digest {
    type Error = ParseDigestError;
    fn try_from(text: String) -> Result<Self, ParseDigestError> {
        text.parse()
    }
}
