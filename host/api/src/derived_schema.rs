//! Schemas of answers as they are published. utoipa derives them from the Rust types. Here they lose what
//! only concerns Rust, such as the size of a number, and what utoipa spreads over two schemas becomes one.
//! None of them is closed, because an answer may get further members later.

use serde_json::{Map, Value, json};
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

type Members = Map<String, Value>;

/// The keywords of a schema in the order in which people read them.
const ORDER: [&str; 22] = [
    "title",
    "type",
    "const",
    "enum",
    "not",
    "x-extensible-enum",
    "x-error-codes",
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
    "minItems",
    "maxItems",
    "examples",
];

/// A string that is always one of these values.
#[must_use]
pub fn one_of(values: impl IntoIterator<Item = &'static str>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(values))
        .build()
}

/// A derived schema under its published name.
#[must_use]
pub fn published(name: &str, derived: Value) -> Value {
    let mut out = Map::new();
    out.insert("title".to_owned(), json!(name));
    let mut derived = plain(derived);
    // Put the description first: readers want to know what the answer is before its members.
    if let Some(description) = derived
        .as_object_mut()
        .and_then(|d| d.shift_remove("description"))
    {
        out.insert("description".to_owned(), description);
    }
    out.extend(derived.as_object().cloned().unwrap_or_default());
    Value::Object(out)
}

/// The same schema, simplified.
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
        // Line breaks of the source comment mean nothing to readers of the schema.
        *description = description.replace('\n', " ");
    }
    if is_number(&members) {
        members.shift_remove("format");
    }
    if let Some([only]) = members
        .get("enum")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    {
        let only = only.clone();
        members.shift_remove("enum");
        members.insert("const".to_owned(), only);
    }
    members.shift_remove("additionalProperties");
    let mut out = Map::new();
    for keyword in ORDER {
        if let Some(value) = members.shift_remove(keyword) {
            out.insert(keyword.to_owned(), value);
        }
    }
    out.extend(members);
    Value::Object(out)
}

/// utoipa puts a description, or the null type, into a second schema beside the one it belongs to. This
/// joins the two.
fn merged(mut members: Members) -> Members {
    let (keyword, schema, beside) = if let Some((schema, beside)) = pair(&members, "oneOf")
        && beside.get("type").is_some_and(|kind| kind == "null")
    {
        ("oneOf", nullable(schema), None)
    } else if let Some((schema, beside)) = pair(&members, "allOf") {
        let description = beside.get("description").cloned();
        ("allOf", merged(schema.clone()), description)
    } else {
        return members;
    };
    members.shift_remove(keyword);
    let mut out = schema;
    if let Some(description) = beside {
        out.insert("description".to_owned(), description);
    }
    out.extend(members);
    out
}

/// The two schemas under this keyword, if there are exactly two.
fn pair<'m>(members: &'m Members, keyword: &str) -> Option<(&'m Members, &'m Members)> {
    match members.get(keyword)?.as_array()?.as_slice() {
        [Value::Object(schema), Value::Object(beside)] => Some((schema, beside)),
        _ => None,
    }
}

/// The same schema, but null is valid too.
fn nullable(schema: &Members) -> Members {
    let mut schema = merged(schema.clone());
    if schema.contains_key("$ref") {
        let description = schema.shift_remove("description");
        let mut out = Map::new();
        out.extend(description.map(|text| ("description".to_owned(), text)));
        out.insert("oneOf".to_owned(), json!([{ "type": "null" }, schema]));
        return out;
    }
    let kind = schema.get("type").cloned();
    schema.insert("type".to_owned(), json!([kind, "null"]));
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    schema
}

fn is_number(schema: &Members) -> bool {
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
    use serde::Deserialize;
    use utoipa::{PartialSchema as _, ToSchema};

    /// Paint.
    #[derive(Deserialize, ToSchema)]
    struct Colour {
        /// How much
        /// of it.
        #[schema(required, minimum = 1)]
        litres: Option<u64>,
    }

    /// A side.
    #[derive(Deserialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    enum Side {
        North,
        South,
    }

    /// A house.
    #[derive(Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    struct House {
        /// Its front.
        #[schema(inline)]
        front: Colour,
        #[schema(inline, required)]
        back: Option<Colour>,
        rooms: Vec<f64>,
        /// What is left.
        #[schema(required)]
        left: Option<Colour>,
        #[schema(inline, required)]
        side: Option<Side>,
        #[schema(schema_with = house)]
        kind: String,
    }

    fn house() -> Object {
        one_of(["house"])
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
            "required": ["front", "back", "rooms", "left", "side", "kind"],
            "properties": {
                "front": colour(json!("object"), "Its front."),
                "back": colour(json!(["object", "null"]), "Paint."),
                "rooms": { "type": "array", "items": { "type": "number" } },
                "left": {
                    "description": "What is left.",
                    "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/Colour" }],
                },
                "side": {
                    "type": ["string", "null"], "enum": ["north", "south", null], "description": "A side.",
                },
                "kind": { "type": "string", "const": "house" },
            },
        });
        let found = published("House", derived);
        assert_eq!(found.to_string(), want.to_string());
    }
}
