//! The operator port: metrics for the deployment's own monitoring. Never on the address of the API.

use axum::Router;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::HeaderValue;
use http::header::CONTENT_TYPE;

/// A service with `/metrics`, which `render` writes in Prometheus' text format.
pub fn operator_router(render: impl Fn() -> String + Clone + Send + Sync + 'static) -> Router {
    let metrics = move || {
        let text = render();
        async move { answer(text) }
    };
    Router::new().route("/metrics", get(metrics))
}

fn answer(text: String) -> Response {
    let mut response = text.into_response();
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; version=0.0.4"),
    );
    response
}
