//! The backend's input and output match the published schemas.

use std::path::Path;

use gtm_sdk::{Failure, Value, json::json};

use crate::run::{ALL, answered, sample, units};
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

#[test]
fn the_draft_fits_its_schema_and_every_claim_has_one_basis() {
    let draft = sample()
        .with(
            "/product_info",
            json!("Sensors that report refrigeration readings by radio."),
        )
        .draft();
    assert_valid(
        &file("../../wit/results/playbook-draft.schema.json"),
        &draft,
    );
    let mut pointers: Vec<&str> = draft["basis"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["pointer"].as_str().unwrap())
        .collect();
    let mut populated: Vec<String> = units(&draft)
        .into_iter()
        .map(|(pointer, _)| pointer)
        .collect();
    pointers.sort_unstable();
    populated.sort_unstable();
    assert_eq!(pointers, populated);
}

#[test]
fn every_excerpt_stands_in_the_page_it_cites() {
    let web = Web::sample();
    let draft = sample().draft();
    let mut checked = 0;
    for entry in draft["basis"].as_array().unwrap() {
        for excerpt in entry["excerpts"].as_array().unwrap() {
            let text = web.text_of(excerpt["receipt_id"].as_str().unwrap());
            assert!(
                gtm_page_text::find_excerpt(&text, excerpt["text"].as_str().unwrap()).is_some(),
                "{excerpt}"
            );
            checked += 1;
        }
    }
    assert!(checked >= 20, "{checked}");
}

#[test]
fn calls_fit_the_contracts_of_the_capabilities() {
    let mut job = sample().model(|_| Ok(answered(json!({}))));
    job.search = Some(json!({"receipt_id": "rcp_s", "results": []}));
    let run = job.run();
    let schema = |name: &str| file(&format!("../../wit/capabilities/{name}.input.schema.json"));
    for call in &run.calls {
        assert_valid(&schema(&call.capability), &call.input);
    }
    assert!(
        run.calls
            .iter()
            .any(|call| call.capability == "model.complete")
    );
    assert!(run.calls.iter().any(|call| call.capability == "web.search"));
}

#[test]
fn the_manifest_publishes_the_same_schemas() {
    let manifest = file("manifest.json");
    let draft = file("../../wit/results/playbook-draft.schema.json");
    let operation = &manifest["operations"][0];
    assert_eq!(operation["output_schema"], json!({"$ref": draft["$id"]}));
    let input = json!({"input": sample().input, "sections": ALL, "brand": null, "now": "2026-11-21T00:00:00.000Z"});
    assert_valid(&operation["input_schema"], &input);
    assert_valid(&manifest["settings_schema"], &sample().settings);
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
        sample().run_task("brands").output.unwrap_err().kind,
        gtm_sdk::FailureKind::InvalidInput
    );
    let nobody = sample()
        .with("/target_company_domain", Value::Null)
        .failure();
    assert_eq!(nobody.code, "invalid_request");
}

#[test]
fn progress_rises_and_stages_end() {
    let run = sample().run();
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
            "research", "research", "read", "read", "compose", "compose", "check", "check"
        ]
    );
}

#[test]
fn the_same_pages_give_the_same_bytes() {
    let once = sample().draft().to_string();
    assert_eq!(once, sample().draft().to_string());
}

#[test]
fn a_playbook_without_a_model_must_be_allowed() {
    let failure: Failure = sample().set("allow_evidence_only", json!(false)).failure();
    assert_eq!(failure.code, "connector_not_configured");
}
