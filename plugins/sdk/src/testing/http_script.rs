//! Scripted HTTP: which request is expected, and how it is answered.

use serde_json::Value;

use crate::Failure;
use crate::http::{Request, Response};

/// What a request must look like.
#[derive(Debug, Clone)]
pub struct Expect {
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Option<Value>,
    pub(crate) credential: Option<Option<String>>,
}

impl Expect {
    /// Expects this method and this exact URL.
    pub fn new(method: &str, url: &str) -> Self {
        Self {
            method: method.to_ascii_uppercase(),
            url: url.to_owned(),
            headers: Vec::new(),
            body: None,
            credential: None,
        }
    }

    /// Expects a GET of the exact URL.
    pub fn get(url: &str) -> Self {
        Self::new("GET", url)
    }

    /// Expects a POST to the exact URL.
    pub fn post(url: &str) -> Self {
        Self::new("POST", url)
    }

    /// Requires a header with this value.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Requires a JSON body with at least this content: members of objects must be present and match,
    /// everything else must be equal.
    #[must_use]
    pub fn body(mut self, subset: Value) -> Self {
        self.body = Some(subset);
        self
    }

    /// Requires that the request asks for this credential scheme, or with `None` for no scheme.
    #[must_use]
    pub fn credential(mut self, scheme: Option<&str>) -> Self {
        self.credential = Some(scheme.map(str::to_owned));
        self
    }

    pub(crate) fn matches(&self, request: &Request) -> bool {
        self.method == request.method
            && self.url == request.url
            && self.headers.iter().all(|(name, value)| {
                request
                    .headers
                    .iter()
                    .any(|(key, found)| key.eq_ignore_ascii_case(name) && found == value)
            })
            && self.body.as_ref().is_none_or(|subset| {
                request
                    .body
                    .as_deref()
                    .and_then(|body| serde_json::from_slice(body).ok())
                    .is_some_and(|body: Value| contains(&body, subset))
            })
            && self
                .credential
                .as_ref()
                .is_none_or(|scheme| *scheme == request.credential)
    }
}

/// Whether `whole` contains everything that `subset` contains.
fn contains(whole: &Value, subset: &Value) -> bool {
    match (whole, subset) {
        (Value::Object(whole), Value::Object(subset)) => subset.iter().all(|(key, value)| {
            whole
                .get(key)
                .is_some_and(|whole_value| contains(whole_value, value))
        }),
        // 0 and 0.0 are the same number.
        (Value::Number(whole), Value::Number(subset)) => whole.as_f64() == subset.as_f64(),
        _ => whole == subset,
    }
}

/// How a request is answered.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) outcome: Result<Answered, Failure>,
}

#[derive(Debug, Clone)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) final_url: Option<String>,
    pub(crate) truncated: bool,
}

impl Answer {
    /// Answers with a status and a body.
    pub fn bytes(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            outcome: Ok(Answered {
                status,
                headers: Vec::new(),
                body: body.into(),
                final_url: None,
                truncated: false,
            }),
        }
    }

    /// Answers with a status and text of this content type.
    pub fn text(status: u16, content_type: &str, body: &str) -> Self {
        Self::bytes(status, body).header("content-type", content_type)
    }

    /// Answers with a status and a JSON body.
    pub fn json(status: u16, body: Value) -> Self {
        Self::text(status, "application/json", &body.to_string())
    }

    /// Answers with a failure of the host: a refusal of the gate, a timeout, a broken connection.
    pub fn failure(failure: Failure) -> Self {
        Self {
            outcome: Err(failure),
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Ok(answered) = &mut self.outcome {
            answered.headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Reports another URL as the one that answered, after redirects.
    #[must_use]
    pub fn final_url(mut self, url: &str) -> Self {
        if let Ok(answered) = &mut self.outcome {
            answered.final_url = Some(url.to_owned());
        }
        self
    }

    /// Treats an answer as the gate does: limits its body and gives it a receipt.
    pub(crate) fn deliver(
        &self,
        request: &Request,
        receipt_id: String,
    ) -> Result<Response, Failure> {
        let answered = self.outcome.clone()?;
        let mut body = answered.body;
        let mut truncated = answered.truncated;
        if let Some(limit) = request
            .max_body_bytes
            .and_then(|limit| usize::try_from(limit).ok())
            && body.len() > limit
        {
            if !request.truncate {
                return Err(Failure::upstream(
                    "body_too_large",
                    "The body is larger than the request allows.",
                ));
            }
            body.truncate(limit);
            truncated = true;
        }
        Ok(Response {
            status: answered.status,
            headers: answered.headers,
            body,
            final_url: answered.final_url.unwrap_or_else(|| request.url.clone()),
            receipt_id,
            truncated,
        })
    }
}
