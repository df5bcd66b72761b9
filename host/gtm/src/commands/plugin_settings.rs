//! Settings of connections and bindings from the command line, checked against the plug-in's manifest
//! before they are stored.

use std::sync::mpsc;
use std::time::Duration;

use gtm_runtime::Manifest;
use gtm_runtime::schema::{Schema, describe};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::json_input;

/// Options that give settings.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct SettingOptions {
    /// One setting; may be repeated. Not for credentials
    #[arg(long = "setting", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
    /// All settings as a JSON object
    #[arg(long, value_name = "JSON")]
    pub settings_json: Option<String>,
}

impl SettingOptions {
    /// Whether any was given.
    #[must_use]
    pub fn is_given(&self) -> bool {
        !self.settings.is_empty() || self.settings_json.is_some()
    }

    /// The settings as an object that matches the manifest's schema. Single settings override the JSON.
    ///
    /// # Errors
    /// If a name is a credential's, a value has the wrong type, or the whole violates the schema. Danger:
    /// somebody may have mistaken a setting for a credential, so no message contains a value.
    pub fn read(&self, manifest: &Manifest) -> Result<Value, Failure> {
        let mut settings = self.object()?;
        for pair in &self.settings {
            let (name, text) = pair
                .split_once('=')
                .ok_or_else(|| Failure::new("--setting takes NAME=VALUE"))?;
            settings.insert(name.to_owned(), typed(manifest, name, text)?);
        }
        for name in settings.keys() {
            if manifest
                .credential_fields
                .iter()
                .any(|field| field.key == *name)
            {
                return Err(Failure::new(format!(
                    "{name} is a credential of {}, not a setting",
                    manifest.key
                ))
                .hint(format!(
                    "give it with --credential-stdin {name} or --credential-env {name}=VARIABLE"
                )));
            }
        }
        let settings = Value::Object(settings);
        check(manifest, &settings)?;
        Ok(settings)
    }

    fn object(&self) -> Result<Map<String, Value>, Failure> {
        let Some(text) = &self.settings_json else {
            return Ok(Map::new());
        };
        match json_input::parse(text.as_bytes()) {
            Ok(Value::Object(members)) => Ok(members),
            Ok(_) => Err(Failure::new("--settings-json takes a JSON object")),
            // What the parser tells repeats nothing of the text, which may hold a secret in the wrong place.
            Err(told) => Err(Failure::new(format!(
                "--settings-json is not valid JSON: {told}"
            ))),
        }
    }
}

/// Checks settings against the manifest's schema; without a schema there are no settings.
///
/// # Errors
/// The settings that are invalid.
pub fn check(manifest: &Manifest, settings: &Value) -> Result<(), Failure> {
    let Some(schema) = &manifest.settings_schema else {
        return match settings {
            Value::Object(members) if members.is_empty() => Ok(()),
            _ => Err(Failure::new(format!("{} has no settings", manifest.key))),
        };
    };
    let (schema, value) = (schema.clone(), settings.clone());
    let work = move || Schema::compile(&schema).map(|schema| schema.check(&value));
    let checked = in_time(CHECK_TIME, work)?;
    let checked = checked.map_err(|error| Failure::new(error.to_string()))?;
    checked.map_err(|violations| {
        Failure::new(format!(
            "the settings are not valid for {}: {}",
            manifest.key,
            describe(&violations)
        ))
        .hint(format!(
            "{}; `gtm plugin show {} --plugin-version {}` explains them",
            names(manifest),
            manifest.key,
            manifest.manifest_version
        ))
    })
}

/// The settings by name, with those that are required.
fn names(manifest: &Manifest) -> String {
    let told: Vec<String> = described(manifest)
        .into_iter()
        .map(|setting| match setting.required {
            true => format!("{} (required)", setting.name),
            false => setting.name,
        })
        .collect();
    match told.is_empty() {
        true => format!("{} has no settings", manifest.key),
        false => format!("the settings of {} are {}", manifest.key, told.join(", ")),
    }
}

/// A setting, as the manifest's schema has it.
pub struct Setting {
    pub name: String,
    /// Such as `string` or `one of a, b`; a dash where the schema leaves it open.
    pub form: String,
    pub required: bool,
    pub description: String,
}

/// The settings of a plug-in, in the order of its schema.
pub fn described(manifest: &Manifest) -> Vec<Setting> {
    let schema = manifest.settings_schema.as_ref().unwrap_or(&Value::Null);
    let required = schema["required"].as_array().into_iter().flatten();
    let required: Vec<&str> = required.filter_map(Value::as_str).collect();
    let members = schema["properties"].as_object().into_iter().flatten();
    members
        .map(|(name, member)| Setting {
            name: name.clone(),
            form: form(member),
            required: required.contains(&name.as_str()),
            description: member["description"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        })
        .collect()
}

/// What values a member of a schema has, in a word or two.
fn form(member: &Value) -> String {
    let texts = |values: &Vec<Value>| {
        let texts = values.iter().map(|value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        texts.collect::<Vec<_>>().join(", ")
    };
    if let Some(values) = member["enum"].as_array() {
        return format!("one of {}", texts(values));
    }
    match &member["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => texts(names),
        _ => "-".to_owned(),
    }
}

/// How long a check may take: the schema comes from a stranger.
const CHECK_TIME: Duration = Duration::from_secs(20);

/// Runs work on a thread of its own, which is abandoned if it takes too long.
fn in_time<T: Send + 'static>(
    time: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // Nobody receives this after the time limit.
        let _ = sender.send(work());
    });
    receiver.recv_timeout(time).map_err(|_| {
        Failure::new(format!(
            "the settings could not be checked within {} s",
            time.as_secs()
        ))
    })
}

/// A command-line value, converted to the type that the schema gives the setting.
fn typed(manifest: &Manifest, name: &str, text: &str) -> Result<Value, Failure> {
    let declared = manifest
        .settings_schema
        .as_ref()
        .and_then(|schema| schema.get("properties")?.get(name)?.get("type"));
    let takes_text = match declared {
        Some(Value::String(one)) => one == "string",
        Some(Value::Array(several)) => several.iter().any(|t| t == "string"),
        _ => true,
    };
    if takes_text {
        return Ok(Value::from(text));
    }
    serde_json::from_str(text).map_err(|_| {
        Failure::new(format!(
            "the setting {name} is not text: its value must be JSON"
        ))
        .hint("for example --setting max_pages=8 or --setting allow_evidence_only=true")
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::credential_input::tests::manifest;
    use serde_json::json;

    fn read(settings: &[&str], json: Option<&str>) -> Result<Value, Failure> {
        let options = SettingOptions {
            settings: settings.iter().map(|s| (*s).to_owned()).collect(),
            settings_json: json.map(str::to_owned),
        };
        options.read(&manifest())
    }

    #[test]
    fn values_take_the_type_that_the_schema_gives_them() {
        let settings = read(
            &["url=http://a/?x=y", "pages=8"],
            Some(r#"{"pages":1,"deep":{"a":true}}"#),
        )
        .unwrap();
        assert_eq!(
            settings,
            json!({ "pages": 8, "deep": { "a": true }, "url": "http://a/?x=y" })
        );
        assert_eq!(read(&[], None).unwrap(), json!({}));
    }

    #[test]
    fn settings_are_told_with_their_form() {
        let mut manifest = manifest();
        manifest.settings_schema = Some(json!({
            "required": ["url"],
            "properties": {
                "url": { "type": "string", "description": "Where it is." },
                "pages": { "type": ["integer", "null"] },
                "mode": { "enum": ["fast", 2] },
                "any": true,
            },
        }));
        let told: Vec<_> = described(&manifest)
            .into_iter()
            .map(|it| (it.name, it.form, it.required, it.description))
            .collect();
        let told: Vec<_> = told
            .iter()
            .map(|(n, f, r, d)| (n.as_str(), f.as_str(), *r, d.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                ("url", "string", true, "Where it is."),
                ("pages", "integer, null", false, ""),
                ("mode", "one of fast, 2", false, ""),
                ("any", "-", false, ""),
            ]
        );
        assert_eq!(
            names(&manifest),
            format!(
                "the settings of {} are url (required), pages, mode, any",
                manifest.key
            )
        );
        manifest.settings_schema = None;
        assert!(described(&manifest).is_empty());
    }

    #[test]
    fn a_check_that_takes_too_long_is_left_behind() {
        let (tell, told) = mpsc::channel::<()>();
        // Ends when this test drops the sender, or after a minute.
        let endless = move || told.recv_timeout(Duration::from_secs(60)).is_ok();
        let failure = in_time(Duration::from_millis(10), endless).unwrap_err();
        assert!(
            failure.message.contains("could not be checked within"),
            "{failure:?}"
        );
        drop(tell);
        assert_eq!(in_time(Duration::from_secs(60), || 7).unwrap(), 7);
    }

    #[test]
    fn no_message_holds_a_value() {
        for (settings, json) in [
            (vec!["api_key=sk-hunter2"], None),
            (vec!["pages=sk-hunter2"], None),
            (vec!["unknown=sk-hunter2"], None),
            (vec!["sk-hunter2"], None),
            (vec![], Some(r#"{"api_key":"sk-hunter2"}"#)),
            (vec![], Some(r#"{"url":["sk-hunter2"]}"#)),
            (vec![], Some("sk-hunter2")),
            (vec![], Some("[\"sk-hunter2\"]")),
        ] {
            let failure = read(&settings, json).unwrap_err();
            let text = format!("{failure:?}");
            assert!(!text.contains("hunter2"), "{text}");
        }
        assert!(
            read(&["api_key=x"], None)
                .unwrap_err()
                .hint
                .unwrap()
                .contains("--credential-stdin")
        );
    }
}
