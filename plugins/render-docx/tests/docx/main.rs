//! The renderer from outside: what is in the file, whether everything in it leads somewhere, and whether any valid
//! document becomes one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../../documents/model/tests/model/arbitrary.rs"]
mod arbitrary;
mod component;
mod file;
mod first_page;
mod hostile;
mod looks;
mod properties;
mod structure;
mod templates;

use gtm_document_model::Document;
use serde_json::Value;

/// A document with every kind of block, every kind of chart and every member.
fn sample() -> Document {
    Document::read(include_str!(
        "../../../../documents/model/tests/model/sample.json"
    ))
    .unwrap()
}

/// The sample with other members in `meta`.
fn sample_with(change: impl FnOnce(&mut Value)) -> Document {
    let mut value = serde_json::to_value(sample()).unwrap();
    change(&mut value);
    Document::from_value(value).unwrap()
}
