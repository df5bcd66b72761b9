//! Requests and answers at the gate, as guests see them.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::Failure;
use gtm_domain::receipt::Receipt;
use url::Url;

use super::sendings::UnrecordedAnswer;
use super::spool::KeptBody;

/// One request of a guest; mirrors `http.request` of the WIT.
#[derive(Debug, Clone, Default)]
pub struct HttpRequest {
    /// In upper case.
    pub method: String,
    /// Absolute.
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<Bytes>,
    /// Id of the credential scheme to apply.
    pub credential: Option<String>,
    /// Limit on the whole exchange.
    pub timeout: Option<Duration>,
    /// Limit on the decoded body, in bytes.
    pub max_body_bytes: Option<u64>,
    /// Cut a longer body instead of failing.
    pub truncate: bool,
    /// Redirects to follow, at most five. Zero returns a redirect as the answer; beyond a higher limit the
    /// exchange fails with `too_many_redirects`.
    pub max_redirects: u8,
}

impl HttpRequest {
    #[must_use]
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            method: "GET".to_owned(),
            url: url.into(),
            ..Self::default()
        }
    }
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

/// A complete answer.
#[derive(Debug, Clone)]
pub struct HttpResponse {
    pub status: u16,
    /// Without hop-by-hop headers, those of the content coding, and those that describe a body in which a
    /// credential may have stood.
    pub headers: Vec<(String, String)>,
    /// Decoded.
    pub body: Bytes,
    /// The URL that answered, after redirects.
    pub final_url: Url,
    /// Whether the body was cut at its limit.
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
    pub status: u16,
    /// As in [`HttpResponse`].
    pub headers: Vec<(String, String)>,
    /// The URL that answered, after redirects.
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

/// The outcome of one exchange.
#[derive(Debug)]
pub struct Exchanged {
    /// What the gate recorded; a refusal has a receipt too.
    pub receipt: Receipt,
    /// The answer, whatever its status, or why there is none.
    pub result: Result<HttpResponse, Failure>,
    /// The bytes of the answer, kept as evidence; empty without an answer.
    pub kept: KeptBody,
    /// Whether a request was sent, whatever became of it.
    pub request_sent: bool,
    /// Whether the answer matches one of the manifest's `exhausted` patterns (out of credit).
    pub exhausted: bool,
    /// How many occurrences of secrets were removed from the answer.
    pub redactions: u64,
    /// Call it once the exchange is recorded.
    pub unrecorded: UnrecordedAnswer,
}
