//! What surrounds every request: its id, its span, its metrics, the rate-limit headers, and the rendering
//! of errors. Nothing here decides whether a request may be served.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use gtm_domain::ProjectId;
use gtm_store::RequestOrigin;
use http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderName, HeaderValue, Method};
use tracing::Instrument as _;
use tracing::field::Empty;

use crate::api::Api;
use crate::client_address;
use crate::error::{ApiError, ErrorForm};
use crate::rate_limit::Decision;
use crate::request_id::{self, X_REQUEST_ID};
use crate::server::Peer;

/// Requests in the window.
pub const RATELIMIT_LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
/// Requests left after this one.
pub const RATELIMIT_REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
/// Whole seconds until the oldest request leaves the window.
pub const RATELIMIT_RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// Status label, in metrics, of a request that got no answer.
const UNANSWERED: &str = "none";

/// Facts about the request that are collected on the way and added to its response.
#[derive(Debug)]
pub struct RequestContext {
    /// The id that the response carries.
    pub request_id: String,
    /// The caller's own id was unusable: 400, but only for a known caller.
    pub request_id_refused: bool,
    client: Option<IpAddr>,
    rate: OnceLock<Decision>,
    project: OnceLock<ProjectId>,
}

impl RequestContext {
    /// Records the limiter's decision; a request is counted once.
    pub fn note_rate(&self, decision: Decision) {
        let _ = self.rate.set(decision);
    }
    /// What the audit log records about the request if it changes something.
    #[must_use]
    pub fn origin(&self) -> RequestOrigin {
        RequestOrigin {
            request_id: self.request_id.clone(),
            peer: self.client,
        }
    }
    /// The client's address, where it is known.
    #[must_use]
    pub const fn client(&self) -> Option<IpAddr> {
        self.client
    }
    /// Records who the caller is.
    pub fn note_project(&self, project: ProjectId) {
        let _ = self.project.set(project);
    }
}

/// The outermost layer.
pub async fn surround(State(api): State<Api>, mut request: Request, next: Next) -> Response {
    let started = api.elapsed();
    let resolved = request_id::resolve(request.headers(), api.now());
    let form = ErrorForm::accepted(request.headers());
    let method = label_of(request.method());
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "unmatched".to_owned(), |p| p.as_str().to_owned());
    let context = Arc::new(RequestContext {
        request_id: resolved.id,
        request_id_refused: resolved.refused,
        client: request.extensions().get().and_then(|Peer(peer)| {
            client_address::of(*peer, request.headers(), &api.config().trusted_proxies)
        }),
        rate: OnceLock::new(),
        project: OnceLock::new(),
    });
    request.extensions_mut().insert(Arc::clone(&context));

    let span = tracing::info_span!("request", request_id = %context.request_id, method, route, project = Empty, status = Empty);
    let mut account = Account {
        api: api.clone(),
        context: Arc::clone(&context),
        span: span.clone(),
        method,
        route,
        started,
        status: None,
    };
    let answered = next.run(request).instrument(span).await;
    let mut response = match answered.extensions().get::<ApiError>() {
        Some(error) => error.render(
            &context.request_id,
            api.docs_base(),
            form,
            answered.headers(),
        ),
        None => answered,
    };
    add_headers(&mut response, &context);
    account.status = Some(response.status().as_u16());
    response
}

/// Logs and counts a request when it is over, even if its connection ended before the answer; otherwise
/// clients that ask and never listen would be invisible.
struct Account {
    api: Api,
    context: Arc<RequestContext>,
    span: tracing::Span,
    method: &'static str,
    route: String,
    started: Duration,
    /// `None` as long as there is no answer.
    status: Option<u16>,
}

impl Drop for Account {
    fn drop(&mut self) {
        if let Some(status) = self.status {
            self.span.record("status", status);
        }
        if let Some(project) = self.context.project.get() {
            self.span.record("project", project.to_string());
        }
        let elapsed = self.api.elapsed().saturating_sub(self.started);
        let duration_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        self.span.in_scope(|| match self.status {
            Some(_) => tracing::info!(duration_ms, "answered"),
            None => tracing::info!(duration_ms, "the connection ended before the answer"),
        });
        let status = self.status.map(|status| status.to_string());
        let labels = [
            ("method", self.method.to_owned()),
            ("route", std::mem::take(&mut self.route)),
            ("status", status.unwrap_or_else(|| UNANSWERED.to_owned())),
        ];
        metrics::counter!("gtm_http_requests_total", &labels).increment(1);
        metrics::histogram!("gtm_http_request_duration_seconds", &labels)
            .record(elapsed.as_secs_f64());
    }
}

fn add_headers(response: &mut Response, context: &RequestContext) {
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&context.request_id) {
        headers.insert(X_REQUEST_ID, id);
    }
    if let Some(rate) = context.rate.get() {
        headers.insert(RATELIMIT_LIMIT, HeaderValue::from(rate.limit));
        headers.insert(RATELIMIT_REMAINING, HeaderValue::from(rate.remaining));
        headers.insert(RATELIMIT_RESET, HeaderValue::from(rate.reset_seconds));
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Danger: answers are one project's data, so no shared cache may store them.
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("private, no-store"));
}

/// The method as a metric's label. Callers can invent methods, but labels must stay few.
fn label_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
