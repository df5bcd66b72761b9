//! The OpenAPI document: the operations as their handlers document themselves, the schemas of
//! `schemas/`, and what is the same everywhere (request ids, rate headers, error bodies, examples,
//! links) added in one place, so that a new operation has it too. The request schemas published here are the ones that [`crate::validation`] enforces.

mod error_codes;
mod examples;
mod job_error_codes;
mod links;
mod parameters;
mod responses;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use utoipa::openapi::{Info, OpenApi, Paths};

use crate::routes;
use crate::validation::{RequestSchema, SchemaError};
pub(crate) use error_codes::{Row, Table};
pub(crate) use job_error_codes::JobErrorRow;
use responses::Traits;

/// What `docs_url` begins with in examples: the error reference of a node as it is by default.
pub(crate) const EXAMPLE_DOCS_BASE: &str = "http://127.0.0.1:8080/docs/errors";

/// What an `X-Request-ID` must match (specification, Endpoints).
const REQUEST_ID_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$";

macro_rules! schemas {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../schemas/", $name, ".json"))),)*]
    };
}

/// Every published schema; each file is named after its schema.
const SCHEMAS: &[(&str, &str)] = &schemas![
    "Brand",
    "BrandCreate",
    "BrandGuideline",
    "BrandJobResponse",
    "BrandList",
    "BrandsResult",
    "CapabilityList",
    "CompanyDossierSpecification",
    "CompanyDossierSpecificationCreate",
    "CompanyDossierSpecificationList",
    "ConnectionList",
    "ConnectorCatalog",
    "ErrorEnvelope",
    "FieldBasis",
    "GuidelineRevisionList",
    "JobError",
    "JobEventList",
    "JobList",
    "JobReceiptList",
    "JobResponse",
    "JobUsage",
    "OpenApiDocument",
    "OtherJobResponse",
    "PlaybookInput",
    "Problem",
    "PublicPlaybookJobResponse",
    "PublicPlaybookResult",
    "Source",
    "Status",
    "TextClaim",
    "Usage",
];

/// Those of them that request bodies are checked against.
const REQUEST_SCHEMAS: [&str; 3] = [
    "BrandCreate",
    "CompanyDossierSpecificationCreate",
    "PlaybookInput",
];

/// What tags group, in the order of the reference page.
const TAGS: [(&str, &str); 10] = [
    (
        "Playbooks",
        "AI sales playbooks for a target account: business summary, sales angles and what they rest on.",
    ),
    (
        "Brands",
        "Versioned, evidence-backed brand guidelines from web research.",
    ),
    (
        "Documents",
        "PPTX, DOCX and PDF files from a brief, a brand and an optional offer.",
    ),
    (
        "Message templates",
        "Reusable email structures and personalized drafts, for approval only: nothing is ever sent.",
    ),
    (
        "Jobs",
        "Every create call answers with a job. Read it until it ends; its events and receipts tell what happened.",
    ),
    (
        "Company dossier specifications",
        "Immutable planning contracts. They cause no request, research, model call or rendering.",
    ),
    (
        "Connectors and connections",
        "The connectors that this deployment knows, and the project's connections without any secret.",
    ),
    ("Capabilities", "What the organization of the key may use."),
    (
        "Usage",
        "What the project consumed, its rate limit, its tier, quotas and budgets.",
    ),
    (
        "Node",
        "What a node tells without a key: its health and this description.",
    ),
];

/// Title and version, before the operations are added.
pub(crate) fn preamble() -> OpenApi {
    OpenApi::new(
        Info::new("Go-to-Market Intelligence Platform API", "0.2.0"),
        Paths::new(),
    )
}

/// The document.
#[must_use]
pub fn openapi() -> Value {
    let described = routes::operations().to_openapi();
    // The document's types serialize to JSON objects by construction; Null would fail every test.
    let mut document = serde_json::to_value(&described).unwrap_or_default();
    let mut schemas: Map<String, Value> = SCHEMAS
        .iter()
        .map(|(name, text)| ((*name).to_owned(), parsed(text)))
        .collect();
    let table = Table::of(schemas.get("ErrorEnvelope").unwrap_or(&Value::Null));
    if let Some(code) = schemas
        .get_mut("ErrorEnvelope")
        .and_then(|envelope| envelope.pointer_mut("/properties/error/properties/code"))
    {
        code["x-extensible-enum"] = json!(table.codes());
    }
    let mut used = BTreeSet::new();
    if let Some(paths) = document["paths"].as_object_mut() {
        for operation in paths
            .values_mut()
            .filter_map(Value::as_object_mut)
            .flat_map(Map::values_mut)
        {
            complete(operation, &table, &schemas);
            let tags = operation["tags"].as_array().into_iter().flatten();
            used.extend(tags.filter_map(Value::as_str).map(str::to_owned));
        }
    }
    document["info"] = info();
    document["servers"] = json!([{ "url": "/", "description": "This deployment." }]);
    document["tags"] = TAGS
        .iter()
        .filter(|(name, _)| used.contains(*name))
        .map(|(name, description)| json!({ "name": name, "description": description }))
        .collect();
    document["components"] = json!({
        "securitySchemes": {
            "bearer": { "type": "http", "scheme": "bearer", "description": "A project's API key. A server-side secret: it must not reach a browser or an app." }
        },
        "headers": responses::headers(),
        "parameters": {
            "XRequestId": {
                "name": "X-Request-ID", "in": "header", "required": false,
                "description": "Echoed in the response; generated where it is absent.",
                "schema": { "type": "string", "minLength": 1, "maxLength": 128, "pattern": REQUEST_ID_PATTERN },
                "example": "import-7f3a",
            }
        },
        "responses": responses::components(&table),
        "schemas": schemas,
    });
    links::add(&mut document);
    document
}

fn info() -> Value {
    json!({
        "title": "Go-to-Market Intelligence Platform API",
        "version": "0.2.0",
        "summary": "Generation and research for go-to-market work.",
        "description": include_str!("openapi/introduction.md"),
        "contact": { "name": "The operator of this deployment", "url": EXAMPLE_DOCS_BASE.trim_end_matches("/errors") },
        "license": { "name": "Apache License 2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0" },
        "x-api-version": "v1",
        "x-stability": "ga",
    })
}

/// The document as text.
#[must_use]
pub fn to_pretty_json() -> String {
    pretty(&openapi())
}

pub(crate) fn pretty(document: &Value) -> String {
    format!("{document:#}\n")
}

/// The published table of error codes.
pub(crate) fn error_table() -> Table {
    Table::of(&schema_named("ErrorEnvelope"))
}

/// The published table of the codes of failed jobs.
pub(crate) fn job_error_rows() -> Vec<JobErrorRow> {
    job_error_codes::rows(&schema_named("JobError"))
}

fn schema_named(wanted: &str) -> Value {
    let found = SCHEMAS.iter().find(|(name, _)| *name == wanted);
    found.map_or(Value::Null, |(_, text)| parsed(text))
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

/// Add to an operation what all operations of its sort share.
fn complete(operation: &mut Value, table: &Table, schemas: &Map<String, Value>) {
    let declares = |status: &str| operation["responses"].get(status).is_some();
    let traits = Traits {
        guarded: operation.get("security").is_some(),
        body: operation.get("requestBody").is_some(),
        // Only what costs money can lack the credit for it.
        spends: declares("402"),
    };
    // The first line of a handler's comment is a sentence; a summary is a title.
    if let Some(summary) = operation["summary"].as_str() {
        operation["summary"] = json!(summary.trim_end_matches('.'));
    }
    if traits.body {
        // No operation takes its body or nothing.
        operation["requestBody"]["required"] = json!(true);
    }
    parameters::complete(operation, traits.guarded);
    responses::complete(operation, traits, table);
    examples::add(operation, schemas);
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
            ("post", "/v1/brands", "create_brand_v1_brands_post"),
            ("get", "/v1/brands", "list_brands_v1_brands_get"),
            (
                "get",
                "/v1/brands/{brand_id}",
                "get_brand_v1_brands__brand_id__get",
            ),
            (
                "get",
                "/v1/brands/{brand_id}/guideline",
                "get_brand_guideline_v1_brands__brand_id__guideline_get",
            ),
            (
                "post",
                "/v1/brands/{brand_id}/research",
                "research_brand_v1_brands__brand_id__research_post",
            ),
            ("get", "/v1/jobs/{job_id}", "get_job_v1_jobs__job_id__get"),
            ("get", "/v1/usage", "get_usage_v1_usage_get"),
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
            assert_eq!(schema["title"], *name);
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
