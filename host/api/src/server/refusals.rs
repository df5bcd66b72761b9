//! Answers to peers whose request is not read: the specification's envelope with a request id, then the end
//! of the connection (decisions 0004 and 0039).

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use gtm_domain::{Clock, ErrorCode};

use crate::error::{ApiError, ErrorForm};
use crate::request_id;

/// How long a peer with too many connections is told to wait, in seconds.
const RETRY_AFTER: u64 = 1;

/// Writes the answers to peers that are not served.
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
    /// `docs_base` is the beginning of `docs_url`; `#<code>` follows.
    #[must_use]
    pub fn new(docs_base: &str, clock: Arc<dyn Clock>) -> Self {
        Self {
            docs_base: docs_base.into(),
            clock,
        }
    }

    /// For a peer whose address has its maximum of connections, all of them with requests in progress.
    pub(super) fn too_many_connections(&self) -> Vec<u8> {
        let error = ApiError::new(
            ErrorCode::RateLimitExceeded,
            "Too many requests of this address are being worked on; wait for an answer before you send another.",
        );
        self.answer(&error.with_retry_after(RETRY_AFTER))
    }

    /// A complete response, as sent over the wire.
    fn answer(&self, error: &ApiError) -> Vec<u8> {
        let now = self.clock.now();
        let id = request_id::generate(now);
        let status = error.status();
        tracing::info!(request_id = %id, status = status.as_u16(), "answered without a request");
        let labels = [
            ("method", "other".to_owned()),
            ("route", "refused".to_owned()),
            ("status", status.as_str().to_owned()),
        ];
        metrics::counter!("gtm_http_requests_total", &labels).increment(1);
        let body = error.body(&id, &self.docs_base, ErrorForm::Envelope);
        let since_epoch = Duration::from_micros(u64::try_from(now.micros()).unwrap_or(0));
        let date = httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + since_epoch);
        let retry_after = error
            .retry_after()
            .map_or_else(String::new, |seconds| format!("retry-after: {seconds}\r\n"));
        let head = format!(
            "HTTP/1.1 {} {}\r\ncontent-type: application/json\r\nx-request-id: {id}\r\n\
             x-content-type-options: nosniff\r\ncache-control: private, no-store\r\n{retry_after}\
             content-length: {}\r\nconnection: close\r\ndate: {date}\r\n\r\n",
            status.as_str(),
            status.canonical_reason().unwrap_or("Refused"),
            body.len(),
        );
        [head.into_bytes(), body.into_bytes()].concat()
    }
}
