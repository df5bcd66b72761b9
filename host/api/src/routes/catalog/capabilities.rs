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

/// The enabled capabilities.
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

/// List the capabilities that are enabled for the key's organization.
///
/// A create of any other is answered `capability_disabled`, or has no operation here. The keys are
/// those of usage.
#[utoipa::path(
    get, path = "/v1/capabilities", tag = "Capabilities", operation_id = "capabilities_v1_capabilities_get",
    responses(
        (status = 200, description = "The enabled capabilities.", body = ref("#/components/schemas/CapabilityList"), content_type = "application/json"),
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
        enabled: true,
    };
    Json(CapabilityList {
        capabilities: ProductCapability::ALL
            .into_iter()
            .filter(|capability| is_enabled(&api, caller.scope(), *capability))
            .map(described)
            .collect(),
    })
}

/// Whether a create of this capability would not be answered `capability_disabled`: this build has
/// it, the deployment offers it and the organization may use it.
fn is_enabled(api: &Api, scope: &ProjectScope, capability: ProductCapability) -> bool {
    implements(capability) && api.offers(capability) && scope.capability_enabled(capability)
}
