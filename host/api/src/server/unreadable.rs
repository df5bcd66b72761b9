//! The answer to what is no HTTP/1.1 request: the envelope of the specification with a request id,
//! and the end of the connection (decision 0004).

use http::StatusCode;

use super::refusals::Refusals;
use super::request_heads::RequestHeads;
use crate::error::ApiError;

/// Why a connection's bytes are refused before there is a request.
#[derive(Debug)]
pub(super) struct Unreadable {
    status: StatusCode,
    message: String,
    request_id: Option<String>,
}

impl Unreadable {
    /// What the library's error means for the peer; none where nothing was asked.
    pub(super) fn of(error: &hyper::Error, heads: &RequestHeads) -> Option<Self> {
        let head = heads.head();
        let (status, message) = if error.is_parse_version_h2() || head.starts_with(b"PRI * HTTP/2")
        {
            (
                StatusCode::BAD_REQUEST,
                "This port speaks HTTP/1.1 and was addressed in HTTP/2.".to_owned(),
            )
        } else if head.starts_with(&[0x16, 0x03]) {
            (
                StatusCode::BAD_REQUEST,
                "This port speaks plain HTTP and was addressed in TLS; use http:// or the proxy that terminates TLS.".to_owned(),
            )
        } else if error.is_parse_too_large() {
            if head.contains(&b'\n') {
                (
                    StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                    "The header section of the request is too large.".to_owned(),
                )
            } else {
                (
                    StatusCode::URI_TOO_LONG,
                    "The request target is too long.".to_owned(),
                )
            }
        } else if error.is_parse() {
            (
                StatusCode::BAD_REQUEST,
                format!("This is not a request of HTTP/1.1 (RFC 9112): {error}."),
            )
        } else if error.is_timeout() && heads.is_in_head() {
            (
                StatusCode::REQUEST_TIMEOUT,
                "The head of the request did not arrive in time.".to_owned(),
            )
        } else if error.is_incomplete_message() && heads.is_in_head() {
            (
                StatusCode::BAD_REQUEST,
                "The connection ended before the head of the request did.".to_owned(),
            )
        } else {
            return None;
        };
        Some(Self {
            status,
            message,
            request_id: heads.request_id(),
        })
    }

    /// A whole response, as it goes over the wire.
    pub(super) fn answer(&self, refusals: &Refusals) -> Vec<u8> {
        let error = ApiError::refused(self.status, &*self.message);
        refusals.answer(&error, "unreadable", self.request_id.clone())
    }
}
