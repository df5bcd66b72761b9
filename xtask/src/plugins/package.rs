//! The folder of one plug-in version in the catalog, written atomically.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::Purpose;
use super::provenance;
use super::signing::Publisher;

/// The files of a package: four, or two for a catalog entry without a component. They are in
/// `<catalog>/<kind>/<key>/<version>/`.
pub struct Package<'a> {
    /// Folder name below the catalog.
    pub kind: &'a str,
    /// Folder name below the kind's folder.
    pub key: &'a str,
    /// Folder name below the key's folder.
    pub version: &'a str,
    /// `manifest.json`.
    pub manifest: &'a Value,
    /// The publisher that signs `manifest.sig`.
    pub publisher: &'a Publisher,
    /// `component.wasm`, if there is one; `provenance.json` follows from the manifest.
    pub component: Option<&'a [u8]>,
}

impl Package<'_> {
    fn stands_with_other_content(&self, place: &Path) -> Result<bool> {
        bail!(
            "{} `{}` {} stands in {} with another manifest or component, and a released version \
             never changes: raise `manifest_version`, or remove that folder if no host has \
             seen what is in it",
            self.kind,
            self.key,
            self.version,
            place.display()
        )
    }

    /// Danger: a kept manifest is signed again, so the new signature would vouch for whatever somebody else
    /// wrote into the folder. So only a manifest that this publisher signed before is kept.
    fn check_signature(&self, place: &Path, published: &Value) -> Result<()> {
        let signed = match json_of(&place.join("manifest.sig"))? {
            Some(signature) => self.publisher.has_signed(published, &signature)?,
            None => false,
        };
        if signed {
            return Ok(());
        }
        bail!(
            "{} `{}` {} stands in {} with a manifest that names another origin, and its `manifest.sig` is \
             not a signature of this publisher ({}) over it. It was changed after it was signed, or \
             signed with another key. Restore the published folder or the key, or remove the folder if no \
             host has seen what is in it",
            self.kind,
            self.key,
            self.version,
            place.display(),
            self.publisher.id
        )
    }

    /// Writes the package unless the folder already has the same files, byte for byte. A host that scans the
    /// catalog meanwhile sees the old package, none or the new one, never half of one. Returns whether
    /// anything was written.
    pub fn write(&self, catalog: &Path, purpose: Purpose) -> Result<bool> {
        let place = catalog.join(self.kind).join(self.key).join(self.version);
        let mut manifest = self.manifest;
        let published;
        if purpose == Purpose::Release
            && let Some(there) = json_of(&place.join("manifest.json"))?
            && there != *manifest
        {
            if !differs_in_provenance_alone(&there, manifest) {
                return self.stands_with_other_content(&place);
            }
            self.check_signature(&place, &there)?;
            published = there;
            manifest = &published;
        }
        let mut files = vec![
            ("manifest.json", pretty(manifest)?),
            ("manifest.sig", pretty(&self.publisher.sign(manifest)?)?),
        ];
        if let Some(component) = self.component {
            // Not copied from the folder: nobody signed the file, and the signed manifest says all that it says.
            let statement = provenance::statement(manifest, purpose.settings());
            files.push(("provenance.json", pretty(&statement)?));
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

/// Whether the same sources produced the same component. If so, keep the version that hosts may know: what it
/// says about its origin is still true.
fn differs_in_provenance_alone(published: &Value, manifest: &Value) -> bool {
    let but_for_provenance = |manifest: &Value| {
        let mut manifest = manifest.clone();
        manifest.as_object_mut()?.remove("provenance");
        Some(manifest)
    };
    but_for_provenance(published) == but_for_provenance(manifest)
}

/// The file's content; `None` if there is no such file. One that cannot be read may still be what was
/// published, so it is an error.
fn json_of(path: &Path) -> Result<Option<Value>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let value = serde_json::from_slice(&bytes).with_context(|| {
        format!(
            "{} is not JSON; restore it or remove its folder",
            path.display()
        )
    })?;
    Ok(Some(value))
}

/// A folder on the catalog's own file system, which a leading dot hides from scans.
fn staging_folder(catalog: &Path) -> Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix(".staging-")
        .tempdir_in(catalog)
        .with_context(|| format!("cannot write in {}", catalog.display()))
}

/// Removes each package from the catalog whose (kind, key, version) is not listed.
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

    fn try_to_write(
        catalog: &Path,
        purpose: Purpose,
        manifest: &Value,
        component: Option<&[u8]>,
    ) -> Result<bool> {
        let keys = catalog.parent().unwrap().join("publisher");
        Package {
            kind: "evaluator",
            key: "sample",
            version: manifest["manifest_version"].as_str().unwrap(),
            manifest,
            publisher: &Publisher::load_or_create(&keys)?,
            component,
        }
        .write(catalog, purpose)
    }

    fn write(catalog: &Path, version: &str, component: &[u8]) -> bool {
        let manifest = json!({"manifest_version": version});
        try_to_write(catalog, Purpose::Development, &manifest, Some(component)).unwrap()
    }

    /// A catalog, with a folder beside it for the publisher.
    fn catalog() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let catalog = folder.path().join("catalog");
        fs::create_dir(&catalog).unwrap();
        (folder, catalog)
    }

    fn manifest(name: &str, digest: Option<&str>, commit: &str) -> Value {
        let mut manifest = json!({"manifest_version": "1.0.0", "name": name});
        if let Some(digest) = digest {
            manifest["component"] = json!({"digest": digest});
        }
        let repository = "https://git.example/sample";
        manifest["provenance"] = json!({"repository": repository, "commit": commit});
        manifest
    }

    #[test]
    fn a_released_version_never_changes() {
        for component in [Some("one".as_bytes()), None] {
            let (_folder, catalog) = catalog();
            let digest = component.map(|_| "d1");
            let released = manifest("Sample", digest, "c1");
            let release = |manifest: &Value, component: Option<&[u8]>| {
                try_to_write(&catalog, Purpose::Release, manifest, component)
            };
            let place = catalog.join("evaluator/sample/1.0.0");
            let stands = |name: &str| json_of(&place.join(name)).unwrap();
            assert!(release(&released, component).unwrap());
            assert!(!release(&released, component).unwrap());

            // The same component built from another commit: the published package stays unchanged.
            let rebuilt = manifest("Sample", digest, "c2");
            assert!(!release(&rebuilt, component).unwrap());
            assert_eq!(stands("manifest.json").as_ref(), Some(&released));
            if component.is_some() {
                let statement = stands("provenance.json").unwrap();
                assert_eq!(
                    statement,
                    provenance::statement(&released, Purpose::Release.settings())
                );
                assert!(statement.to_string().contains("c1"), "{statement}");
            }

            let renamed = manifest("Another name", digest, "c1");
            let recompiled = manifest("Sample", Some("d2"), "c1");
            for (other, bytes) in [
                (&renamed, component),
                (&recompiled, Some(b"two".as_slice())),
            ] {
                let error = release(other, bytes).unwrap_err().to_string();
                assert!(error.contains("raise `manifest_version`"), "{error}");
                assert!(error.contains(&place.display().to_string()), "{error}");
                assert_eq!(stands("manifest.json").as_ref(), Some(&released));
            }
            // Development and benchmarks have catalogs of their own, in which a version may change.
            for purpose in [Purpose::Development, Purpose::Benchmark] {
                assert!(try_to_write(&catalog, purpose, &renamed, component).unwrap());
                fs::remove_dir_all(&place).unwrap();
            }
            assert!(release(&renamed, component).unwrap(), "as the error says");
        }
    }

    #[test]
    fn a_published_package_is_repaired() {
        let (_folder, catalog) = catalog();
        let released = manifest("Sample", Some("d1"), "c1");
        let place = catalog.join("evaluator/sample/1.0.0");
        let release = |manifest: &Value| {
            try_to_write(&catalog, Purpose::Release, manifest, Some(b"one")).unwrap()
        };
        assert!(release(&released));
        fs::write(place.join("component.wasm"), b"damaged").unwrap();
        assert!(release(&manifest("Sample", Some("d1"), "c2")));
        assert_eq!(fs::read(place.join("component.wasm")).unwrap(), b"one");
        assert_eq!(
            json_of(&place.join("manifest.json")).unwrap(),
            Some(released)
        );
    }

    #[test]
    fn a_forged_statement_of_provenance_is_not_kept() {
        let (_folder, catalog) = catalog();
        let file = catalog.join("evaluator/sample/1.0.0/provenance.json");
        let release = |commit| {
            let manifest = manifest("Sample", Some("d1"), commit);
            try_to_write(&catalog, Purpose::Release, &manifest, Some(b"one")).unwrap()
        };
        assert!(release("c1"));
        let true_statement = fs::read(&file).unwrap();
        fs::write(&file, "{\"predicate\": \"forged\"}").unwrap();
        assert!(release("c2"));
        assert_eq!(fs::read(&file).unwrap(), true_statement);
        fs::remove_file(&file).unwrap();
        assert!(release("c2"));
        assert_eq!(fs::read(&file).unwrap(), true_statement);
    }

    #[test]
    fn what_somebody_else_wrote_is_not_signed() {
        for component in [Some("one".as_bytes()), None] {
            let (folder, catalog) = catalog();
            let digest = component.map(|_| "d1");
            let released = manifest("Sample", digest, "c1");
            let place = catalog.join("evaluator/sample/1.0.0");
            let release = |commit: &str| {
                let manifest = manifest("Sample", digest, commit);
                try_to_write(&catalog, Purpose::Release, &manifest, component)
            };
            assert!(release("c1").unwrap());
            let signature = fs::read(place.join("manifest.sig")).unwrap();
            let is_refused = |commit: &str| {
                let error = release(commit).unwrap_err().to_string();
                assert!(
                    error.contains("not a signature of this publisher"),
                    "{error}"
                );
                assert!(error.contains(&place.display().to_string()), "{error}");
            };

            // A false origin, beside the signature over the true one, and beside none.
            let forged = pretty(&manifest("Sample", digest, "forged")).unwrap();
            fs::write(place.join("manifest.json"), &forged).unwrap();
            is_refused("c1");
            fs::remove_file(place.join("manifest.sig")).unwrap();
            is_refused("c2");
            assert_eq!(fs::read(place.join("manifest.json")).unwrap(), forged);
            assert!(!place.join("manifest.sig").exists());

            // Restored, it is kept; with another key it is not.
            fs::write(place.join("manifest.json"), pretty(&released).unwrap()).unwrap();
            fs::write(place.join("manifest.sig"), signature).unwrap();
            assert!(!release("c2").unwrap());
            fs::remove_dir_all(folder.path().join("publisher")).unwrap();
            is_refused("c3");
        }
    }

    #[test]
    fn a_package_is_replaced_whole_and_only_when_it_differs() {
        let (_folder, catalog) = catalog();
        assert!(write(&catalog, "1.0.0", b"one"));
        assert!(!write(&catalog, "1.0.0", b"one"));
        assert!(write(&catalog, "1.0.0", b"two"));
        let place = catalog.join("evaluator/sample/1.0.0");
        assert_eq!(fs::read(place.join("component.wasm")).unwrap(), b"two");
        let left: Vec<_> = fs::read_dir(&catalog).unwrap().collect();
        assert_eq!(left.len(), 1, "staging folders are gone");
    }

    #[test]
    fn other_packages_are_removed_on_request() {
        let (_folder, catalog) = catalog();
        write(&catalog, "1.0.0", b"one");
        write(&catalog, "1.1.0", b"two");
        remove_others(&catalog, &[("evaluator", "sample", "1.1.0")]).unwrap();
        assert!(!catalog.join("evaluator/sample/1.0.0").exists());
        assert!(catalog.join("evaluator/sample/1.1.0").exists());
    }
}
