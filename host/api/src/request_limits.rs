//! Limits of a request's head that the connection itself doesn't answer with an envelope: length
//! of the target, number and size of the headers.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;

use crate::error::ApiError;

/// Longest request target in bytes.
pub const MAX_TARGET_BYTES: usize = 8 * 1024;
/// Most headers.
pub const MAX_HEADERS: usize = 64;
/// Longest sum of header names and values in bytes.
pub const MAX_HEADER_BYTES: usize = 16 * 1024;

/// Refuse what is over a limit.
pub async fn enforce(request: Request, next: Next) -> Response {
    let target = request
        .uri()
        .path_and_query()
        .map_or(0, |target| target.as_str().len());
    if target > MAX_TARGET_BYTES {
        let message = format!("The request target is longer than {MAX_TARGET_BYTES} bytes.");
        return ApiError::refused(StatusCode::URI_TOO_LONG, message).into_response();
    }
    let size: usize = request
        .headers()
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    if request.headers().len() > MAX_HEADERS || size > MAX_HEADER_BYTES {
        let message = format!(
            "The request has more than {MAX_HEADERS} headers or more than {MAX_HEADER_BYTES} bytes of them."
        );
        return ApiError::refused(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, message)
            .into_response();
    }
    next.run(request).await
}
