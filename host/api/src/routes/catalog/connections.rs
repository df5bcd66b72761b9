//! `GET /v1/connections`.

use axum::Json;
use axum::extract::State;
use gtm_engine::connections::ConnectionView;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::ReadConnections;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;

/// The connections of the key's project, oldest first. Names of fields, never their values.
#[derive(Debug, Serialize, ToSchema)]
#[schema(examples(example))]
pub struct ConnectionList {
    #[schema(inline)]
    connections: Vec<ConnectionView>,
}

fn example() -> Value {
    json!({
        "connections": [
            {
                "id": "conn_01jz9d0a1b2c3d4e5f6g7h8j9k",
                "project_id": "prj_01jz8p0a1b2c3d4e5f6g7h8j9k",
                "provider_key": "tavily",
                "manifest_version": "0.1.0",
                "name": "tavily",
                "configured_fields": ["api_key"],
                "credentials_version": 1,
                "status": "configured",
                "verification": {
                    "mode": "unavailable",
                    "status": "unavailable",
                    "network_request_made": false
                },
                "created_at": "2026-03-04T11:00:00.000Z",
                "updated_at": "2026-03-04T11:00:00.000Z"
            }
        ]
    })
}

/// List the project's connections.
///
/// Oldest first. Only the names of configured fields are returned, never the value of a credential or
/// setting.
#[utoipa::path(
    get, path = "/v1/connections", tag = "Connectors and connections", operation_id = "connection_list_v1_connections_get",
    responses(
        (status = 200, description = "The connections of the key's project.", body = ConnectionList, content_type = "application/json"),
    )
)]
pub async fn connection_list(
    api: State<Api>,
    caller: Authorized<ReadConnections>,
) -> Result<Json<ConnectionList>, ApiError> {
    let connections = api.engine().connections(caller.scope()).await?;
    Ok(Json(ConnectionList { connections }))
}
