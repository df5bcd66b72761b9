//! The values of a connection's credentials: the form that the manifest requires of them, and which of them
//! are secret.

use std::collections::BTreeSet;

use gtm_runtime::manifest::CredentialField;
use gtm_runtime::schema::Schema;
use gtm_runtime::{Credentials, Manifest};
use secrecy::SecretString;
use serde_json::{Value, json};

/// Maximum length of a credential in bytes: fits into a header of any server.
pub const MAX_CREDENTIAL_BYTES: usize = 8 * 1024;

/// A value that is unfit as a credential. The message must never contain the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnfitCredential(String);

/// Checks whether a value can be a credential of this field.
///
/// # Errors
/// If it is blank or too long, contains control characters, or violates the manifest's pattern.
pub fn check(field: &CredentialField, value: &str) -> Result<(), UnfitCredential> {
    let unfit = |what: &str| {
        Err(UnfitCredential(format!(
            "the credential {} {what}",
            field.key
        )))
    };
    if value.trim().is_empty() {
        return unfit("is empty");
    }
    if value.len() > MAX_CREDENTIAL_BYTES {
        return unfit(&format!("is longer than {MAX_CREDENTIAL_BYTES} bytes"));
    }
    // The value goes into a header or a query: a line break in it would start a new header.
    if value.chars().any(char::is_control) {
        return unfit("has control characters, such as a line end");
    }
    if let Some(pattern) = &field.pattern {
        let schema = Schema::compile(&json!({ "pattern": pattern }))
            .map_err(|error| UnfitCredential(error.to_string()))?;
        if schema.check(&Value::from(value)).is_err() {
            return unfit("does not have the form that the connector expects");
        }
    }
    Ok(())
}

/// The credential fields that the manifest declares not to be secret, such as a user name.
pub(crate) fn public_fields(manifest: &Manifest) -> BTreeSet<String> {
    manifest
        .credential_fields
        .iter()
        .filter(|field| !field.secret)
        .map(|field| field.key.clone())
        .collect()
}

/// The values for a call. DANGER: answers are searched only for secrets, so a value wrongly treated as
/// public can come back to a plug-in. A field that the manifest does not know is therefore secret.
pub(crate) fn for_call(
    values: impl IntoIterator<Item = (String, SecretString)>,
    public_fields: &BTreeSet<String>,
) -> Credentials {
    let mut credentials = Credentials::new();
    for (field, value) in values {
        if public_fields.contains(&field) {
            credentials.insert_public(field, value);
        } else {
            credentials.insert(field, value);
        }
    }
    credentials
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_field_is_secret() {
        let values = ["user", "api_key", "unknown"]
            .map(|field| (field.to_owned(), SecretString::from("value".to_owned())));
        let credentials = for_call(values, &["user".to_owned()].into());
        let secret = ["user", "api_key", "unknown"].map(|field| credentials.is_secret(field));
        assert_eq!(secret, [false, true, true]);
    }
}
