//! The OpenAPI document: the operations as their handlers document themselves, the schemas of
//! `schemas/`, and what is the same everywhere (request ids, rate headers, error bodies) added in one
//! place. The request schemas published here are the ones that [`crate::validation`] enforces.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use utoipa::openapi::{Info, OpenApi, Paths};

use crate::routes;
use crate::validation::{RequestSchema, SchemaError};

macro_rules! schemas {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../schemas/", $name, ".json"))),)*]
    };
}

/// Every published schema; each file is named after its schema.
const SCHEMAS: [(&str, &str); 12] = schemas![
    "ErrorEnvelope",
    "FieldBasis",
    "JobError",
    "JobEventList",
    "JobReceiptList",
    "JobUsage",
    "PlaybookInput",
    "Problem",
    "PublicPlaybookJobResponse",
    "PublicPlaybookResult",
    "Source",
    "Status",
];

/// Those of them that request bodies are checked against.
const REQUEST_SCHEMAS: [&str; 1] = ["PlaybookInput"];

/// Title and version, before the operations are added.
pub(crate) fn preamble() -> OpenApi {
    let mut info = Info::new("Go-to-Market Intelligence Platform API", "0.2.0");
    info.description = Some(
        "Generation and research for go-to-market work. Most operations answer 202 with a job; poll it until it ends. \
         API version v1."
            .to_owned(),
    );
    OpenApi::new(info, Paths::new())
}

/// The document.
#[must_use]
pub fn openapi() -> Value {
    let described = routes::operations().to_openapi();
    // The document's types serialize to JSON objects by construction; Null would fail every test.
    let mut document = serde_json::to_value(&described).unwrap_or_default();
    document["info"]["x-api-version"] = json!("v1");
    document["info"]["x-stability"] = json!("ga");
    let schemas: Map<String, Value> = SCHEMAS
        .iter()
        .map(|(name, text)| ((*name).to_owned(), parsed(text)))
        .collect();
    document["components"] = json!({
        "securitySchemes": {
            "bearer": { "type": "http", "scheme": "bearer", "description": "A project's API key. A server-side secret: it must not reach a browser or an app." }
        },
        "headers": headers(),
        "parameters": {
            "XRequestId": {
                "name": "X-Request-ID", "in": "header", "required": false,
                "description": "Echoed in the response; generated where it is absent.",
                "schema": { "type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$" }
            }
        },
        "schemas": schemas,
    });
    if let Some(paths) = document["paths"].as_object_mut() {
        for operation in paths
            .values_mut()
            .filter_map(Value::as_object_mut)
            .flat_map(Map::values_mut)
        {
            complete(operation);
        }
    }
    document
}

/// The document as text.
#[must_use]
pub fn to_pretty_json() -> String {
    format!("{:#}\n", openapi())
}

/// The compiled request schemas by name.
///
/// # Errors
/// If one does not compile.
pub fn request_schemas() -> Result<BTreeMap<String, RequestSchema>, SchemaError> {
    SCHEMAS
        .iter()
        .filter(|(name, _)| REQUEST_SCHEMAS.contains(name))
        .map(|(name, text)| {
            Ok((
                (*name).to_owned(),
                RequestSchema::compile(name, parsed(text))?,
            ))
        })
        .collect()
}

/// The files are part of the program and parsed by its tests; an empty schema would fail them.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn headers() -> Value {
    let count = json!({ "type": "integer", "minimum": 0 });
    json!({
        "XRequestId": { "description": "The request's id: the caller's or a generated one.", "schema": { "type": "string" } },
        "RateLimitLimit": { "description": "Requests in the rolling window.", "schema": count },
        "RateLimitRemaining": { "description": "Requests left after this one.", "schema": count },
        "RateLimitReset": { "description": "Whole seconds until the oldest request leaves the window.", "schema": count },
        "RetryAfter": { "description": "Seconds to wait. Only on rate_limit_exceeded.", "schema": { "type": "integer", "minimum": 1 } },
        "WwwAuthenticate": { "description": "`Bearer`.", "schema": { "type": "string" } },
    })
}

/// Add to an operation what all operations of its sort share.
fn complete(operation: &mut Value) {
    let guarded = operation.get("security").is_some();
    if guarded {
        let shared = json!({ "$ref": "#/components/parameters/XRequestId" });
        match operation
            .get_mut("parameters")
            .and_then(Value::as_array_mut)
        {
            Some(parameters) => parameters.push(shared),
            None => operation["parameters"] = json!([shared]),
        }
        for (status, description) in [
            ("400", "invalid_request: the request is malformed"),
            ("401", "missing_api_key, invalid_api_key, expired_api_key"),
            ("403", "forbidden, project_archived, capability_disabled"),
            (
                "429",
                "rate_limit_exceeded, quota_exceeded, budget_exceeded",
            ),
        ] {
            declare(operation, status, description);
        }
    }
    declare(operation, "500", "internal_error");
    let Some(responses) = operation
        .get_mut("responses")
        .and_then(Value::as_object_mut)
    else {
        return;
    };
    for (status, response) in responses.iter_mut() {
        if status.as_str() >= "400" {
            response["content"] = json!({
                "application/json": { "schema": { "$ref": "#/components/schemas/ErrorEnvelope" } },
                "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } },
            });
        }
        let mut header = |name: &str, component: &str| {
            response["headers"][name] =
                json!({ "$ref": format!("#/components/headers/{component}") });
        };
        header("X-Request-ID", "XRequestId");
        if guarded && status != "401" {
            header("RateLimit-Limit", "RateLimitLimit");
            header("RateLimit-Remaining", "RateLimitRemaining");
            header("RateLimit-Reset", "RateLimitReset");
        }
        match status.as_str() {
            "401" => header("WWW-Authenticate", "WwwAuthenticate"),
            "429" => header("Retry-After", "RetryAfter"),
            _ => {}
        }
    }
    responses.sort_keys();
}

fn declare(operation: &mut Value, status: &str, description: &str) {
    let response = &mut operation["responses"][status];
    if response.is_null() {
        *response = json!({ "description": description });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::collections::HashSet;

    fn operations(document: &Value) -> Vec<(String, String, Value)> {
        let paths = document["paths"].as_object().unwrap();
        paths
            .iter()
            .flat_map(|(path, item)| {
                item.as_object()
                    .unwrap()
                    .iter()
                    .map(move |(m, op)| (m.clone(), path.clone(), op.clone()))
            })
            .collect()
    }

    #[test]
    fn operation_ids_are_unique_and_the_specification_s() {
        let document = openapi();
        let found = operations(&document);
        let ids: HashSet<&str> = found
            .iter()
            .map(|(_, _, op)| op["operationId"].as_str().unwrap())
            .collect();
        assert_eq!(ids.len(), found.len());
        for (method, path, id) in [
            ("post", "/v1/playbooks", "create_playbook_v1_playbooks_post"),
            ("get", "/v1/jobs/{job_id}", "get_job_v1_jobs__job_id__get"),
        ] {
            assert_eq!(document["paths"][path][method]["operationId"], id);
        }
        // The specification forms every id of /v1 the same way; so must those that we add.
        for (method, path, op) in found.iter().filter(|(_, path, _)| path.starts_with("/v1/")) {
            let tail: String = path[1..]
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
                .collect();
            let id = op["operationId"].as_str().unwrap();
            assert!(
                id.ends_with(&format!("_{tail}_{method}")),
                "{id} for {method} {path}"
            );
        }
    }

    #[test]
    fn the_document_says_what_it_is() {
        let document = openapi();
        assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
        assert_eq!(document["info"]["version"], "0.2.0");
        for (method, path, op) in operations(&document) {
            assert!(
                matches!(op["x-stability"].as_str(), Some("ga" | "beta" | "preview")),
                "{method} {path}"
            );
        }
    }

    #[test]
    fn every_response_documents_its_headers_and_errors() {
        for (method, path, op) in operations(&openapi()) {
            let guarded = op.get("security").is_some();
            assert_eq!(
                guarded,
                path.starts_with("/v1/") && path != "/v1/openapi.json",
                "{path}"
            );
            for (status, response) in op["responses"].as_object().unwrap() {
                let at = format!("{method} {path} {status}");
                assert!(response["headers"]["X-Request-ID"].is_object(), "{at}");
                assert_eq!(
                    response["headers"]["RateLimit-Reset"].is_object(),
                    guarded && status != "401",
                    "{at}"
                );
                assert!(response["content"].is_object(), "{at}");
            }
            let listed = |status: &str| op["responses"][status].is_object();
            assert!(
                !guarded || ["400", "401", "403", "429", "500"].into_iter().all(listed),
                "{path}"
            );
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn visit<'v>(value: &'v Value, refs: &mut Vec<&'v str>) {
            match value {
                Value::Object(members) => {
                    refs.extend(members.get("$ref").and_then(Value::as_str));
                    members.values().for_each(|v| visit(v, refs));
                }
                Value::Array(items) => items.iter().for_each(|v| visit(v, refs)),
                _ => {}
            }
        }
        let document = openapi();
        let mut refs = Vec::new();
        visit(&document, &mut refs);
        assert!(refs.len() > 20);
        for reference in refs {
            assert!(
                document
                    .pointer(reference.trim_start_matches('#'))
                    .is_some(),
                "{reference}"
            );
        }
    }

    #[test]
    fn schemas_are_named_after_their_files_and_requests_are_closed() {
        for (name, text) in SCHEMAS {
            let schema: Value = serde_json::from_str(text).unwrap();
            assert_eq!(schema["title"], name);
            jsonschema::draft202012::meta::validate(&schema).unwrap();
        }
        let compiled = request_schemas().unwrap();
        assert_eq!(compiled.len(), REQUEST_SCHEMAS.len());
        for name in REQUEST_SCHEMAS {
            assert_eq!(
                openapi()["components"]["schemas"][name]["additionalProperties"],
                false
            );
        }
    }
}
