//! `GET /v1/connectors`.

use axum::Json;
use axum::extract::State;
use gtm_engine::connections::ConnectorCatalog;

use super::ReadCatalog;
use crate::api::Api;
use crate::authorization::Authorized;

/// List the connectors of the catalog.
///
/// One entry per key, sorted by key. The host determines `availability` and `verification_mode`; they are
/// not claims of the connectors' authors. `catalog_version` changes if and only if the catalog's content
/// does.
#[utoipa::path(
    get, path = "/v1/connectors", tag = "Connectors and connections", operation_id = "connector_catalog_list_v1_connectors_get",
    responses(
        (status = 200, description = "All connectors.", body = ConnectorCatalog, content_type = "application/json"),
    )
)]
pub async fn connector_catalog_list(
    api: State<Api>,
    _caller: Authorized<ReadCatalog>,
) -> Json<ConnectorCatalog> {
    Json(api.engine().connector_catalog())
}
