//! Request bodies, compared with a less strict parser.

use gtm_api::strict_json::{self, MAX_DEPTH, MAX_VALUES, StrictJsonError};
use serde_json::Value;

pub const TARGET: crate::Target = crate::Target {
    name: "strict_json",
    run,
    dictionary: &[
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b":",
        b",",
        b"null",
        b"true",
        b"1e400",
        b"-0",
        b"1E-999",
        b"18446744073709551616",
        b"\\u0000",
        b"\\ud800",
        b"\\udc00",
        b"\"a\":",
        b"\xef\xbb\xbf",
        b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
        b"{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":",
    ],
};

fn run(input: &[u8]) -> String {
    // Without limits of its own, so that a refusal because of depth can be told from one because of syntax.
    let lenient = {
        let mut json = serde_json::Deserializer::from_slice(input);
        json.disable_recursion_limit();
        let deep = input.iter().filter(|b| matches!(b, b'[' | b'{')).count() > 4 * MAX_DEPTH;
        if deep {
            None
        } else {
            use serde::Deserialize as _;
            Some(Value::deserialize(&mut json).and_then(|value| json.end().map(|()| value)))
        }
    };
    match strict_json::parse(input) {
        Ok(value) => {
            if let Some(lenient) = lenient {
                assert_eq!(lenient.expect("the lenient parser takes it"), value);
            }
            assert!(levels(&value) <= MAX_DEPTH, "too deep");
            assert!(!holds_nul(&value), "U+0000");
            assert!(count(&value) <= MAX_VALUES, "too many values");
            let text = serde_json::to_vec(&value).expect("a value is JSON");
            assert_eq!(
                strict_json::parse(&text).expect("its own text is taken"),
                value
            );
            format!("{} levels", levels(&value).min(4))
        }
        Err(error) => {
            if let Some(Ok(_)) = lenient {
                assert!(
                    matches!(
                        error,
                        StrictJsonError::Depth
                            | StrictJsonError::Duplicate { .. }
                            | StrictJsonError::Nul
                            | StrictJsonError::Values
                    ),
                    "refused as {error}, though it is JSON"
                );
            }
            let told = error.to_string();
            told.split('(').next().unwrap_or_default().to_owned()
        }
    }
}

/// Number of nested arrays and objects on the deepest path.
fn levels(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(levels).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(levels).max().unwrap_or(0),
        _ => 0,
    }
}

/// Number of values: the value itself and all values within it.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

fn holds_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(holds_nul),
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| name.contains('\0') || holds_nul(value)),
        _ => false,
    }
}
