//! Request bodies: checks media type, size, time, JSON, schema and rules, in this order. A body that cannot
//! be parsed is 400, one that parses but breaks a rule is 422 (annex A0).

use axum::BoxError;
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use bytes::{Bytes, BytesMut};
use gtm_domain::{Digest, ErrorCode};
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use crate::api::Api;
use crate::error::ApiError;
use crate::idempotency_key::fingerprint;
use crate::strict_json;
use crate::validation::RequestBody;

const MEDIA_TYPE: &str = "application/json";
/// A body that is too large is read and discarded up to this multiple of the limit. Otherwise a client that
/// is still sending when the connection closes would see a reset instead of the answer.
const DISCARDED: usize = 16;

/// A valid, normalized request body.
#[derive(Debug)]
pub struct JsonBody<T> {
    pub value: T,
    /// Distinguishes a repeated request from another one with the same idempotency key.
    pub fingerprint: Digest,
}

impl<T: RequestBody + Send> FromRequest<Api> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, api: &Api) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        check_headers(&parts.headers)?;
        let bytes = read(body, announced_length(&parts.headers), api).await?;
        let parsed = strict_json::parse(&bytes).map_err(|fault| {
            ApiError::new(
                ErrorCode::MalformedRequest,
                format!("Cannot read the request: {fault}."),
            )
        })?;
        let schema = api
            .contract()
            .schema(T::SCHEMA)
            .ok_or_else(|| ApiError::internal(&format!("no schema {}", T::SCHEMA)))?;
        let value = schema
            .check::<T>(&parsed)
            .map_err(|violations| ApiError::invalid(&violations))?;
        let fingerprint = fingerprint(&parts.method, parts.uri.path(), MEDIA_TYPE, &parsed)
            .map_err(|cause| ApiError::internal(&cause))?;
        Ok(Self { value, fingerprint })
    }
}

fn check_headers(headers: &HeaderMap) -> Result<(), ApiError> {
    let malformed = |message: &str| Err(ApiError::new(ErrorCode::MalformedRequest, message));
    if !headers
        .get(CONTENT_TYPE)
        .is_some_and(|value| is_json(value.as_bytes()))
    {
        return malformed("Send the body as Content-Type: application/json.");
    }
    if headers
        .get(CONTENT_ENCODING)
        .is_some_and(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity"))
    {
        return malformed("Send the body without a Content-Encoding.");
    }
    Ok(())
}

fn announced_length(headers: &HeaderMap) -> Option<usize> {
    headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse().ok())
}

/// `application/json`, with no charset other than UTF-8.
fn is_json(content_type: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(content_type) else {
        return false;
    };
    let mut parts = text.split(';').map(str::trim);
    let essence = parts
        .next()
        .is_some_and(|essence| essence.eq_ignore_ascii_case(MEDIA_TYPE));
    essence
        && parts.all(|parameter| match parameter.split_once('=') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
                value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
            }
            _ => true,
        })
}

/// The whole body, within the limits of size and time.
async fn read(body: Body, announced: Option<usize>, api: &Api) -> Result<Bytes, ApiError> {
    let limit = api.config().body_limit;
    // Reject early: a body this long would not be read to its end anyway.
    if announced.is_some_and(|length| length > limit.saturating_mul(DISCARDED)) {
        return Err(too_large(limit));
    }
    let within = |reading| tokio::time::timeout(api.config().body_timeout, reading);
    let mut body = Limited::new(body, limit.saturating_mul(DISCARDED));
    let reading = async {
        let mut kept = BytesMut::new();
        let mut over = announced.is_some_and(|length| length > limit);
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame?.into_data() else {
                continue;
            };
            over = over || kept.len() + data.len() > limit;
            if over {
                kept = BytesMut::new();
            } else {
                kept.extend_from_slice(&data);
            }
        }
        Ok::<_, BoxError>(if over { None } else { Some(kept.freeze()) })
    };
    match within(reading).await {
        Ok(Ok(Some(bytes))) => Ok(bytes),
        Ok(Ok(None)) => Err(too_large(limit)),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(limit)),
        Ok(Err(_)) => Err(ApiError::new(
            ErrorCode::MalformedRequest,
            "The body ended early, or its transfer coding cannot be read.",
        )),
        Err(_) => Err(ApiError::body_too_slow(api.config().body_timeout)),
    }
}

fn too_large(limit: usize) -> ApiError {
    ApiError::refused(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("The body is larger than {limit} bytes."),
    )
}

#[cfg(test)]
mod tests {
    use super::is_json;

    #[test]
    fn media_types() {
        for good in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/json;charset=\"utf-8\"",
            "application/json; v=1",
        ] {
            assert!(is_json(good.as_bytes()), "{good}");
        }
        for bad in [
            "",
            "text/plain",
            "application/jsonp",
            "application/json; charset=latin1",
            "application/x-www-form-urlencoded",
        ] {
            assert!(!is_json(bad.as_bytes()), "{bad}");
        }
    }
}
