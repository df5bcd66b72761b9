//! The published result schemas (`wit/results`). A source manifest names one instead of repeating it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

/// Folder of the schemas.
pub const FOLDER: &str = "wit/results";

/// Replaces each `"output_schema": {"$ref": "urn:gtm:result:…"}` with the schema itself, because a host reads
/// only the manifest. Leaves out the schema's `$id`, because the schema becomes a part of another document.
pub fn embed(folder: &Path, manifest: &mut Map<String, Value>) -> Result<()> {
    let operations = manifest.get_mut("operations").and_then(Value::as_array_mut);
    for operation in operations.into_iter().flatten() {
        let Some(schema) = operation.get_mut("output_schema") else {
            continue;
        };
        if let Some(id) = named(schema) {
            *schema = read(folder, id)?;
        }
    }
    Ok(())
}

/// The result that a schema refers to, if the reference is all that it contains.
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
    bail!("`output_schema` names `{id}`, but no schema in {FOLDER} has this `$id`")
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

    #[test]
    fn the_backends_of_this_workspace_are_packed_with_the_schemas_that_they_name() {
        let workspace = Workspace::load().unwrap();
        let mut packed = 0;
        for source in discover(&workspace, false).unwrap() {
            let path = format!("{FOLDER}/{}-draft.schema.json", source.key);
            let Ok(text) = fs::read_to_string(workspace.root.join(path)) else {
                continue;
            };
            let mut schema: Map<String, Value> = serde_json::from_str(&text).unwrap();
            schema.shift_remove("$id").unwrap();
            let operation = &source.manifest["operations"][0];
            assert_eq!(operation["output_schema"], Value::Object(schema));
            packed += 1;
        }
        assert_eq!(packed, 3);
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
        assert!(error.to_string().contains("letter:2"), "{error}");
    }
}
