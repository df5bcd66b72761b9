//! The document model from outside: what is read, what is refused and where, and whether the schema agrees.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arbitrary;
mod bounds;
mod properties;
mod rules;
mod schema;
mod walk;

use gtm_document_model::Document;
use serde_json::Value;

/// A document with every kind of block, every kind of chart and every member.
fn sample() -> Value {
    serde_json::from_str(include_str!("sample.json")).unwrap()
}

/// What is wrong with it: pointers and codes, as JSON says them.
fn faults(document: &Value) -> Vec<(String, String)> {
    match Document::read(&document.to_string()) {
        Ok(_) => Vec::new(),
        Err(faults) => faults
            .iter()
            .map(|fault| {
                let code = serde_json::to_value(fault.code).unwrap();
                (fault.pointer.clone(), code.as_str().unwrap().to_owned())
            })
            .collect(),
    }
}
