//! `GET /v1/capabilities`.

use axum::Json;
use axum::extract::State;
use gtm_domain::capability::ProductCapability;
use gtm_engine::ProjectScope;
use gtm_engine::job_types::implements;
use serde::Serialize;

use super::ReadCatalog;
use crate::api::Api;
use crate::authorization::Authorized;

/// All capabilities.
#[derive(Debug, Serialize)]
pub struct CapabilityList {
    capabilities: Vec<Capability>,
}

/// One capability: exactly the specification's members.
#[derive(Debug, Serialize)]
struct Capability {
    key: &'static str,
    name: &'static str,
    category: &'static str,
    status: &'static str,
    description: &'static str,
    docs_slug: &'static str,
    enabled: bool,
}

/// List the capabilities.
///
/// Every capability of the API, and whether it is enabled for the key's organization. The keys are
/// those of usage.
#[utoipa::path(
    get, path = "/v1/capabilities", tag = "Capabilities", operation_id = "capabilities_v1_capabilities_get",
    responses(
        (status = 200, description = "All capabilities.", body = ref("#/components/schemas/CapabilityList"), content_type = "application/json"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("ga")))
)]
pub async fn capabilities(
    api: State<Api>,
    caller: Authorized<ReadCatalog>,
) -> Json<CapabilityList> {
    let described = |capability: ProductCapability| Capability {
        key: capability.key(),
        name: capability.name(),
        category: capability.category(),
        status: capability.status(),
        description: capability.description(),
        docs_slug: capability.docs_slug(),
        enabled: is_enabled(&api, caller.scope(), capability),
    };
    Json(CapabilityList {
        capabilities: ProductCapability::ALL.into_iter().map(described).collect(),
    })
}

/// Whether a create of this capability would not be answered `capability_disabled`: this build has
/// it, the deployment offers it and the organization may use it.
fn is_enabled(api: &Api, scope: &ProjectScope, capability: ProductCapability) -> bool {
    implements(capability) && api.offers(capability) && scope.capability_enabled(capability)
}
