//! The published schemas: those of answers that are types, derived from them, and a file each under
//! `schemas/` for all others. Those of requests are also what [`crate::validation`] holds a body
//! against, so what is published is what is enforced.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::validation::{RequestSchema, SchemaError};
use crate::{derived_schema, guideline_schema};

macro_rules! schemas {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../schemas/", $name, ".json"))),)*]
    };
}

/// The schemas in files, each named after its schema. Of answers there is only the guideline with what it
/// refers to: its fields are declared in one table, which its draft's schema and its Markdown follow too.
const SCHEMAS: &[(&str, &str)] = &schemas![
    "BrandCreate",
    "BrandGuideline",
    "CompanyDossierSpecificationCreate",
    "PlaybookInput",
    "TextClaim",
];

/// The schema whose file lacks the fields, which the domain declares.
const GUIDELINE: &str = "BrandGuideline";

/// Those of them that request bodies are checked against.
const REQUEST_SCHEMAS: [&str; 3] = [
    "BrandCreate",
    "CompanyDossierSpecificationCreate",
    "PlaybookInput",
];

/// Every published schema by name, in the order of the names: the files and what is derived.
pub fn published(derived: Map<String, Value>) -> Map<String, Value> {
    let derived = derived.into_iter().map(|(name, schema)| {
        let schema = derived_schema::published(&name, schema);
        (name, schema)
    });
    let files = SCHEMAS.iter();
    let mut all: Map<String, Value> = files
        .map(|(name, text)| ((*name).to_owned(), parsed(text)))
        .chain(derived)
        .collect();
    if let (Some(guideline), Some(text_claim)) = (all.get(GUIDELINE), all.get("TextClaim")) {
        let complete = guideline_schema::with_fields(guideline.clone(), text_claim);
        all.insert(GUIDELINE.to_owned(), complete);
    }
    all.sort_keys();
    all
}

/// The schema in the file of this name; null if there is none.
pub fn named(wanted: &str) -> Value {
    let found = SCHEMAS.iter().find(|(name, _)| *name == wanted);
    found.map_or(Value::Null, |(_, text)| parsed(text))
}

/// The compiled schemas of requests by name.
///
/// # Errors
/// If one does not compile.
pub fn of_requests() -> Result<BTreeMap<String, RequestSchema>, SchemaError> {
    REQUEST_SCHEMAS
        .into_iter()
        .map(|name| {
            let compiled = RequestSchema::compile(name, named(name))?;
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
        for (name, text) in SCHEMAS {
            let schema: Value = serde_json::from_str(text).unwrap();
            assert_eq!(schema["title"], *name);
            jsonschema::draft202012::meta::validate(&schema).unwrap();
        }
        let compiled = of_requests().unwrap();
        assert_eq!(compiled.len(), REQUEST_SCHEMAS.len());
        for name in REQUEST_SCHEMAS {
            assert_eq!(named(name)["additionalProperties"], false);
        }
    }
}
