//! Requests without a body. Clients that always send one may send an empty object.

use axum::extract::{FromRequest, Request};
use gtm_domain::{Digest, ErrorCode};
use http_body_util::{BodyExt as _, Limited};
use serde_json::Value;

use crate::api::Api;
use crate::error::ApiError;
use crate::idempotency_key::fingerprint;

/// Longest body that can still be an empty object with white space.
const MAX_BYTES: usize = 1024;

/// Proof that nothing was sent.
#[derive(Debug)]
pub struct NoBody {
    /// Distinguishes a repeated request from another one with the same idempotency key.
    pub fingerprint: Digest,
}

impl FromRequest<Api> for NoBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, api: &Api) -> Result<Self, ApiError> {
        let refused = || {
            ApiError::new(
                ErrorCode::MalformedRequest,
                "This operation takes no body; send none, or an empty object.",
            )
        };
        let (parts, body) = request.into_parts();
        let reading = Limited::new(body, MAX_BYTES).collect();
        let within = api.config().body_timeout;
        let sent = tokio::time::timeout(within, reading)
            .await
            .map_err(|_| ApiError::body_too_slow(within))?
            .map_err(|_| refused())?
            .to_bytes();
        if !is_nothing(&sent) {
            return Err(refused());
        }
        let fingerprint = fingerprint(&parts.method, parts.uri.path(), "", &Value::Null)
            .map_err(|cause| ApiError::internal(&cause))?;
        Ok(Self { fingerprint })
    }
}

fn is_nothing(sent: &[u8]) -> bool {
    let rest: Vec<u8> = sent
        .iter()
        .copied()
        .filter(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
        .collect();
    rest.is_empty() || rest == b"{}"
}

#[cfg(test)]
mod tests {
    use super::is_nothing;

    #[test]
    fn an_empty_object_is_nothing() {
        for nothing in ["", " \r\n", "{}", " { } \n"] {
            assert!(is_nothing(nothing.as_bytes()), "{nothing:?}");
        }
        for something in ["null", "[]", "{\"a\":1}", "{", "\u{feff}{}"] {
            assert!(!is_nothing(something.as_bytes()), "{something:?}");
        }
    }
}
