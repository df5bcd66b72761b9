//! Reading a binding's settings.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::failure::{Failure, FailureKind};

/// Read settings; none at all are those by default. Bounds are the reader's own.
///
/// # Errors
/// `backend_error` for settings that don't fit; the host has checked them before.
pub fn read<T: DeserializeOwned>(settings: Value) -> Result<T, Failure> {
    let settings = match settings {
        Value::Null => Value::Object(Map::new()),
        given => given,
    };
    serde_json::from_value(settings).map_err(|error| {
        Failure::new(
            FailureKind::InvalidInput,
            "backend_error",
            format!("The backend's settings don't fit: {error}."),
        )
    })
}
