//! What the ledger keeps of whom an outcome names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The keyed HMAC of a subject, the only trace of it in the ledger. Its text is `hmac-sha256:` and 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct SubjectHmac([u8; 32]);

/// The text is no HMAC.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected hmac-sha256: and 64 lower-case hex digits")]
pub struct ParseSubjectHmacError;

const PREFIX: &str = "hmac-sha256:";

impl SubjectHmac {
    /// From the 32 raw bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for SubjectHmac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", hex::encode(self.0))
    }
}

impl fmt::Debug for SubjectHmac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for SubjectHmac {
    type Err = ParseSubjectHmacError;

    fn from_str(text: &str) -> Result<Self, ParseSubjectHmacError> {
        let digits = text.strip_prefix(PREFIX).ok_or(ParseSubjectHmacError)?;
        if digits.bytes().any(|b| b.is_ascii_uppercase()) {
            return Err(ParseSubjectHmacError);
        }
        let mut bytes = [0; 32];
        hex::decode_to_slice(digits, &mut bytes).map_err(|_| ParseSubjectHmacError)?;
        Ok(Self(bytes))
    }
}

impl From<SubjectHmac> for String {
    fn from(hmac: SubjectHmac) -> Self {
        hmac.to_string()
    }
}

impl TryFrom<String> for SubjectHmac {
    type Error = ParseSubjectHmacError;
    fn try_from(text: String) -> Result<Self, ParseSubjectHmacError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_hmac_survives_its_text(bytes: [u8; 32]) {
            let hmac = SubjectHmac::from_bytes(bytes);
            prop_assert_eq!(hmac.to_string().parse::<SubjectHmac>().unwrap(), hmac);
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,60}") {
            let _ = text.parse::<SubjectHmac>();
        }
    }
}
