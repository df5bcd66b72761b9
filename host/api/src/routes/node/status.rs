//! The answer of the health checks.

use serde::Serialize;
use utoipa::ToSchema;

/// State of the node.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Status, examples(json!({"status": "ok"}), json!({"status": "ready"})))]
pub struct NodeStatus {
    #[schema(inline)]
    status: Condition,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Condition {
    Ok,
    Ready,
}

impl NodeStatus {
    /// The process answers.
    pub const OK: Self = Self {
        status: Condition::Ok,
    };
    /// It can serve.
    pub const READY: Self = Self {
        status: Condition::Ready,
    };
}
