//! The OpenAPI document: the operations as their handlers document them, the published [`schemas`], and
//! what all operations share (request ids, rate headers, error bodies, examples, links). The shared parts
//! are added in one place, so that a new operation has them too.

mod error_codes;
mod examples;
mod links;
mod parameters;
mod published_errors;
mod responses;
mod shared_declarations;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa::openapi::{Info, OpenApi, Paths};

use crate::request_id;
use crate::schemas;
pub(crate) use error_codes::{ERROR_CODES, EXAMPLE_DOCS_BASE, Row, Table};
pub(crate) use published_errors::PUBLISHED_ERRORS;
use responses::Traits;
use shared_declarations::BEARER;
pub(crate) use shared_declarations::declare;

/// The tags, in the order of the reference page.
const TAGS: [(&str, &str); 11] = [
    (
        "Playbooks",
        "AI sales playbooks for a target account: business summary, sales angles and the evidence for them.",
    ),
    (
        "Brands",
        "Versioned, evidence-backed brand guidelines from web research.",
    ),
    (
        "Offers",
        "What the organization sells, in words and numbers that a person has approved. Operators write them.",
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
        "Every create call answers with a job. Read it until it ends; its events and receipts show what happened.",
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
        "What a node says without a key: its health and this description.",
    ),
];

/// An OpenAPI 3.1 document.
#[derive(Debug, Serialize, ToSchema)]
#[schema(examples(json!({
    "openapi": "3.1.0",
    "info": { "title": "Go-to-Market Intelligence Platform API", "version": "0.2.0" },
    "paths": {},
    "components": {}
})))]
pub(crate) struct OpenApiDocument {
    #[schema(value_type = String, pattern = "^3\\.1\\.[0-9]+$")]
    openapi: Value,
    #[schema(value_type = Object)]
    info: Value,
    #[schema(value_type = Object)]
    paths: Value,
    #[schema(value_type = Object)]
    components: Value,
    #[schema(value_type = Vec<Object>, required = false)]
    servers: Vec<Value>,
    #[schema(value_type = Vec<Object>, required = false)]
    tags: Vec<Value>,
}

/// Title and version, before the operations are added.
pub(crate) fn preamble() -> OpenApi {
    OpenApi::new(
        Info::new("Go-to-Market Intelligence Platform API", "0.2.0"),
        Paths::new(),
    )
}

/// The OpenAPI document for these operations.
#[must_use]
pub fn document(operations: &OpenApi) -> Value {
    // The document's types serialize to JSON objects by construction; null would fail every test.
    let mut document = serde_json::to_value(operations).unwrap_or_default();
    let derived = document["components"]["schemas"].take();
    let schemas = schemas::published(derived.as_object().cloned().unwrap_or_default());
    let table = error_table();
    let mut used = BTreeSet::new();
    if let Some(paths) = document["paths"].as_object_mut() {
        for operation in paths
            .values_mut()
            .filter_map(Value::as_object_mut)
            .flat_map(Map::values_mut)
        {
            complete(operation, table, &schemas);
            let tags = operation["tags"].as_array().into_iter().flatten();
            used.extend(tags.filter_map(Value::as_str).map(str::to_owned));
        }
    }
    let components = json!({
        "securitySchemes": {
            BEARER: { "type": "http", "scheme": "bearer", "description": "A project's API key. A server-side secret: it must not reach a browser or an app." }
        },
        "headers": responses::headers(),
        "parameters": {
            "XRequestId": {
                "name": "X-Request-ID", "in": "header", "required": false,
                "description": "Echoed in the response; generated if absent.",
                "schema": { "type": "string", "minLength": 1, "maxLength": 128, "pattern": request_id::PATTERN },
                "example": "import-7f3a",
            }
        },
        "responses": responses::components(table),
        "schemas": schemas,
    });
    let tags = TAGS.iter().filter(|(name, _)| used.contains(*name));
    let whole = OpenApiDocument {
        openapi: document["openapi"].take(),
        info: info(),
        paths: document["paths"].take(),
        components,
        servers: vec![json!({ "url": "/", "description": "This deployment." })],
        tags: tags
            .map(|(name, description)| json!({ "name": name, "description": description }))
            .collect(),
    };
    let mut document = serde_json::to_value(whole).unwrap_or_default();
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

/// The document as indented text.
#[must_use]
pub fn pretty(document: &Value) -> String {
    format!("{document:#}\n")
}

/// The published table of error codes.
pub(crate) fn error_table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(Table::published);
    &TABLE
}

/// Adds to an operation what all operations of its kind share.
fn complete(operation: &mut Value, table: &Table, schemas: &Map<String, Value>) {
    let declares = |status: &str| operation["responses"].get(status).is_some();
    let traits = Traits {
        guarded: operation.get("security").is_some(),
        body: operation.get("requestBody").is_some(),
        queues: declares("202"),
        // Only an operation that costs money can fail for lack of credit.
        spends: declares("402"),
    };
    // A handler's comment begins with a sentence, but a summary is a title.
    if let Some(summary) = operation["summary"].as_str() {
        operation["summary"] = json!(summary.trim_end_matches('.'));
    }
    if traits.body {
        // No operation makes its body optional.
        operation["requestBody"]["required"] = json!(true);
    }
    parameters::complete(operation, traits.guarded);
    responses::complete(operation, traits, table);
    examples::add(operation, schemas);
}
