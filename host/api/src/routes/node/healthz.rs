//! `GET /healthz`.

use axum::Json;
use serde_json::{Value, json};

/// Ask whether the process answers.
///
/// For a supervisor: restart a process that does not. Needs no key.
#[utoipa::path(
    get, path = "/healthz", tag = "Node", operation_id = "healthz",
    responses((status = 200, description = "It does.", body = ref("#/components/schemas/Status"), content_type = "application/json")),
    extensions(("x-stability" = json!("preview")))
)]
pub async fn healthz() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}
