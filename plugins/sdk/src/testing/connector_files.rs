//! The files of a connector's folder, and checks that every connector must pass: the manifest matches its
//! schema and the contracts of its capabilities, its matchers match what they should, and a test plays each
//! cassette.
//!
//! Everything here panics when a check fails, as assertions do.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// The world of a connector's component.
const WORLD: &str = "gtm:plugin/connector@0.1.0";

/// What an answer to a manifest's verification request says about the credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialCheck {
    /// It matches `valid`.
    Valid,
    /// It matches `invalid`.
    Invalid,
    /// Anything else; the connection's status stays as it is.
    Inconclusive,
}

/// A connector's folder: `manifest.json`, `cassettes/`, `tests/`.
#[derive(Debug, Clone)]
pub struct ConnectorFiles {
    folder: PathBuf,
}

impl ConnectorFiles {
    /// The folder, which `env!("CARGO_MANIFEST_DIR")` names in a connector's own test.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// The manifest as its author wrote it.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn manifest(&self) -> Value {
        read_json(&self.folder.join("manifest.json"))
    }

    /// Path of a cassette.
    pub fn cassette(&self, name: &str) -> PathBuf {
        self.folder.join("cassettes").join(format!("{name}.jsonl"))
    }

    /// Asserts that settings match the manifest's `settings_schema`.
    ///
    /// # Panics
    /// If they do not match.
    pub fn check_settings(&self, settings: &Value) {
        assert_fits(settings, &self.manifest()["settings_schema"], "settings");
    }

    /// Asserts that an operation accepts this input.
    ///
    /// # Panics
    /// If it does not accept it.
    pub fn check_input(&self, operation: &str, input: &Value) {
        assert_fits(input, &self.schema(operation, "input_schema"), "input");
    }

    /// Asserts that an operation may return this output.
    ///
    /// # Panics
    /// If it may not return it.
    pub fn check_output(&self, operation: &str, output: &Value) {
        assert_fits(output, &self.schema(operation, "output_schema"), "output");
    }

    /// Asserts that the manifest matches `wit/manifest.schema.json` and has its crate's version
    /// (`env!("CARGO_PKG_VERSION")`), and that each operation has the schemas of its capability.
    ///
    /// # Panics
    /// If one of these does not hold.
    pub fn check_manifest(&self, crate_version: &str) {
        let wit = self.wit();
        let mut manifest = self.manifest();
        assert_eq!(manifest["manifest_version"], crate_version);
        for operation in manifest["operations"].as_array().into_iter().flatten() {
            let capability = text(&operation["capability"]);
            for side in ["input", "output"] {
                let file = wit.join(format!("capabilities/{capability}.{side}.schema.json"));
                let mut contract = read_json(&file);
                if let Some(members) = contract.as_object_mut() {
                    members.retain(|key, _| key != "$schema" && key != "$id");
                }
                assert_eq!(
                    operation[format!("{side}_schema")],
                    contract,
                    "the {side} of {capability} has drifted from its contract"
                );
            }
        }
        // The build adds these.
        manifest["component"] = json!({
            "path": "component.wasm", "digest": format!("sha256:{}", "0".repeat(64)), "size_bytes": 8,
            "world": WORLD, "host_imports": [],
        });
        manifest["provenance"]["repository"] = json!("https://gtm.example/repository");
        manifest["provenance"]["commit"] = json!("0".repeat(40));
        let schema = read_json(&wit.join("manifest.schema.json"));
        assert_fits(&manifest, &schema, "manifest");
    }

    /// Asserts that the named test file below `tests/` names every cassette.
    ///
    /// # Panics
    /// If it omits one, or cannot be read.
    pub fn check_cassettes_are_played(&self, test_file: &str) {
        let tests = read_text(&self.folder.join("tests").join(test_file));
        let folder = self.folder.join("cassettes");
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| fail(format!("{}: {error}", folder.display())));
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            assert!(
                tests.contains(&format!("\"{name}\"")),
                "no test plays {name}"
            );
        }
    }

    /// How the host judges an answer to the verification request.
    ///
    /// # Panics
    /// If the manifest has no verification.
    pub fn verdict(&self, status: u16, body: &str) -> CredentialCheck {
        let verification = &self.manifest()["verification"];
        assert!(verification.is_object(), "the manifest verifies nothing");
        // In the host's order: where both match, a bad credential must not be called valid.
        if matches(&verification["invalid"], status, body) {
            CredentialCheck::Invalid
        } else if matches(&verification["valid"], status, body) {
            CredentialCheck::Valid
        } else {
            CredentialCheck::Inconclusive
        }
    }

    /// Whether the host takes an answer to mean "out of credit", which it never retries.
    pub fn is_exhausted(&self, status: u16, body: &str) -> bool {
        self.manifest()["rate"]["retry"]["exhausted"]
            .as_array()
            .is_some_and(|patterns| patterns.iter().any(|p| matches(p, status, body)))
    }

    fn schema(&self, operation: &str, member: &str) -> Value {
        let manifest = self.manifest();
        let mut operations = manifest["operations"].as_array().into_iter().flatten();
        operations
            .find(|known| known["id"] == operation)
            .map(|known| known[member].clone())
            .unwrap_or_else(|| fail(format!("the manifest has no operation {operation}")))
    }

    /// The folder `wit/` in a parent folder.
    fn wit(&self) -> PathBuf {
        let above = self.folder.ancestors().map(|folder| folder.join("wit"));
        let mut found = above.filter(|wit| wit.join("manifest.schema.json").is_file());
        found.next().unwrap_or_else(|| {
            fail(format!(
                "there is no wit/ folder above {}",
                self.folder.display()
            ))
        })
    }
}

/// Whether an answer matches a pattern of the manifest: all members present must match.
fn matches(pattern: &Value, status: u16, body: &str) -> bool {
    if let Some(statuses) = pattern["statuses"].as_array()
        && !statuses.contains(&json!(status))
    {
        return false;
    }
    let Some(pointer) = pattern["pointer"].as_str() else {
        return pattern["statuses"].is_array();
    };
    let body: Value = serde_json::from_str(body).unwrap_or(Value::Null);
    match (body.pointer(pointer), pattern.get("equals")) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(found), Some(wanted)) => found == wanted,
    }
}

fn assert_fits(instance: &Value, schema: &Value, what: &str) {
    let validator = jsonschema::validator_for(schema)
        .unwrap_or_else(|error| fail(format!("the schema of {what} is invalid: {error}")));
    let errors: Vec<String> = validator
        .iter_errors(instance)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{what}: {errors:?}");
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn read_text(path: &Path) -> String {
    std::fs::read_to_string(path)
        .unwrap_or_else(|error| fail(format!("{}: {error}", path.display())))
}

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&read_text(path))
        .unwrap_or_else(|error| fail(format!("{}: {error}", path.display())))
}

#[expect(clippy::panic, reason = "it fails the test that asks")]
fn fail(message: String) -> ! {
    panic!("{message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_need_all_their_members() {
        let no_query = json!({"statuses": [400], "pointer": "/error", "equals": "No query"});
        assert!(matches(&no_query, 400, r#"{"error": "No query"}"#));
        assert!(!matches(&no_query, 200, r#"{"error": "No query"}"#));
        assert!(!matches(&no_query, 400, r#"{"error": "other"}"#));
        assert!(!matches(&no_query, 400, "<html>"));
        assert!(matches(&json!({"statuses": [402]}), 402, ""));
        assert!(matches(&json!({"pointer": "/a"}), 200, r#"{"a": null}"#));
        assert!(!matches(&json!({}), 200, "{}"), "nothing says nothing");
    }
}
