//! The OpenAPI document, as a whole: what every operation, response, parameter and example must
//! have, whoever adds it.

use std::collections::BTreeSet;

use gtm_domain::ErrorCode;
use serde_json::{Value, json};

/// The specification's table of errors, with the codes that it names for creates; their statuses
/// are annex A11's.
const CODES: [(&str, &[u16]); 34] = [
    ("invalid_request", &[400, 422]),
    ("invalid_cursor", &[400]),
    ("brand_profile_mismatch", &[400]),
    ("missing_api_key", &[401]),
    ("invalid_api_key", &[401]),
    ("expired_api_key", &[401]),
    ("insufficient_credits", &[402]),
    ("forbidden", &[403]),
    ("project_archived", &[403]),
    ("capability_disabled", &[403]),
    ("not_found", &[404]),
    ("result_unavailable", &[404]),
    ("brand_profile_not_found", &[404]),
    ("brand_not_found", &[404]),
    ("offer_not_found", &[404]),
    ("not_ready", &[409]),
    ("idempotency_key_reused", &[409]),
    ("idempotency_in_progress", &[409]),
    ("campaign_archived", &[409]),
    ("cycle_in_progress", &[409]),
    ("brand_profile_archived", &[409]),
    ("brand_profile_not_ready", &[409]),
    ("missing_default_brand_profile", &[409]),
    ("brand_guideline_missing", &[409]),
    ("offer_archived", &[409]),
    ("audiences_result_unavailable", &[409]),
    ("job_expired", &[410]),
    ("rate_limit_exceeded", &[429]),
    ("quota_exceeded", &[429]),
    ("budget_exceeded", &[429]),
    ("internal_error", &[500]),
    ("audiences_backend_error", &[502]),
    ("audiences_backend_invalid_response", &[502]),
    ("audiences_backend_unavailable", &[503]),
];

/// Codes that the specification calls transient.
const TRANSIENT: [&str; 5] = [
    "rate_limit_exceeded",
    "internal_error",
    "audiences_backend_error",
    "audiences_backend_invalid_response",
    "audiences_backend_unavailable",
];

/// Statuses that carry another status's code (decision 0004).
const BORROWED: [(u16, &str); 7] = [
    (405, "invalid_request"),
    (408, "invalid_request"),
    (413, "invalid_request"),
    (414, "invalid_request"),
    (415, "invalid_request"),
    (431, "invalid_request"),
    (503, "internal_error"),
];

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

    /// The value itself, or what its `$ref` leads to.
    fn resolved<'d>(&'d self, value: &'d Value) -> &'d Value {
        match value["$ref"].as_str() {
            Some(reference) => self
                .0
                .pointer(reference.trim_start_matches('#'))
                .unwrap_or_else(|| panic!("{reference} leads nowhere")),
            None => value,
        }
    }

    /// Every response with its place and status.
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

/// What one place of the document gives as examples: `example`, `examples` by name, or the
/// schema's own `examples`.
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
                    "{at} {media_type}: give the schema's file `examples`"
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

#[test]
fn no_response_names_a_code_that_its_status_does_not_have() {
    let document = Document::published();
    for operation in document.operations() {
        for (at, status, response) in document.responses(&operation) {
            if status < 400 {
                assert!(response.get("x-error-codes").is_none(), "{at}");
                continue;
            }
            let codes = response["x-error-codes"].as_array().unwrap();
            assert!(
                !codes.is_empty(),
                "{at}: begin the description with its codes"
            );
            for code in codes {
                let code = code.as_str().unwrap();
                let own = ErrorCode::ALL
                    .iter()
                    .any(|c| c.as_str() == code && c.status() == status);
                assert!(own || BORROWED.contains(&(status, code)), "{at}: {code}");
                assert!(
                    response["description"]
                        .as_str()
                        .unwrap()
                        .contains(&format!("`{code}`")),
                    "{at}"
                );
            }
            let media = &response["content"]["application/json"];
            assert_eq!(
                examples(media).len(),
                codes.len(),
                "{at}: one example for each code"
            );
        }
    }
    let waits = |name: &str| document.0["components"]["responses"][name]["x-error-codes"].clone();
    assert_eq!(waits("RateLimited"), json!(["rate_limit_exceeded"]));
    assert_eq!(
        waits("TooManyRequests"),
        json!(["rate_limit_exceeded", "quota_exceeded", "budget_exceeded"])
    );
}

#[test]
fn the_published_codes_are_the_specification_s() {
    let document = Document::published();
    let code = &document.0["components"]["schemas"]["ErrorEnvelope"]["properties"]["error"]["properties"]
        ["code"];
    let published: Vec<(&str, Vec<u16>)> = code["x-error-codes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let statuses = row["statuses"].as_array().unwrap().iter();
            let statuses = statuses.map(|s| u16::try_from(s.as_u64().unwrap()).unwrap());
            (row["code"].as_str().unwrap(), statuses.collect())
        })
        .collect();
    let specified: Vec<(&str, Vec<u16>)> = CODES.iter().map(|(c, s)| (*c, s.to_vec())).collect();
    assert_eq!(published, specified);
    let names: Vec<&str> = CODES.iter().map(|(code, _)| *code).collect();
    assert_eq!(code["x-extensible-enum"], json!(names));
    let transient: Vec<&str> = code["x-error-codes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["transient"] == true)
        .map(|row| row["code"].as_str().unwrap())
        .collect();
    assert_eq!(transient, TRANSIENT);
    for code in ErrorCode::ALL {
        let specified = CODES.iter().find(|(name, _)| *name == code.as_str());
        assert!(
            specified.is_some_and(|(_, statuses)| statuses.contains(&code.status())),
            "{code:?}"
        );
    }
}

/// The next job type breaks no client that reads this description, and those that are described stay
/// as strict as they are.
#[test]
fn a_job_of_an_unknown_type_fits_and_a_broken_one_of_a_known_type_does_not() {
    let document = Document::published();
    let components = &document.0["components"];
    let of = |name: &str| {
        let schema =
            json!({ "$ref": format!("#/components/schemas/{name}"), "components": components });
        jsonschema::draft202012::new(&schema).unwrap()
    };
    let any = of("JobResponse");
    let known = &components["schemas"]["JobResponse"]["examples"][1];
    assert_eq!(known["type"], "playbooks");
    assert!(any.is_valid(known));
    let mut later = known.clone();
    later["type"] = json!("holograms");
    later["input"] = json!({"angle": 3});
    later["result"] = json!({"rays": [1]});
    later["stages"] = json!([{"key": "aim"}]);
    later["something_new"] = json!(true);
    assert!(any.is_valid(&later) && of("OtherJobResponse").is_valid(&later));
    let list = json!({"jobs": [known, later], "next_cursor": null, "has_more": false});
    assert!(of("JobList").is_valid(&list));
    for (pointer, value) in [
        ("/result/sales_angles", json!("one")),
        ("/result/included_sections", json!(["email_sequence"])),
        ("/input/tone", json!("loud")),
        ("/usage", json!(null)),
    ] {
        let mut broken = known.clone();
        *broken.pointer_mut(pointer).unwrap() = value;
        assert!(!any.is_valid(&broken), "{pointer}");
    }
}

#[test]
fn every_example_fits_its_schema() {
    let document = Document::published();
    let mut seen = 0;
    let mut check = |schema: &Value, value: &Value, at: &str| {
        document.validate(schema, value, at);
        seen += 1;
    };
    for operation in document.operations() {
        let at = &operation.at;
        for parameter in operation.json["parameters"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let parameter = document.resolved(parameter);
            let name = format!("{at} {}", parameter["name"]);
            let given = examples(parameter);
            let needed = parameter["in"] != "query";
            assert!(!given.is_empty() || !needed, "{name} has no example");
            given
                .iter()
                .for_each(|value| check(&parameter["schema"], value, &name));
        }
        let request = operation.json["requestBody"]["content"].as_object();
        for (media_type, media) in request.into_iter().flatten() {
            let given = examples(media);
            assert!(
                !given.is_empty(),
                "{at} {media_type} has no example of a request"
            );
            given
                .iter()
                .for_each(|value| check(&media["schema"], value, at));
        }
        for (at, _, response) in document.responses(&operation) {
            for header in response["headers"].as_object().into_iter().flatten() {
                let resolved = document.resolved(header.1);
                examples(resolved)
                    .iter()
                    .for_each(|value| check(&resolved["schema"], value, &at));
            }
            for (_, media) in response["content"].as_object().into_iter().flatten() {
                examples(media)
                    .iter()
                    .for_each(|value| check(&media["schema"], value, &at));
            }
        }
    }
    // What schemas say within themselves.
    let mut within = vec![(
        "components".to_owned(),
        &document.0["components"]["schemas"],
    )];
    while let Some((at, value)) = within.pop() {
        if let Some(members) = value.as_object() {
            if members.get("examples").is_some_and(Value::is_array) {
                examples(value)
                    .iter()
                    .for_each(|example| check(value, example, &at));
            }
            within.extend(
                members
                    .iter()
                    .map(|(name, member)| (format!("{at}/{name}"), member)),
            );
        }
    }
    assert!(seen > 100, "{seen}");
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
                        // An empty list has no first element to lead anywhere.
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
