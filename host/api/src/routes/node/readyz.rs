//! `GET /readyz`.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::api::Api;
use crate::error::ApiError;

/// How long the database may take to answer. Longer than that, and a load balancer has given up.
const PATIENCE: Duration = Duration::from_secs(3);

/// Ask whether the node can serve.
///
/// For a load balancer: it can while its database answers. Needs no key.
#[utoipa::path(
    get, path = "/readyz", tag = "Node", operation_id = "readyz",
    responses(
        (status = 200, description = "It can.", body = ref("#/components/schemas/Status"), content_type = "application/json"),
        (status = 503, description = "internal_error: the database does not answer"),
    ),
    extensions(("x-stability" = json!("preview")))
)]
pub async fn readyz(api: State<Api>) -> Result<Json<Value>, ApiError> {
    let cause = match tokio::time::timeout(PATIENCE, api.engine().ready()).await {
        Ok(Ok(())) => return Ok(Json(json!({ "status": "ready" }))),
        Ok(Err(cause)) => cause.to_string(),
        Err(_) => format!("no answer within {} s", PATIENCE.as_secs()),
    };
    tracing::warn!(error = cause, "not ready");
    Err(ApiError::unavailable())
}
