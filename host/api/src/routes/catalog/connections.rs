//! `GET /v1/connections`.

use axum::Json;
use axum::extract::State;
use gtm_engine::connections::ConnectionView;
use serde::Serialize;

use super::ReadConnections;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;

/// All connections of a project.
#[derive(Debug, Serialize)]
pub struct ConnectionList {
    connections: Vec<ConnectionView>,
}

/// List the project's connections.
///
/// Oldest first. Only the names of configured fields are returned, never the value of a credential or
/// setting.
#[utoipa::path(
    get, path = "/v1/connections", tag = "Connectors and connections", operation_id = "connection_list_v1_connections_get",
    responses(
        (status = 200, description = "The connections of the key's project.", body = ref("#/components/schemas/ConnectionList"), content_type = "application/json"),
    )
)]
pub async fn connection_list(
    api: State<Api>,
    caller: Authorized<ReadConnections>,
) -> Result<Json<ConnectionList>, ApiError> {
    let connections = api.engine().connections(caller.scope()).await?;
    Ok(Json(ConnectionList { connections }))
}
