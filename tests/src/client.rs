//! An HTTP client of the API, written as a caller would write one.

use std::time::{Duration, Instant};

use serde_json::Value;

/// A client with one API key.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    pub base: String,
    pub key: String,
}

/// An answer with its whole body.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|e| panic!("not JSON ({e}): {}", String::from_utf8_lossy(&self.bytes)))
    }
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|v| v.to_str().ok())
    }
    /// `error.code`; also checks that the error envelope follows the specification.
    pub fn error_code(&self) -> String {
        let json = self.json();
        let error = json["error"]
            .as_object()
            .unwrap_or_else(|| panic!("no envelope: {json}"));
        assert!(
            error["message"].as_str().is_some_and(|m| !m.is_empty()),
            "{json}"
        );
        assert_eq!(
            error["request_id"].as_str(),
            self.header("x-request-id"),
            "{json}"
        );
        assert!(
            error["docs_url"]
                .as_str()
                .is_some_and(|u| u.starts_with("http")),
            "{json}"
        );
        error["code"].as_str().unwrap().to_owned()
    }
}

/// A plain HTTP client; the tests never leave loopback, so TLS is never used.
pub fn http() -> reqwest::Client {
    static PROVIDER: std::sync::Once = std::sync::Once::new();
    PROVIDER.call_once(|| {
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    });
    reqwest::Client::builder()
        .no_proxy()
        .timeout(Duration::from_secs(60))
        .build()
        .unwrap()
}

impl Client {
    pub fn new(base: &str, key: &str) -> Self {
        Self {
            http: http(),
            base: base.to_owned(),
            key: key.to_owned(),
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(
            self.http
                .get(format!("{}{path}", self.base))
                .bearer_auth(&self.key),
        )
        .await
    }

    /// Polls the readiness endpoint until it answers `status`. The server checks its database once a second,
    /// so an answer may be that old.
    pub async fn until_readiness_is(&self, status: u16) {
        let started = Instant::now();
        while self.get("/readyz").await.status != status {
            assert!(
                started.elapsed() < Duration::from_secs(20),
                "/readyz does not become {status}"
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    pub async fn post(&self, path: &str, body: &Value, idempotency_key: Option<&str>) -> Answer {
        self.post_bytes(path, serde_json::to_vec(body).unwrap(), idempotency_key)
            .await
    }

    pub async fn post_bytes(
        &self,
        path: &str,
        body: Vec<u8>,
        idempotency_key: Option<&str>,
    ) -> Answer {
        let mut request = self
            .http
            .post(format!("{}{path}", self.base))
            .bearer_auth(&self.key)
            .header("content-type", "application/json")
            .body(body);
        if let Some(key) = idempotency_key {
            request = request.header("idempotency-key", key);
        }
        self.send(request).await
    }

    pub fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        self.http
            .request(method.parse().unwrap(), format!("{}{path}", self.base))
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        self.try_send(request).await.unwrap()
    }

    /// Like [`Client::send`], for a server that may be gone before it answers.
    pub async fn try_send(&self, request: reqwest::RequestBuilder) -> reqwest::Result<Answer> {
        let response = request.send().await?;
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        Ok(Answer {
            status,
            headers,
            bytes: response.bytes().await?.to_vec(),
        })
    }

    /// Creates a playbook and returns its job.
    pub async fn create_playbook(&self, body: &Value) -> Value {
        // A busy machine takes long for the jobs before, and polling them takes requests of the same minute.
        let answer = loop {
            let answer = self.post("/v1/playbooks", body, None).await;
            if answer.status != 429 || answer.json()["error"]["code"] != "rate_limit_exceeded" {
                break answer;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        };
        assert_eq!(
            answer.status,
            202,
            "{}",
            String::from_utf8_lossy(&answer.bytes)
        );
        answer.json()
    }

    /// Polls a job until it is in a terminal state.
    pub async fn wait(&self, job_id: &str, within: Duration) -> Value {
        let started = Instant::now();
        loop {
            let answer = self.get(&format!("/v1/jobs/{job_id}")).await;
            if answer.status == 429 {
                tokio::time::sleep(Duration::from_millis(500)).await;
                continue;
            }
            assert_eq!(
                answer.status,
                200,
                "{}",
                String::from_utf8_lossy(&answer.bytes)
            );
            let job = answer.json();
            if matches!(
                job["status"].as_str(),
                Some("succeeded" | "failed" | "canceled")
            ) {
                return job;
            }
            assert!(
                started.elapsed() < within,
                "still {} after {within:?}: {job}",
                job["status"]
            );
            tokio::time::sleep(Duration::from_millis(600)).await;
        }
    }

    /// Creates a playbook and waits until its job ends.
    pub async fn playbook(&self, body: &Value) -> Value {
        let job = self.create_playbook(body).await;
        self.wait(job["id"].as_str().unwrap(), Duration::from_secs(300))
            .await
    }
}

impl Client {
    /// A `GET` that returns `None` if the server is gone or refuses.
    pub async fn http_get_quietly(&self, path: &str) -> Option<Value> {
        let response = self
            .http
            .get(format!("{}{path}", self.base))
            .bearer_auth(&self.key)
            .send()
            .await
            .ok()?;
        serde_json::from_slice(&response.bytes().await.ok()?).ok()
    }
}
