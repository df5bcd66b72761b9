//! The operator port: metrics, health and readiness for the deployment's own monitoring. It never shares
//! the API's address, so that no client of the API can block it.

use axum::Router;
use axum::middleware;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::HeaderValue;
use http::header::CONTENT_TYPE;

use crate::api::Api;
use crate::context;
use crate::routes::{operator_healthz, operator_readyz};

/// A service with `/healthz`, `/readyz` and `/metrics`; `render` writes the metrics in Prometheus' text
/// format.
pub fn operator_router(
    api: Api,
    render: impl Fn() -> String + Clone + Send + Sync + 'static,
) -> Router {
    let metrics = move || {
        let text = render();
        async move { answer(text) }
    };
    Router::new()
        .route("/healthz", get(operator_healthz))
        .route("/readyz", get(operator_readyz))
        // This layer also gives errors their envelope.
        .layer(middleware::from_fn_with_state(
            api.clone(),
            context::surround,
        ))
        .with_state(api)
        .route("/metrics", get(metrics))
}

fn answer(text: String) -> Response {
    let mut response = text.into_response();
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; version=0.0.4"),
    );
    response
}
