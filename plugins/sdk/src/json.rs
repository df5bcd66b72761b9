//! Converts JSON to types and back, with failures that name the place.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Failure, Value};

pub use serde_json::json;

/// Reads a value as `T`; an unexpected form is the caller's fault (`invalid-input`).
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, Failure> {
    serde_json::from_value(value).map_err(|error| {
        Failure::invalid_input(
            "invalid_input",
            format!("The input has an unexpected form: {error}."),
        )
    })
}

/// Reads the member at a JSON pointer as `T`.
pub fn field<T: DeserializeOwned>(value: &Value, pointer: &str) -> Result<T, Failure> {
    let member = value.pointer(pointer).cloned().unwrap_or(Value::Null);
    serde_json::from_value(member).map_err(|error| {
        Failure::invalid_input(
            "invalid_input",
            format!("The input has an unexpected form at {pointer}: {error}."),
        )
    })
}

/// Converts a value to JSON.
pub fn write<T: Serialize>(value: &T) -> Result<Value, Failure> {
    serde_json::to_value(value).map_err(|error| {
        Failure::internal(
            "invalid_output",
            format!("The output is not JSON: {error}."),
        )
    })
}
