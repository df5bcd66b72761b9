//! The answer to a create: the first one, or the first one again (specification, Endpoints rule 1).

use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use gtm_engine::StoredResponse;
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderName, HeaderValue, StatusCode};

use crate::error::ApiError;
use crate::idempotency_key::IDEMPOTENCY_REPLAYED;

/// The first answer. `location` is the path of what was created; paths of ours are visible ASCII.
#[must_use]
pub fn first(status: StatusCode, body: Bytes, location: &str) -> Response {
    let location = HeaderValue::try_from(location).ok();
    answer(status, body, location.map(|path| (LOCATION, path)))
}

/// A first answer that was rendered with its headers.
///
/// # Errors
/// 500 if it is no answer.
pub fn stored(answer: StoredResponse) -> Result<Response, ApiError> {
    rendered(answer, None)
}

/// The first answer again: status, headers and body as they were stored.
///
/// # Errors
/// 500 if what was stored is no answer.
pub fn again(stored: StoredResponse) -> Result<Response, ApiError> {
    let replayed = (IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    rendered(stored, Some(replayed))
}

fn rendered(
    stored: StoredResponse,
    more: Option<(HeaderName, HeaderValue)>,
) -> Result<Response, ApiError> {
    let status = StatusCode::from_u16(stored.status).map_err(|cause| ApiError::internal(&cause))?;
    let kept = stored
        .headers
        .iter()
        .filter_map(|(name, value)| Some((name.parse::<HeaderName>().ok()?, value.parse().ok()?)));
    Ok(answer(status, stored.body, kept.chain(more)))
}

fn answer(
    status: StatusCode,
    body: Bytes,
    headers: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
) -> Response {
    let mut response = (status, body).into_response();
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().extend(headers);
    response
}
