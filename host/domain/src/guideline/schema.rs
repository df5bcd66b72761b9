//! The published schemas of a guideline's values. They follow from the shapes that the fields declare. What
//! bounds a draft does not bound a document.

use serde_json::{Value, json};
use utoipa::PartialSchema;
use utoipa::openapi::schema::{Array, Object, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};

use super::claim::Claim;
use super::shape::{Code, Holds, Shape, Shaped};
use crate::evidence::{Basis, Confidence};

/// The name of a text's claim. Claims of other values are published where they stand.
const TEXT_CLAIM: &str = "TextClaim";

/// A named schema.
pub(super) type Named = (String, RefOr<Schema>);

/// What a member of a section holds, with the member's comment.
pub(super) struct DescribedMember {
    pub name: &'static str,
    pub schema: RefOr<Schema>,
    pub about: String,
}

/// An object that always has all of these members.
pub(super) fn object(about: String, members: Vec<DescribedMember>) -> RefOr<Schema> {
    let mut object = ObjectBuilder::new().description(Some(about));
    for member in members {
        let schema = described(member.schema, Some(member.about));
        object = object.property(member.name, schema).required(member.name);
    }
    object.into()
}

/// The text of a comment, whose lines begin with a space; empty without a comment.
pub(super) fn comment(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    lines.join(" ")
}

/// The schema with a description, unless there is none to give.
pub(super) fn described(schema: RefOr<Schema>, about: Option<String>) -> RefOr<Schema> {
    let Some(about) = about.filter(|about| !about.is_empty()) else {
        return schema;
    };
    match schema {
        RefOr::Ref(mut reference) => {
            reference.description = about;
            reference.into()
        }
        RefOr::T(Schema::Object(mut object)) => {
            object.description = Some(about);
            object.into()
        }
        RefOr::T(Schema::Array(mut array)) => {
            array.description = Some(about);
            array.into()
        }
        RefOr::T(other) => other.into(),
    }
}

/// The standard behind a list's values is told of the list.
pub(super) fn claims(shape: Shape) -> RefOr<Schema> {
    let standard = match shape {
        Shape::Coded(code) => code.standard().map(str::to_owned),
        _ => None,
    };
    let list = Array::new(claim(shape));
    described(list.into(), standard)
}

/// A claim of such a value.
pub(super) fn claim(shape: Shape) -> RefOr<Schema> {
    match shape {
        Shape::Text { .. } | Shape::Coded(_) => Ref::from_schema_name(TEXT_CLAIM).into(),
        _ => claim_with(value(shape, Holds::OneOrNull)).into(),
    }
}

/// The component that [`claim`] refers to.
pub(super) fn text_claim() -> Named {
    (TEXT_CLAIM.to_owned(), Claim::<String>::schema())
}

impl<T: Shaped> PartialSchema for Claim<T> {
    fn schema() -> RefOr<Schema> {
        let mut claim = claim_with(value(T::SHAPE, Holds::OneOrNull));
        claim.description = Some(
            "A value and what it rests on. The value is null where nothing is known; then the confidence is null and no source is named."
                .to_owned(),
        );
        if matches!(T::SHAPE, Shape::Text { .. }) {
            claim.examples = vec![json!({
                "value": "Northwind Metering", "confidence": "high", "basis": "stated",
                "source_ids": ["src_01"], "excerpt_ids": ["ex_01"]
            })];
        }
        claim.into()
    }
}

/// [`Claim`] with this schema in the place of its value.
fn claim_with(value: Schema) -> Object {
    let members: [(&str, RefOr<Schema>); 5] = [
        ("value", value.into()),
        ("confidence", or_null(Confidence::schema())),
        ("basis", or_null(Basis::schema())),
        ("source_ids", Vec::<String>::schema()),
        ("excerpt_ids", Vec::<String>::schema()),
    ];
    let object = members
        .into_iter()
        .fold(ObjectBuilder::new(), |object, (name, schema)| {
            object.property(name, schema).required(name)
        });
    object.build()
}

/// One of an enumeration's words, or null.
fn or_null(words: RefOr<Schema>) -> RefOr<Schema> {
    match words {
        RefOr::T(Schema::Object(mut object)) => {
            object.schema_type = text_or_null();
            object.enum_values.get_or_insert_default().push(Value::Null);
            object.description = None;
            object.into()
        }
        other => other,
    }
}

fn text_or_null() -> SchemaType {
    SchemaType::from_iter([Type::String, Type::Null])
}

/// A value of this shape.
pub(super) fn value(shape: Shape, holds: Holds) -> Schema {
    if holds == Holds::List {
        return Array::new(RefOr::T(value(shape, Holds::One))).into();
    }
    let nullable = holds == Holds::OneOrNull;
    let of = |kind: Type| {
        let kind = match nullable {
            true => SchemaType::from_iter([kind, Type::Null]),
            false => SchemaType::Type(kind),
        };
        ObjectBuilder::new().schema_type(kind)
    };
    let object = match shape {
        Shape::Text { .. } => of(Type::String),
        Shape::Coded(code) => of(Type::String)
            .description(code.standard())
            .pattern(pattern(code)),
        Shape::Word(words) => {
            let words = words.iter().map(|word| json!(word));
            let all: Vec<Value> = words.chain(nullable.then_some(Value::Null)).collect();
            of(Type::String).enum_values(Some(all))
        }
        Shape::Whole {
            least,
            most,
            is_of_annex: true,
        } => of(Type::Integer).minimum(Some(least)).maximum(Some(most)),
        Shape::Whole { .. } => of(Type::Integer),
        Shape::Flag => of(Type::Boolean),
        Shape::Object(members) => members.iter().fold(of(Type::Object), |object, member| {
            let schema = value(member.shape, member.holds);
            object.property(member.name, schema).required(member.name)
        }),
    };
    object.build().into()
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
