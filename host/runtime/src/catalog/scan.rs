//! Reads packages from disk. A package that fails a check is refused with a code and a reason; the rest of
//! the catalog still loads. The codes:
//!
//! `not_a_package` (a folder in the wrong place), `package_unreadable`, `manifest_missing`,
//! `manifest_not_json`, those of [`super::signature`], the further ones of [`crate::manifest::read`] and
//! [`crate::manifest::rules`], `location_mismatch`, `component_missing`, `component_too_large`,
//! `component_size`, `component_digest`, `duplicate`, `wrong_world`, `not_a_component`, those of
//! [`super::imports`] and [`super::admission`], `compile_failed`, `compile_timeout`,
//! `world_not_implemented`.
//!
//! Danger: a package may be hostile. So the signature is checked first: until then, only the length and the
//! JSON of a manifest are looked at. And directories are opened as capabilities (cap-std), so that neither
//! a path in a manifest nor a symbolic link leads out of the package.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType};
use futures::StreamExt as _;
use gtm_domain::{Digest, Timestamp, canonical_digest};
use serde_json::Value;

use super::admission::{self, Candidate, PackageVerdict};
use super::code::{Code, CodeSource, Compilation};
use super::contracts::OperationContracts;
use super::package_files::{Refusal, read_component, read_file};
use super::{
    Catalog, Listed, ListedOnly, Plugin, RefusedPackage, SignatureStatus, code, imports, signature,
};
use crate::blocking_work::blocking_work;
use crate::check_places::CheckPlaces;
use crate::config::RuntimeConfig;
use crate::manifest::read::{MAX_MANIFEST_BYTES, check_manifest, parse_json};
use crate::manifest::{ComponentRef, Manifest, PluginKind};
use crate::sandbox::Sandbox;

const MAX_SIGNATURE_BYTES: u64 = 16 * 1024;
/// Maximum number of components compiled at once.
const CONCURRENT_COMPILATIONS: usize = 2;

/// A package whose files are valid; its component is not compiled yet.
struct Package {
    place: Place,
    manifest: Manifest,
    manifest_json: Value,
    manifest_digest: Digest,
    signature: SignatureStatus,
    component: Component,
}

/// The part of a package that can run.
enum Component {
    /// These bytes, whose digest the manifest states.
    Bytes(ComponentRef, Vec<u8>),
    None(ListedOnly),
}

/// Where a package is.
#[derive(Clone)]
struct Place {
    path: PathBuf,
    kind: PluginKind,
    key: String,
    version: String,
}

impl Place {
    fn refuse(&self, (code, reason): Refusal) -> RefusedPackage {
        tracing::warn!(path = %self.path.display(), kind = %self.kind, key = %self.key, version = %self.version, code, reason, "a package was refused");
        RefusedPackage {
            path: self.path.clone(),
            kind: Some(self.kind),
            key: Some(self.key.clone()),
            version: Some(self.version.clone()),
            code,
            reason,
        }
    }
}

/// Loads every package of the configured directories.
pub async fn load(
    config: &RuntimeConfig,
    sandbox: &Sandbox,
    source: &CodeSource,
    compilation: Compilation,
    now: Timestamp,
) -> Catalog {
    let scanned = {
        let config = config.clone();
        blocking_work(move || scan(&config, now)).await
    };
    let (packages, mut refused) = scanned.unwrap_or_else(|error| {
        let refusal = RefusedPackage {
            path: PathBuf::new(),
            kind: None,
            key: None,
            version: None,
            code: "package_unreadable",
            reason: error.to_string(),
        };
        (Vec::new(), vec![refusal])
    });
    if compilation == Compilation::AtStart {
        announce(&packages, source);
    }
    let mut checks: BTreeMap<(PluginKind, String), CheckPlaces> = BTreeMap::new();
    let outcomes: Vec<(Place, Result<Built, Refusal>)> = futures::stream::iter(packages)
        .map(|package| {
            let place = package.place.clone();
            let plugin = (place.kind, place.key.clone());
            let checks = checks.entry(plugin).or_default().clone();
            async move {
                let built = build(package, sandbox, source, compilation, checks).await;
                (place, built)
            }
        })
        .buffered(CONCURRENT_COMPILATIONS)
        .collect()
        .await;
    let (mut plugins, mut listed) = (Vec::new(), Vec::new());
    for (place, outcome) in outcomes {
        match outcome {
            Ok(Built::Plugin(plugin)) => plugins.push(Arc::new(*plugin)),
            Ok(Built::Listed(entry)) => listed.push(*entry),
            Err(refusal) => refused.push(place.refuse(refusal)),
        }
    }
    Catalog::new(plugins, listed, refused)
}

/// Says how many components are compiled before the start goes on: a large one takes minutes.
fn announce(packages: &[Package], source: &CodeSource) {
    let waits = |package: &&Package| match &package.component {
        Component::Bytes(declared, _) => !source.has(&declared.digest, package.place.kind),
        Component::None(_) => false,
    };
    let plugins = packages.iter().filter(waits).count();
    if plugins > 0 {
        code::tell_of_compilations(plugins);
    }
}

/// All packages whose files are valid. Of two with the same version, the first one found counts.
fn scan(config: &RuntimeConfig, now: Timestamp) -> (Vec<Package>, Vec<RefusedPackage>) {
    let (mut packages, mut refused) = (Vec::new(), Vec::new());
    let mut seen: BTreeMap<(PluginKind, String, String), PathBuf> = BTreeMap::new();
    for root in &config.catalog_dirs {
        for (place, dir) in places(root, &mut refused) {
            let identity = (place.kind, place.key.clone(), place.version.clone());
            if let Some(first) = seen.get(&identity) {
                refused.push(place.refuse((
                    "duplicate",
                    format!("{} already holds this version", first.display()),
                )));
                continue;
            }
            match read_package(place.clone(), &dir, config, now) {
                Ok(package) => {
                    seen.insert(identity, place.path);
                    packages.push(package);
                }
                Err(refusal) => refused.push(place.refuse(refusal)),
            }
        }
    }
    let packages = admit(packages, &mut refused, config);
    (packages, refused)
}

/// The packages that may be used or wait for consent; refuses others because of what is remembered of the
/// plug-in.
fn admit(
    packages: Vec<Package>,
    refused: &mut Vec<RefusedPackage>,
    config: &RuntimeConfig,
) -> Vec<Package> {
    let candidates: Vec<_> = packages
        .iter()
        .map(|package| Candidate {
            manifest: &package.manifest,
            manifest_digest: package.manifest_digest,
            signed: matches!(package.signature, SignatureStatus::Trusted { .. }),
        })
        .collect();
    let verdicts = admission::judge(&candidates, &config.records, config.allow_changed_packages);
    let mut admitted = Vec::new();
    for (mut package, verdict) in packages.into_iter().zip(verdicts) {
        match verdict {
            PackageVerdict::Admitted => admitted.push(package),
            PackageVerdict::Pending => {
                package.component = Component::None(ListedOnly::Pending);
                admitted.push(package);
            }
            PackageVerdict::Refused(code, reason) => {
                refused.push(package.place.refuse((code, reason)))
            }
        }
    }
    admitted
}

/// The package folders `<kind>/<key>/<version>/` of a catalog directory. Hidden folders are skipped.
fn places(root: &Path, refused: &mut Vec<RefusedPackage>) -> Vec<(Place, Dir)> {
    let mut found = Vec::new();
    let mut odd = |path: PathBuf, code: &'static str, reason: String| {
        tracing::warn!(path = %path.display(), code, reason, "a package was refused");
        refused.push(RefusedPackage {
            path,
            kind: None,
            key: None,
            version: None,
            code,
            reason,
        });
    };
    let top = match Dir::open_ambient_dir(root, ambient_authority()) {
        Ok(dir) => dir,
        // A directory that does not exist yet is an empty catalog.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return found,
        Err(error) => {
            odd(root.to_owned(), "package_unreadable", error.to_string());
            return found;
        }
    };
    let link = "a symbolic link, which is not followed: copy the folder";
    for name in links(&top) {
        odd(root.join(name), "not_a_package", link.to_owned());
    }
    for kind_name in folders(&top) {
        let path = root.join(&kind_name);
        let Some(kind) = PluginKind::from_key(&kind_name) else {
            odd(
                path,
                "not_a_package",
                format!("`{kind_name}` is not a kind of plug-in"),
            );
            continue;
        };
        let Ok(kind_dir) = top.open_dir(&kind_name) else {
            odd(
                path,
                "package_unreadable",
                "the folder cannot be opened".to_owned(),
            );
            continue;
        };
        for name in links(&kind_dir) {
            odd(path.join(name), "not_a_package", link.to_owned());
        }
        for key in folders(&kind_dir) {
            let Ok(key_dir) = kind_dir.open_dir(&key) else {
                odd(
                    path.join(&key),
                    "package_unreadable",
                    "the folder cannot be opened".to_owned(),
                );
                continue;
            };
            for name in links(&key_dir) {
                odd(path.join(&key).join(name), "not_a_package", link.to_owned());
            }
            for version in folders(&key_dir) {
                let place = Place {
                    path: path.join(&key).join(&version),
                    kind,
                    key: key.clone(),
                    version: version.clone(),
                };
                match key_dir.open_dir(&version) {
                    Ok(dir) => found.push((place, dir)),
                    Err(error) => odd(place.path, "package_unreadable", error.to_string()),
                }
            }
        }
    }
    found
}

/// Names of the folders in a directory, sorted.
fn folders(dir: &Dir) -> Vec<String> {
    names(dir, FileType::is_dir)
}

/// Names of the symbolic links in a directory, sorted.
fn links(dir: &Dir) -> Vec<String> {
    names(dir, FileType::is_symlink)
}

/// Names of what is of a kind in a directory, sorted; without hidden ones.
fn names(dir: &Dir, is_wanted: fn(&FileType) -> bool) -> Vec<String> {
    let Ok(entries) = dir.entries() else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| is_wanted(&kind)))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    names
}

fn read_package(
    place: Place,
    dir: &Dir,
    config: &RuntimeConfig,
    now: Timestamp,
) -> Result<Package, Refusal> {
    let unreadable = |error: io::Error| ("package_unreadable", error.to_string());
    let max_manifest = u64::try_from(MAX_MANIFEST_BYTES).unwrap_or(u64::MAX);
    let text = read_file(dir, "manifest.json", max_manifest)
        .map_err(unreadable)?
        .ok_or_else(|| ("manifest_missing", "there is no manifest.json".to_owned()))?;
    let broken = |error: crate::manifest::ManifestError| (error.code, error.reason);
    let manifest_json = parse_json(&text).map_err(broken)?;
    let signature_file = read_file(dir, "manifest.sig", MAX_SIGNATURE_BYTES).map_err(unreadable)?;
    let signature = signature::check(
        (place.kind, &place.key),
        &manifest_json,
        signature_file.as_deref(),
        &config.trusted_publishers,
        config.allow_unsigned,
        now,
    )?;
    let manifest = check_manifest(&manifest_json).map_err(broken)?;
    check_location(&place, &manifest)?;
    let manifest_digest = canonical_digest(&manifest_json)
        .map_err(|error| ("manifest_not_json", error.to_string()))?;
    let component = match &manifest.component {
        None => Component::None(ListedOnly::NoComponent),
        Some(declared) if config.blocked_digests.contains(&declared.digest) => {
            Component::None(ListedOnly::Blocked)
        }
        Some(declared) => {
            let bytes = read_component(dir, declared, config.limits.component_bytes)?;
            check_component(manifest.kind, declared, &bytes)?;
            Component::Bytes(declared.clone(), bytes)
        }
    };
    Ok(Package {
        place,
        manifest,
        manifest_json,
        manifest_digest,
        signature,
        component,
    })
}

fn check_location(place: &Place, manifest: &Manifest) -> Result<(), Refusal> {
    let version = manifest.manifest_version.to_string();
    if place.kind == manifest.kind && place.key == manifest.key && place.version == version {
        return Ok(());
    }
    let reason = format!(
        "the manifest belongs to {}/{}/{version}",
        manifest.kind, manifest.key
    );
    Err(("location_mismatch", reason))
}

fn check_component(
    kind: PluginKind,
    declared: &ComponentRef,
    component: &[u8],
) -> Result<(), Refusal> {
    let world = kind.world();
    if declared.world != world {
        return Err((
            "wrong_world",
            format!("a {kind} targets `{world}`, not `{}`", declared.world),
        ));
    }
    let real = imports::imports_of(component).map_err(|reason| ("not_a_component", reason))?;
    imports::check(kind, &declared.host_imports, &real)
}

/// What became of a valid package.
enum Built {
    Plugin(Box<Plugin>),
    Listed(Box<Listed>),
}

async fn build(
    package: Package,
    sandbox: &Sandbox,
    source: &CodeSource,
    compilation: Compilation,
    checks: CheckPlaces,
) -> Result<Built, Refusal> {
    let Package {
        manifest,
        manifest_json,
        manifest_digest,
        signature,
        component,
        place,
    } = package;
    let (declared, bytes) = match component {
        Component::Bytes(declared, bytes) => (declared, bytes),
        Component::None(reason) => {
            return Ok(Built::Listed(Box::new(Listed {
                kind: manifest.kind,
                key: manifest.key.clone(),
                version: manifest.manifest_version.clone(),
                reason,
                manifest_digest,
                manifest,
                manifest_json,
                signature,
            })));
        }
    };
    let (digest, size_bytes) = (declared.digest, declared.size_bytes);
    let (kind, path) = (manifest.kind, place.path);
    let code = match compilation {
        Compilation::AtStart => Code::of(source, sandbox, kind, path, declared, bytes).await?,
        Compilation::AtFirstCall => Code::uncompiled(source, kind, path, declared),
    };
    let contracts = OperationContracts::compile(&manifest)
        .map_err(|(place, error)| ("schema_unusable", format!("{place}: {error}")))?;
    Ok(Built::Plugin(Box::new(Plugin {
        kind: manifest.kind,
        key: manifest.key.clone(),
        version: manifest.manifest_version.clone(),
        digest,
        size_bytes,
        manifest_digest,
        manifest,
        manifest_json,
        signature,
        contracts,
        code,
        checks,
    })))
}
