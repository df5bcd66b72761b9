//! The component: what it answers and what it writes.

use gtm_render_docx::{DocxRenderer, MEDIA_TYPE};
use gtm_sdk::DocumentRenderer;
use gtm_sdk::testing::Host;
use serde_json::{Value, json};

use crate::sample;

#[test]
fn it_writes_one_file_and_answers_by_its_schema() {
    let document = serde_json::to_value(sample()).unwrap();
    let run = Host::new().run(|| DocxRenderer::render(document));
    let answer = run.output.unwrap();
    assert_eq!(run.artifacts.len(), 1);
    let file = &run.artifacts[0];
    assert_eq!(
        (file.filename.as_str(), file.media_type.as_str()),
        ("document.docx", MEDIA_TYPE)
    );
    assert!(file.bytes.starts_with(b"PK"));
    let schema = include_str!("../../../../wit/results/render-answer.schema.json");
    let schema = serde_json::from_str::<Value>(schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&answer), "{answer}");
    assert!(
        !answer["diagnostics"].as_array().unwrap().is_empty(),
        "the sample's pictures are not given"
    );
}

#[test]
fn a_document_that_breaks_the_schema_is_refused_with_pointers() {
    let mut document = serde_json::to_value(sample()).unwrap();
    document["sections"][1]["blocks"][0]["runs"] = json!(7);
    let failure = Host::new()
        .run(|| DocxRenderer::render(document))
        .output
        .unwrap_err();
    assert_eq!(failure.code, "invalid_document");
    let detail = failure.detail.unwrap();
    assert!(
        detail["faults"][0]["pointer"]
            .as_str()
            .unwrap()
            .starts_with("/sections/1/blocks/0")
    );
}

#[test]
fn a_template_that_is_no_document_is_refused_and_another_one_carries_the_file() {
    let document = serde_json::to_value(sample()).unwrap();
    let with = |bytes: &[u8]| {
        let host = Host::new().asset("template.docx", "application/octet-stream", bytes);
        host.run(|| DocxRenderer::render(document.clone()))
    };
    let broken = with(b"PK\x03\x04 and nothing behind it");
    assert_eq!(broken.output.unwrap_err().code, "invalid_template");
    let own = Host::new()
        .run(|| DocxRenderer::render(document.clone()))
        .artifacts;
    let run = with(&own[0].bytes);
    assert!(run.output.is_ok());
    assert_eq!(run.artifacts.len(), 1);
}
