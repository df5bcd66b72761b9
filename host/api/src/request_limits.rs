//! Checks a request's head, whoever sends it: a head that HTTP forbids, a target that is too long, too many
//! or too large headers. Also limits how long its answer may take.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use gtm_domain::ErrorCode;
use http::{Method, StatusCode};

use crate::api::Api;
use crate::error::ApiError;
use crate::server::ForbiddenHead;

/// Longest request target in bytes.
pub const MAX_TARGET_BYTES: usize = 8 * 1024;
/// Maximum number of headers.
pub const MAX_HEADERS: usize = 64;
/// Maximum sum of header names and values, in bytes.
pub const MAX_HEADER_BYTES: usize = 16 * 1024;

/// Refuses a request above a limit.
pub async fn enforce(request: Request, next: Next) -> Response {
    if let Some(ForbiddenHead(fault)) = request.extensions().get() {
        return ApiError::new(ErrorCode::MalformedRequest, *fault)
            .closing()
            .into_response();
    }
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

/// Answers in time, whatever the request waits for: 500 `internal_error` if it is not done by then. Its
/// work may still have been done; a repeat with the same idempotency key tells.
pub async fn answer_in_time(State(api): State<Api>, request: Request, next: Next) -> Response {
    let config = api.config();
    let body = match *request.method() {
        Method::GET | Method::HEAD => Duration::ZERO,
        // The body's own time limit answers with what is wrong.
        _ => config.body_timeout,
    };
    let within = body + config.answer_timeout;
    match tokio::time::timeout(within, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let seconds = within.as_secs();
            ApiError::internal(&format!("no answer within {seconds} s")).into_response()
        }
    }
}
