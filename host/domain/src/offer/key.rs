//! Keys of offers: short names that callers may use instead of an id.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::brand_key::is_key;

/// An offer's key, unique in its organization: 1 to 63 of `a-z`, `0-9` and single hyphens within.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct OfferKey(String);

/// The text is not an offer key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an offer's key is 1 to 63 lower-case letters, digits and single hyphens within")]
pub struct ParseOfferKeyError;

impl OfferKey {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OfferKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for OfferKey {
    type Err = ParseOfferKeyError;

    fn from_str(text: &str) -> Result<Self, ParseOfferKeyError> {
        is_key(text)
            .then(|| Self(text.to_owned()))
            .ok_or(ParseOfferKeyError)
    }
}

impl From<OfferKey> for String {
    fn from(key: OfferKey) -> Self {
        key.0
    }
}

impl TryFrom<String> for OfferKey {
    type Error = ParseOfferKeyError;
    fn try_from(text: String) -> Result<Self, ParseOfferKeyError> {
        text.parse()
    }
}
