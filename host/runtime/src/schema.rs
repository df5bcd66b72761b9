//! JSON Schemas of plug-ins and contracts: compiled offline, with bounds, and errors that never repeat
//! the value that they complain about.

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

/// Deepest nesting of a schema that a plug-in brings.
const MAX_SCHEMA_DEPTH: usize = 32;
/// Longest schema that a plug-in brings, in bytes of its compact JSON.
const MAX_SCHEMA_BYTES: usize = 64 * 1024;
/// Violations that are reported at most.
const MAX_VIOLATIONS: usize = 20;

/// Why a schema cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// Nested too deeply.
    #[error("the schema is nested deeper than {MAX_SCHEMA_DEPTH}")]
    TooDeep,
    /// Too long.
    #[error("the schema is longer than {MAX_SCHEMA_BYTES} bytes")]
    TooLong,
    /// A reference that leaves the schema.
    #[error("the schema refers to {0}, outside of itself")]
    RemoteReference(String),
    /// Not a JSON Schema.
    #[error("not a JSON Schema: {0}")]
    Invalid(String),
}

/// One way in which a value does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// JSON pointer into the value; empty for the whole.
    pub pointer: String,
    /// What is wrong; the value itself is masked.
    pub message: String,
}

/// A compiled schema.
#[derive(Debug)]
pub struct Schema(Validator);

impl Schema {
    /// Compile a schema that a plug-in brings: JSON Schema 2020-12, bounded, without remote references.
    /// Patterns run in linear time.
    ///
    /// # Errors
    /// See [`SchemaError`].
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        if depth(schema) > MAX_SCHEMA_DEPTH {
            return Err(SchemaError::TooDeep);
        }
        if schema.to_string().len() > MAX_SCHEMA_BYTES {
            return Err(SchemaError::TooLong);
        }
        Self::compile_trusted(schema)
    }

    /// Compile a schema that ships with the host: not bounded, otherwise as [`Schema::compile`].
    ///
    /// # Errors
    /// See [`SchemaError`].
    pub fn compile_trusted(schema: &Value) -> Result<Self, SchemaError> {
        if let Some(reference) = remote_reference(schema) {
            return Err(SchemaError::RemoteReference(reference));
        }
        jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(PatternOptions::regex().size_limit(1 << 20))
            .should_validate_formats(true)
            .should_ignore_unknown_formats(true)
            .offline()
            .build(schema)
            .map(Self)
            .map_err(|error| SchemaError::Invalid(error.to_string()))
    }

    /// All ways in which a value does not fit, at most twenty.
    ///
    /// # Errors
    /// The violations.
    pub fn check(&self, value: &Value) -> Result<(), Vec<Violation>> {
        if self.0.is_valid(value) {
            return Ok(());
        }
        Err(self
            .0
            .iter_errors(value)
            .take(MAX_VIOLATIONS)
            .map(|error| Violation {
                pointer: error.instance_path().to_string(),
                message: error.masked().to_string(),
            })
            .collect())
    }
}

/// Violations as one sentence.
#[must_use]
pub fn describe(violations: &[Violation]) -> String {
    let mut text = violations
        .iter()
        .take(3)
        .map(|v| {
            format!(
                "{}: {}",
                if v.pointer.is_empty() {
                    "/"
                } else {
                    &v.pointer
                },
                v.message
            )
        })
        .collect::<Vec<_>>()
        .join("; ");
    if violations.len() > 3 {
        text.push_str(&format!("; and {} more", violations.len() - 3));
    }
    text
}

/// Nesting of a value: 1 for a scalar.
#[must_use]
pub fn depth(value: &Value) -> usize {
    // Iterative: a deep value must not exhaust the stack of the one who measures it.
    let mut deepest = 0;
    let mut stack = vec![(value, 1)];
    while let Some((value, level)) = stack.pop() {
        deepest = deepest.max(level);
        match value {
            Value::Array(items) => stack.extend(items.iter().map(|item| (item, level + 1))),
            Value::Object(members) => stack.extend(members.values().map(|item| (item, level + 1))),
            _ => {}
        }
    }
    deepest
}

fn remote_reference(schema: &Value) -> Option<String> {
    let mut stack = vec![schema];
    while let Some(value) = stack.pop() {
        match value {
            Value::Array(items) => stack.extend(items),
            Value::Object(members) => {
                for key in ["$ref", "$dynamicRef"] {
                    if let Some(Value::String(target)) = members.get(key)
                        && !target.starts_with('#')
                    {
                        return Some(target.clone());
                    }
                }
                stack.extend(members.values());
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    #[test]
    fn violations_name_the_place_and_hide_the_value() {
        let schema = Schema::compile(&json!({"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false})).unwrap();
        assert!(schema.check(&json!({"a": 1})).is_ok());
        let violations = schema.check(&json!({"a": "hunter2"})).unwrap_err();
        assert_eq!(violations[0].pointer, "/a");
        assert!(!describe(&violations).contains("hunter2"));
    }

    #[test]
    fn a_schema_stays_within_itself_and_its_bounds() {
        assert!(matches!(
            Schema::compile(&json!({"$ref": "https://example.com/x.json"})),
            Err(SchemaError::RemoteReference(_))
        ));
        assert!(
            Schema::compile(&json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}))
                .is_ok()
        );
        let mut deep = json!(true);
        for _ in 0..40 {
            deep = json!({"not": deep});
        }
        assert!(matches!(Schema::compile(&deep), Err(SchemaError::TooDeep)));
        assert!(matches!(
            Schema::compile(&json!({"type": 5})),
            Err(SchemaError::Invalid(_))
        ));
        assert!(matches!(
            Schema::compile(&json!({"description": "x".repeat(70_000)})),
            Err(SchemaError::TooLong)
        ));
        // Backtracking patterns do not compile, so that no pattern can take exponential time.
        assert!(Schema::compile(&json!({"pattern": "(a)\\1"})).is_err());
    }
}
