//! HTTP through the host's egress gate, to the hosts that the manifest names.
//!
//! Danger: a secret in a request could be sent anywhere. So a request only names a credential scheme of the
//! manifest, and the host adds the secret last of all. What the gate refuses comes back as a [`Failure`] of
//! kind `denied`.

use serde::de::DeserializeOwned;

use crate::{Failure, Value, host};

/// A request, built by chaining.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// HTTP method in upper case.
    pub method: String,
    /// Absolute URL.
    pub url: String,
    /// Header names and values, in order.
    pub headers: Vec<(String, String)>,
    /// Body, if any.
    pub body: Option<Vec<u8>>,
    /// Id of the manifest's credential scheme, if any.
    pub credential: Option<String>,
    /// Time limit for the whole exchange, in milliseconds.
    pub timeout_ms: Option<u32>,
    /// Limit on the decompressed body, in bytes.
    pub max_body_bytes: Option<u64>,
    /// Whether a longer body is cut instead of refused.
    pub truncate: bool,
    /// Redirects to follow, at most five.
    pub max_redirects: u8,
}

impl Request {
    /// A request with any method, without credential or redirects, and with the host's own limits.
    pub fn new(method: &str, url: impl Into<String>) -> Self {
        Self {
            method: method.to_ascii_uppercase(),
            url: url.into(),
            headers: Vec::new(),
            body: None,
            credential: None,
            timeout_ms: None,
            max_body_bytes: None,
            truncate: false,
            max_redirects: 0,
        }
    }

    /// A GET request.
    pub fn get(url: impl Into<String>) -> Self {
        Self::new("GET", url)
    }

    /// A POST request.
    pub fn post(url: impl Into<String>) -> Self {
        Self::new("POST", url)
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Adds a query parameter, percent-encoded.
    #[must_use]
    pub fn query(mut self, name: &str, value: &str) -> Self {
        let separator = if self.url.contains('?') { '&' } else { '?' };
        self.url.push(separator);
        percent_encode(name, &mut self.url);
        self.url.push('=');
        percent_encode(value, &mut self.url);
        self
    }

    /// Sets a JSON body and its content type.
    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json")
            .body(body.to_string().into_bytes())
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: Vec<u8>) -> Self {
        self.body = Some(body);
        self
    }

    /// Asks the host to apply the credential of this scheme.
    #[must_use]
    pub fn credential(mut self, scheme: impl Into<String>) -> Self {
        self.credential = Some(scheme.into());
        self
    }

    /// Limits the time of the whole exchange, in milliseconds.
    #[must_use]
    pub fn timeout_ms(mut self, milliseconds: u32) -> Self {
        self.timeout_ms = Some(milliseconds);
        self
    }

    /// Limits the decompressed body, in bytes; a longer one is refused.
    #[must_use]
    pub fn max_body_bytes(mut self, bytes: u64) -> Self {
        self.max_body_bytes = Some(bytes);
        self
    }

    /// Cuts a body that exceeds the limit instead of refusing it.
    #[must_use]
    pub fn truncate(mut self) -> Self {
        self.truncate = true;
        self
    }

    /// Follows up to this many redirects (the host allows five).
    #[must_use]
    pub fn max_redirects(mut self, redirects: u8) -> Self {
        self.max_redirects = redirects;
        self
    }

    /// Sends the request and waits for the whole answer. Any status is a success here; see
    /// [`Response::error_for_status`].
    pub fn send(&self) -> Result<Response, Failure> {
        host::http_send(self)
    }

    /// Sends the request and reads the body as it arrives.
    pub fn open(&self) -> Result<(Head, Body), Failure> {
        host::http_open(self).map(|(head, body)| (head, Body(body)))
    }
}

/// Sends several requests at once; returns the answers in the order of the requests.
pub fn send_all(requests: &[Request]) -> Vec<Result<Response, Failure>> {
    host::http_send_all(requests)
}

/// A complete answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// Header names and values, in order.
    pub headers: Vec<(String, String)>,
    /// Decompressed body.
    pub body: Vec<u8>,
    /// The URL that answered, after redirects.
    pub final_url: String,
    /// Id of the host's receipt: cite it as the source of what this answer says.
    pub receipt_id: String,
    /// Whether the body was cut at its limit.
    pub truncated: bool,
}

impl Response {
    /// The first header with this name, ignoring case.
    pub fn header(&self, name: &str) -> Option<&str> {
        find_header(&self.headers, name)
    }

    /// Whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body as text; bytes that are not UTF-8 become U+FFFD.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; an unexpected form is the provider's fault.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_slice(&self.body).map_err(|error| {
            // serde's message may quote the payload; its category and position cannot.
            Failure::upstream(
                "invalid_provider_response",
                format!(
                    "The provider's answer has an unexpected form ({:?} error in line {}, column {}).",
                    error.classify(),
                    error.line(),
                    error.column()
                ),
            )
        })
    }

    /// How long the provider asks to wait, in milliseconds: from `retry-after-ms`, or `retry-after` in
    /// seconds. The host, which does the retrying, reads a date in `retry-after`.
    pub fn retry_after_ms(&self) -> Option<u64> {
        let number = |name: &str| {
            let value: f64 = self.header(name)?.trim().parse().ok()?;
            (value.is_finite() && value >= 0.0).then_some(value)
        };
        number("retry-after-ms")
            .or_else(|| number("retry-after").map(|seconds| seconds * 1000.0))
            .map(|milliseconds| milliseconds as u64)
    }

    /// The answer itself if its status is 2xx, else the failure for its status, with code `http_<status>`.
    pub fn error_for_status(self) -> Result<Self, Failure> {
        if self.is_success() {
            Ok(self)
        } else {
            Err(self.status_failure())
        }
    }

    /// The failure for this answer's status, even for 2xx.
    pub fn status_failure(&self) -> Failure {
        let code = format!("http_{}", self.status);
        match self.status {
            401 | 403 => Failure::unauthorized(code, "The provider refused access."),
            402 => Failure::quota(code, "The provider asks for payment."),
            404 | 410 => Failure::not_found(code, "There is nothing at this address."),
            429 => Failure::rate_limited(code, "The provider asks to slow down.")
                .with_retry_after_ms(self.retry_after_ms()),
            status => Failure::upstream(code, format!("The provider answered with status {status}."))
                .with_retry_after_ms(self.retry_after_ms()),
        }
    }
}

/// Status and headers of an answer whose body is read piece by piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Status code.
    pub status: u16,
    /// Header names and values, in order.
    pub headers: Vec<(String, String)>,
    /// The URL that answered, after redirects.
    pub final_url: String,
    /// Id of the host's receipt.
    pub receipt_id: String,
}

impl Head {
    /// The first header with this name, ignoring case.
    pub fn header(&self, name: &str) -> Option<&str> {
        find_header(&self.headers, name)
    }
}

/// A body that is still arriving.
#[derive(Debug)]
pub struct Body(host::BodyReader);

impl Body {
    /// The next bytes, at most `max_bytes`; `None` at the end.
    pub fn read(&mut self, max_bytes: u32) -> Result<Option<Vec<u8>>, Failure> {
        self.0.read(max_bytes)
    }
}

fn find_header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers
        .iter()
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
}

/// Encodes everything except the unreserved characters of RFC 3986.
fn percent_encode(text: &str, out: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
}
