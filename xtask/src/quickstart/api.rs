//! The few calls that quickstart makes to the HTTP API, over plain HTTP on loopback.

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::loopback;

/// More bytes than a document has.
const LARGEST_FILE: u64 = 256 * 1024 * 1024;

/// A client of one server, with one API key.
pub struct Client {
    agent: ureq::Agent,
    base: String,
    key: String,
}

pub struct Answer {
    pub status: u16,
    /// Seconds from `Retry-After`, if present.
    pub retry_after: Option<u64>,
    pub body: Value,
}

impl Client {
    pub fn new(base: &str, key: &str) -> Self {
        Self {
            agent: loopback::agent(),
            base: base.to_owned(),
            key: key.to_owned(),
        }
    }

    pub fn get(&self, path: &str) -> Result<Answer> {
        let response = self
            .agent
            .get(format!("{}{path}", self.base))
            .header("authorization", format!("Bearer {}", self.key))
            .call();
        read(path, response)
    }

    /// The bytes of a file.
    pub fn download(&self, path: &str) -> Result<Vec<u8>> {
        let mut response = self
            .agent
            .get(format!("{}{path}", self.base))
            .header("authorization", format!("Bearer {}", self.key))
            .call()
            .with_context(|| format!("{path} did not answer"))?;
        let status = response.status().as_u16();
        if status != 200 {
            bail!("{path} answered {status}");
        }
        let body = response.body_mut().with_config().limit(LARGEST_FILE);
        Ok(body.read_to_vec()?)
    }

    /// `POST` of a JSON body; the idempotency key makes it safe to repeat.
    pub fn post(&self, path: &str, idempotency_key: &str, body: &Value) -> Result<Answer> {
        let response = self
            .agent
            .post(format!("{}{path}", self.base))
            .header("authorization", format!("Bearer {}", self.key))
            .header("idempotency-key", idempotency_key)
            .header("content-type", "application/json")
            .send(body.to_string().as_bytes());
        read(path, response)
    }
}

fn read(
    path: &str,
    response: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
) -> Result<Answer> {
    let mut response = response.with_context(|| format!("{path} did not answer"))?;
    let retry_after = response
        .headers()
        .get("retry-after")
        .and_then(|value| value.to_str().ok()?.parse().ok());
    let text = response.body_mut().read_to_string()?;
    Ok(Answer {
        status: response.status().as_u16(),
        retry_after,
        body: serde_json::from_str(&text).unwrap_or(Value::String(text)),
    })
}

impl Answer {
    /// The body, if the status is the expected one; otherwise an error with the API's own message.
    pub fn expect(self, status: u16) -> Result<Value> {
        if self.status == status {
            return Ok(self.body);
        }
        let error = &self.body["error"];
        match (error["code"].as_str(), error["message"].as_str()) {
            (Some(code), Some(message)) => bail!("{} {code}: {message}", self.status),
            _ => bail!("{}: {}", self.status, self.body),
        }
    }
}
