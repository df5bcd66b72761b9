//! `Idempotency-Key`: its syntax, and the fingerprint that tells whether a repeated request is the same
//! request (annex A0). The store looks keys up and replays answers.

use axum::extract::FromRequestParts;
use gtm_domain::{Digest, ErrorCode, canonical_json};
use gtm_engine::Idempotency;
use http::request::Parts;
use http::{HeaderName, Method};
use serde_json::Value;
use utoipa::IntoParams;
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Object, Type};

use crate::error::ApiError;

pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Header that marks a repeated answer.
pub const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

const MAX_CHARS: usize = 255;

/// The caller's key, if one was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey(pub Option<String>);

impl IdempotencyKey {
    /// The key together with the fingerprint of its request.
    #[must_use]
    pub fn bound_to(self, fingerprint: Digest) -> Option<Idempotency> {
        self.0.map(|key| Idempotency { key, fingerprint })
    }
}

/// Parses a header value: 1 to 255 visible ASCII characters, bare or as a quoted string of structured
/// fields (RFC 8941), whose quotes and escapes are removed.
#[must_use]
pub fn parse(value: &[u8]) -> Option<String> {
    let key = match value {
        [b'"', inner @ .., b'"'] => unescape(inner)?,
        other => other.to_vec(),
    };
    let fits = (1..=MAX_CHARS).contains(&key.len()) && key.iter().all(u8::is_ascii_graphic);
    if fits {
        String::from_utf8(key).ok()
    } else {
        None
    }
}

/// The content of a quoted string: only `\"` and `\\` are escapes, and a bare quote ends it early.
fn unescape(inner: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => out.push(*bytes.next().filter(|b| matches!(b, b'"' | b'\\'))?),
            b'"' => return None,
            other => out.push(*other),
        }
    }
    Some(out)
}

/// SHA-256 over method, path, content type and the body's canonical JSON. The path contains no line break,
/// so the lines cannot be confused.
///
/// # Errors
/// If the body has no canonical form.
pub fn fingerprint(
    method: &Method,
    path: &str,
    content_type: &str,
    body: &Value,
) -> Result<Digest, serde_json::Error> {
    let mut text = format!("{method}\n{path}\n{content_type}\n").into_bytes();
    text.extend(canonical_json(body)?);
    Ok(Digest::of(&text))
}

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        let mut values = parts.headers.get_all(&IDEMPOTENCY_KEY).iter();
        let malformed = || {
            ApiError::new(
                ErrorCode::MalformedRequest,
                "Idempotency-Key must be one value of 1 to 255 visible ASCII characters.",
            )
        };
        match (values.next(), values.next()) {
            (None, _) => Ok(Self(None)),
            (Some(value), None) => parse(value.as_bytes())
                .map(|key| Self(Some(key)))
                .ok_or_else(malformed),
            _ => Err(malformed()),
        }
    }
}

impl IntoParams for IdempotencyKey {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let parameter = ParameterBuilder::new()
            .name("Idempotency-Key")
            .parameter_in(ParameterIn::Header)
            .description(Some("1 to 255 visible ASCII characters, bare or as a quoted string. Make and keep it before the first attempt."))
            .required(Required::False)
            .schema(Some(Object::with_type(Type::String)));
        vec![parameter.build()]
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn quote(key: &str) -> String {
        format!("\"{}\"", key.replace('\\', "\\\\").replace('"', "\\\""))
    }

    proptest! {
        #[test]
        fn a_key_is_the_same_quoted_and_bare(key in "[!-~]{1,255}") {
            prop_assert_eq!(parse(quote(&key).as_bytes()), Some(key.clone()));
            if !(key.starts_with('"') && key.ends_with('"') && key.len() > 1) {
                prop_assert_eq!(parse(key.as_bytes()), Some(key));
            }
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            if let Some(key) = parse(&bytes) {
                prop_assert!(!key.is_empty() && key.len() <= 255 && key.bytes().all(|b| b.is_ascii_graphic()));
            }
        }
    }

    #[test]
    fn what_is_no_key() {
        for bad in [
            "", "\"\"", "a b", "\"a b\"", "\"a\\x\"", "\"a\"b\"", "\"a\\\"", "\u{e9}",
        ] {
            assert_eq!(parse(bad.as_bytes()), None, "{bad:?}");
        }
        assert_eq!(parse(&[b'k'; 256]), None);
    }

    #[test]
    fn the_fingerprint_is_of_the_request_not_of_its_spelling() {
        let print = |path: &str, body: &Value| {
            fingerprint(&Method::POST, path, "application/json", body).unwrap()
        };
        let one = print("/v1/playbooks", &json!({"a": 1, "b": 2.0}));
        let same: Value = serde_json::from_str(r#"{ "b": 2, "a": 1.0 }"#).unwrap();
        assert_eq!(one, print("/v1/playbooks", &same));
        assert_ne!(one, print("/v1/brands", &same));
        assert_ne!(one, print("/v1/playbooks", &json!({"a": 1, "b": 3})));
    }
}
