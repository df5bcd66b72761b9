//! `GET /readyz`.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::api::Api;
use crate::error::ApiError;

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
    api.engine().ready().await.map_err(|cause| {
        tracing::warn!(error = %cause, "not ready");
        ApiError::unavailable()
    })?;
    Ok(Json(json!({ "status": "ready" })))
}
