//! A fake model provider that speaks the chat completions of OpenAI-compatible servers. It records the
//! requests and misbehaves on demand.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};

/// The reply to the next request.
#[derive(Clone)]
pub enum Reply {
    /// A completion with this text.
    Text(String),
    /// A status with a body and headers.
    Status(u16, Vec<(&'static str, String)>, String),
    /// Half of a valid answer, announced with its full length.
    HalfJson,
    /// Closes the connection without an answer.
    Nothing,
    /// A completion without a `usage` member.
    NoUsage(String),
}

/// Makes the text of a completion from a request.
pub type Writer = Arc<dyn Fn(&Value) -> String + Send + Sync>;

struct Inner {
    requests: Mutex<Vec<Value>>,
    queue: Mutex<VecDeque<Reply>>,
    writer: Mutex<Writer>,
    latency: Mutex<Duration>,
    usage: Mutex<Option<Value>>,
    api_key: String,
}

/// A running fake provider.
#[derive(Clone)]
pub struct FakeModel {
    inner: Arc<Inner>,
    pub address: SocketAddr,
}

pub const API_KEY: &str = "sk-test-4f9b1c7e2d8a6035";

impl FakeModel {
    pub async fn start() -> Self {
        let inner = Arc::new(Inner {
            requests: Mutex::default(),
            queue: Mutex::default(),
            writer: Mutex::new(Arc::new(|_| "{}".to_owned())),
            latency: Mutex::default(),
            usage: Mutex::default(),
            api_key: API_KEY.to_owned(),
        });
        let router = Router::new()
            .route("/v1/chat/completions", post(complete))
            .route("/v1/models", get(models))
            .with_state(inner.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { inner, address }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }
    /// Bodies of all completion requests so far.
    pub fn requests(&self) -> Vec<Value> {
        self.inner.requests.lock().unwrap().clone()
    }
    pub fn forget(&self) {
        self.inner.requests.lock().unwrap().clear();
    }
    /// Queues replies for the next requests; after them, the writer answers again.
    pub fn next(&self, replies: impl IntoIterator<Item = Reply>) {
        self.inner.queue.lock().unwrap().extend(replies);
    }
    pub fn clear_queue(&self) {
        self.inner.queue.lock().unwrap().clear();
    }
    pub fn write_with(&self, writer: impl Fn(&Value) -> String + Send + Sync + 'static) {
        *self.inner.writer.lock().unwrap() = Arc::new(writer);
    }
    /// Sets the usage that every completion reports instead of the true one; `None` restores the truth.
    pub fn report_usage(&self, usage: Option<Value>) {
        *self.inner.usage.lock().unwrap() = usage;
    }
    /// Sets the time between receiving a request and answering it.
    pub fn set_latency(&self, latency: Duration) {
        *self.inner.latency.lock().unwrap() = latency;
    }
}

fn authorized(inner: &Inner, headers: &HeaderMap) -> bool {
    headers.get("authorization").and_then(|v| v.to_str().ok())
        == Some(&format!("Bearer {}", inner.api_key))
}

fn refused() -> Response {
    let body = json!({"error": {"message": "Incorrect API key provided.", "type": "invalid_request_error", "param": null, "code": "invalid_api_key"}});
    (StatusCode::UNAUTHORIZED, axum::Json(body)).into_response()
}

async fn models(State(inner): State<Arc<Inner>>, headers: HeaderMap) -> Response {
    if !authorized(&inner, &headers) {
        return refused();
    }
    axum::Json(json!({"object": "list", "data": [{"id": "fake-1", "object": "model", "created": 0, "owned_by": "tests"}]})).into_response()
}

async fn complete(State(inner): State<Arc<Inner>>, headers: HeaderMap, body: String) -> Response {
    if !authorized(&inner, &headers) {
        return refused();
    }
    let request: Value = serde_json::from_str(&body).unwrap();
    inner.requests.lock().unwrap().push(request.clone());
    let latency = *inner.latency.lock().unwrap();
    tokio::time::sleep(latency).await;
    let reply = inner.queue.lock().unwrap().pop_front();
    let writer = inner.writer.lock().unwrap().clone();
    let usage = inner.usage.lock().unwrap().clone();
    let told = |text: &str| match usage {
        None => completion(&request, text, true),
        Some(usage) => {
            let mut value = completion_value(&request, text, false);
            value["usage"] = usage;
            axum::Json(value).into_response()
        }
    };
    match reply {
        None => told(&writer(&request)),
        Some(Reply::Text(text)) => told(&text),
        Some(Reply::NoUsage(text)) => completion(&request, &text, false),
        Some(Reply::Status(status, headers, body)) => {
            let mut response = Response::builder()
                .status(status)
                .header("content-type", "application/json");
            for (name, value) in headers {
                response = response.header(name, value);
            }
            response.body(Body::from(body)).unwrap()
        }
        Some(Reply::HalfJson) => {
            let whole =
                serde_json::to_vec(&completion_value(&request, "{\"half\":", true)).unwrap();
            let half = whole[..whole.len() / 2].to_vec();
            Response::builder()
                .header("content-type", "application/json")
                .body(Body::from(half))
                .unwrap()
        }
        Some(Reply::Nothing) => {
            let broken = futures::stream::once(async {
                Err::<bytes::Bytes, _>(std::io::Error::other("closed"))
            });
            Response::builder()
                .header("content-type", "application/json")
                .body(Body::from_stream(broken))
                .unwrap()
        }
    }
}

fn completion(request: &Value, text: &str, usage: bool) -> Response {
    axum::Json(completion_value(request, text, usage)).into_response()
}

fn completion_value(request: &Value, text: &str, usage: bool) -> Value {
    let prompt = request["messages"].to_string().len() / 4 + 1;
    let output = text.len() / 4 + 1;
    let mut value = json!({
        "id": "chatcmpl-fake", "object": "chat.completion", "created": 1_790_000_000, "model": request["model"],
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text, "refusal": null}, "logprobs": null, "finish_reason": "stop"}],
    });
    if usage {
        value["usage"] = json!({
            "prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output,
            "prompt_tokens_details": {"cached_tokens": 0}, "completion_tokens_details": {"reasoning_tokens": 0},
        });
    }
    value
}
