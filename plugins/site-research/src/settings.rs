//! Reads a binding's settings.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::failure::{Failure, FailureKind};

/// Reads settings; none at all means the defaults. The caller applies its own limits.
///
/// # Errors
/// `backend_error` for invalid settings, although the host has checked them before.
pub fn read<T: DeserializeOwned>(settings: Value) -> Result<T, Failure> {
    let settings = match settings {
        Value::Null => Value::Object(Map::new()),
        given => given,
    };
    serde_json::from_value(settings).map_err(|error| {
        Failure::new(
            FailureKind::InvalidInput,
            "backend_error",
            format!("The backend's settings have an unexpected form: {error}."),
        )
    })
}
