//! Canonical JSON (RFC 8785): the only form in which JSON is hashed.

use serde::Serialize;

use crate::Digest;

/// The value has no canonical JSON form and therefore no digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {cause}")]
pub struct NotCanonical {
    what: String,
    cause: String,
}

impl NotCanonical {
    pub(crate) fn new(what: impl Into<String>, cause: &serde_json::Error) -> Self {
        Self {
            what: what.into(),
            cause: cause.to_string(),
        }
    }
}

/// The RFC 8785 bytes of a value.
///
/// # Errors
/// If the value does not serialize as JSON (a map with keys that are not strings, a NaN).
pub fn canonical_json<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    serde_json_canonicalizer::to_vec(value)
}

/// The SHA-256 of a value's RFC 8785 bytes.
///
/// # Errors
/// As [`canonical_json`].
pub fn canonical_digest<T: Serialize>(value: &T) -> Result<Digest, serde_json::Error> {
    canonical_json(value).map(|bytes| Digest::of(&bytes))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    #[test]
    fn order_of_members_does_not_matter() {
        let a = json!({"b": 1.0, "a": [true, null], "é": "x"});
        let b: serde_json::Value =
            serde_json::from_str(r#"{"é":"x","a":[true,null],"b":1}"#).unwrap();
        assert_eq!(
            super::canonical_digest(&a).unwrap(),
            super::canonical_digest(&b).unwrap()
        );
    }
}
