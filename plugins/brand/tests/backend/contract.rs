//! The backend's input and output match the published schemas.

use std::path::Path;

use gtm_sdk::{FailureKind, Value, json::json};

use crate::run::{acme, answered, basis, site};
use crate::sites;
use crate::web::Web;

fn file(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap().parse().unwrap()
}

fn assert_valid(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

fn all() -> Vec<(Web, &'static str)> {
    vec![
        (sites::harrow(), "https://harrowgate.example/"),
        (sites::tarnbeck(), "https://tarnbeck.example/"),
        (sites::contradictory(), "https://acme.example/"),
    ]
}

#[test]
fn drafts_fit_their_schema() {
    let schema = file("../../wit/results/brand-draft.schema.json");
    for (web, url) in all() {
        assert_valid(&schema, &site(web, url).draft());
    }
}

#[test]
fn every_value_has_one_basis_and_every_other_field_a_reason() {
    for (web, url) in all() {
        let draft = site(web, url).draft();
        let mut populated: Vec<String> = Vec::new();
        collect(&draft["guideline"], "", &mut populated);
        let mut pointers: Vec<&str> = draft["basis"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["pointer"].as_str().unwrap())
            .collect();
        populated.sort_unstable();
        pointers.sort_unstable();
        assert_eq!(pointers, populated);
        for unknown in draft["unknowns"].as_array().unwrap() {
            let value = draft["guideline"]
                .pointer(unknown["pointer"].as_str().unwrap())
                .unwrap();
            assert!(value.is_null() || value == &json!([]), "{unknown}");
        }
    }
}

/// Collects the pointers of all claims: list elements, and fields that have a value.
fn collect(value: &Value, at: &str, found: &mut Vec<String>) {
    let object_of_fields = |pointer: &str| {
        let depth = pointer.matches('/').count();
        depth < 2
            || matches!(
                pointer,
                "/voice/style" | "/voice/vocabulary" | "/messaging/pitches"
            )
    };
    match value {
        Value::Object(members) if object_of_fields(at) => {
            for (name, member) in members {
                collect(member, &format!("{at}/{name}"), found);
            }
        }
        Value::Null => {}
        Value::Array(items) => {
            (0..items.len()).for_each(|index| found.push(format!("{at}/{index}")))
        }
        _ => found.push(at.to_owned()),
    }
}

#[test]
fn every_excerpt_stands_in_the_bytes_that_it_cites() {
    let mut checked = 0;
    for (web, url) in all() {
        let draft = site(web.clone(), url).draft();
        let of_conflicts = draft["conflicts"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|conflict| conflict["candidates"].as_array().unwrap());
        for entry in draft["basis"]
            .as_array()
            .unwrap()
            .iter()
            .chain(of_conflicts)
        {
            for excerpt in entry["excerpts"].as_array().unwrap() {
                let text = web.evidence_of(excerpt["receipt_id"].as_str().unwrap());
                assert!(
                    gtm_page_text::find_excerpt(&text, excerpt["text"].as_str().unwrap()).is_some(),
                    "{entry}"
                );
                checked += 1;
            }
        }
        // Stated text appears in its excerpts, letter for letter.
        for entry in draft["basis"].as_array().unwrap() {
            let value = draft["guideline"]
                .pointer(entry["pointer"].as_str().unwrap())
                .unwrap();
            if entry["basis"] == "stated"
                && value.is_string()
                && !entry["pointer"]
                    .as_str()
                    .unwrap()
                    .contains("employee_range")
                && !entry["pointer"].as_str().unwrap().contains("markets")
            {
                let stands = entry["excerpts"].as_array().unwrap().iter().any(|excerpt| {
                    excerpt["text"]
                        .as_str()
                        .unwrap()
                        .contains(value.as_str().unwrap())
                });
                assert!(stands, "{value} {entry}");
            }
        }
    }
    assert!(checked >= 60, "{checked}");
}

#[test]
fn sources_list_every_receipt_that_is_cited_once() {
    let draft = site(sites::harrow(), "https://harrowgate.example/").draft();
    let mut listed: Vec<&str> = draft["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| source["receipt_id"].as_str().unwrap())
        .collect();
    for entry in draft["basis"].as_array().unwrap() {
        for receipt in entry["receipt_ids"].as_array().unwrap() {
            assert!(listed.contains(&receipt.as_str().unwrap()), "{receipt}");
        }
    }
    let count = listed.len();
    listed.sort_unstable();
    listed.dedup();
    assert_eq!(listed.len(), count);
}

#[test]
fn calls_fit_the_contracts_of_the_capabilities() {
    let mut job =
        site(sites::harrow(), "https://harrowgate.example/").model(|_| Ok(answered(json!({}))));
    job.search = Some(json!({"receipt_id": "rcp_s", "results": []}));
    job.company_data = Some(json!({"receipt_id": "rcp_c", "publisher": "Facts", "company": null}));
    let run = job.run();
    for call in &run.calls {
        assert_valid(
            &file(&format!(
                "../../wit/capabilities/{}.input.schema.json",
                call.capability
            )),
            &call.input,
        );
    }
    for capability in [
        "web.fetch",
        "web.search",
        "company.enrich",
        "model.complete",
    ] {
        assert!(
            run.calls.iter().any(|call| call.capability == capability),
            "{capability}"
        );
    }
}

#[test]
fn the_manifest_publishes_the_same_schemas() {
    let manifest = file("manifest.json");
    let draft = file("../../wit/results/brand-draft.schema.json");
    let operation = &manifest["operations"][0];
    assert_eq!(operation["output_schema"], json!({"$ref": draft["$id"]}));
    let mut input = json!({"brand": acme(Web::new()).brand, "now": "2026-11-21T00:00:00.000Z"});
    assert_valid(&operation["input_schema"], &input);
    let many = (0..5000).map(|n| {
        (
            format!("company-{n}.example"),
            json!("http://127.0.0.1:8000/"),
        )
    });
    input["start_urls"] = many.collect();
    assert_valid(&operation["input_schema"], &input);
    assert_valid(&manifest["settings_schema"], &json!({"max_pages": 12}));
    let mut complete = manifest.clone();
    complete["component"] = json!({"path": "component.wasm", "digest": format!("sha256:{}", "0".repeat(64)), "size_bytes": 8,
        "world": "gtm:plugin/generation-backend@0.1.0", "host_imports": []});
    complete["provenance"]["repository"] = json!("https://git.example/gtm");
    complete["provenance"]["commit"] = json!("0".repeat(40));
    assert_valid(&file("../../wit/manifest.schema.json"), &complete);
}

#[test]
fn other_tasks_and_broken_inputs_are_refused() {
    assert_eq!(
        acme(Web::new())
            .run_task("playbooks")
            .output
            .unwrap_err()
            .kind,
        FailureKind::InvalidInput
    );
    let mut nobody = acme(Web::new());
    nobody.brand["website_url"] = Value::Null;
    assert_eq!(nobody.failure().code, "invalid_request");
    assert_eq!(
        acme(Web::new()).set("max_page", json!(1)).failure().code,
        "backend_error"
    );
}

#[test]
fn progress_rises_and_stages_end() {
    let run = site(sites::harrow(), "https://harrowgate.example/").run();
    let percents: Vec<u8> = run.reports.iter().map(|(percent, _)| *percent).collect();
    assert!(percents.is_sorted(), "{percents:?}");
    assert!(
        run.reports
            .iter()
            .all(|(_, milestone)| milestone.as_ref().is_some_and(|text| !text.is_empty()))
    );
    let keys: Vec<&str> = run.stages.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "plan", "plan", "fetch", "fetch", "read", "read", "compose", "compose", "check",
            "check"
        ]
    );
}

#[test]
fn the_same_pages_give_the_same_bytes() {
    let draft = || site(sites::harrow(), "https://harrowgate.example/").draft();
    let once = draft();
    assert_eq!(once.to_string(), draft().to_string());
    assert_eq!(basis(&once, "/nowhere"), &Value::Null);
}
