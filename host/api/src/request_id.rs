//! `X-Request-ID`: the pattern that callers' values must match, and generated ids (specification,
//! Endpoints).

use gtm_domain::{RequestId, Timestamp};
use http::{HeaderMap, HeaderName};

/// Header that carries the id in both directions.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What a caller's value must match (specification, Endpoints).
pub const PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$";

const MAX_CHARS: usize = 128;

/// The id that a response carries, and whether the caller's own was unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// Echoed or generated.
    pub id: String,
    /// The caller sent a value that breaks the pattern, or several values.
    pub refused: bool,
}

/// Whether `text` matches [`PATTERN`].
#[must_use]
pub fn is_acceptable(text: &[u8]) -> bool {
    text.len() <= MAX_CHARS
        && text.first().is_some_and(u8::is_ascii_alphanumeric)
        && text
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b':' | b'-'))
}

/// The caller's id, or a generated one if it is missing or unusable.
#[must_use]
pub fn resolve(headers: &HeaderMap, now: Timestamp) -> Resolved {
    let mut values = headers.get_all(&X_REQUEST_ID).iter();
    match (values.next(), values.next()) {
        (None, _) => Resolved {
            id: generate(now),
            refused: false,
        },
        (Some(value), None) if is_acceptable(value.as_bytes()) => Resolved {
            id: String::from_utf8_lossy(value.as_bytes()).into_owned(),
            refused: false,
        },
        _ => Resolved {
            id: generate(now),
            refused: true,
        },
    }
}

/// A new id, `req_…`.
#[must_use]
pub fn generate(now: Timestamp) -> String {
    RequestId::from_uuid(gtm_store::uuid_v7(now)).to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use http::HeaderValue;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_matches_the_pattern_is_echoed(text in "[A-Za-z0-9][A-Za-z0-9._:-]{0,127}") {
            let headers = HeaderMap::from_iter([(X_REQUEST_ID, HeaderValue::from_str(&text).unwrap())]);
            prop_assert_eq!(resolve(&headers, Timestamp::EPOCH), Resolved { id: text, refused: false });
        }

        #[test]
        fn anything_else_is_refused(bytes in proptest::collection::vec(0x20u8..0x7f, 0..200)) {
            let text = String::from_utf8(bytes).unwrap();
            let first_fits = text.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
            let all_fit = text.chars().all(|c| c.is_ascii_alphanumeric() || "._:-".contains(c));
            prop_assert_eq!(is_acceptable(text.as_bytes()), first_fits && all_fit && text.len() <= 128);
        }
    }

    #[test]
    fn a_generated_id_matches_the_pattern_itself() {
        let id = generate(Timestamp::from_millis(1_790_000_000_000));
        assert!(
            is_acceptable(id.as_bytes()) && id.starts_with("req_"),
            "{id}"
        );
    }

    #[test]
    fn two_values_are_one_too_many() {
        let mut headers = HeaderMap::new();
        headers.append(X_REQUEST_ID, HeaderValue::from_static("a"));
        headers.append(X_REQUEST_ID, HeaderValue::from_static("b"));
        assert!(resolve(&headers, Timestamp::EPOCH).refused);
    }
}
