//! The published schemas: those of answers are derived from their types, those of requests are files under
//! `schemas/`. [`crate::validation`] checks bodies against these files, so what is published is what is
//! enforced.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::derived_schema;
use crate::validation::{RequestSchema, SchemaError};

macro_rules! schemas {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../schemas/", $name, ".json"))),)*]
    };
}

/// The schemas of requests, each named after its file.
const REQUESTS: [(&str, &str); 7] = schemas![
    "BrandCreate",
    "CompanyDossierSpecificationCreate",
    "DocumentCreate",
    "MessageTemplateRender",
    "MessageTemplateRevisionCreate",
    "PlaybookInput",
    "ProspectMessageCreate",
];

/// Every published schema by name, in alphabetical order: from the files and derived.
pub fn published(derived: Map<String, Value>) -> Map<String, Value> {
    let derived = derived.into_iter().map(|(name, schema)| {
        let schema = derived_schema::published(&name, schema);
        (name, schema)
    });
    let files = REQUESTS.iter();
    let mut all: Map<String, Value> = files
        .map(|(name, text)| ((*name).to_owned(), parsed(text)))
        .chain(derived)
        .collect();
    all.sort_keys();
    all
}

/// The schema in the file of this name; null if there is none.
pub fn named(wanted: &str) -> Value {
    let found = REQUESTS.iter().find(|(name, _)| *name == wanted);
    found.map_or(Value::Null, |(_, text)| parsed(text))
}

/// The compiled schemas of requests by name.
///
/// # Errors
/// If one does not compile.
pub fn of_requests() -> Result<BTreeMap<String, RequestSchema>, SchemaError> {
    REQUESTS
        .into_iter()
        .map(|(name, text)| {
            let compiled = RequestSchema::compile(name, parsed(text))?;
            Ok((name.to_owned(), compiled))
        })
        .collect()
}

/// The files are part of the program and parsed by its tests; an empty schema would fail them.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn schemas_are_named_after_their_files_and_requests_are_closed() {
        for (name, text) in REQUESTS {
            let schema: Value = serde_json::from_str(text).unwrap();
            assert_eq!(schema["title"], name);
            assert_eq!(schema["additionalProperties"], false, "{name}");
            jsonschema::draft202012::meta::validate(&schema).unwrap();
        }
        assert_eq!(of_requests().unwrap().len(), REQUESTS.len());
    }
}
