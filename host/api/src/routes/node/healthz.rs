//! `GET /healthz`.

use axum::Json;

use super::status::NodeStatus;

/// Check whether the process answers.
///
/// For a supervisor: restart a process that does not. Needs no key.
#[utoipa::path(
    get, path = "/healthz", tag = "Node", operation_id = "healthz",
    responses((status = 200, description = "It answers.", body = NodeStatus, content_type = "application/json"))
)]
pub async fn healthz() -> Json<NodeStatus> {
    Json(NodeStatus::OK)
}
