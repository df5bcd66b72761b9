//! From a parsed body to a typed request: compiles exactly the schemas that the OpenAPI document publishes,
//! and reports every violation at once with its JSON Pointer.

use std::borrow::Cow;

use gtm_domain::json_pointer;
use gtm_domain::message::MessageFault;
use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{ValidationError, Validator};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Maximum number of violations reported.
pub const MAX_VIOLATIONS: usize = 50;
/// Longest pointer reported: a caller's member name may be as long as the body.
const MAX_POINTER_CHARS: usize = 256;

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Violation {
    /// JSON Pointer (RFC 6901) into the request body.
    pub pointer: String,
    // A keyword of JSON Schema, or a rule that no schema can say.
    /// The rule that was broken.
    #[schema(examples("required", "enum", "domain"))]
    pub rule: String,
    /// What to do about it. Never contains the value.
    pub message: String,
}

impl Violation {
    /// A violation of a rule that schemas cannot express.
    pub fn new(pointer: impl Into<String>, rule: &str, message: impl Into<String>) -> Self {
        let mut pointer: String = pointer.into();
        if let Some((cut, _)) = pointer.char_indices().nth(MAX_POINTER_CHARS) {
            pointer.truncate(cut);
        }
        Self {
            pointer,
            rule: rule.to_owned(),
            message: message.into(),
        }
    }

    /// A fault of a message template or of its values, whose pointer begins at `at`.
    pub fn of_message(at: &str, fault: MessageFault) -> Self {
        let message = fault.message.trim_end_matches('.');
        let pointer = format!("{at}{}", fault.pointer);
        Self::new(pointer, &fault.rule, format!("is not accepted: {message}"))
    }

    /// The pointer as part of a sentence.
    #[must_use]
    pub fn place(&self) -> &str {
        if self.pointer.is_empty() {
            "the body"
        } else {
            &self.pointer
        }
    }
}

/// A request body: its published schema, and the conversion of a valid value to the type.
pub trait RequestBody: Sized {
    /// Name under `#/components/schemas` of the OpenAPI document.
    const SCHEMA: &'static str;

    /// Checks the rules that schemas cannot express, and normalizes. It is called with any value, even one
    /// that breaks the schema, so that all violations are found at once; so it must not assume types. Texts
    /// longer than the schema allows are replaced with null.
    ///
    /// # Errors
    /// All violations of those rules. A value that breaks the schema may yield an empty list.
    fn from_value(value: &Value) -> Result<Self, Vec<Violation>>;
}

/// A compiled request schema.
#[derive(Debug)]
pub struct RequestSchema {
    schema: Value,
    validator: Validator,
}

/// A published schema that does not compile: a bug in this crate, which its tests find.
#[derive(Debug, thiserror::Error)]
#[error("the published schema {name} does not compile: {reason}")]
pub struct SchemaError {
    name: String,
    reason: String,
}

impl RequestSchema {
    /// Compiles a schema without references.
    ///
    /// # Errors
    /// If it is not a valid JSON Schema 2020-12.
    pub fn compile(name: &str, schema: Value) -> Result<Self, SchemaError> {
        jsonschema::draft202012::new(&schema)
            .map_err(|e| SchemaError {
                name: name.to_owned(),
                reason: e.to_string(),
            })
            .map(|validator| Self { schema, validator })
    }

    /// The typed request, or everything that is wrong with the value.
    ///
    /// # Errors
    /// At least one violation, at most [`MAX_VIOLATIONS`].
    pub fn check<T: RequestBody>(&self, value: &Value) -> Result<T, Vec<Violation>> {
        let mut violations: Vec<Violation> = Vec::new();
        let mut too_long: Vec<String> = Vec::new();
        for error in self.validator.iter_errors(value) {
            if matches!(error.kind(), Kind::MaxLength { .. }) {
                too_long.push(error.instance_path().to_string());
            }
            // Violations that are not reported are still examined: they may be texts that are too long.
            if violations.len() < MAX_VIOLATIONS {
                self.describe(&error, &mut violations);
            }
        }
        match T::from_value(&without(value, &too_long)) {
            Ok(typed) if violations.is_empty() => return Ok(typed),
            Ok(_) => {}
            Err(more) => violations.extend(more),
        }
        if violations.is_empty() {
            violations.push(Violation::new("", "schema", "does not match the schema"));
        }
        violations.truncate(MAX_VIOLATIONS);
        Err(violations)
    }

    fn describe(&self, error: &ValidationError<'_>, out: &mut Vec<Violation>) {
        let at = error.instance_path().to_string();
        let rule = error.kind().keyword();
        let below = |name: &str| json_pointer::below(&at, name);
        match error.kind() {
            Kind::AdditionalProperties { unexpected }
            | Kind::UnevaluatedProperties { unexpected } => {
                out.extend(unexpected.iter().take(MAX_VIOLATIONS).map(|name| {
                    Violation::new(below(name), rule, "is not a field of this request")
                }));
            }
            Kind::Required { property } => {
                out.push(Violation::new(
                    below(property.as_str().unwrap_or_default()),
                    rule,
                    "is required",
                ));
            }
            kind => out.push(Violation::new(at, rule, self.message(error, kind))),
        }
    }

    /// The schema's own message for the keyword (`x-messages` beside it), or one for its kind.
    fn message(&self, error: &ValidationError<'_>, kind: &Kind) -> Cow<'static, str> {
        let path = error.schema_path().to_string();
        let own = path.rsplit_once('/').and_then(|(parent, keyword)| {
            self.schema
                .pointer(parent)?
                .get("x-messages")?
                .get(keyword)?
                .as_str()
        });
        match (own, kind) {
            (Some(own), _) => Cow::Owned(own.to_owned()),
            (None, Kind::Type { .. }) => {
                Cow::Owned(format!("must be {}", self.expected_type(&path)))
            }
            (None, Kind::Enum { options }) => Cow::Owned(one_of(options)),
            (None, Kind::Constant { expected_value }) => {
                Cow::Owned(format!("must be {expected_value}"))
            }
            (None, Kind::MaxLength { limit }) => {
                let has = error.instance().as_str().map(|text| text.chars().count());
                let has = has.map(|count| format!(", and has {count}"));
                Cow::Owned(format!(
                    "must have at most {}{}",
                    counted(limit, "character"),
                    has.unwrap_or_default()
                ))
            }
            (None, Kind::MinLength { limit }) => Cow::Owned(format!(
                "must have at least {}",
                counted(limit, "character")
            )),
            (None, Kind::MaxItems { limit }) => {
                Cow::Owned(format!("must have at most {}", counted(limit, "element")))
            }
            (None, Kind::MinItems { limit }) => {
                Cow::Owned(format!("must have at least {}", counted(limit, "element")))
            }
            (None, Kind::Maximum { limit }) => Cow::Owned(format!("must be at most {limit}")),
            (None, Kind::Minimum { limit }) => Cow::Owned(format!("must be at least {limit}")),
            (None, Kind::ExclusiveMaximum { limit }) => {
                Cow::Owned(format!("must be less than {limit}"))
            }
            (None, Kind::ExclusiveMinimum { limit }) => {
                Cow::Owned(format!("must be more than {limit}"))
            }
            (None, Kind::UniqueItems) => Cow::Borrowed("must not have the same element twice"),
            (None, Kind::Format { format }) => Cow::Owned(format!("must have the format {format}")),
            (None, Kind::Pattern { pattern }) => {
                Cow::Owned(format!("must match the pattern {pattern}"))
            }
            (None, _) => Cow::Owned(format!("breaks the rule {}", error.kind().keyword())),
        }
    }

    fn expected_type(&self, path: &str) -> String {
        match self.schema.pointer(path) {
            Some(Value::Array(types)) => types
                .iter()
                .filter_map(Value::as_str)
                .map(with_article)
                .collect::<Vec<_>>()
                .join(" or "),
            Some(Value::String(one)) => with_article(one),
            _ => "of another type".to_owned(),
        }
    }
}

/// The value with null in these places. Danger: parsing a text longer than the schema allows may take too
/// much time, so parsers must not see it.
fn without<'v>(value: &'v Value, places: &[String]) -> Cow<'v, Value> {
    let mut kept = Cow::Borrowed(value);
    for place in places {
        if let Some(text) = kept.to_mut().pointer_mut(place) {
            *text = Value::Null;
        }
    }
    kept
}

/// A JSON Schema type as part of a sentence.
fn with_article(name: &str) -> String {
    match name {
        "null" => name.to_owned(),
        "array" | "integer" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

fn counted(number: &impl std::fmt::Display, noun: &str) -> String {
    let number = number.to_string();
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// The values of an enumeration, each as JSON writes it.
fn one_of(options: &Value) -> String {
    let texts: Vec<String> = match options {
        Value::Array(values) => values.iter().map(Value::to_string).collect(),
        single => vec![single.to_string()],
    };
    match texts.as_slice() {
        [only] => format!("must be {only}"),
        several => format!("must be one of {}", several.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    struct Anything;
    impl RequestBody for Anything {
        const SCHEMA: &'static str = "Anything";
        fn from_value(_: &Value) -> Result<Self, Vec<Violation>> {
            Ok(Self)
        }
    }

    fn violations(schema: Value, value: &Value) -> Vec<(String, String, String)> {
        let schema = RequestSchema::compile("Anything", schema).unwrap();
        let found = schema.check::<Anything>(value).map(|_| ()).unwrap_err();
        found
            .into_iter()
            .map(|v| (v.pointer, v.rule, v.message))
            .collect()
    }

    #[test]
    fn every_violation_is_told_with_its_place() {
        let schema = json!({
            "type": "object", "required": ["a/b"], "additionalProperties": false,
            "properties": { "a/b": {}, "n": { "type": ["integer", "null"] }, "s": { "enum": ["x", "y"] } },
        });
        let mut found = violations(schema, &json!({ "n": "secret-value", "s": "z", "~": 1 }));
        found.sort();
        assert_eq!(
            found,
            [
                ("/a~1b".into(), "required".into(), "is required".into()),
                (
                    "/n".into(),
                    "type".into(),
                    "must be an integer or null".into()
                ),
                (
                    "/s".into(),
                    "enum".into(),
                    "must be one of \"x\", \"y\"".into()
                ),
                (
                    "/~0".into(),
                    "additionalProperties".into(),
                    "is not a field of this request".into()
                ),
            ]
        );
    }

    #[test]
    fn messages_are_sentences() {
        for (schema, value, message) in [
            (json!({ "type": "string" }), json!(1), "must be a string"),
            (
                json!({ "type": ["array", "object", "null"] }),
                json!(1),
                "must be an array or an object or null",
            ),
            (
                json!({ "minLength": 1 }),
                json!(""),
                "must have at least 1 character",
            ),
            (
                json!({ "maxLength": 2 }),
                json!("abc"),
                "must have at most 2 characters, and has 3",
            ),
            (
                json!({ "maxItems": 1 }),
                json!([1, 2]),
                "must have at most 1 element",
            ),
            (
                json!({ "minItems": 2 }),
                json!([1]),
                "must have at least 2 elements",
            ),
            (
                json!({ "uniqueItems": true }),
                json!([1, 1]),
                "must not have the same element twice",
            ),
            (
                json!({ "exclusiveMinimum": 0 }),
                json!(0),
                "must be more than 0",
            ),
            (
                json!({ "exclusiveMaximum": 5 }),
                json!(5),
                "must be less than 5",
            ),
            (json!({ "enum": ["a"] }), json!("b"), "must be \"a\""),
            (
                json!({ "enum": ["a", null] }),
                json!("b"),
                "must be one of \"a\", null",
            ),
            (
                json!({ "pattern": "^a$" }),
                json!("b"),
                "must match the pattern ^a$",
            ),
        ] {
            assert_eq!(violations(schema, &value)[0].2, message);
        }
    }

    /// Records what it saw of each text.
    struct Seen;
    impl RequestBody for Seen {
        const SCHEMA: &'static str = "Seen";
        fn from_value(value: &Value) -> Result<Self, Vec<Violation>> {
            let texts = ["/domain", "/company/domain", "/a~1b", "/short"];
            let seen = texts.into_iter().filter_map(|place| {
                let text = value.pointer(place)?.as_str()?;
                Some(Violation::new(place, "seen", text.len().to_string()))
            });
            Err(seen.collect())
        }
    }

    /// Parsers expect texts within the length that the schema allows.
    #[test]
    fn what_the_schema_finds_too_long_is_not_parsed() {
        let bounded = json!({ "type": ["string", "null"], "maxLength": 5 });
        let schema = json!({ "properties": {
            "domain": bounded, "a/b": bounded, "short": bounded,
            "company": { "properties": { "domain": bounded } },
        } });
        let schema = RequestSchema::compile("Seen", schema).unwrap();
        let long = "x".repeat(6);
        let body = json!({
            "domain": long, "a/b": long, "company": { "domain": long }, "short": "12345",
        });
        let found = schema.check::<Seen>(&body).map(drop).unwrap_err();
        let mut found: Vec<(&str, &str)> = found
            .iter()
            .map(|v| (v.pointer.as_str(), v.rule.as_str()))
            .collect();
        found.sort_unstable();
        let want = [
            ("/a~1b", "maxLength"),
            ("/company/domain", "maxLength"),
            ("/domain", "maxLength"),
            ("/short", "seen"),
        ];
        assert_eq!(found, want);
    }

    /// Expects that a text that is too long was removed.
    struct Bounded;
    impl RequestBody for Bounded {
        const SCHEMA: &'static str = "Bounded";
        fn from_value(value: &Value) -> Result<Self, Vec<Violation>> {
            assert_eq!(value["domain"], Value::Null);
            Ok(Self)
        }
    }

    #[test]
    fn a_text_behind_many_other_violations_is_not_parsed_either() {
        let schema = json!({ "properties": {
            "words": { "items": { "type": "string" } },
            "domain": { "maxLength": 5 },
        } });
        let schema = RequestSchema::compile("Bounded", schema).unwrap();
        let body = json!({ "words": vec![0; 60], "domain": "x".repeat(6) });
        let found = schema.check::<Bounded>(&body).map(drop).unwrap_err();
        assert_eq!(found.len(), MAX_VIOLATIONS);
    }

    #[test]
    fn there_is_an_end_to_it() {
        let many: serde_json::Map<String, Value> = (0..500)
            .map(|i| (format!("{i}{}", "x".repeat(400)), json!(1)))
            .collect();
        let found = violations(
            json!({ "properties": { "a": {} }, "additionalProperties": false }),
            &Value::Object(many),
        );
        assert_eq!(found.len(), MAX_VIOLATIONS);
        assert!(
            found
                .iter()
                .all(|(pointer, _, _)| pointer.chars().count() <= MAX_POINTER_CHARS)
        );
    }
}
