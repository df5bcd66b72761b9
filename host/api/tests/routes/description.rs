//! The OpenAPI document as a whole: requirements for every operation, response, parameter and example,
//! including future ones.

use std::collections::BTreeSet;

use serde_json::{Value, json};

mod error_codes;
mod examples;
mod nothing_sent;

struct Document(Value);

struct Operation<'d> {
    at: String,
    path: &'d str,
    method: &'d str,
    json: &'d Value,
}

impl Operation<'_> {
    fn is_guarded(&self) -> bool {
        self.json.get("security").is_some()
    }
}

impl Document {
    fn published() -> Self {
        Self(gtm_api::openapi())
    }

    fn operations(&self) -> Vec<Operation<'_>> {
        let paths = self.0["paths"].as_object().unwrap();
        paths
            .iter()
            .flat_map(|(path, item)| {
                let methods = item.as_object().unwrap().iter();
                methods.map(move |(method, json)| Operation {
                    at: format!("{method} {path}"),
                    path,
                    method,
                    json,
                })
            })
            .collect()
    }

    /// The value itself, or the target of its `$ref`.
    fn resolved<'d>(&'d self, value: &'d Value) -> &'d Value {
        match value["$ref"].as_str() {
            Some(reference) => self
                .0
                .pointer(reference.trim_start_matches('#'))
                .unwrap_or_else(|| panic!("{reference} leads nowhere")),
            None => value,
        }
    }

    /// Every response, with its location and status.
    fn responses<'d>(&'d self, operation: &'d Operation<'_>) -> Vec<(String, u16, &'d Value)> {
        let responses = operation.json["responses"].as_object().unwrap();
        responses
            .iter()
            .map(|(status, response)| {
                let at = format!("{} {status}", operation.at);
                (at, status.parse().unwrap(), self.resolved(response))
            })
            .collect()
    }

    /// Adds the names of all schemas that this value refers to, directly or indirectly.
    fn collect_schemas(&self, value: &Value, names: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => {
                let reference = members.get("$ref").and_then(Value::as_str);
                let name = reference.and_then(|r| r.strip_prefix("#/components/schemas/"));
                if let Some(name) = name
                    && names.insert(name.to_owned())
                {
                    self.collect_schemas(&self.0["components"]["schemas"][name], names);
                }
                for member in members.values() {
                    self.collect_schemas(member, names);
                }
            }
            Value::Array(items) => items.iter().for_each(|v| self.collect_schemas(v, names)),
            _ => {}
        }
    }

    fn validate(&self, schema: &Value, value: &Value, at: &str) {
        let mut whole = schema.clone();
        whole["components"] = self.0["components"].clone();
        let validator = jsonschema::draft202012::new(&whole).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(value)
            .map(|e| format!("{}: {e}", e.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{at}: {errors:#?}");
    }
}

/// The examples at one place of the document: `example`, `examples` by name, or the schema's own
/// `examples`.
fn examples(value: &Value) -> Vec<Value> {
    let single = value.get("example").cloned();
    let named = match value.get("examples") {
        Some(Value::Object(named)) => named.values().map(|e| e["value"].clone()).collect(),
        Some(Value::Array(list)) => list.clone(),
        _ => Vec::new(),
    };
    single.into_iter().chain(named).collect()
}

#[test]
fn the_document_says_what_it_is() {
    let document = Document::published();
    let info = &document.0["info"];
    assert!(document.0["openapi"].as_str().unwrap().starts_with("3.1"));
    assert_eq!(
        (
            &info["version"],
            &info["x-api-version"],
            &info["x-stability"]
        ),
        (&json!("0.2.0"), &json!("v1"), &json!("ga"))
    );
    assert!(info["description"].as_str().unwrap().contains("# Errors"));
    assert!(info["contact"]["url"].is_string() && info["license"]["name"] == "Apache License 2.0");
    let described: BTreeSet<&str> = document.0["tags"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|tag| tag["description"].as_str().is_some_and(|d| !d.is_empty()))
        .map(|tag| tag["name"].as_str().unwrap())
        .collect();
    for operation in document.operations() {
        let at = &operation.at;
        let text = |name: &str| operation.json[name].as_str().unwrap_or_default().to_owned();
        assert!(
            !text("summary").is_empty() && !text("summary").ends_with('.'),
            "{at}"
        );
        assert!(text("description").len() > 20, "{at} is not described");
        let stability = text("x-stability");
        assert!(
            matches!(stability.as_str(), "ga" | "beta" | "preview"),
            "{at}"
        );
        let tags = operation.json["tags"].as_array().unwrap();
        assert!(
            !tags.is_empty() && tags.iter().all(|t| described.contains(t.as_str().unwrap())),
            "{at}: a tag that src/openapi.rs does not describe: {tags:?}"
        );
        let public = ["/openapi.json", "/healthz", "/readyz"].contains(&operation.path);
        assert_eq!(operation.is_guarded(), !public, "{at}");
    }
}

/// A promise made by mistake cannot be withdrawn, and a lost one breaks clients.
#[test]
fn what_is_generally_available_is_known() {
    let document = Document::published();
    let operations = document.operations();
    let stable = operations.iter().filter(|o| o.json["x-stability"] == "ga");
    let found: Vec<&str> = stable.map(|o| o.at.as_str()).collect();
    let want = [
        "post /v1/playbooks",
        "get /v1/brands",
        "post /v1/brands",
        "get /v1/brands/{brand_id}",
        "get /v1/brands/{brand_id}/guideline",
        "post /v1/brands/{brand_id}/research",
        "get /v1/jobs/{job_id}",
        "get /v1/usage",
        "get /v1/capabilities",
    ];
    assert_eq!(found, want);
}

#[test]
fn every_response_has_its_headers_and_an_example() {
    let document = Document::published();
    for operation in document.operations() {
        for (at, status, response) in document.responses(&operation) {
            let header = |name: &str| document.resolved(&response["headers"][name]);
            assert!(
                response["description"]
                    .as_str()
                    .is_some_and(|d| !d.is_empty()),
                "{at}"
            );
            assert_eq!(header("X-Request-ID")["required"], true, "{at}");
            let before_the_key = [400, 401, 403, 405, 408, 414, 429, 431, 500];
            let counted = operation.is_guarded() && !before_the_key.contains(&status);
            for name in ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] {
                assert_eq!(header(name)["required"] == true, counted, "{at} {name}");
            }
            assert_eq!(header("Retry-After").is_object(), status == 429, "{at}");
            assert_eq!(
                header("WWW-Authenticate").is_object(),
                status == 401,
                "{at}"
            );
            assert_eq!(header("Allow").is_object(), status == 405, "{at}");
            if status == 202 || status == 201 {
                assert_eq!(header("Location")["required"], true, "{at}");
            }
            if status == 304 {
                continue;
            }
            let content = response["content"]
                .as_object()
                .unwrap_or_else(|| panic!("{at} has no content"));
            for (media_type, media) in content {
                assert!(
                    !examples(media).is_empty(),
                    "{at} {media_type}: give the schema `examples`"
                );
            }
        }
        let statuses: Vec<u16> = document
            .responses(&operation)
            .iter()
            .map(|(_, s, _)| *s)
            .collect();
        let mut needed = vec![400, 405, 408, 414, 429, 431, 500];
        if operation.is_guarded() {
            needed.extend([401, 403]);
        }
        if operation.path.contains('{') {
            needed.push(404);
        }
        if operation.json["requestBody"].is_object() {
            needed.extend([413, 422]);
        }
        for status in needed {
            assert!(
                statuses.contains(&status),
                "{} lacks {status}",
                operation.at
            );
        }
    }
}

/// Whether it comes from a file or is derived from a type.
#[test]
fn every_schema_is_valid_and_has_its_name() {
    let document = Document::published();
    let schemas = document.0["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        assert_eq!(schema["title"], *name);
        assert!(schema["description"].is_string(), "{name}");
        jsonschema::draft202012::meta::validate(schema).unwrap();
    }
    let names: Vec<&String> = schemas.keys().collect();
    assert!(names.is_sorted(), "{names:?}");
}

/// Requests are validated against the files, and an answer's schema is derived from its type, so neither
/// can drift. Only the guideline's fields are declared in a table of their own.
#[test]
fn no_answer_has_a_schema_written_by_hand() {
    let document = Document::published();
    let mut answered = BTreeSet::new();
    for operation in document.operations() {
        for (_, _, response) in document.responses(&operation) {
            document.collect_schemas(&response["content"], &mut answered);
        }
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas");
    let files = std::fs::read_dir(folder).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_suffix(".json").map(str::to_owned)
    });
    let (by_hand, of_requests): (BTreeSet<String>, BTreeSet<String>) =
        files.partition(|name| answered.contains(name));
    let names = |names: &[&str]| -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    };
    assert_eq!(by_hand, names(&[]));
    assert_eq!(
        of_requests,
        names(&[
            "BrandCreate",
            "CompanyDossierSpecificationCreate",
            "DocumentCreate",
            "MessageTemplateGenerate",
            "MessageTemplateRender",
            "MessageTemplateRevisionCreate",
            "PlaybookInput",
            "ProspectMessageCreate"
        ])
    );
    assert!(answered.len() > 20, "{answered:?}");
}

#[test]
fn what_callers_send_is_bounded() {
    let document = Document::published();
    for operation in document.operations() {
        for parameter in operation.json["parameters"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let parameter = document.resolved(parameter);
            let schema = document.resolved(&parameter["schema"]);
            let at = format!("{} {}", operation.at, parameter["name"]);
            assert!(
                parameter["description"]
                    .as_str()
                    .is_some_and(|d| !d.is_empty()),
                "{at}"
            );
            let has = |name: &str| schema.get(name).is_some();
            let bounded = match schema["type"].as_str() {
                Some("integer" | "number") => has("minimum") && has("maximum"),
                Some("string") => has("pattern") || has("enum") || has("format"),
                Some("array") => has("items") && has("maxItems"),
                Some("boolean") => true,
                _ => false,
            };
            assert!(bounded, "{at}: {schema}");
        }
    }
}

#[test]
fn links_lead_from_what_is_there_to_what_takes_it() {
    let document = Document::published();
    let operations = document.operations();
    let mut links = 0;
    for operation in &operations {
        for (at, _, response) in document.responses(operation) {
            for (name, link) in response["links"].as_object().into_iter().flatten() {
                links += 1;
                let target = operations
                    .iter()
                    .find(|o| o.json["operationId"] == link["operationId"]);
                let target = target.unwrap_or_else(|| panic!("{at}: {name} leads nowhere"));
                for (parameter, source) in link["parameters"].as_object().unwrap() {
                    assert!(
                        target.path.contains(&format!("{{{parameter}}}")),
                        "{at}: {name}"
                    );
                    let pointer = source
                        .as_str()
                        .unwrap()
                        .strip_prefix("$response.body#")
                        .unwrap();
                    for example in examples(&response["content"]["application/json"]) {
                        // An empty list has no first element for the pointer to resolve to.
                        let list = pointer
                            .strip_suffix("/0/id")
                            .and_then(|at| example.pointer(at));
                        let is_empty = list.is_some_and(|list| list == &json!([]));
                        assert!(
                            is_empty || example.pointer(pointer).is_some(),
                            "{at}: {name}: {pointer} in {example}"
                        );
                    }
                }
            }
        }
    }
    let create = operations
        .iter()
        .find(|o| (o.method, o.path) == ("post", "/v1/playbooks"))
        .unwrap();
    let found: Vec<&String> = create.json["responses"]["202"]["links"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(found, ["get_job", "list_job_events", "list_job_receipts"]);
    assert!(links >= 5, "{links}");
}

#[test]
fn operation_ids_are_unique_and_the_specification_s() {
    let document = Document::published();
    let found = document.operations();
    let ids: BTreeSet<&str> = found
        .iter()
        .map(|operation| operation.json["operationId"].as_str().unwrap())
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
        (
            "post",
            "/v1/documents",
            "create_document_job_v1_documents_post",
        ),
        (
            "get",
            "/v1/documents/{job_id}/files/{file_id}",
            "download_document_job_file_v1_documents__job_id__files__file_id__get",
        ),
        ("get", "/v1/jobs/{job_id}", "get_job_v1_jobs__job_id__get"),
        ("get", "/v1/usage", "get_usage_v1_usage_get"),
    ] {
        assert_eq!(document.0["paths"][path][method]["operationId"], id);
    }
    // In the specification, all operation ids of `/v1` have the same form; those that we add must have it
    // too.
    for operation in found
        .iter()
        .filter(|operation| operation.path.starts_with("/v1/"))
    {
        let (method, path) = (operation.method, operation.path);
        let tail: String = path[1..]
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let id = operation.json["operationId"].as_str().unwrap();
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
    let document = Document::published();
    let mut refs = Vec::new();
    visit(&document.0, &mut refs);
    assert!(refs.len() > 20);
    for reference in refs {
        assert!(
            document
                .0
                .pointer(reference.trim_start_matches('#'))
                .is_some(),
            "{reference}"
        );
    }
}
