//! Reading credentials: from standard input or from the environment, never from an argument, where
//! every user of the machine could read them. Values are checked against the connector's manifest.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Read as _};

use gtm_runtime::Manifest;
use gtm_runtime::manifest::CredentialField;
use gtm_runtime::schema::Schema;
use secrecy::SecretString;
use serde_json::{Value, json};

use crate::failure::Failure;

/// Longest credential that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// Where credentials are to be read from.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Sources {
    /// Read this field's value from standard input
    #[arg(long = "credential-stdin", value_name = "FIELD")]
    pub stdin: Option<String>,
    /// Read a field's value from an environment variable; may be repeated
    #[arg(long = "credential-env", value_name = "FIELD=VARIABLE")]
    pub env: Vec<String>,
    /// Read the other fields from the variables that the connector's manifest names for them
    #[arg(long = "credentials-from-environment")]
    pub aliases: bool,
}

impl Sources {
    /// Read and check the values.
    ///
    /// # Errors
    /// If a field is unknown, given twice, empty, or breaks the manifest's pattern, or its source cannot
    /// be read. No message holds a value.
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
        if self.aliases {
            for field in &manifest.credential_fields {
                let found = field
                    .environment_aliases
                    .iter()
                    .find_map(|alias| std::env::var(alias).ok().filter(|v| !v.is_empty()));
                if let (Some(value), false) = (found, values.contains_key(&field.key)) {
                    values.insert(field.key.clone(), checked(field, value)?);
                }
            }
        }
        Ok(values)
    }
}

/// Fail if a required field of the connector has no value.
///
/// # Errors
/// With the names of the missing fields.
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

fn from_stdin(name: &str) -> Result<String, Failure> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        // Typing it here would show it on the screen.
        return Err(
            Failure::new(format!("the value of {name} is expected on standard input"))
                .hint("pipe it in from a password manager or a file"),
        );
    }
    let mut text = String::new();
    stdin
        .lock()
        .take(MAX_BYTES)
        .read_to_string(&mut text)
        .map_err(|_| Failure::new(format!("the value of {name} on standard input is not text")))?;
    Ok(text)
}

fn from_environment(name: &str, variable: &str) -> Result<String, Failure> {
    std::env::var(variable).map_err(|_| {
        Failure::new(format!(
            "variable {variable} for the credential {name} is not set"
        ))
    })
}

/// The value without the line end that files and pipes bring, if the field accepts it.
fn checked(field: &CredentialField, value: String) -> Result<SecretString, Failure> {
    let value = value
        .strip_suffix('\n')
        .map_or(value.as_str(), |v| v.strip_suffix('\r').unwrap_or(v))
        .to_owned();
    if value.is_empty() {
        return Err(Failure::new(format!(
            "the credential {} is empty",
            field.key
        )));
    }
    if let Some(pattern) = &field.pattern {
        let schema = Schema::compile(&json!({ "pattern": pattern }))
            .map_err(|error| Failure::new(error.to_string()))?;
        if schema.check(&Value::String(value.clone())).is_err() {
            return Err(Failure::new(format!(
                "the credential {} does not have the form that the connector expects",
                field.key
            )));
        }
    }
    Ok(SecretString::from(value))
}
