//! Manifests and the JSON Schemas in them: schemas are compiled, and values are checked against them. If
//! the first byte is `s`, the rest is a schema; otherwise the whole input is a manifest. An input that
//! takes longer than the runner's limit is a finding.

use gtm_runtime::manifest::parse_manifest;
use gtm_runtime::schema::{Schema, describe};
use serde_json::{Value, json};

pub const TARGET: crate::Target = crate::Target {
    name: "manifest",
    run,
    dictionary: &[
        b"{\"$ref\":\"#/$defs/a\"}",
        b"\"$defs\":{",
        b"\"$dynamicRef\":",
        b"\"$anchor\":",
        b"\"$id\":\"http://x/\"",
        b"\"allOf\":[",
        b"\"anyOf\":[",
        b"\"oneOf\":[",
        b"\"not\":",
        b"\"if\":",
        b"\"properties\":{",
        b"\"patternProperties\":{",
        b"\"pattern\":\"(a*)*$\"",
        b"\"pattern\":\"(.{1,1000}){1,1000}\"",
        b"\"uniqueItems\":true",
        b"\"unevaluatedProperties\":false",
        b"\"items\":",
        b"\"minLength\":1e400",
        b"\"multipleOf\":0.1",
        b"\"type\":\"object\"",
        b"\"format\":\"regex\"",
        b"\"format\":\"uri\"",
    ],
};

fn run(input: &[u8]) -> String {
    if let Some(schema) = input.strip_prefix(b"s") {
        return match serde_json::from_slice::<Value>(schema) {
            Ok(schema) => check(&schema),
            Err(_) => "no JSON".to_owned(),
        };
    }
    match parse_manifest(input) {
        Ok((manifest, value)) => {
            let text = serde_json::to_vec(&value).expect("a value is JSON");
            parse_manifest(&text).expect("its own text is taken");
            let mut words: Vec<String> = manifest
                .operations
                .iter()
                .flat_map(|operation| [&operation.input_schema, &operation.output_schema])
                .chain(&manifest.settings_schema)
                .map(check)
                .collect();
            words.sort();
            words.dedup();
            format!("manifest {}", words.join(" "))
        }
        Err(error) => {
            // For a violation of the schema, what matters is the place, not the value found there.
            let place = error.reason.split(':').next().unwrap_or_default();
            format!(
                "{} {}",
                error.code,
                place.chars().take(40).collect::<String>()
            )
        }
    }
}

fn check(schema: &Value) -> String {
    let compiled = match Schema::compile(schema) {
        Ok(compiled) => compiled,
        Err(error) => {
            let told = error.to_string();
            return told.chars().take(32).collect();
        }
    };
    let values = [
        json!(null),
        json!({}),
        json!([1, "a", null]),
        json!("a".repeat(64)),
        json!({"a": {"a": {"a": [1.5, -0.0, 1e300]}}}),
        schema.clone(),
    ];
    let mut fitting = 0;
    for value in &values {
        match compiled.check(value) {
            Ok(()) => fitting += 1,
            Err(violations) => {
                assert!(!violations.is_empty() && violations.len() <= 20);
                let _ = describe(&violations);
            }
        }
    }
    format!("schema {fitting}")
}
