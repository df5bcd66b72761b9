//! Corrects parameters as handlers declare them: an optional parameter may be absent, but it is never null.

use serde_json::{Value, json};

/// Completes the parameters of an operation.
pub fn complete(operation: &mut Value, guarded: bool) {
    let mut parameters: Vec<Value> = operation
        .get("parameters")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    for parameter in &mut parameters {
        remove_null(&mut parameter["schema"]);
        if parameter["name"] == "Idempotency-Key" {
            parameter["schema"] = idempotency_key();
            parameter["example"] = json!("order-2041-playbook");
        } else if parameter["name"] == "cursor" {
            parameter["schema"]["pattern"] = json!("^[A-Za-z0-9_-]+$");
            parameter["schema"]["maxLength"] = json!(1024);
        }
        let schema = &mut parameter["schema"];
        if schema["type"] == "integer" && schema.get("maximum").is_none() {
            // No number in this API needs more than 64 bits with a sign.
            schema["maximum"] = json!(i64::MAX);
        }
    }
    if guarded {
        parameters.push(json!({ "$ref": "#/components/parameters/XRequestId" }));
    }
    if !parameters.is_empty() {
        operation["parameters"] = json!(parameters);
    }
}

/// Removes `null` from the types of a schema.
pub fn remove_null(schema: &mut Value) {
    let Some(types) = schema.get_mut("type") else {
        return;
    };
    if let Value::Array(several) = types {
        several.retain(|one| one != "null");
        if let [only] = several.as_slice() {
            *types = only.clone();
        }
    }
}

/// Exactly what [`crate::idempotency_key::parse`] accepts: bare, or a quoted string of structured fields.
fn idempotency_key() -> Value {
    json!({
        "type": "string", "minLength": 1, "maxLength": 512,
        "pattern": "^(?:[\\x21\\x23-\\x7e][\\x21-\\x7e]{0,254}|\"(?:[\\x21-\\x7e]{0,253}[\\x21\\x23-\\x7e])?|\"(?:[\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\"\\\\]){1,255}\")$",
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::idempotency_key::parse;
    use proptest::prelude::*;

    fn fits(key: &str) -> bool {
        jsonschema::draft202012::new(&idempotency_key())
            .unwrap()
            .is_valid(&json!(key))
    }

    #[test]
    fn null_is_no_value_of_a_parameter() {
        let mut schema = json!({ "type": ["integer", "null"], "minimum": 1 });
        remove_null(&mut schema);
        assert_eq!(schema, json!({ "type": "integer", "minimum": 1 }));
    }

    proptest! {
        #[test]
        fn the_published_pattern_is_the_parser_s_rule(key in "[!\"\\\\a ]{0,6}|[ -~]{250,258}|\"[!-~]{250,260}\"") {
            prop_assert_eq!(fits(&key), parse(key.as_bytes()).is_some());
        }
    }
}
