//! Finds the plug-ins to build: workspace members with a `manifest.json` beside their `Cargo.toml`. Finds
//! also the providers in `connectors/catalog/`, which have a manifest but no component.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cargo_metadata::PackageId;
use serde_json::{Map, Value};

use super::{own_workspace, result_schemas};
use crate::workspace::Workspace;

/// Folders whose subfolders may be plug-ins of the product.
const PRODUCT: &[&str] = &["connectors", "plugins"];
/// Folders whose subfolders may be fixture plug-ins, which only tests load.
const FIXTURES: &[&str] = &["tests/fixtures"];

/// Folder of the manifests that have no component.
pub const ENTRIES: &str = "connectors/catalog";

/// A provider that the catalog lists without a component.
pub struct Entry {
    /// Path of the manifest.
    pub path: PathBuf,
    /// The manifest as its author wrote it.
    pub manifest: Map<String, Value>,
    /// Manifest `kind`.
    pub kind: String,
    /// Manifest `key`, which is also the file's name.
    pub key: String,
    /// Manifest `manifest_version`.
    pub version: String,
}

/// Where a plug-in's sources are, and what they declare.
pub struct Source {
    /// Cargo package name.
    pub package: String,
    /// Cargo package id.
    pub id: PackageId,
    /// Folder of `Cargo.toml` and `manifest.json`.
    pub folder: PathBuf,
    /// Whether it is a fixture, which only tests load.
    pub fixture: bool,
    /// Whether it is a workspace of its own.
    pub own_workspace: bool,
    /// The package's `repository` field, if it has one.
    pub repository: Option<String>,
    /// The manifest as its author wrote it: without `component`, and with an incomplete `provenance`.
    pub manifest: Map<String, Value>,
    /// Manifest `kind`.
    pub kind: String,
    /// Manifest `key`.
    pub key: String,
    /// Manifest `manifest_version`.
    pub version: String,
}

impl Source {
    /// Whether nothing but documents needs it.
    pub fn only_for_documents(&self) -> bool {
        let capabilities = self.manifest.get("capabilities").and_then(Value::as_array);
        self.kind == "document_renderer"
            || capabilities.is_some_and(|all| all.len() == 1 && all[0] == "documents")
    }
}

/// The product's plug-ins, or the fixtures, sorted by key.
pub fn discover(workspace: &Workspace, fixtures: bool) -> Result<Vec<Source>> {
    let parents = if fixtures { FIXTURES } else { PRODUCT };
    let mut sources = Vec::new();
    for parent in parents {
        let parent = workspace.root.join(parent);
        if !parent.is_dir() {
            continue;
        }
        for entry in
            fs::read_dir(&parent).with_context(|| format!("cannot list {}", parent.display()))?
        {
            let folder = entry?.path();
            if folder.join("Cargo.toml").is_file() && folder.join("manifest.json").is_file() {
                sources.push(read(workspace, &folder, fixtures)?);
            }
        }
    }
    sources.sort_by(|left, right| left.key.cmp(&right.key));
    for pair in sources.windows(2) {
        if let [left, right] = pair
            && (&left.kind, &left.key) == (&right.kind, &right.key)
        {
            bail!(
                "{} and {} both say that they are {} `{}`",
                workspace.relative(&left.folder),
                workspace.relative(&right.folder),
                left.kind,
                left.key
            );
        }
    }
    Ok(sources)
}

/// The catalog's entries without a component, sorted by key. Fails if an entry has the key of a plug-in,
/// because that provider has a component.
pub fn entries(workspace: &Workspace, sources: &[Source]) -> Result<Vec<Entry>> {
    let folder = workspace.root.join(ENTRIES);
    let mut entries = Vec::new();
    if !folder.is_dir() {
        return Ok(entries);
    }
    for file in fs::read_dir(&folder).with_context(|| format!("cannot list {ENTRIES}"))? {
        let path = file?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let (manifest, shown) = manifest_of(workspace, &path)?;
        let entry = Entry {
            kind: folder_name(&manifest, "kind", &shown)?,
            key: folder_name(&manifest, "key", &shown)?,
            version: folder_name(&manifest, "manifest_version", &shown)?,
            manifest,
            path,
        };
        if entry.path.file_stem().and_then(|stem| stem.to_str()) != Some(&entry.key) {
            bail!("{shown} is that of `{}`; name the file so", entry.key);
        }
        if sources
            .iter()
            .any(|source| (&source.kind, &source.key) == (&entry.kind, &entry.key))
        {
            bail!(
                "{shown}: there is a plug-in `{}`; the entry has to go",
                entry.key
            );
        }
        entries.push(entry);
    }
    entries.sort_by(|left, right| left.key.cmp(&right.key));
    Ok(entries)
}

/// A source manifest with the result schemas that it names, and its path for messages.
fn manifest_of(workspace: &Workspace, path: &Path) -> Result<(Map<String, Value>, String)> {
    let shown = workspace.relative(path);
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let mut manifest: Map<String, Value> =
        serde_json::from_str(&text).with_context(|| format!("{shown} is not a JSON object"))?;
    if manifest.contains_key("component") {
        bail!("{shown}: `component` is written by the build; take it out of the source manifest");
    }
    let results = workspace.root.join(result_schemas::FOLDER);
    result_schemas::embed(&results, &mut manifest).with_context(|| shown.clone())?;
    Ok((manifest, shown))
}

fn read(workspace: &Workspace, folder: &Path, fixture: bool) -> Result<Source> {
    let (manifest, shown) = manifest_of(workspace, &folder.join("manifest.json"))?;
    let own_workspace = own_workspace::is_one(folder);
    let package = if own_workspace {
        own_workspace::package(folder)?
    } else {
        let member = workspace.member_at(folder).with_context(|| {
            format!(
                "{} is not a member of the workspace; add it to `members` in Cargo.toml",
                workspace.relative(folder)
            )
        })?;
        member.clone()
    };
    if !package.targets.iter().any(|target| target.is_cdylib()) {
        bail!(
            "{}: a plug-in needs `crate-type = [\"cdylib\", \"rlib\"]` under [lib]",
            workspace.relative(package.manifest_path.as_std_path())
        );
    }
    Ok(Source {
        package: package.name.to_string(),
        id: package.id.clone(),
        folder: folder.to_owned(),
        fixture,
        own_workspace,
        repository: package.repository.clone(),
        kind: folder_name(&manifest, "kind", &shown)?,
        key: folder_name(&manifest, "key", &shown)?,
        version: folder_name(&manifest, "manifest_version", &shown)?,
        manifest,
    })
}

/// A member of the manifest that becomes a folder name in the catalog. The host validates its format; this
/// check only keeps the path inside the catalog.
fn folder_name(manifest: &Map<String, Value>, member: &str, shown: &str) -> Result<String> {
    let value = manifest
        .get(member)
        .and_then(Value::as_str)
        .with_context(|| format!("{shown} has no text member `{member}`"))?;
    let safe = !value.is_empty()
        && !value.starts_with('.')
        && value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+'));
    if !safe {
        bail!("{shown}: `{member}` is `{value}`, which cannot name a folder of the catalog");
    }
    Ok(value.to_owned())
}

/// What to say of a name that none of these plug-ins has.
pub fn unknown(name: &str, mut known: Vec<&str>, fixtures: bool) -> String {
    known.sort_unstable();
    // A part of a name, or the folder's or the crate's: `fetch`, `gtm-web-fetch`.
    let is_near = |key: &&&str| key.contains(name) || name.contains(**key);
    let near: Vec<&str> = known.iter().filter(is_near).copied().collect();
    let meant = match near.as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", near.join(" or ")),
    };
    let others = match fixtures {
        true => "those of the product are built without --fixtures",
        false => "fixtures are built with --fixtures",
    };
    format!(
        "no plug-in has the key `{name}`{meant}\nThere are: {}\nA key stands in the plug-in's manifest.json; {others}",
        known.join(", ")
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn an_unknown_name_is_told_with_those_that_there_are() {
        let known = || vec!["web-fetch", "brand", "searxng"];
        let told = unknown("gtm-web-fetch", known(), false);
        assert!(told.contains("did you mean web-fetch?"), "{told}");
        let told = unknown("nothing", known(), true);
        assert!(
            told.contains("There are: brand, searxng, web-fetch") && !told.contains("did you mean"),
            "{told}"
        );
        assert!(told.contains("without --fixtures"), "{told}");
    }

    #[test]
    fn a_manifest_cannot_lead_out_of_the_catalog() {
        for bad in ["", "..", "../x", "a/b", ".hidden", "a b", "a\\b"] {
            let mut manifest = Map::new();
            manifest.insert("key".into(), Value::from(bad));
            assert!(folder_name(&manifest, "key", "m").is_err(), "{bad}");
        }
        let mut manifest = Map::new();
        manifest.insert("key".into(), Value::from("web-fetch"));
        assert_eq!(folder_name(&manifest, "key", "m").unwrap(), "web-fetch");
    }
}
