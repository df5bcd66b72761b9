//! The answer to what is no HTTP/1.1 request: the envelope of the specification with a request id,
//! and the end of the connection (decision 0004).

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use gtm_domain::Clock;
use http::StatusCode;

use super::request_heads::RequestHeads;
use crate::error::{ApiError, ErrorForm};
use crate::request_id;

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
}

/// Writes the answers to what cannot be read.
#[derive(Clone)]
pub struct Refusals {
    docs_base: Arc<str>,
    clock: Arc<dyn Clock>,
}

impl fmt::Debug for Refusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refusals")
            .field("docs_base", &self.docs_base)
            .finish_non_exhaustive()
    }
}

impl Refusals {
    /// With `docs_base` as what `docs_url` begins with; `#<code>` follows.
    #[must_use]
    pub fn new(docs_base: &str, clock: Arc<dyn Clock>) -> Self {
        Self {
            docs_base: docs_base.into(),
            clock,
        }
    }

    /// A whole response, as it goes over the wire.
    pub(super) fn answer(&self, refused: &Unreadable) -> Vec<u8> {
        let now = self.clock.now();
        let id = refused
            .request_id
            .clone()
            .unwrap_or_else(|| request_id::generate(now));
        let status = refused.status;
        tracing::info!(request_id = %id, status = status.as_u16(), "answered what is no request");
        let labels = [
            ("method", "other".to_owned()),
            ("route", "unreadable".to_owned()),
            ("status", status.as_str().to_owned()),
        ];
        metrics::counter!("gtm_http_requests_total", &labels).increment(1);
        let error = ApiError::refused(status, &*refused.message);
        let body = error.body(&id, &self.docs_base, ErrorForm::Envelope);
        let since_epoch = Duration::from_micros(u64::try_from(now.micros()).unwrap_or(0));
        let date = httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + since_epoch);
        let head = format!(
            "HTTP/1.1 {} {}\r\ncontent-type: application/json\r\nx-request-id: {id}\r\n\
             x-content-type-options: nosniff\r\ncache-control: private, no-store\r\n\
             content-length: {}\r\nconnection: close\r\ndate: {date}\r\n\r\n",
            status.as_str(),
            status.canonical_reason().unwrap_or("Refused"),
            body.len(),
        );
        [head.into_bytes(), body.into_bytes()].concat()
    }
}
