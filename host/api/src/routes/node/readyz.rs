//! `GET /readyz`.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use gtm_domain::ErrorCode;
use serde_json::{Value, json};

use crate::api::Api;
use crate::client_address;
use crate::context::RequestContext;
use crate::error::ApiError;

/// Ask whether the node can serve.
///
/// For a load balancer: it can while its database answers. An answer may be a second old. Needs no key.
#[utoipa::path(
    get, path = "/readyz", tag = "Node", operation_id = "readyz",
    responses(
        (status = 200, description = "It can.", body = ref("#/components/schemas/Status"), content_type = "application/json"),
        (status = 429, description = "rate_limit_exceeded: too many such requests from one address in 60 seconds"),
        (status = 503, description = "internal_error: the database does not answer"),
    ),
    extensions(("x-stability" = json!("preview")))
)]
pub async fn readyz(
    api: State<Api>,
    Extension(context): Extension<Arc<RequestContext>>,
) -> Result<Json<Value>, ApiError> {
    let address = context.client().map(client_address::network);
    let asked = api.count_readiness_check(address);
    if asked.admitted {
        return for_operators(api).await;
    }
    let wait = asked.reset_seconds.max(1);
    let message = format!(
        "More than {} readiness checks from this address in 60 seconds; wait {wait} s.",
        asked.limit
    );
    Err(ApiError::new(ErrorCode::RateLimitExceeded, message).with_retry_after(wait))
}

/// The same on the operator port, where everybody may ask as often as they like.
pub async fn for_operators(api: State<Api>) -> Result<Json<Value>, ApiError> {
    let engine = api.engine().clone();
    let asking = async move { engine.ready().await };
    if api.readiness().is_ready(asking).await {
        Ok(Json(json!({ "status": "ready" })))
    } else {
        Err(ApiError::unavailable())
    }
}
