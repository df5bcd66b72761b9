//! The published schemas of results, and of questions that several plug-ins are asked (`wit/results`). A source
//! manifest names one instead of repeating it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

/// Folder of the schemas.
pub const FOLDER: &str = "wit/results";

/// Replaces each `{"$ref": "urn:gtm:result:…"}` that is an operation's whole `input_schema` or `output_schema` with
/// the schema itself, because a host reads only the manifest. Leaves out the schema's `$id`, because the schema
/// becomes a part of another document.
pub fn embed(folder: &Path, manifest: &mut Map<String, Value>) -> Result<()> {
    let operations = manifest.get_mut("operations").and_then(Value::as_array_mut);
    for operation in operations.into_iter().flatten() {
        for member in ["input_schema", "output_schema"] {
            let Some(schema) = operation.get_mut(member) else {
                continue;
            };
            if let Some(id) = named(schema) {
                *schema = read(folder, id).with_context(|| format!("`{member}`"))?;
            }
        }
    }
    Ok(())
}

/// The published schema that a schema refers to, if the reference is all that it contains.
fn named(schema: &Value) -> Option<&str> {
    let members = schema.as_object().filter(|members| members.len() == 1)?;
    let id = members.get("$ref")?.as_str()?;
    id.starts_with("urn:gtm:result:").then_some(id)
}

fn read(folder: &Path, id: &str) -> Result<Value> {
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?
    {
        let path = entry?.path();
        if !path.to_string_lossy().ends_with(".schema.json") {
            continue;
        }
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut schema: Map<String, Value> = serde_json::from_str(&text)
            .with_context(|| format!("{} is not a JSON object", path.display()))?;
        if schema.shift_remove("$id").is_some_and(|its| its == id) {
            return Ok(Value::Object(schema));
        }
    }
    bail!("it names `{id}`, but no schema in {FOLDER} has this `$id`")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;
    use crate::plugins::discover::discover;
    use crate::workspace::Workspace;

    fn manifest(output: Value) -> Map<String, Value> {
        let manifest = json!({"operations": [{"id": "letters", "output_schema": output}]});
        manifest.as_object().unwrap().clone()
    }

    /// Key, member and file of each schema that a manifest of this workspace names.
    const NAMED: [(&str, &str, &str); 12] = [
        ("brand", "output_schema", "brand-draft"),
        ("document", "output_schema", "document-draft"),
        ("judge-message", "input_schema", "message-judge-question"),
        ("judge-message", "output_schema", "message-judgement"),
        ("message-template", "output_schema", "message-draft"),
        ("playbook", "output_schema", "playbook-draft"),
        ("policy-de", "input_schema", "policy-question"),
        ("policy-de", "output_schema", "policy-verdict"),
        ("policy-gb", "input_schema", "policy-question"),
        ("policy-gb", "output_schema", "policy-verdict"),
        ("policy-us", "input_schema", "policy-question"),
        ("policy-us", "output_schema", "policy-verdict"),
    ];

    #[test]
    fn the_plugins_of_this_workspace_are_packed_with_the_schemas_that_they_name() {
        let workspace = Workspace::load().unwrap();
        let sources = discover(&workspace, false).unwrap();
        for (key, member, name) in NAMED {
            let path = format!("{FOLDER}/{name}.schema.json");
            let text = fs::read_to_string(workspace.root.join(path)).unwrap();
            let mut schema: Map<String, Value> = serde_json::from_str(&text).unwrap();
            schema.shift_remove("$id").unwrap();
            let source = sources.iter().find(|source| source.key == key).unwrap();
            let operation = &source.manifest["operations"][0];
            assert_eq!(operation[member], Value::Object(schema), "{key}");
        }
    }

    #[test]
    fn a_named_schema_is_put_in_its_place_and_any_other_stays() {
        let folder = tempfile::tempdir().unwrap();
        let schema = r#"{"$schema": "s", "$id": "urn:gtm:result:letter:1", "type": "object"}"#;
        fs::write(folder.path().join("letter.schema.json"), schema).unwrap();
        fs::write(folder.path().join("README.md"), "no schema").unwrap();
        let embedded = |output: Value| {
            let mut manifest = manifest(output);
            embed(folder.path(), &mut manifest)?;
            anyhow::Ok(manifest["operations"][0]["output_schema"].take())
        };
        let letter = embedded(json!({"$ref": "urn:gtm:result:letter:1"})).unwrap();
        assert_eq!(letter.to_string(), r#"{"$schema":"s","type":"object"}"#);
        for own in [
            json!({"$ref": "#/$defs/letter", "$defs": {}}),
            json!({"$ref": "#/$defs/letter"}),
            json!({"type": "object"}),
        ] {
            assert_eq!(embedded(own.clone()).unwrap(), own);
        }
        let error = embedded(json!({"$ref": "urn:gtm:result:letter:2"})).unwrap_err();
        assert!(format!("{error:#}").contains("letter:2"), "{error:#}");
        let mut asked =
            json!({"operations": [{"input_schema": {"$ref": "urn:gtm:result:letter:1"}}]});
        embed(folder.path(), asked.as_object_mut().unwrap()).unwrap();
        assert_eq!(asked["operations"][0]["input_schema"]["type"], "object");
    }
}
