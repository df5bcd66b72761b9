//! The JSON Schema of the model, derived from its types, as `wit/results/document.schema.json` has it.
//!
//! It says what a schema can say. What it cannot, such as that a citation names a known source, only
//! [`crate::Document::read`] says.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema as _, ToSchema as _};

use crate::document::Document;

/// The schema file, relative to the folder of this crate.
pub const FILE: &str = "../../wit/results/document.schema.json";

/// The schema's identifier, by which a manifest refers to it.
pub const ID: &str = "urn:gtm:result:document:1";

/// The schema as JSON Schema 2020-12.
#[must_use]
pub fn schema() -> Value {
    let mut named = Vec::new();
    Document::schemas(&mut named);
    let mut definitions: BTreeMap<String, Value> = named
        .into_iter()
        .map(|(name, schema)| (name, plain(&schema)))
        .collect();
    put_types_into_blocks(&mut definitions);
    let mut document = Map::new();
    document.insert(
        "$schema".into(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    document.insert("$id".into(), json!(ID));
    document.insert("title".into(), json!("Document model gtm.doc/1"));
    if let Value::Object(members) = plain(&Document::schema()) {
        document.extend(members);
    }
    document.insert("$defs".into(), json!(definitions));
    Value::Object(document)
}

/// Puts the type of each block among its members. The derived schema has it in a second schema beside them,
/// which members that admit no others contradict.
fn put_types_into_blocks(definitions: &mut BTreeMap<String, Value>) {
    let Some(mut block) = definitions.remove("Block") else {
        return;
    };
    for variant in block["oneOf"].as_array_mut().into_iter().flatten() {
        let reference = variant["allOf"][0].take();
        let kind = variant["allOf"][1]["properties"]["type"]["enum"][0].take();
        let name = reference["$ref"]
            .as_str()
            .unwrap_or_default()
            .replace("#/$defs/", "");
        if let Some(members) = definitions.get_mut(&name) {
            let mut properties = Map::from_iter([("type".to_owned(), json!({"const": kind}))]);
            properties.extend(
                members["properties"]
                    .as_object()
                    .cloned()
                    .unwrap_or_default(),
            );
            members["properties"] = Value::Object(properties);
            let required = members["required"].as_array().cloned().unwrap_or_default();
            members["required"] = [vec![json!("type")], required].concat().into();
        }
        *variant = reference;
    }
    definitions.insert("Block".to_owned(), block);
}

/// The schema as it stands in the file.
///
/// # Errors
/// Never in practice: a schema is JSON.
pub fn written() -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&schema())? + "\n")
}

fn plain(schema: &RefOr<Schema>) -> Value {
    let mut value = json!(schema);
    simplify(&mut value);
    value
}

/// Turns what OpenAPI needs into what JSON Schema needs.
fn simplify(schema: &mut Value) {
    match schema {
        Value::Array(elements) => elements.iter_mut().for_each(simplify),
        Value::Object(members) => {
            if let Some(Value::String(target)) = members.get_mut("$ref") {
                *target = target.replace("#/components/schemas/", "#/$defs/");
            }
            // Sizes of numbers only concern Rust.
            if members
                .get("format")
                .is_some_and(|f| !["date", "date-time"].contains(&f.as_str().unwrap_or_default()))
            {
                members.shift_remove("format");
            }
            if let Some(Value::String(description)) = members.get_mut("description") {
                *description = description.replace('\n', " ");
            }
            members.values_mut().for_each(simplify);
        }
        _ => {}
    }
}
