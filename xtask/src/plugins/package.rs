//! The catalog's folder of one plug-in version, put in place whole.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::Value;

/// The files of a package: four, or two for an entry of the catalog alone. They stand in
/// `<catalog>/<kind>/<key>/<version>/`.
pub struct Package<'a> {
    /// Folder names below the catalog.
    pub kind: &'a str,
    /// See `kind`.
    pub key: &'a str,
    /// See `kind`.
    pub version: &'a str,
    /// `manifest.json`.
    pub manifest: &'a Value,
    /// `manifest.sig`.
    pub signature: &'a Value,
    /// `provenance.json` and `component.wasm`, where there is a component.
    pub component: Option<(&'a Value, &'a [u8])>,
}

impl Package<'_> {
    /// Writes the package unless it stands there already, byte for byte. A host that scans the
    /// catalog meanwhile sees the old package, none or the new one, never half of one.
    /// Returns whether anything was written.
    pub fn write(&self, catalog: &Path) -> Result<bool> {
        let place = catalog.join(self.kind).join(self.key).join(self.version);
        let mut files = vec![
            ("manifest.json", pretty(self.manifest)?),
            ("manifest.sig", pretty(self.signature)?),
        ];
        if let Some((provenance, component)) = self.component {
            files.push(("provenance.json", pretty(provenance)?));
            files.push(("component.wasm", component.to_vec()));
        }
        if files
            .iter()
            .all(|(name, bytes)| fs::read(place.join(name)).is_ok_and(|there| there == *bytes))
        {
            return Ok(false);
        }
        let parent = catalog.join(self.kind).join(self.key);
        fs::create_dir_all(&parent).with_context(|| format!("cannot make {}", parent.display()))?;
        let staging = staging_folder(catalog)?;
        for (name, bytes) in &files {
            let path = staging.path().join("new").join(name);
            fs::create_dir_all(staging.path().join("new"))?;
            fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
        if place.exists() {
            fs::rename(&place, staging.path().join("old"))
                .with_context(|| format!("cannot replace {}", place.display()))?;
        }
        fs::rename(staging.path().join("new"), &place)
            .with_context(|| format!("cannot write {}", place.display()))?;
        Ok(true)
    }
}

/// A folder on the catalog's own file system, hidden from scans by its leading dot.
fn staging_folder(catalog: &Path) -> Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix(".staging-")
        .tempdir_in(catalog)
        .with_context(|| format!("cannot write in {}", catalog.display()))
}

/// Takes packages out of the catalog that none of these (kind, key, version) names.
pub fn remove_others(catalog: &Path, keep: &[(&str, &str, &str)]) -> Result<()> {
    for kind in folders_in(catalog)? {
        for key in folders_in(&kind)? {
            for version in folders_in(&key)? {
                let wanted = keep
                    .iter()
                    .any(|(a, b, c)| catalog.join(a).join(b).join(c) == version);
                if !wanted {
                    fs::remove_dir_all(&version)
                        .with_context(|| format!("cannot remove {}", version.display()))?;
                }
            }
        }
    }
    Ok(())
}

fn folders_in(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(Vec::new());
    }
    let mut folders = Vec::new();
    for entry in fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && !entry.file_name().to_string_lossy().starts_with('.') {
            folders.push(entry.path());
        }
    }
    Ok(folders)
}

fn pretty(value: &Value) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    fn write(catalog: &Path, version: &str, component: &[u8]) -> bool {
        let manifest = json!({"manifest_version": version});
        let nothing = json!({});
        Package {
            kind: "evaluator",
            key: "sample",
            version,
            manifest: &manifest,
            signature: &nothing,
            component: Some((&nothing, component)),
        }
        .write(catalog)
        .unwrap()
    }

    #[test]
    fn a_package_is_replaced_whole_and_only_when_it_differs() {
        let catalog = tempfile::tempdir().unwrap();
        assert!(write(catalog.path(), "1.0.0", b"one"));
        assert!(!write(catalog.path(), "1.0.0", b"one"));
        assert!(write(catalog.path(), "1.0.0", b"two"));
        let place = catalog.path().join("evaluator/sample/1.0.0");
        assert_eq!(fs::read(place.join("component.wasm")).unwrap(), b"two");
        let left: Vec<_> = fs::read_dir(catalog.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "staging folders are gone");
    }

    #[test]
    fn other_packages_are_removed_on_request() {
        let catalog = tempfile::tempdir().unwrap();
        write(catalog.path(), "1.0.0", b"one");
        write(catalog.path(), "1.1.0", b"two");
        remove_others(catalog.path(), &[("evaluator", "sample", "1.1.0")]).unwrap();
        assert!(!catalog.path().join("evaluator/sample/1.0.0").exists());
        assert!(catalog.path().join("evaluator/sample/1.1.0").exists());
    }
}
