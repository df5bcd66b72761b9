//! `GET /readyz`.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use gtm_domain::ErrorCode;

use super::status::NodeStatus;
use crate::api::Api;
use crate::client_address;
use crate::context::RequestContext;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};

pub struct AskReadiness;

impl Operation for AskReadiness {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::when(
            ErrorCode::RateLimitExceeded,
            "too many such requests from one address in 60 seconds",
        ),
        DeclaredError::when(ErrorCode::InternalError, "the database does not answer")
            .with_status(503),
    ];
}

/// Check whether the node can serve.
///
/// For a load balancer: the node can serve while its database answers. An answer may be a second old. Needs
/// no key.
#[utoipa::path(
    get, path = "/readyz", tag = "Node", operation_id = "readyz",
    responses(
        (status = 200, description = "It can serve.", body = NodeStatus, content_type = "application/json"),
        Errors::<AskReadiness>,
    )
)]
pub async fn readyz(
    api: State<Api>,
    Extension(context): Extension<Arc<RequestContext>>,
) -> Result<Json<NodeStatus>, ApiError> {
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

/// The same on the operator port, without a rate limit.
pub async fn for_operators(api: State<Api>) -> Result<Json<NodeStatus>, ApiError> {
    let store = api.engine().store().clone();
    let asking = async move { store.ping().await };
    if api.readiness().is_ready(asking).await {
        Ok(Json(NodeStatus::READY))
    } else {
        Err(ApiError::unavailable())
    }
}
