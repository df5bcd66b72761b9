//! References of a schema: JSON pointers into the schema itself.

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::SchemaError;

/// The target of a reference.
///
/// # Errors
/// If it leaves the schema or leads to nothing.
pub fn target<'s>(root: &'s Value, reference: &str) -> Result<&'s Value, SchemaError> {
    let Some(fragment) = reference.strip_prefix('#') else {
        return Err(SchemaError::RemoteReference(shortened(reference)));
    };
    let pointer = percent_decode_str(fragment)
        .decode_utf8()
        .map_err(|_| SchemaError::DanglingReference(shortened(reference)))?;
    root.pointer(&pointer)
        .ok_or_else(|| SchemaError::DanglingReference(shortened(reference)))
}

fn shortened(reference: &str) -> String {
    reference.chars().take(200).collect()
}
