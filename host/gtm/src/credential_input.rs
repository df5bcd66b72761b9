//! Reads credentials. Danger: every user of the machine can read a command's arguments. So credentials come
//! from standard input or the environment, never from an argument. Values are checked against the
//! connector's manifest.

use std::collections::BTreeMap;
use std::env::VarError;
use std::io::{self, IsTerminal as _, Read as _};

use gtm_engine::connections::credentials::{MAX_CREDENTIAL_BYTES, check};
use gtm_runtime::Manifest;
use gtm_runtime::manifest::CredentialField;
use secrecy::SecretString;

use crate::failure::Failure;
use crate::output;

/// Where to read credentials from.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Sources {
    /// Read this field's value from standard input
    #[arg(long = "credential-stdin", value_name = "FIELD")]
    pub stdin: Option<String>,
    /// Read a field's value from an environment variable; may be repeated
    #[arg(long = "credential-env", value_name = "FIELD=VARIABLE")]
    pub env: Vec<String>,
    /// Read the other fields from the connector's own variables, or from this one alone; may be repeated
    ///
    /// A connector's own variables begin with its key; `gtm connector show` names them. Each variable that
    /// is read is named on standard error. A VARIABLE that is not one of the connector's own goes into its
    /// only credential.
    #[arg(
        long = "credentials-from-environment",
        visible_alias = "from-env",
        value_name = "VARIABLE",
        num_args = 0..=1,
        default_missing_value = "",
        value_parser = variable_name
    )]
    pub variables: Vec<String>,
}

/// Checks the name of a variable, which may be empty.
fn variable_name(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if text.chars().all(fits) && !text.starts_with(|c: char| c.is_ascii_digit()) {
        Ok(text.to_owned())
    } else {
        Err("this is not the name of a variable".to_owned())
    }
}

impl Sources {
    /// Whether any was given.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.stdin.is_some() || !self.env.is_empty() || !self.variables.is_empty()
    }

    /// Reads and checks the values.
    ///
    /// # Errors
    /// If a field is unknown, given twice, empty, or violates the manifest's pattern, or if its source
    /// cannot be read. No message contains a value.
    pub fn read(&self, manifest: &Manifest) -> Result<BTreeMap<String, SecretString>, Failure> {
        let mut values: BTreeMap<String, SecretString> = BTreeMap::new();
        let mut put = |field: &CredentialField, value: String| match values
            .insert(field.key.clone(), checked(field, value)?)
        {
            None => Ok(()),
            Some(_) => Err(Failure::new(format!(
                "credential {} is given twice",
                field.key
            ))),
        };
        if let Some(name) = &self.stdin {
            put(field(manifest, name)?, from_stdin(name)?)?;
        }
        for pair in &self.env {
            let (name, variable) = pair.split_once('=').ok_or_else(|| {
                Failure::new("--credential-env takes FIELD=VARIABLE")
                    .hint("for example --credential-env api_key=OPENAI_API_KEY")
            })?;
            put(field(manifest, name)?, from_environment(name, variable)?)?;
        }
        for variable in &self.variables {
            let found = match variable.as_str() {
                "" => from_own_variables(manifest),
                name => vec![(taking(manifest, name)?, name)],
            };
            for (field, name) in found {
                if values.contains_key(&field.key) {
                    continue;
                }
                output::note(&format!("credential {} is read from {name}", field.key));
                let value = from_environment(&field.key, name)?;
                values.insert(field.key.clone(), checked(field, value)?);
            }
        }
        Ok(values)
    }
}

/// Fails if a required field of the connector has no value.
///
/// # Errors
/// The names of the missing fields.
pub fn require_all(
    manifest: &Manifest,
    values: &BTreeMap<String, SecretString>,
) -> Result<(), Failure> {
    let missing: Vec<&str> = manifest
        .credential_fields
        .iter()
        .filter(|field| field.required && !values.contains_key(&field.key))
        .map(|field| field.key.as_str())
        .collect();
    match missing.first() {
        None => Ok(()),
        Some(first) => Err(Failure::new(format!(
            "{} needs the credential {}",
            manifest.key,
            missing.join(", ")
        ))
        .hint(format!(
            "give it with --credential-stdin {first} or --credential-env {first}=VARIABLE"
        ))),
    }
}

fn field<'m>(manifest: &'m Manifest, name: &str) -> Result<&'m CredentialField, Failure> {
    let known = || {
        manifest
            .credential_fields
            .iter()
            .map(|f| f.key.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    manifest
        .credential_fields
        .iter()
        .find(|f| f.key == name)
        .ok_or_else(|| {
            let hint = if manifest.credential_fields.is_empty() {
                "it has none".to_owned()
            } else {
                format!("it has {}", known())
            };
            Failure::new(format!("{} has no credential field {name}", manifest.key)).hint(hint)
        })
}

/// Each field with the first of its own variables that is set.
fn from_own_variables(manifest: &Manifest) -> Vec<(&CredentialField, &str)> {
    let is_set = |alias: &&String| std::env::var_os(alias).is_some_and(|value| !value.is_empty());
    manifest
        .credential_fields
        .iter()
        .filter_map(|field| {
            let alias = field.environment_aliases.iter().find(is_set)?;
            Some((field, alias.as_str()))
        })
        .collect()
}

/// The field for a variable that the operator named.
fn taking<'m>(manifest: &'m Manifest, variable: &str) -> Result<&'m CredentialField, Failure> {
    let own = (manifest.credential_fields.iter())
        .find(|field| field.environment_aliases.iter().any(|a| a == variable));
    match (own, manifest.credential_fields.as_slice()) {
        (Some(field), _) | (None, [field]) => Ok(field),
        (None, fields) => Err(Failure::new(format!(
            "{} does not say which credential {variable} is for",
            manifest.key
        ))
        .hint(match fields.first() {
            Some(field) => format!("use --credential-env {}={variable}", field.key),
            None => "it has none".to_owned(),
        })),
    }
}

fn from_stdin(name: &str) -> Result<String, Failure> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        // Typing the value here would show it on the screen.
        return Err(
            Failure::new(format!("the value of {name} is expected on standard input"))
                .hint("pipe it in from a password manager or a file"),
        );
    }
    let mut text = String::new();
    stdin
        .lock()
        // Reads a little more than a credential and its line end may have, so that a longer one is noticed.
        .take(MAX_CREDENTIAL_BYTES as u64 + 3)
        .read_to_string(&mut text)
        .map_err(|_| Failure::new(format!("the value of {name} on standard input is not text")))?;
    Ok(text)
}

fn from_environment(name: &str, variable: &str) -> Result<String, Failure> {
    std::env::var(variable).map_err(|error| {
        let why = match error {
            VarError::NotPresent => "is not set",
            VarError::NotUnicode(_) => "is not text",
        };
        Failure::new(format!(
            "variable {variable} for the credential {name} {why}"
        ))
    })
}

/// The value without the line end that files and pipes add, if the field accepts it.
fn checked(field: &CredentialField, value: String) -> Result<SecretString, Failure> {
    let value = value
        .strip_suffix('\n')
        .map_or(value.as_str(), |v| v.strip_suffix('\r').unwrap_or(v))
        .to_owned();
    check(field, &value).map_err(|unfit| Failure::new(unfit.to_string()))?;
    Ok(SecretString::from(value))
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use secrecy::ExposeSecret as _;
    use serde_json::json;

    /// A connector with one required credential, one optional credential, and three settings.
    pub(crate) fn manifest() -> Manifest {
        let field = |key: &str, required: bool| {
            json!({
                "key": key, "label": key, "description": key, "environment_aliases": [format!("SAMPLE_{}", key.to_uppercase())],
                "required": required, "secret": true, "pattern": "^sk-[a-z0-9-]+$",
            })
        };
        let digest = format!("sha256:{}", "0".repeat(64));
        serde_json::from_value(json!({
            "schema_version": "1", "kind": "connector", "key": "sample", "publisher": "com.example", "manifest_version": "1.0.0", "name": "Sample",
            "category": "other", "declared_integration_kinds": ["rest"], "capabilities": ["web.fetch"], "stage": "preview",
            "license": "Apache-2.0", "egress": [], "auth": { "schemes": [] }, "operations": [],
            "component": { "path": "component.wasm", "digest": digest, "size_bytes": 1, "world": "w", "host_imports": [] },
            "credential_fields": [field("api_key", true), field("other_key", false)],
            "settings_schema": {
                "type": "object", "additionalProperties": false,
                "properties": { "url": { "type": "string" }, "pages": { "type": "integer" }, "deep": { "type": "object" } },
            },
            "limits": {
                "memory_bytes": 1, "wall_ms": 1, "cpu_ms": 1, "egress_requests": 1, "egress_bytes_out": 1, "egress_bytes_in": 1,
                "output_bytes": 1, "log_lines": 1,
            },
            "provenance": { "repository": "r", "commit": "c", "source_paths": [] },
        }))
        .unwrap()
    }

    fn field_named(name: &str) -> CredentialField {
        field(&manifest(), name).unwrap().clone()
    }

    #[test]
    fn line_ends_of_files_and_pipes_are_taken_off() {
        for text in ["sk-1", "sk-1\n", "sk-1\r\n"] {
            assert_eq!(
                checked(&field_named("api_key"), text.to_owned())
                    .unwrap()
                    .expose_secret(),
                "sk-1"
            );
        }
    }

    #[test]
    fn what_is_no_credential_of_the_connector_is_told_without_the_value() {
        let long = format!("sk-hunter2{}", "x".repeat(MAX_CREDENTIAL_BYTES));
        for value in [
            "",
            "\n",
            "  ",
            "hunter2 hunter2",
            "sk-hunter2\nsk-hunter2",
            "sk-hunter2\r\n\r\n",
            "sk-hunter2\0",
            "sk-hunter2\u{85}",
            &long,
        ] {
            let failure = checked(&field_named("api_key"), value.to_owned()).unwrap_err();
            assert!(!format!("{failure:?}").contains("hunter2"), "{failure:?}");
        }
        assert!(
            field(&manifest(), "password")
                .unwrap_err()
                .hint
                .unwrap()
                .contains("api_key, other_key")
        );
    }

    #[test]
    fn a_variable_must_be_set_and_named() {
        let from = |pair: &str| {
            Sources {
                env: vec![pair.to_owned()],
                ..Sources::default()
            }
            .read(&manifest())
        };
        assert!(from("api_key").is_err());
        assert!(
            from("api_key=GTM_TEST_NOT_SET_ANYWHERE")
                .unwrap_err()
                .message
                .contains("GTM_TEST_NOT_SET_ANYWHERE")
        );
    }

    #[test]
    fn a_named_variable_goes_where_the_manifest_says_or_into_the_only_field() {
        let mut manifest = manifest();
        assert_eq!(
            taking(&manifest, "SAMPLE_OTHER_KEY").unwrap().key,
            "other_key"
        );
        let unclear = taking(&manifest, "SOME_KEY").unwrap_err();
        assert!(
            unclear.hint.unwrap().contains("api_key=SOME_KEY"),
            "the operator can still say it"
        );
        manifest.credential_fields.truncate(1);
        assert_eq!(taking(&manifest, "SOME_KEY").unwrap().key, "api_key");
        for wrong in ["conn-1", "A=B", "1A", "ä"] {
            assert!(variable_name(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_required_field_is_missed() {
        let failure = require_all(&manifest(), &BTreeMap::new()).unwrap_err();
        assert!(
            failure.message.contains("api_key") && !failure.message.contains("other_key"),
            "{failure:?}"
        );
    }
}
