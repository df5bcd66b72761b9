//! The schema and the reader.

use std::sync::LazyLock;

use gtm_document_model::schema;
use jsonschema::Validator;
use serde_json::Value;

use crate::{faults, sample};

pub fn validator() -> &'static Validator {
    static VALIDATOR: LazyLock<Validator> =
        LazyLock::new(|| jsonschema::validator_for(&schema::schema()).unwrap());
    &VALIDATOR
}

#[test]
fn the_published_schema_is_that_of_the_types() {
    let published = include_str!("../../../../wit/results/document.schema.json");
    assert!(
        schema::written().unwrap() == published,
        "out of date; run: cargo run -p gtm-document-model --features schema --example write-document-schema"
    );
}

#[test]
fn the_sample_is_valid_for_schema_and_reader() {
    let errors: Vec<String> = validator()
        .iter_errors(&sample())
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(faults(&sample()), []);
}

#[test]
fn every_object_refuses_members_that_it_does_not_know() {
    let validator = validator();
    let mut objects = Vec::new();
    collect(&sample(), String::new(), &mut objects);
    assert!(objects.len() > 80, "{}", objects.len());
    for pointer in objects {
        let mut document = sample();
        let members = document
            .pointer_mut(&pointer)
            .unwrap()
            .as_object_mut()
            .unwrap();
        members.insert("colour".to_owned(), Value::from("red"));
        assert!(!validator.is_valid(&document), "{pointer}");
        let found = faults(&document);
        let at_fault = |found: &str| found == pointer || found == format!("{pointer}/colour");
        assert!(
            found.len() == 1 && at_fault(&found[0].0) && found[0].1 == "shape",
            "{pointer}: {found:?}"
        );
    }
}

#[test]
fn every_required_member_is_missed_where_it_is_missing() {
    let validator = validator();
    let mut objects = Vec::new();
    collect(&sample(), String::new(), &mut objects);
    let mut required = 0;
    for pointer in objects {
        let names: Vec<String> = sample()
            .pointer(&pointer)
            .unwrap()
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        for name in names {
            let mut document = sample();
            document
                .pointer_mut(&pointer)
                .unwrap()
                .as_object_mut()
                .unwrap()
                .shift_remove(&name);
            if !validator.is_valid(&document) {
                required += 1;
                let found = faults(&document);
                assert!(
                    found
                        .iter()
                        .any(|(at, code)| *at == pointer && code == "shape"),
                    "{pointer}/{name}: {found:?}"
                );
            }
        }
    }
    assert!(required > 100, "{required}");
}

fn collect(value: &Value, pointer: String, objects: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                collect(member, format!("{pointer}/{name}"), objects);
            }
            objects.push(pointer);
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                collect(element, format!("{pointer}/{index}"), objects);
            }
        }
        _ => {}
    }
}
