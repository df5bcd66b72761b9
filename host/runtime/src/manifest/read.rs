//! Reads a manifest: JSON, then the schema, then types, then the rules of [`super::rules`].

use std::sync::LazyLock;

use serde_json::Value;

use super::{Manifest, ManifestError, rules};
use crate::schema::{Schema, describe_all};

/// Longest manifest, in bytes.
pub const MAX_MANIFEST_BYTES: usize = 1024 * 1024;

/// Schema of manifests, as published.
pub const MANIFEST_SCHEMA: &str = include_str!("../../../../wit/manifest.schema.json");

static SCHEMA: LazyLock<Result<Schema, String>> = LazyLock::new(|| {
    let value: Value = serde_json::from_str(MANIFEST_SCHEMA).map_err(|error| error.to_string())?;
    Schema::compile_trusted(&value).map_err(|error| error.to_string())
});

/// Parses a manifest; returns it typed and as JSON.
///
/// # Errors
/// See [`ManifestError`].
pub fn parse_manifest(text: &[u8]) -> Result<(Manifest, Value), ManifestError> {
    let value = parse_json(text)?;
    Ok((check_manifest(&value)?, value))
}

/// Parses a manifest as JSON only, which is enough to verify a signature over it.
///
/// # Errors
/// `manifest_too_large` or `manifest_not_json`.
pub fn parse_json(text: &[u8]) -> Result<Value, ManifestError> {
    if text.len() > MAX_MANIFEST_BYTES {
        return Err(ManifestError::new(
            "manifest_too_large",
            format!("longer than {MAX_MANIFEST_BYTES} bytes"),
        ));
    }
    serde_json::from_slice(text)
        .map_err(|error| ManifestError::new("manifest_not_json", error.to_string()))
}

/// Checks a manifest given as JSON.
///
/// # Errors
/// `manifest_schema` or the code of a broken rule.
pub fn check_manifest(value: &Value) -> Result<Manifest, ManifestError> {
    let schema = SCHEMA
        .as_ref()
        .map_err(|error| ManifestError::new("manifest_schema", error.clone()))?;
    schema
        .check(value)
        .map_err(|violations| ManifestError::new("manifest_schema", describe_all(&violations)))?;
    let manifest: Manifest = serde_json::from_value(value.clone())
        .map_err(|error| ManifestError::new("manifest_schema", error.to_string()))?;
    rules::check(&manifest)?;
    Ok(manifest)
}

/// Whether a text is valid as a member of a manifest, such as `key` or `publisher`.
#[must_use]
pub fn fits_member(member: &str, text: &str) -> bool {
    let schema: Value = serde_json::from_str(MANIFEST_SCHEMA).unwrap_or_default();
    schema["properties"]
        .get(member)
        .and_then(|member| Schema::compile_trusted(member).ok())
        .is_some_and(|schema| schema.check(&Value::from(text)).is_ok())
}

/// Checks that the schema that ships with the host compiles.
///
/// # Errors
/// Why it does not compile.
pub fn check_embedded_schema() -> Result<(), String> {
    SCHEMA.as_ref().map(|_| ()).map_err(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_a_manifest_may_have() {
        for (member, text, wanted) in [
            ("publisher", "com.example", true),
            ("publisher", "dev.gtm.first-party", true),
            ("publisher", "example", false),
            ("publisher", "", false),
            ("publisher", "com.example\n", false),
            ("publisher", "Com.Example", false),
            ("key", "web-fetch", true),
            ("key", "Web Fetch", false),
            ("unheard_of", "web-fetch", false),
        ] {
            assert_eq!(fits_member(member, text), wanted, "{member}: {text:?}");
        }
    }
}
