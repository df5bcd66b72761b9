//! What an operation's path implies: whether it requires a key, and whether it may still change.

use serde_json::Value;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{OpenApi, PathItem};

/// The scheme of API keys under `components.securitySchemes`.
pub const BEARER: &str = "bearer";

/// The operations that callers can rely on. Adding one makes a permanent promise. All others are `preview`
/// and may change.
const GENERALLY_AVAILABLE: [&str; 9] = [
    "create_playbook_v1_playbooks_post",
    "create_brand_v1_brands_post",
    "list_brands_v1_brands_get",
    "get_brand_v1_brands__brand_id__get",
    "get_brand_guideline_v1_brands__brand_id__guideline_get",
    "research_brand_v1_brands__brand_id__research_post",
    "get_job_v1_jobs__job_id__get",
    "get_usage_v1_usage_get",
    "capabilities_v1_capabilities_get",
];

/// Declares for all operations what they have in common.
pub fn declare(operations: &mut OpenApi) {
    for (path, item) in &mut operations.paths.paths {
        // Nothing under `/v1/` works without a key.
        let guarded = path.starts_with("/v1/");
        for operation in methods(item) {
            if guarded {
                let no_scopes: [&str; 0] = [];
                operation.security = Some(vec![SecurityRequirement::new(BEARER, no_scopes)]);
            }
            let stable = operation.operation_id.as_deref();
            let stable = stable.is_some_and(|id| GENERALLY_AVAILABLE.contains(&id));
            let stability = Value::from(if stable { "ga" } else { "preview" });
            operation
                .extensions
                .get_or_insert_with(Extensions::default)
                .insert("x-stability".to_owned(), stability);
        }
    }
}

fn methods(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let all = [
        &mut item.get,
        &mut item.put,
        &mut item.post,
        &mut item.delete,
        &mut item.patch,
    ];
    all.into_iter().flatten()
}
