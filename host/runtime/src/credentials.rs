//! The credentials of one connection while a call runs. Values are wiped when dropped, never printed and
//! never serialized. Reading them from storage and sealing them happens elsewhere.

use std::collections::BTreeMap;
use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// Credential values by field name, as in the manifest's `credential_fields`.
#[derive(Clone, Default)]
pub struct Credentials(BTreeMap<String, Credential>);

#[derive(Clone)]
struct Credential {
    value: SecretString,
    secret: bool,
}

impl Credentials {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets the value of a secret field. Answers are searched for it before a guest sees them.
    pub fn insert(&mut self, field: impl Into<String>, value: impl Into<SecretString>) {
        self.0.insert(
            field.into(),
            Credential {
                value: value.into(),
                secret: true,
            },
        );
    }
    /// Sets the value of a field that the manifest declares `secret: false`, such as a user name. It is
    /// injected like any other, but answers are not searched for it.
    pub fn insert_public(&mut self, field: impl Into<String>, value: impl Into<SecretString>) {
        self.0.insert(
            field.into(),
            Credential {
                value: value.into(),
                secret: false,
            },
        );
    }
    /// The value of a field. An empty value counts as absent, so that the request fails instead of going
    /// out without it.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&SecretString> {
        self.0
            .get(field)
            .map(|c| &c.value)
            .filter(|v| !v.expose_secret().is_empty())
    }
    /// Whether the field has a value that answers are searched for.
    #[must_use]
    pub fn is_secret(&self, field: &str) -> bool {
        self.0.get(field).is_some_and(|c| c.secret)
    }
    /// Names of the fields that have a value.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.0
            .keys()
            .map(String::as_str)
            .filter(|f| self.get(f).is_some())
    }
    /// Values of the secret fields.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.0
            .values()
            .filter(|c| c.secret)
            .map(|c| c.value.expose_secret())
            .filter(|v| !v.is_empty())
    }
    /// Whether no field has a value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields().next().is_none()
    }
}

/// Prints only the names of the fields.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// Makes all of them secret.
impl<K: Into<String>, V: Into<SecretString>> FromIterator<(K, V)> for Credentials {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(fields: I) -> Self {
        let mut out = Self::new();
        for (field, value) in fields {
            out.insert(field, value);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_names_only() {
        let mut c: Credentials = [("api_key", "canary-value")].into_iter().collect();
        c.insert_public("user", "canary-user");
        assert_eq!(format!("{c:?}"), r#"{"api_key", "user"}"#);
        assert!(c.is_secret("api_key") && !c.is_secret("user") && !c.is_secret("absent"));
        assert_eq!(c.secrets().collect::<Vec<_>>(), ["canary-value"]);
    }

    #[test]
    fn an_empty_value_is_absent() {
        let c: Credentials = [("api_key", "")].into_iter().collect();
        assert!(c.get("api_key").is_none() && c.is_empty());
    }
}
