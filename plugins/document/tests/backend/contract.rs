//! The backend's input and output match the published schemas, and a job runs as the host expects it.

use std::path::Path;

use gtm_sdk::{GenerationBackend, Value, json::json};

use crate::briefs;
use crate::run::job;

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
fn the_manifest_publishes_the_same_schemas() {
    let manifest = file("manifest.json");
    let draft = file("../../wit/results/document-draft.schema.json");
    let operation = &manifest["operations"][0];
    assert_eq!(operation["output_schema"], json!({"$ref": draft["$id"]}));
    let sample = job(&briefs::sample());
    let input = json!({"input": sample.input, "formats": sample.formats, "brand": sample.brand, "offer": sample.offer,
        "now": "2026-11-21T00:00:00.000Z", "start_urls": {}});
    assert_valid(&operation["input_schema"], &input);
    assert_valid(&manifest["settings_schema"], &sample.settings);
    let mut complete = manifest.clone();
    complete["component"] = json!({"path": "component.wasm", "digest": format!("sha256:{}", "0".repeat(64)), "size_bytes": 8,
        "world": "gtm:plugin/generation-backend@0.1.0", "host_imports": []});
    complete["provenance"]["repository"] = json!("https://git.example/gtm");
    complete["provenance"]["commit"] = json!("0".repeat(40));
    assert_valid(&file("../../wit/manifest.schema.json"), &complete);
}

#[test]
fn calls_fit_their_contracts_and_stages_end() {
    let run = job(&briefs::sample())
        .for_tarnbeck()
        .with("/template_urls", json!(["https://standards.example/a"]))
        .model(|_| Ok(json!({"json": {}, "content": "{}", "finish_reason": "stop"})))
        .run();
    for call in &run.calls {
        assert_valid(
            &file(&format!(
                "../../wit/capabilities/{}.input.schema.json",
                call.capability
            )),
            &call.input,
        );
    }
    let percents: Vec<u8> = job(&briefs::sample())
        .for_tarnbeck()
        .run()
        .reports
        .iter()
        .map(|(percent, _)| *percent)
        .collect();
    assert!(percents.is_sorted(), "{percents:?}");
    let keys: Vec<&str> = run.stages.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["plan", "plan", "compose", "compose"]);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let once = job(&briefs::sample()).for_tarnbeck().draft().to_string();
    assert_eq!(
        once,
        job(&briefs::sample()).for_tarnbeck().draft().to_string()
    );
}

#[test]
fn other_tasks_and_broken_inputs_are_refused() {
    let host = gtm_sdk::testing::Host::new();
    let failure = host
        .run(|| gtm_document::DocumentBackend::generate("playbooks", json!({})))
        .output
        .unwrap_err();
    assert_eq!(failure.code, "invalid_request");
    let mut without_formats = job("The bridge reads sensors.");
    without_formats.formats = json!([]);
    assert_eq!(without_formats.failure().code, "invalid_request");
    let mut only_pdf = job("The bridge reads sensors.").with("/format", json!("docx"));
    only_pdf.formats = json!(["pdf"]);
    assert_eq!(only_pdf.failure().code, "invalid_request");
}
