//! `GET /v1/capabilities`.

use axum::Json;
use axum::extract::State;
use gtm_engine::ProjectScope;
use gtm_engine::job_types::implements;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::ReadCatalog;
use crate::api::Api;
use crate::authorization::Authorized;

/// The capabilities enabled for the key's organization.
#[derive(Debug, Serialize, ToSchema)]
#[schema(examples(example))]
pub struct CapabilityList {
    #[schema(inline)]
    capabilities: Vec<Capability>,
}

// Exactly the specification's members.
#[derive(Debug, Serialize, ToSchema)]
struct Capability {
    /// The capability's key, as in bindings, jobs and usage.
    key: &'static str,
    name: &'static str,
    category: &'static str,
    /// How stable the capability is.
    #[schema(extensions(("x-extensible-enum" = json!(["ga", "beta", "preview"]))))]
    status: &'static str,
    description: &'static str,
    #[schema(pattern = "^[a-z0-9-]+$")]
    docs_slug: &'static str,
    /// Always true: capabilities that are not enabled are not listed.
    enabled: bool,
}

fn example() -> Value {
    json!({
        "capabilities": [
            {
                "key": "playbooks",
                "name": "Playbooks",
                "category": "Generation",
                "status": "ga",
                "description": "Generates a sales playbook for a target account: business summary and sales angles.",
                "docs_slug": "playbooks",
                "enabled": true
            }
        ]
    })
}

/// List the capabilities enabled for the key's organization.
///
/// A create call that needs a capability which is not in this list is refused with `capability_disabled`. The answer of
/// `GET /v1/usage` counts jobs and cost under the same keys.
#[utoipa::path(
    get, path = "/v1/capabilities", tag = "Capabilities", operation_id = "capabilities_v1_capabilities_get",
    responses(
        (status = 200, description = "The enabled capabilities.", body = CapabilityList, content_type = "application/json"),
    )
)]
pub async fn capabilities(
    api: State<Api>,
    caller: Authorized<ReadCatalog>,
) -> Json<CapabilityList> {
    let described = |capability: gtm_domain::Capability| Capability {
        key: capability.key(),
        name: capability.name(),
        category: capability.category(),
        status: capability.status(),
        description: capability.description(),
        docs_slug: capability.docs_slug(),
        enabled: true,
    };
    Json(CapabilityList {
        capabilities: gtm_domain::Capability::all()
            .filter(|capability| is_enabled(&api, caller.scope(), *capability))
            .map(described)
            .collect(),
    })
}

/// Whether a create call for this capability would not be answered with `capability_disabled`: this build
/// has it, the deployment offers it and the organization may use it.
fn is_enabled(api: &Api, scope: &ProjectScope, capability: gtm_domain::Capability) -> bool {
    implements(capability.job_type())
        && api.offers(capability)
        && scope.capability_enabled(capability)
}
