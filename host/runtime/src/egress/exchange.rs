//! Requests and answers at the gate, as guests see them.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::Failure;
use gtm_domain::receipt::Receipt;
use url::Url;

use super::sendings::Untold;
use super::spool::KeptBody;

/// One request of a guest; mirrors `http.request` of the WIT.
#[derive(Debug, Clone, Default)]
pub struct HttpRequest {
    /// Upper-case method.
    pub method: String,
    /// Absolute URL.
    pub url: String,
    /// Headers of the guest's own.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: Option<Bytes>,
    /// Id of the credential scheme to apply.
    pub credential: Option<String>,
    /// Bound on the whole exchange.
    pub timeout: Option<Duration>,
    /// Bound on the decoded body, in bytes.
    pub max_body_bytes: Option<u64>,
    /// Cut a longer body instead of failing.
    pub truncate: bool,
    /// Redirects to follow, at most five. With zero a redirect is answered as it is; past a higher
    /// bound the exchange fails `too_many_redirects`.
    pub max_redirects: u8,
}

impl HttpRequest {
    /// A GET without anything else.
    #[must_use]
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            method: "GET".to_owned(),
            url: url.into(),
            ..Self::default()
        }
    }
    /// A POST with a body.
    #[must_use]
    pub fn post(url: impl Into<String>, body: impl Into<Bytes>) -> Self {
        Self {
            method: "POST".to_owned(),
            url: url.into(),
            body: Some(body.into()),
            ..Self::default()
        }
    }
}

/// An answer, whole.
#[derive(Debug, Clone)]
pub struct HttpResponse {
    /// Status.
    pub status: u16,
    /// Headers without hop-by-hop ones, those of the content coding, and those that tell of a body in which a
    /// credential may have stood.
    pub headers: Vec<(String, String)>,
    /// Decoded body.
    pub body: Bytes,
    /// URL that answered.
    pub final_url: Url,
    /// Whether the body was cut.
    pub truncated: bool,
}

impl HttpResponse {
    /// First value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        first_header(&self.headers, name)
    }
}

/// Head of an answer whose body is read piece by piece.
#[derive(Debug, Clone)]
pub struct ResponseHead {
    /// Status.
    pub status: u16,
    /// Headers as in [`HttpResponse`].
    pub headers: Vec<(String, String)>,
    /// URL that answered.
    pub final_url: Url,
}

impl ResponseHead {
    /// First value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        first_header(&self.headers, name)
    }
}

fn first_header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers
        .iter()
        .find(|(n, _)| n.eq_ignore_ascii_case(name))
        .map(|(_, v)| v.as_str())
}

/// What came of one exchange.
#[derive(Debug)]
pub struct Exchanged {
    /// What the gate wrote down, also of a refusal.
    pub receipt: Receipt,
    /// The answer, whatever its status, or why there is none.
    pub result: Result<HttpResponse, Failure>,
    /// The bytes of the answer as evidence needs them; none without an answer.
    pub kept: KeptBody,
    /// Whether a request went out, whatever became of it.
    pub request_sent: bool,
    /// Whether the answer matches one of the manifest's `exhausted` patterns (out of credit).
    pub exhausted: bool,
    /// Occurrences of secrets that were cut out of the answer.
    pub redactions: u64,
    /// What is to be told once this is written down.
    pub untold: Untold,
}
