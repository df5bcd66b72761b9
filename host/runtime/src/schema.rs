//! JSON Schemas of plug-ins and contracts: compiled offline, with limits, and with errors that never repeat
//! the offending value.
//!
//! Danger: a stranger's value must not cost more than its size suggests. The time and memory of a check are
//! bounded by the schema's size with references replaced by their targets ([`bounds`]) times the value's
//! ([`nodes_of_text`]), and by what patterns and comparisons cost ([`price`]). Callers still check strangers' values off the event loop.

pub mod bounds;
mod price;
pub mod programs;
pub mod references;

use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use price::Prices;
use programs::{MAX_PROGRAM_BYTES, Programs};

/// Deepest nesting of a plug-in's schema.
const MAX_SCHEMA_DEPTH: usize = 32;
/// Longest schema of a plug-in, in bytes of its compact JSON.
const MAX_SCHEMA_BYTES: usize = 64 * 1024;
/// Maximum number of violations reported.
const MAX_VIOLATIONS: usize = 20;
/// Maximum number of values in a JSON text from a plug-in: each takes about 72 bytes of the host's memory,
/// however short its text is.
pub const MAX_NODES: usize = 200_000;
/// Maximum number of steps of one check: the schema's size times the value's, and the price of texts and
/// comparisons. Takes at most about ten seconds.
const MAX_STEPS: u64 = 500_000_000;
/// If a value may have more violations, only the first is reported: the library builds all of them before one
/// is read.
const MAX_BUILT_VIOLATIONS: u64 = 100_000;
/// Above this price, none is reported: to find it is to check again.
const MAX_LISTED_PRICE: u64 = 20_000_000;

/// Why a schema cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    #[error("the schema is nested deeper than {MAX_SCHEMA_DEPTH}")]
    TooDeep,
    #[error("the schema is longer than {MAX_SCHEMA_BYTES} bytes")]
    TooLong,
    /// A reference that leaves the schema.
    #[error("the schema refers to {0}, outside of itself")]
    RemoteReference(String),
    /// A reference to nothing.
    #[error("the schema refers to {0}, which is not a pointer to one of its parts")]
    DanglingReference(String),
    /// A reference that leads back to its own place.
    #[error("the schema refers to itself")]
    Recursive,
    /// A keyword whose cost has no bound.
    #[error("the schema uses {0}; references are JSON pointers into the schema")]
    Keyword(String),
    /// References multiply the schema.
    #[error("with its references replaced by their targets the schema has more than {max} parts", max = bounds::MAX_EXPANDED)]
    TooWide,
    /// References nest the schema too deeply.
    #[error("with its references replaced by their targets the schema is nested too deeply")]
    TooDeepExpanded,
    /// A keyword would mean something else, or have another cost.
    #[error("the schema is not of JSON Schema's draft 2020-12")]
    OtherDraft,
    /// A pattern that is no regular expression, needs backtracking, or is too large.
    #[error(
        "the pattern `{0}` is not a regular expression without backtracking that compiles to at most \
         {max} KiB; a counted repetition multiplies what it repeats",
        max = MAX_PROGRAM_BYTES / 1024
    )]
    Pattern(String),
    #[error("the pattern that begins with `{0}` is longer than {max} bytes", max = programs::MAX_PATTERN_BYTES)]
    PatternTooLong(String),
    #[error(
        "the manifest has too many patterns, or too large ones: together they may compile to {max} KiB",
        max = programs::MAX_PROGRAMS_BYTES / 1024
    )]
    TooManyPatterns,
    /// A format whose check has no bound.
    #[error("the schema uses the format {0}, which is not supported")]
    Format(String),
    #[error("not a JSON Schema: {0}")]
    Invalid(String),
}

/// One way in which a value violates a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// JSON pointer into the value; empty for the value as a whole.
    pub pointer: String,
    /// The value itself is masked.
    pub message: String,
}

impl From<ValidationError<'_>> for Violation {
    fn from(error: ValidationError<'_>) -> Self {
        Self {
            pointer: error.instance_path().to_string(),
            message: error.masked().to_string(),
        }
    }
}

/// A compiled schema.
#[derive(Debug)]
pub struct Schema {
    validator: Validator,
    /// Size with references replaced by their targets.
    width: u64,
    /// What texts and comparisons cost.
    prices: Prices,
    /// Whether the library can build the first violation without the others; for alternatives it builds
    /// those of each.
    first_alone: bool,
}

impl Schema {
    /// Compiles a plug-in's schema: JSON Schema 2020-12, bounded, without remote references. Patterns run
    /// in linear time.
    ///
    /// # Errors
    /// See [`SchemaError`].
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        Self::compile_among(schema, &mut Programs::default())
    }

    /// Compiles a plug-in's schema, with the patterns of the manifest's other schemas counted in `programs`.
    ///
    /// # Errors
    /// See [`SchemaError`].
    pub fn compile_among(schema: &Value, programs: &mut Programs) -> Result<Self, SchemaError> {
        if depth(schema) > MAX_SCHEMA_DEPTH {
            return Err(SchemaError::TooDeep);
        }
        if schema.to_string().len() > MAX_SCHEMA_BYTES {
            return Err(SchemaError::TooLong);
        }
        Self::build(schema, programs)
    }

    /// Compiles a schema that ships with the host: of any length, otherwise as [`Schema::compile`].
    ///
    /// # Errors
    /// See [`SchemaError`].
    pub fn compile_trusted(schema: &Value) -> Result<Self, SchemaError> {
        Self::build(schema, &mut Programs::default())
    }

    fn build(schema: &Value, programs: &mut Programs) -> Result<Self, SchemaError> {
        let root = without_own_address(schema);
        let width = bounds::expanded(&root)?;
        programs.count(&root)?;
        let prices = Prices::of(&root, programs)?;
        let validator = programs::library(MAX_PROGRAM_BYTES)
            .build(&root)
            .map_err(|error| SchemaError::Invalid(error.to_string()))?;
        Ok(Self {
            validator,
            width,
            prices,
            first_alone: !has_member(&root, &["anyOf", "oneOf"]),
        })
    }

    /// Checks a value. Reports at most twenty violations; of a value that may have very many only the first, or
    /// just that there is one.
    ///
    /// # Errors
    /// The violations.
    pub fn check(&self, value: &Value) -> Result<(), Vec<Violation>> {
        let whole = |message: &str| {
            vec![Violation {
                pointer: String::new(),
                message: message.to_owned(),
            }]
        };
        let nodes = u64::try_from(nodes(value)).unwrap_or(u64::MAX);
        let steps = nodes.saturating_mul(self.width);
        if steps > MAX_STEPS {
            return Err(whole("is too large to be checked against this schema"));
        }
        let left = MAX_STEPS - steps;
        let price = self.prices.steps(value, left);
        if price > left {
            return Err(whole(
                "has too much text, or too many items, for this schema's patterns and unique items",
            ));
        }
        if self.validator.is_valid(value) {
            return Ok(());
        }
        let most = MAX_BUILT_VIOLATIONS;
        let are_few = || steps <= most || self.prices.violations(value, most) <= most;
        if price <= MAX_LISTED_PRICE && are_few() {
            let errors = self.validator.iter_errors(value);
            return Err(errors.take(MAX_VIOLATIONS).map(Violation::from).collect());
        }
        if self.first_alone
            && price <= MAX_LISTED_PRICE
            && let Err(error) = self.validator.validate(value)
        {
            return Err(vec![error.into()]);
        }
        Err(whole("does not fit; it is too large to say where"))
    }
}

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
    // Iterative: a deep value must not exhaust the stack.
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

/// How many values a value contains, itself included.
#[must_use]
pub fn nodes(value: &Value) -> usize {
    let mut count = 0_usize;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        count = count.saturating_add(1);
        match value {
            Value::Array(items) => stack.extend(items),
            Value::Object(members) => stack.extend(members.values()),
            _ => {}
        }
    }
    count
}

/// Upper limit for the number of values in a JSON text, without parsing it: each but the outermost follows
/// a comma or an opening bracket.
#[must_use]
pub fn nodes_of_text(text: &str) -> usize {
    let (mut count, mut in_string, mut escaped) = (1_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b',' | b'[' | b'{' if !in_string => count = count.saturating_add(1),
            _ => {}
        }
    }
    count
}

/// The schema without its own top-level `$id`, which has no effect unless a reference uses it.
pub(crate) fn without_own_address(schema: &Value) -> std::borrow::Cow<'_, Value> {
    match schema {
        Value::Object(members) if members.get("$id").is_some_and(Value::is_string) => {
            let mut members = members.clone();
            members.remove("$id");
            std::borrow::Cow::Owned(Value::Object(members))
        }
        _ => std::borrow::Cow::Borrowed(schema),
    }
}

/// Whether an object anywhere in a value has one of these members.
fn has_member(value: &Value, names: &[&str]) -> bool {
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        match value {
            Value::Array(items) => stack.extend(items),
            Value::Object(members) => {
                if names.iter().any(|name| members.contains_key(*name)) {
                    return true;
                }
                stack.extend(members.values());
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests;
