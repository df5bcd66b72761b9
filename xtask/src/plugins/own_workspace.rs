//! Plug-ins that are workspaces of their own, because what they depend on takes many minutes to compile.
//!
//! Each is built once for each state of its sources, whichever checkout asks for it: the cache is below the user's
//! cache folder, not in a checkout. It has the finished components by the fingerprint of what they are built from (lock
//! file, compiler, sources), and what cargo has compiled, so that a changed source compiles only itself. So that neither
//! depends on the checkout, the sources are copied to one place and compiled there; what the fingerprint does not name
//! is not there, and a build that wanted it would fail.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use cargo_metadata::{DependencyKind, MetadataCommand, Package, PackageId};

use super::compile::{self, Settings};
use super::discover::Source;
use super::inputs;
use super::toolchain::Toolchain;
use crate::workspace::Workspace;

/// Variable that names another cache folder.
const VARIABLE: &str = "GTM_COMPONENT_CACHE";
/// Components that are kept of each plug-in and profile.
const KEPT: usize = 4;

/// Whether the folder's package is a workspace of its own.
pub fn is_one(folder: &Path) -> bool {
    let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let manifest: Result<toml::Table, _> = text.parse();
    manifest.is_ok_and(|manifest| manifest.contains_key("workspace"))
}

/// What `cargo metadata` says of the package alone: its dependencies by name, none of them downloaded.
pub fn package(folder: &Path) -> Result<Package> {
    let metadata = MetadataCommand::new()
        .manifest_path(folder.join("Cargo.toml"))
        .no_deps()
        .exec()
        .with_context(|| format!("cannot read {}", folder.display()))?;
    let mut packages = metadata.packages.into_iter();
    packages.next().context("a workspace without a package")
}

/// The packages of this checkout that it depends on directly.
pub fn dependencies<'w>(workspace: &'w Workspace, folder: &Path) -> Result<Vec<&'w Package>> {
    let own = package(folder)?;
    (own.dependencies.iter())
        .filter(|dependency| dependency.kind != DependencyKind::Development)
        .filter_map(|dependency| dependency.path.as_ref())
        .map(|path| {
            let member = workspace.member_at(path.as_std_path());
            member.with_context(|| format!("{path} is not a member of the workspace"))
        })
        .collect()
}

/// Where all that is built of the package is.
pub fn cache(package: &str) -> Result<PathBuf> {
    let folder = match (env::var_os(VARIABLE), env::var_os("XDG_CACHE_HOME")) {
        (Some(folder), _) => PathBuf::from(folder),
        (None, Some(caches)) => PathBuf::from(caches).join("gtm-components"),
        (None, None) => env::home_dir()
            .with_context(|| format!("neither {VARIABLE} nor a home directory is known"))?
            .join(".cache/gtm-components"),
    };
    Ok(folder.join(package))
}

/// Where the component of this fingerprint is kept.
pub fn place(package: &str, settings: Settings, fingerprint: &str) -> Result<PathBuf> {
    let name = fingerprint.get(..16).unwrap_or(fingerprint);
    Ok(cache(package)?.join(settings.profile()).join(name))
}

/// Removes the oldest components but some, so that a long-lived cache stays small.
pub fn remove_oldest(place: &Path) -> Result<()> {
    let Some(folder) = place.parent() else {
        return Ok(());
    };
    let mut known = Vec::new();
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?
    {
        let entry = entry?;
        known.push((entry.metadata()?.modified()?, entry.path()));
    }
    known.sort();
    let many = known.len().saturating_sub(KEPT);
    for (_, path) in known
        .into_iter()
        .take(many)
        .filter(|(_, path)| path != place)
    {
        fs::remove_dir_all(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    Ok(())
}

/// Compiles the plug-in from these files and folders of the checkout, and returns its core module.
pub fn compile(
    workspace: &Workspace,
    toolchain: &Toolchain,
    settings: Settings,
    source: &Source,
    paths: &[PathBuf],
) -> Result<BTreeMap<PackageId, Vec<u8>>> {
    let cache = cache(&source.package)?;
    fs::create_dir_all(&cache).with_context(|| format!("cannot make {}", cache.display()))?;
    // Until it is dropped, no other build changes the copies under the compiler.
    let lock = File::create(cache.join("lock")).context("cannot make a lock file")?;
    lock.lock().context("cannot wait for another build")?;
    let copies = cache.join("source");
    copy_changed(&workspace.root, &copies, &inputs::files(paths)?)?;
    let folder = copies.join(workspace.relative(&source.folder));
    eprintln!(
        "building {} ({}), which takes many minutes where nothing of it is compiled yet",
        source.key, source.kind
    );
    let maps = [(copies.as_path(), "/source")];
    let mut command = toolchain.build_in(&folder, &cache.join("target"), &maps, settings.profile());
    let module = compile::modules(&mut command)?
        .into_values()
        .next()
        .with_context(|| format!("cargo built no .wasm file for `{}`", source.key))?;
    compile::names_no_checkout(&module, &cache)?;
    compile::names_no_checkout(&module, &workspace.root)?;
    Ok(BTreeMap::from([(source.id.clone(), module)]))
}

/// Makes `to` hold these files of `from` and no others. A file with the same content keeps its time, by which cargo
/// sees that nothing is to do.
fn copy_changed(from: &Path, to: &Path, files: &BTreeSet<PathBuf>) -> Result<()> {
    let mut wanted = BTreeSet::new();
    for file in files {
        let relative = file
            .strip_prefix(from)
            .with_context(|| format!("{} is not in the checkout", file.display()))?;
        let copy = to.join(relative);
        let content = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        if fs::read(&copy).ok().as_ref() != Some(&content) {
            if let Some(folder) = copy.parent() {
                fs::create_dir_all(folder)
                    .with_context(|| format!("cannot make {}", folder.display()))?;
            }
            fs::write(&copy, content)
                .with_context(|| format!("cannot write {}", copy.display()))?;
        }
        wanted.insert(copy);
    }
    for old in inputs::files(&[to.to_owned()])?.difference(&wanted) {
        fs::remove_file(old).with_context(|| format!("cannot remove {}", old.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn write(folder: &Path, name: &str, content: &str) -> PathBuf {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    #[test]
    fn a_package_with_a_workspace_table_is_a_workspace_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_one(folder.path()));
        write(folder.path(), "Cargo.toml", "[package]\nname = \"a\"\n");
        assert!(!is_one(folder.path()));
        write(
            folder.path(),
            "Cargo.toml",
            "[workspace]\n[package]\nname = \"a\"\n",
        );
        assert!(is_one(folder.path()));
    }

    #[test]
    fn copies_follow_their_sources_and_unchanged_ones_keep_their_time() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let kept = write(from.path(), "a/kept.rs", "1");
        let gone = write(from.path(), "a/gone.rs", "1");
        let both = BTreeSet::from([kept.clone(), gone]);
        copy_changed(from.path(), to.path(), &both).unwrap();
        let time = |name: &str| {
            fs::metadata(to.path().join(name))
                .unwrap()
                .modified()
                .unwrap()
        };
        let before = time("a/kept.rs");
        copy_changed(from.path(), to.path(), &BTreeSet::from([kept.clone()])).unwrap();
        assert_eq!(time("a/kept.rs"), before);
        assert!(!to.path().join("a/gone.rs").exists());
        fs::write(&kept, "2").unwrap();
        copy_changed(from.path(), to.path(), &BTreeSet::from([kept])).unwrap();
        assert_eq!(
            fs::read_to_string(to.path().join("a/kept.rs")).unwrap(),
            "2"
        );
        let elsewhere = BTreeSet::from([PathBuf::from("/elsewhere/b.rs")]);
        assert!(copy_changed(from.path(), to.path(), &elsewhere).is_err());
    }

    #[test]
    fn of_many_components_the_newest_stay() {
        let folder = tempfile::tempdir().unwrap();
        let places: Vec<PathBuf> = (0..6)
            .map(|index| folder.path().join(index.to_string()))
            .collect();
        for (index, place) in places.iter().enumerate() {
            fs::create_dir(place).unwrap();
            let time =
                std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(index as u64);
            File::open(place).unwrap().set_modified(time).unwrap();
        }
        remove_oldest(&places[5]).unwrap();
        let left: Vec<bool> = places.iter().map(|place| place.exists()).collect();
        assert_eq!(left, [false, false, true, true, true, true]);
    }
}
