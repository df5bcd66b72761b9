//! JSON as the API accepts it: one value in UTF-8, at most 128 levels deep, no name twice in an object, no
//! U+0000 in any string, at most 20,000 values. Pure; [`crate::json_body`] reads bodies.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The deepest nesting of arrays and objects.
pub const MAX_DEPTH: usize = 128;
/// Maximum number of values in a body, including arrays and objects; the longest real request has some
/// thirty. Danger: validating a body takes about a kibibyte for each value that violates its schema, and
/// half a million of them fit into 1 MiB, which would take half a gigabyte.
pub const MAX_VALUES: usize = 20_000;

/// Why some bytes are not acceptable JSON. The message contains nothing of the body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StrictJsonError {
    /// No body.
    #[error("the body is empty; send a JSON object")]
    Empty,
    /// Not UTF-8.
    #[error("the body is not valid UTF-8")]
    Utf8,
    /// Not JSON.
    #[error("the body is not valid JSON (line {line}, column {column})")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column, from 0.
        column: usize,
    },
    /// Deeper than [`MAX_DEPTH`].
    #[error("the body is nested more than {MAX_DEPTH} levels deep")]
    Depth,
    /// More than [`MAX_VALUES`].
    #[error("the body has more than {MAX_VALUES} values")]
    Values,
    /// A name occurs twice in an object.
    #[error("a name occurs twice in an object (line {line}, column {column})")]
    Duplicate {
        /// Line, from 1.
        line: usize,
        /// Column, from 0.
        column: usize,
    },
    /// U+0000 in a string.
    #[error("strings must not contain U+0000")]
    Nul,
}

/// Parses a whole body.
///
/// # Errors
/// If it is not acceptable JSON; the first fault counts.
pub fn parse(bytes: &[u8]) -> Result<Value, StrictJsonError> {
    let text = std::str::from_utf8(bytes).map_err(|_| StrictJsonError::Utf8)?;
    if text.trim_ascii().is_empty() {
        return Err(StrictJsonError::Empty);
    }
    read(text, MAX_VALUES).map_err(|(fault, error)| match fault {
        Some(Fault::Depth) => StrictJsonError::Depth,
        Some(Fault::Nul) => StrictJsonError::Nul,
        Some(Fault::Values) => StrictJsonError::Values,
        Some(Fault::Duplicate) => StrictJsonError::Duplicate {
            line: error.line(),
            column: error.column(),
        },
        None => StrictJsonError::Syntax {
            line: error.line(),
            column: error.column(),
        },
    })
}

/// Parses a file of an operator, which may have more values than a body, by the same rules: of two members with one name
/// a reviewer reads the first, and a parser takes the last.
///
/// # Errors
/// What is wrong and where, in the parser's words: the file is the operator's own.
pub fn parse_file(text: &str) -> Result<Value, String> {
    read(text, usize::MAX).map_err(|(fault, error)| {
        let told = match fault {
            Some(Fault::Depth) => format!("it is nested more than {MAX_DEPTH} levels deep"),
            Some(Fault::Nul) => "a text must not contain U+0000".to_owned(),
            Some(Fault::Values) => "it has too many values".to_owned(),
            Some(Fault::Duplicate) => "a name occurs twice in an object".to_owned(),
            None => return error.to_string(),
        };
        format!("{told} (line {}, column {})", error.line(), error.column())
    })
}

/// The value, or the parser's error with the rule of ours that is broken.
fn read(text: &str, most_values: usize) -> Result<Value, (Option<Fault>, serde_json::Error)> {
    let fault = Cell::new(None);
    let values = Cell::new(0);
    let mut json = serde_json::Deserializer::from_str(text);
    // The visitor counts levels itself, because the library's own limit cannot be told from a syntax error.
    json.disable_recursion_limit();
    let parsed = Strict {
        depth: 0,
        most_values,
        values: &values,
        fault: &fault,
    }
    .deserialize(&mut json)
    .and_then(|value| json.end().map(|()| value));
    parsed.map_err(|error| (fault.get(), error))
}

#[derive(Clone, Copy)]
enum Fault {
    Depth,
    Duplicate,
    Nul,
    Values,
}

/// Builds a value and records which of our rules was broken.
#[derive(Clone, Copy)]
struct Strict<'f> {
    depth: usize,
    most_values: usize,
    /// Values begun so far in the whole body.
    values: &'f Cell<usize>,
    fault: &'f Cell<Option<Fault>>,
}

impl Strict<'_> {
    fn refuse<E: serde::de::Error>(self, fault: Fault) -> E {
        self.fault.set(Some(fault));
        E::custom("refused")
    }
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            Err(self.refuse(Fault::Depth))
        } else {
            Ok(Self {
                depth: self.depth + 1,
                ..self
            })
        }
    }
    fn checked<E: serde::de::Error>(self, text: String) -> Result<String, E> {
        if text.contains('\0') {
            Err(self.refuse(Fault::Nul))
        } else {
            Ok(text)
        }
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let count = self.values.get().saturating_add(1);
        if count > self.most_values {
            return Err(self.refuse(Fault::Values));
        }
        self.values.set(count);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }
    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("not a finite number"))
    }
    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Value, E> {
        self.visit_string(value.to_owned())
    }
    fn visit_string<E: serde::de::Error>(self, value: String) -> Result<Value, E> {
        self.checked(value).map(Value::String)
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut out = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            out.push(item);
        }
        Ok(Value::Array(out))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut out = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let name = self.checked(name)?;
            if out.contains_key(&name) {
                return Err(self.refuse(Fault::Duplicate));
            }
            let value = members.next_value_seed(inner)?;
            out.insert(name, value);
        }
        Ok(Value::Object(out))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use StrictJsonError as E;
    use proptest::prelude::*;

    fn nested(levels: usize) -> String {
        format!("{}{}", "[".repeat(levels), "]".repeat(levels))
    }

    #[test]
    fn what_is_refused_is_told_why() {
        assert_eq!(parse(b""), Err(E::Empty));
        assert_eq!(parse(b" \n"), Err(E::Empty));
        assert_eq!(parse(b"{\"a\":\"\xff\"}"), Err(E::Utf8));
        assert_eq!(
            parse(b"{\"a\":1,\"b\":{},\"a\":2}")
                .unwrap_err()
                .to_string(),
            "a name occurs twice in an object (line 1, column 17)"
        );
        assert_eq!(parse(br#"{"a":"\u0000"}"#), Err(E::Nul));
        assert_eq!(parse(br#"{"\u0000":1}"#), Err(E::Nul));
        assert_eq!(parse(nested(10_000).as_bytes()), Err(E::Depth));
        assert_eq!(parse("{\"a\":".repeat(129).as_bytes()), Err(E::Depth));
        for bad in [
            "{",
            "{} {}",
            "[1,]",
            "nul",
            "'a'",
            "{\"a\":1e400}",
            "\"\\ud800\"",
            "\u{feff}{}",
            "NaN",
            "\"\n\"",
            "01",
        ] {
            assert!(
                matches!(parse(bad.as_bytes()), Err(E::Syntax { .. })),
                "{bad:?}: {:?}",
                parse(bad.as_bytes())
            );
        }
    }

    #[test]
    fn a_body_has_so_many_values_and_no_more() {
        let ones = |count: usize| vec!["1"; count].join(",");
        // The array itself counts as one, and so does each object or array within it.
        let list = |count: usize| format!("[{}]", ones(count - 1));
        assert!(parse(list(MAX_VALUES).as_bytes()).is_ok());
        assert_eq!(parse(list(MAX_VALUES + 1).as_bytes()), Err(E::Values));
        let halves = |count: usize| format!("{{\"a\":[{0}],\"b\":[{0}]}}", ones(count));
        assert!(parse(halves(MAX_VALUES / 2 - 2).as_bytes()).is_ok());
        assert_eq!(parse(halves(MAX_VALUES / 2).as_bytes()), Err(E::Values));
        // What follows is no longer read.
        let broken = format!("[{},}}", ones(MAX_VALUES));
        assert_eq!(parse(broken.as_bytes()), Err(E::Values));
    }

    #[test]
    fn callers_are_told_of_the_bounds() {
        let told = include_str!("openapi/introduction.md");
        assert_eq!((MAX_VALUES, MAX_DEPTH), (20_000, 128));
        assert!(told.contains("at most 20,000 JSON values") && told.contains("128 levels"));
    }

    #[test]
    fn a_syntax_error_does_not_quote_the_body() {
        let message = parse(b"{\"password\": hunter2}").unwrap_err().to_string();
        assert!(!message.contains("hunter2"), "{message}");
    }

    proptest! {
        #[test]
        fn depth_is_counted_exactly(levels in 1usize..300) {
            let parsed = parse(nested(levels).as_bytes());
            prop_assert_eq!(parsed.is_ok(), levels <= MAX_DEPTH);
        }

        #[test]
        fn what_is_accepted_is_what_serde_json_reads(text in r#"[\[\]{}:,"a0-9 \\untrefalsx.-]{0,40}"#) {
            if let Ok(value) = parse(text.as_bytes()) {
                prop_assert_eq!(value, serde_json::from_str::<Value>(&text).unwrap());
            }
        }

        #[test]
        fn a_printed_value_comes_back(keys in proptest::collection::hash_set("[a-z\\PC]{0,6}", 0..5), number: i64, text in "\\PC{0,20}") {
            let mut object = Map::new();
            for key in keys {
                object.insert(key, serde_json::json!([number, text, null, true, {"x": []}]));
            }
            let value = Value::Object(object);
            prop_assert_eq!(parse(value.to_string().as_bytes()).unwrap(), value);
        }
    }
}
