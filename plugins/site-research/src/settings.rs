//! Reads a binding's settings.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::failure::{Failure, FailureKind};

/// The language that a binding wants, in canonical form.
///
/// # Errors
/// `backend_error` if it is no BCP 47 tag.
pub fn language(tag: Option<String>) -> Result<Option<String>, Failure> {
    let Some(tag) = tag.filter(|tag| !tag.trim().is_empty()) else {
        return Ok(None);
    };
    let canonical = gtm_page_text::canonical_tag(tag.trim());
    canonical.map(Some).ok_or_else(|| {
        Failure::new(
            FailureKind::InvalidInput,
            "backend_error",
            format!("The setting `language` is no language tag such as `de` or `pt-BR`: {tag:?}."),
        )
    })
}

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
