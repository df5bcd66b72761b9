//! A fake SearXNG: `GET /search` with the parameters, JSON and refusals as of 2026-08. It records the
//! queries.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};

/// One hit of a search.
#[derive(Debug, Clone)]
pub struct Hit {
    pub url: String,
    pub title: String,
    pub content: String,
}

impl Hit {
    pub fn new(url: &str, title: &str, content: &str) -> Self {
        Self {
            url: url.to_owned(),
            title: title.to_owned(),
            content: content.to_owned(),
        }
    }
}

struct Inner {
    hits: Vec<Hit>,
    /// The instance's setting `search.formats`.
    formats: Mutex<Vec<&'static str>>,
    /// Engines that do not answer the instance, with the reason.
    silent: Mutex<Vec<(&'static str, &'static str)>>,
    queries: Mutex<Vec<String>>,
}

/// A running fake instance.
#[derive(Clone)]
pub struct FakeSearch {
    inner: Arc<Inner>,
    pub address: SocketAddr,
}

impl FakeSearch {
    /// Starts an instance on which every query finds these hits.
    pub async fn start(hits: Vec<Hit>) -> Self {
        let inner = Arc::new(Inner {
            hits,
            formats: Mutex::new(vec!["html", "json"]),
            silent: Mutex::default(),
            queries: Mutex::default(),
        });
        let router = Router::new()
            .route("/search", get(search))
            .with_state(inner.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { inner, address }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }
    /// Answers like an instance with default settings: in HTML only.
    pub fn disable_json(&self) {
        *self.inner.formats.lock().unwrap() = vec!["html"];
    }
    /// Makes these engines fail; without hits, a search then finds nothing.
    pub fn silence(&self, engines: &[(&'static str, &'static str)]) {
        *self.inner.silent.lock().unwrap() = engines.to_vec();
    }
    /// All queries, in order.
    pub fn queries(&self) -> Vec<String> {
        self.inner.queries.lock().unwrap().clone()
    }
}

async fn search(
    State(inner): State<Arc<Inner>>,
    Query(form): Query<BTreeMap<String, String>>,
) -> Response {
    let text = |name: &str| form.get(name).map_or("", String::as_str);
    let format = if text("format") == "json" {
        "json"
    } else {
        "html"
    };
    // SearXNG's own order: it checks the format before the query.
    if !inner.formats.lock().unwrap().contains(&format) {
        let page =
            "<!doctype html>\n<html lang=en>\n<title>403 Forbidden</title>\n<h1>Forbidden</h1>\n";
        return (StatusCode::FORBIDDEN, Html(page)).into_response();
    }
    let query = text("q");
    if format == "html" {
        return Html("<!doctype html><html><title>SearXNG</title></html>").into_response();
    }
    if query.is_empty() {
        let body = json!({"error": "No query"});
        return (StatusCode::BAD_REQUEST, axum::Json(body)).into_response();
    }
    inner.queries.lock().unwrap().push(query.to_owned());
    let results: Vec<Value> = inner.hits.iter().enumerate().map(result).collect();
    let silent: Vec<_> = inner.silent.lock().unwrap().clone();
    axum::Json(json!({
        "query": query,
        "results": results,
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": silent,
    }))
    .into_response()
}

/// A hit in the form of SearXNG's main results.
fn result((index, hit): (usize, &Hit)) -> Value {
    json!({
        "url": hit.url, "title": hit.title, "content": hit.content, "publishedDate": null, "thumbnail": "",
        "engine": "duckduckgo", "template": "default.html", "parsed_url": ["https", "", "/", "", "", ""],
        "img_src": "", "priority": "", "engines": ["duckduckgo"], "positions": [index + 1],
        "score": 1.0 / (index + 1) as f64, "category": "general",
    })
}
