//! Schemas of answers as they are published. utoipa derives them from the types; what it says of a
//! number's size in Rust is nobody's business outside, and what it needs two schemas for JSON Schema
//! says in one.

use serde_json::{Map, Value, json};
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

/// The keywords of a schema in the order in which people read them.
const ORDER: [&str; 18] = [
    "title",
    "type",
    "enum",
    "x-extensible-enum",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "description",
    "required",
    "properties",
    "items",
    "uniqueItems",
    "maxItems",
    "examples",
];

/// A text that is one of these and never another one.
#[must_use]
pub fn one_of(values: impl IntoIterator<Item = &'static str>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(values))
        .build()
}

/// A derived schema under the name that it is published by.
#[must_use]
pub fn published(name: &str, derived: Value) -> Value {
    let mut out = Map::new();
    out.insert("title".to_owned(), json!(name));
    let mut derived = plain(derived);
    // Of a whole answer it is told first what it is.
    if let Some(description) = derived
        .as_object_mut()
        .and_then(|d| d.shift_remove("description"))
    {
        out.insert("description".to_owned(), description);
    }
    out.extend(derived.as_object().cloned().unwrap_or_default());
    Value::Object(out)
}

/// The same schema in fewer words.
fn plain(schema: Value) -> Value {
    let Value::Object(members) = schema else {
        return schema;
    };
    let mut members = merged(members);
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        for property in properties.values_mut() {
            *property = plain(property.take());
        }
    }
    if let Some(items) = members.get_mut("items") {
        *items = plain(items.take());
    }
    if let Some(Value::String(description)) = members.get_mut("description") {
        // Where a comment breaks a line is the source's matter.
        *description = description.replace('\n', " ");
    }
    if is_number(&members) {
        members.shift_remove("format");
    }
    let mut out = Map::new();
    for keyword in ORDER {
        if let Some(value) = members.shift_remove(keyword) {
            out.insert(keyword.to_owned(), value);
        }
    }
    out.extend(members);
    Value::Object(out)
}

/// utoipa puts a description, and null as another type, into a schema beside the one that they belong to.
fn merged(mut members: Map<String, Value>) -> Map<String, Value> {
    for keyword in ["allOf", "oneOf"] {
        let Some([Value::Object(schema), Value::Object(beside)]) = members
            .get(keyword)
            .and_then(Value::as_array)
            .map(Vec::as_slice)
        else {
            continue;
        };
        let mut schema = merged(schema.clone());
        if beside.get("type").is_some_and(|kind| kind == "null") {
            let kind = schema.get("type").cloned();
            schema.insert("type".to_owned(), json!([kind, "null"]));
        } else if let Some(description) = beside.get("description") {
            schema.insert("description".to_owned(), description.clone());
        }
        members.shift_remove(keyword);
        schema.extend(members);
        return schema;
    }
    members
}

fn is_number(schema: &Map<String, Value>) -> bool {
    let of = |name: &Value| name == "integer" || name == "number";
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(of),
        Some(one) => of(one),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, dead_code)]
    use super::*;
    use utoipa::{PartialSchema as _, ToSchema};

    /// Paint.
    #[derive(ToSchema)]
    struct Colour {
        /// How much
        /// of it.
        #[schema(required, minimum = 1)]
        litres: Option<u64>,
    }

    /// A house.
    #[derive(ToSchema)]
    struct House {
        /// Its front.
        #[schema(inline)]
        front: Colour,
        #[schema(inline, required)]
        back: Option<Colour>,
        rooms: Vec<f64>,
    }

    #[test]
    fn a_derived_schema_says_what_one_by_hand_would() {
        let derived = serde_json::to_value(House::schema()).unwrap();
        let colour = |kind: Value, description: &str| {
            json!({
                "type": kind, "description": description, "required": ["litres"],
                "properties": {
                    "litres": { "type": ["integer", "null"], "minimum": 1, "description": "How much of it." },
                },
            })
        };
        let want = json!({
            "title": "House", "description": "A house.", "type": "object",
            "required": ["front", "back", "rooms"],
            "properties": {
                "front": colour(json!("object"), "Its front."),
                "back": colour(json!(["object", "null"]), "Paint."),
                "rooms": { "type": "array", "items": { "type": "number" } },
            },
        });
        let found = published("House", derived);
        assert_eq!(found.to_string(), want.to_string());
    }
}
