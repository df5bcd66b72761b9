//! The table of `error.code` in the OpenAPI document: which codes a response may carry, and what each code
//! means. [`ErrorCode`] decides which codes of the published table this server can send.

use gtm_domain::ErrorCode;
use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::error_status::status_of;

use super::published_errors::{PUBLISHED_ERRORS, PublishedError};

/// The beginning of `docs_url` in examples: the error reference of a node with default settings.
pub const EXAMPLE_DOCS_BASE: &str = "http://127.0.0.1:8080/docs/errors";

/// HTTP statuses for which the specification has no code, with the code that they carry (decision 0004).
const STATUSES_WITHOUT_CODE: [(u16, ErrorCode); 7] = [
    (405, ErrorCode::MalformedRequest),
    (408, ErrorCode::MalformedRequest),
    (413, ErrorCode::MalformedRequest),
    (414, ErrorCode::MalformedRequest),
    (415, ErrorCode::MalformedRequest),
    (431, ErrorCode::MalformedRequest),
    (503, ErrorCode::InternalError),
];

/// The member in which a response lists the codes that it can carry.
pub const ERROR_CODES: &str = "x-error-codes";

/// The codes that this server can send with a status.
pub fn of_status(status: u16) -> Vec<&'static str> {
    let own = ErrorCode::ALL
        .into_iter()
        .filter(move |code| status_of(*code) == status);
    let borrowed = STATUSES_WITHOUT_CODE
        .into_iter()
        .filter(move |(other, _)| *other == status)
        .map(|(_, code)| code);
    own.chain(borrowed).map(ErrorCode::as_str).collect()
}

/// The published table of error codes.
pub struct Table(Vec<Row>);

pub struct Row {
    /// The published text about the code.
    pub published: PublishedError,
    /// The statuses that carry it, including those of decision 0004.
    pub statuses: Vec<u16>,
}

impl Table {
    /// The specification's table.
    pub fn published() -> Self {
        let rows = PUBLISHED_ERRORS.iter().map(|published| Row {
            statuses: statuses(published),
            published: *published,
        });
        Self(rows.collect())
    }

    /// In the order of the specification's table.
    pub fn rows(&self) -> &[Row] {
        &self.0
    }

    /// When a code is sent.
    fn condition(&self, code: &str) -> &str {
        let row = PUBLISHED_ERRORS.iter().find(|row| row.code == code);
        row.map_or("", |row| row.condition)
    }

    /// Markdown that explains the codes of one response, with the words given for a code, or otherwise with
    /// the table's. `about` applies to all of them.
    pub fn explain(&self, codes: &[&str], words: &[Option<&str>], about: Option<&str>) -> String {
        let text = |index: usize| {
            let own = words.get(index).copied().flatten();
            own.map_or_else(|| self.condition(codes[index]).to_owned(), sentence)
        };
        match (codes, about) {
            ([only], Some(about)) => format!("`{only}`: {}", sentence(about)),
            ([only], None) => format!("`{only}`: {}", text(0)),
            (several, about) => {
                let mut out = about.map(sentence).unwrap_or_default();
                out.push_str(if out.is_empty() { "" } else { " " });
                out.push_str("One of these codes:");
                for (index, code) in several.iter().enumerate() {
                    out.push_str(&format!("\n- `{code}`: {}", text(index)));
                }
                out
            }
        }
    }

    /// An example of the envelope for each code.
    pub fn envelopes(&self, status: u16, codes: &[&str]) -> Map<String, Value> {
        let example = |code: &&str| {
            let mut error = json!({
                "code": code, "message": self.message(status, code),
                "request_id": REQUEST_ID, "docs_url": docs_url(code),
            });
            if let Some(details) = details(status, code) {
                error["details"] = details;
            }
            ((*code).to_owned(), json!({ "value": { "error": error } }))
        };
        codes.iter().map(example).collect()
    }

    /// The first code's error as problem details.
    pub fn problem(&self, status: u16, codes: &[&str]) -> Value {
        let code = codes.first().copied().unwrap_or_default();
        let title = StatusCode::from_u16(status)
            .ok()
            .and_then(|status| status.canonical_reason());
        json!({
            "type": docs_url(code), "title": title.unwrap_or("Error"), "status": status,
            "detail": self.message(status, code), "instance": format!("urn:request:{REQUEST_ID}"), "code": code,
        })
    }

    fn message(&self, status: u16, code: &str) -> String {
        match status {
            400 if code == "invalid_request" => {
                "Send the body as Content-Type: application/json.".to_owned()
            }
            405 => "This path does not support this method; see the Allow header.".to_owned(),
            408 => "The body did not arrive in time.".to_owned(),
            413 => "The body is too large.".to_owned(),
            414 => "The request target is too long.".to_owned(),
            422 => "The request is invalid: /tone must be one of \"consultative\", \"direct\", \"technical\".".to_owned(),
            431 => "The request has too many headers.".to_owned(),
            503 => "The node is not ready: its database does not answer.".to_owned(),
            _ => self.condition(code).to_owned(),
        }
    }
}

/// The statuses of a code, including HTTP's own that carry it.
fn statuses(published: &PublishedError) -> Vec<u16> {
    let borrowed = STATUSES_WITHOUT_CODE
        .into_iter()
        .filter(|(_, code)| published.code == code.as_str())
        .map(|(status, _)| status);
    published.statuses.iter().copied().chain(borrowed).collect()
}

const REQUEST_ID: &str = "req_01m7z8v6chfmaabk0kbfj2tjga";

fn docs_url(code: &str) -> String {
    format!("{}#{code}", EXAMPLE_DOCS_BASE)
}

/// The further facts that the specification attaches to an error.
fn details(status: u16, code: &str) -> Option<Value> {
    match (status, code) {
        (422, "invalid_request") => Some(json!({ "violations": [
            { "pointer": "/tone", "rule": "enum", "message": "must be one of \"consultative\", \"direct\", \"technical\"" },
        ] })),
        (429, "quota_exceeded") => {
            Some(json!({ "scope": "project", "resets_at": "2026-12-01T00:00:00.000Z" }))
        }
        (429, "budget_exceeded") => Some(json!({
            "scope": "usage_tier", "resets_at": "2026-12-01T00:00:00.000Z",
            "limit_usd": 100.0, "settled_usd": 98.5, "reserved_usd": 1.5, "awaiting_usd": 0.4
        })),
        _ => None,
    }
}

/// Adds a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    let text = format!("{}{}", first.unwrap_or_default(), letters.as_str());
    if text.ends_with('.') {
        text
    } else {
        format!("{text}.")
    }
}
