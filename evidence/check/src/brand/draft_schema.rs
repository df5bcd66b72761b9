//! The schema of drafts (`wit/results/brand-draft.schema.json`): its fields are generated from their
//! declarations, everything around them is written by hand.

use gtm_domain::guideline::declaration::{Entry, Form, Place};
use gtm_domain::guideline::fields::{FIELDS, Field, Section};
use gtm_domain::guideline::shape::{Holds, Member, Shape};
use serde_json::{Map, Value, json};

/// The schema file, relative to the folder of this crate.
pub const FILE: &str = "../../wit/results/brand-draft.schema.json";

const MAX_LANGUAGE_TAG: u32 = 35;

/// The text of the file with its fields replaced by those declared now.
///
/// # Errors
/// If the text is not JSON.
pub fn written(text: &str) -> Result<String, serde_json::Error> {
    let schema = with_fields(serde_json::from_str(text)?);
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}

fn with_fields(mut schema: Value) -> Value {
    let guideline = &mut schema["properties"]["guideline"];
    guideline["required"] = Section::ALL.map(Section::key).as_slice().into();
    for section in Section::ALL {
        let (names, properties) = members(section.entries());
        let section = &mut guideline["properties"][section.key()];
        section["type"] = json!("object");
        section["additionalProperties"] = json!(false);
        section["required"] = names;
        section["properties"] = properties;
    }
    schema["properties"]["unknowns"]["maxItems"] = json!(FIELDS.len());
    schema
}

/// Names and schemas of the members that a backend fills.
fn members(entries: &[Entry]) -> (Value, Value) {
    let mut properties = Map::new();
    for entry in entries {
        let schema = match entry.place {
            Place::Derived => None,
            Place::Group(inner) => {
                let (names, properties) = members(inner);
                Some(object(names, properties))
            }
            Place::Field(..) => Field::at(entry.pointer).and_then(field),
        };
        properties.extend(schema.map(|schema| (entry.name.to_owned(), schema)));
    }
    (names(&properties), Value::Object(properties))
}

fn names(properties: &Map<String, Value>) -> Value {
    properties.keys().map(String::as_str).collect()
}

fn object(names: Value, properties: Value) -> Value {
    json!({"type": "object", "additionalProperties": false, "required": names, "properties": properties})
}

fn field(field: &Field) -> Option<Value> {
    let holds = match field.form {
        Form::Host => return None,
        Form::Claims => Holds::List,
        Form::Claim | Form::Plain => Holds::OneOrNull,
    };
    let mut schema = value(field.drafted, holds, field.most);
    let notes: Vec<&str> = field
        .note
        .into_iter()
        .chain(field.note_for_backends)
        .collect();
    if !notes.is_empty() {
        schema["description"] = json!(notes.join(" "));
    }
    Some(schema)
}

fn value(shape: Shape, holds: Holds, most: u32) -> Value {
    if holds == Holds::List {
        return json!({"type": "array", "items": value(shape, Holds::One, most), "maxItems": most});
    }
    let or_null = holds == Holds::OneOrNull;
    let kind = |name: &str| match or_null {
        true => json!([name, "null"]),
        false => json!(name),
    };
    match shape {
        Shape::Text { most } => json!({"type": kind("string"), "minLength": 1, "maxLength": most}),
        Shape::Coded(code) => {
            let mut schema = json!({"type": kind("string")});
            match code.pattern() {
                Some(pattern) => schema["pattern"] = json!(pattern),
                None => {
                    schema["minLength"] = json!(1);
                    schema["maxLength"] = json!(MAX_LANGUAGE_TAG);
                }
            }
            if let Some(standard) = code.standard() {
                schema["description"] = json!(standard);
            }
            schema
        }
        Shape::Word(words) => {
            let words = words.iter().map(|word| json!(word));
            json!({"enum": words.chain(or_null.then_some(Value::Null)).collect::<Vec<_>>()})
        }
        Shape::Whole { least, most, .. } => {
            json!({"type": kind("integer"), "minimum": least, "maximum": most})
        }
        Shape::Flag => json!({"type": kind("boolean")}),
        Shape::Object(members) => {
            let members = members.iter().map(member).collect();
            let schema = object(names(&members), Value::Object(members));
            match or_null {
                true => json!({"anyOf": [schema, {"type": "null"}]}),
                false => schema,
            }
        }
    }
}

fn member(member: &Member) -> (String, Value) {
    let schema = value(member.shape, member.holds, member.most);
    (member.name.to_owned(), schema)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_published_schema_has_the_fields_as_they_are_declared() {
        let published = include_str!("../../../../wit/results/brand-draft.schema.json");
        assert!(
            written(published).unwrap() == published,
            "out of date; run: cargo run -p gtm-evidence-check --example write-brand-draft-schema"
        );
    }
}
