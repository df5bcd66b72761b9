//! One digest over everything that a component is built from: if it has not changed, no build is needed.
//!
//! Cargo would find this out too, but only after one start of cargo per plug-in.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use cargo_metadata::{DependencyKind, PackageId};
use sha2::{Digest as _, Sha256};

use super::discover::Source;
use super::own_workspace;
use super::toolchain::Toolchain;
use crate::workspace::{Workspace, relative};

/// Files of the workspace that affect every component: profile, lock file, compiler, the contract, and the
/// build code of xtask. The manifest's schema does not affect a component.
const SHARED: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "wit/plugin.wit",
    "wit/capabilities",
    "wit/results",
    "xtask/src/plugins/compile.rs",
    "xtask/src/plugins/component.rs",
    "xtask/src/plugins/toolchain.rs",
];
/// The same for a plug-in that is a workspace of its own: it has its own profile and lock file, and only versions of
/// what the workspace's members depend on come from the workspace.
const SHARED_BY_OWN: &[&str] = &[
    "Cargo.toml",
    "rust-toolchain.toml",
    "wit/plugin.wit",
    "xtask/src/plugins/component.rs",
    "xtask/src/plugins/own_workspace.rs",
];
/// Subfolders of a plug-in that do not affect its component: only tests read them.
const NOT_COMPILED: &[&str] = &["target", "tests", "cassettes"];

/// Every path of this checkout that goes into the component: the plug-in's folder, those of the workspace
/// members that it depends on, and the shared files.
pub fn folders(workspace: &Workspace, source: &Source) -> Result<Vec<PathBuf>> {
    let resolve = workspace
        .metadata
        .resolve
        .as_ref()
        .context("cargo metadata names no dependencies")?;
    let mut seen: BTreeSet<&PackageId> = BTreeSet::new();
    let mut open: Vec<&PackageId> = if source.own_workspace {
        let direct = own_workspace::dependencies(workspace, &source.folder)?;
        direct.into_iter().map(|package| &package.id).collect()
    } else {
        vec![&source.id]
    };
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let Some(node) = resolve.nodes.iter().find(|node| &node.id == id) else {
            continue;
        };
        open.extend(node.deps.iter().filter_map(|dependency| {
            let only_tests = dependency
                .dep_kinds
                .iter()
                .all(|kind| kind.kind == DependencyKind::Development);
            (!only_tests).then_some(&dependency.pkg)
        }));
    }
    let shared = if source.own_workspace {
        SHARED_BY_OWN
    } else {
        SHARED
    };
    let mut folders: BTreeSet<PathBuf> = shared
        .iter()
        .map(|name| workspace.root.join(name))
        .collect();
    if source.own_workspace {
        folders.insert(source.folder.clone());
    }
    for package in &workspace.metadata.packages {
        // Registry packages are pinned by the lock file.
        if package.source.is_none()
            && seen.contains(&package.id)
            && let Some(folder) = package.manifest_path.parent()
        {
            folders.insert(folder.as_std_path().to_owned());
        }
    }
    Ok(folders.into_iter().collect())
}

/// Digest of the toolchain and of every file below the folders, in hexadecimal.
pub fn fingerprint(
    workspace: &Workspace,
    toolchain: &Toolchain,
    source: &Source,
    folders: &[PathBuf],
) -> Result<String> {
    let mut hash = Sha256::new();
    let mut add = |bytes: &[u8]| {
        // Length prefixes keep neighbors apart: "ab" and "c" must not hash like "a" and "bc".
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(toolchain.description.as_bytes());
    // A workspace of its own is compiled at one place with one set of flags, wherever the checkout is.
    if !source.own_workspace {
        add(toolchain.flags.as_bytes());
    }
    add(toolchain.identity.as_bytes());
    for file in files(folders)? {
        add(workspace.relative(&file).as_bytes());
        add(&fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?);
    }
    Ok(hex::encode(hash.finalize()))
}

/// Every file that is one of these or below them.
pub fn files(folders: &[PathBuf]) -> Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    for folder in folders {
        collect_files(folder, &mut files)?;
    }
    Ok(files)
}

/// The same files as git pathspecs.
pub fn pathspecs(root: &Path, folders: &[PathBuf]) -> Vec<String> {
    let mut specs = Vec::new();
    for folder in folders {
        let path = relative(root, folder);
        specs.push(format!(":(literal){path}"));
        if folder.is_dir() {
            let left_out = NOT_COMPILED.iter().map(|name| format!("{name}/**"));
            for pattern in left_out.chain([".*".to_owned(), ".*/**".to_owned()]) {
                specs.push(format!(":(exclude,glob){path}/**/{pattern}"));
            }
        }
    }
    specs
}

fn collect_files(path: &Path, files: &mut BTreeSet<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.insert(path.to_owned());
    } else if path.is_dir() {
        for entry in
            fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))?
        {
            let entry = entry?;
            let name = entry.file_name();
            // Skip hidden files, which editors leave behind.
            let skipped = name.to_string_lossy().starts_with('.')
                || NOT_COMPILED.iter().any(|it| name == *it);
            if !skipped {
                collect_files(&entry.path(), files)?;
            }
        }
    }
    Ok(())
}
