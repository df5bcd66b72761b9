//! The schema of a guideline: `schemas/BrandGuideline.json`, completed by the fields as the domain
//! declares them.

use gtm_domain::guideline::declaration::{Entry, Form, Place};
use gtm_domain::guideline::fields::{Field, Section};
use gtm_domain::guideline::shape::{Code, Holds, Member, Shape};
use serde_json::{Map, Value, json};

/// The claim of a text, as a reference to its schema.
const TEXT_CLAIM: &str = "#/components/schemas/TextClaim";

/// The file's schema with all fields, in their order. Its example has them too: as unknown where the file
/// does not say more. `text_claim` is the schema of a text's claim, to which the others are alike.
#[must_use]
pub fn with_fields(mut schema: Value, text_claim: &Value) -> Value {
    for section in Section::ALL {
        let place = &mut schema["properties"][section.key()];
        *place = object_of(section.entries(), place.take(), text_claim);
        for example in schema["examples"].as_array_mut().into_iter().flatten() {
            let place = &mut example[section.key()];
            *place = example_of(section.entries(), &place.take());
        }
    }
    schema
}

/// The schema of an object with fields; `given` says the rest.
fn object_of(entries: &[Entry], given: Value, text_claim: &Value) -> Value {
    let mut properties = Map::new();
    for entry in entries {
        let given = given["properties"].get(entry.name).cloned();
        let schema = match entry.place {
            Place::Derived => given,
            Place::Group(inner) => Some(object_of(inner, given.unwrap_or_default(), text_claim)),
            Place::Field(..) => Field::at(entry.pointer).map(|field| of_field(field, text_claim)),
        };
        properties.insert(entry.name.to_owned(), schema.unwrap_or_default());
    }
    let mut schema = Map::new();
    if let Some(description) = given.get("description") {
        schema.insert("description".to_owned(), description.clone());
    }
    schema.insert("type".to_owned(), json!("object"));
    let required: Value = properties.keys().map(String::as_str).collect();
    schema.insert("required".to_owned(), required);
    schema.insert("properties".to_owned(), Value::Object(properties));
    Value::Object(schema)
}

fn of_field(field: &Field, text_claim: &Value) -> Value {
    let mut schema = match field.form {
        Form::Claim => of_claim(field.shape, text_claim),
        Form::Claims => json!({"type": "array", "items": of_claim(field.shape, text_claim)}),
        Form::Plain | Form::Host => of_value(field.shape, Holds::OneOrNull),
    };
    let standard = match field.shape {
        Shape::Coded(code) if field.form == Form::Claims => code.standard(),
        _ => None,
    };
    if let Some(note) = field.note.or(standard) {
        schema["description"] = json!(note);
    }
    schema
}

/// A text's claim with another value.
fn of_claim(shape: Shape, text_claim: &Value) -> Value {
    if matches!(shape, Shape::Text { .. } | Shape::Coded(_)) {
        return json!({"$ref": TEXT_CLAIM});
    }
    let mut properties = text_claim["properties"].clone();
    properties["value"] = of_value(shape, Holds::OneOrNull);
    json!({"type": text_claim["type"], "required": text_claim["required"], "properties": properties})
}

/// The bounds of drafts are none of a document.
fn of_value(shape: Shape, holds: Holds) -> Value {
    if holds == Holds::List {
        return json!({"type": "array", "items": of_value(shape, Holds::One)});
    }
    let or_null = holds == Holds::OneOrNull;
    let kind = |name: &str| match or_null {
        true => json!([name, "null"]),
        false => json!(name),
    };
    match shape {
        Shape::Text { .. } => json!({"type": kind("string")}),
        Shape::Coded(code) => {
            let mut schema = json!({"type": kind("string")});
            if let Some(standard) = code.standard() {
                schema["description"] = json!(standard);
            }
            if let Some(pattern) = pattern(code) {
                schema["pattern"] = json!(pattern);
            }
            schema
        }
        Shape::Word(words) => {
            let words = words.iter().map(|word| json!(word));
            let all: Vec<Value> = words.chain(or_null.then_some(Value::Null)).collect();
            json!({"type": kind("string"), "enum": all})
        }
        Shape::Whole {
            least,
            most,
            is_of_annex: true,
        } => json!({"type": kind("integer"), "minimum": least, "maximum": most}),
        Shape::Whole { .. } => json!({"type": kind("integer")}),
        Shape::Flag => json!({"type": kind("boolean")}),
        Shape::Object(members) => {
            let required: Value = members.iter().map(|member| member.name).collect();
            let of_member = |member: &Member| {
                let schema = of_value(member.shape, member.holds);
                (member.name.to_owned(), schema)
            };
            let properties: Map<String, Value> = members.iter().map(of_member).collect();
            json!({"type": kind("object"), "required": required, "properties": properties})
        }
    }
}

/// The form of a text as the contract promises it.
fn pattern(code: Code) -> Option<&'static str> {
    match code {
        // Nobody has to know what keys are made of.
        Code::Key | Code::Language => None,
        Code::Hex => Some("^#[0-9A-Fa-f]{6}$"),
        Code::Country | Code::Digest => code.pattern(),
    }
}

/// An example with every member.
fn example_of(entries: &[Entry], given: &Value) -> Value {
    let member = |entry: &Entry| {
        let given = given.get(entry.name).cloned();
        let value = match entry.place {
            Place::Derived => given.unwrap_or_default(),
            Place::Group(inner) => example_of(inner, &given.unwrap_or_default()),
            Place::Field(form, _) => given.unwrap_or_else(|| match form {
                Form::Claim => json!({"value": null, "confidence": null, "basis": null, "source_ids": [], "excerpt_ids": []}),
                Form::Claims => json!([]),
                Form::Plain | Form::Host => Value::Null,
            }),
        };
        (entry.name.to_owned(), value)
    };
    Value::Object(entries.iter().map(member).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::schemas;

    #[test]
    fn the_file_says_all_that_is_no_field() {
        let schema = schemas::published(Map::new())["BrandGuideline"].take();
        jsonschema::draft202012::meta::validate(&schema).unwrap();
        for section in Section::ALL {
            all_are_told(&schema["properties"][section.key()]);
        }
    }

    fn all_are_told(object: &Value) {
        for (name, schema) in object["properties"].as_object().unwrap() {
            assert!(schema.is_object(), "{name} is told nowhere");
            if schema["properties"].get("value").is_none() && schema["properties"].is_object() {
                all_are_told(schema);
            }
        }
    }
}
