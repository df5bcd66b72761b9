//! Cassettes: recorded exchanges with a provider as JSON Lines, one exchange per line.
//!
//! ```json
//! {"request": {"method": "GET", "url": "https://…", "headers": {"accept": "…"}, "body": {…}, "credential": "key"},
//!  "response": {"status": 200, "headers": {"content-type": "…"}, "body": …, "final_url": "https://…", "truncated": false},
//!  "source": "where this was learnt", "recorded_on": "2026-11-21", "origin": "hand_written_from_docs"}
//! ```
//!
//! `body` of a response is a string (sent as it is) or any other JSON (sent as its text); `body_base64` is
//! for other bytes. `failure` instead of `response` is a failure of the host. `origin` is
//! `hand_written_from_docs`, `recorded_from_fake` or `recorded_live`.

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;

use super::http_script::{Answer, Answered, Expect};
use super::secrets::find_secret;
use crate::Failure;

/// Exchanges read from a file.
#[derive(Debug, Clone)]
pub struct Cassette {
    pub(crate) exchanges: Vec<(Expect, Answer)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    request: RequestLine,
    response: Option<ResponseLine>,
    failure: Option<Failure>,
    source: String,
    recorded_on: String,
    #[expect(dead_code, reason = "reading it is the check")]
    origin: Origin,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Origin {
    HandWrittenFromDocs,
    RecordedFromFake,
    RecordedLive,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestLine {
    method: String,
    url: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<Value>,
    credential: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResponseLine {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<Value>,
    body_base64: Option<String>,
    final_url: Option<String>,
    #[serde(default)]
    truncated: bool,
}

impl Cassette {
    /// Reads a file.
    ///
    /// # Errors
    /// Which line is wrong and why: it cannot be read, is not a cassette line, or looks like a secret.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, String> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Self::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Reads the text of a cassette.
    ///
    /// # Errors
    /// As [`Cassette::read`].
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut exchanges = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            exchanges.push(exchange(line).map_err(|error| format!("line {}: {error}", index + 1))?);
        }
        Ok(Self { exchanges })
    }
}

fn exchange(text: &str) -> Result<(Expect, Answer), String> {
    if let Some(secret) = find_secret(text) {
        return Err(format!("contains {secret}: remove it"));
    }
    let line: Line = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if line.source.trim().is_empty() {
        return Err("has no source".to_owned());
    }
    if !is_date(&line.recorded_on) {
        return Err("recorded_on is not a date".to_owned());
    }
    let mut expect = Expect::new(&line.request.method, &line.request.url);
    expect.headers = line.request.headers.into_iter().collect();
    expect.body = line.request.body;
    expect.credential = line.request.credential.map(Some);
    let outcome = match (line.response, line.failure) {
        (Some(response), None) => Ok(answered(response)?),
        (None, Some(failure)) => Err(failure),
        _ => return Err("needs either response or failure".to_owned()),
    };
    Ok((expect, Answer { outcome }))
}

fn answered(response: ResponseLine) -> Result<Answered, String> {
    let body = match (response.body, response.body_base64) {
        (None, None) => Vec::new(),
        (Some(Value::String(text)), None) => text.into_bytes(),
        (Some(json), None) => json.to_string().into_bytes(),
        (None, Some(base64)) => STANDARD.decode(base64).map_err(|error| error.to_string())?,
        (Some(_), Some(_)) => return Err("has two bodies".to_owned()),
    };
    Ok(Answered {
        status: response.status,
        headers: response.headers.into_iter().collect(),
        body,
        final_url: response.final_url,
        truncated: response.truncated,
    })
}

/// Whether the calendar has the day. The parser also reads other forms than `2026-11-21`.
fn is_date(text: &str) -> bool {
    let date = text.parse::<jiff::civil::Date>();
    date.is_ok_and(|date| date.to_string() == text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const TAIL: &str =
        r#""source":"docs","recorded_on":"2026-11-21","origin":"hand_written_from_docs"}"#;

    #[test]
    fn lines_become_exchanges() {
        let text = format!(
            "{{\"request\":{{\"method\":\"GET\",\"url\":\"https://a.example/\"}},\"response\":{{\"status\":200,\"body\":{{\"a\":1}}}},{TAIL}\n\n\
             {{\"request\":{{\"method\":\"GET\",\"url\":\"https://b.example/\"}},\"failure\":{{\"kind\":\"timeout\",\"code\":\"t\",\"message\":\"m\"}},{TAIL}\n"
        );
        let cassette = Cassette::parse(&text).unwrap();
        assert_eq!(cassette.exchanges.len(), 2);
    }

    #[test]
    fn a_line_with_a_fault_is_refused_by_its_number() {
        for (line, reason) in [
            (
                format!("{{\"request\":{{\"method\":\"GET\",\"url\":\"u\"}},{TAIL}"),
                "either",
            ),
            (
                format!(
                    "{{\"request\":{{\"method\":\"GET\",\"url\":\"u\",\"headers\":{{\"Authorization\":\"x\"}}}},\"response\":{{\"status\":200}},{TAIL}"
                ),
                "authorization",
            ),
            (
                format!(
                    "{{\"surplus\":1,\"request\":{{\"method\":\"GET\",\"url\":\"u\"}},\"response\":{{\"status\":200}},{TAIL}"
                ),
                "surplus",
            ),
            (
                format!(
                    "{{\"request\":{{\"method\":\"GET\",\"url\":\"u\"}},\"response\":{{\"status\":200}},{}",
                    TAIL.replace("2026-11-21", "2026-02-31")
                ),
                "recorded_on",
            ),
        ] {
            let error = Cassette::parse(&format!("\n{line}")).unwrap_err();
            assert!(error.starts_with("line 2: "), "{error}");
            assert!(error.contains(reason), "{error}");
        }
    }
}
