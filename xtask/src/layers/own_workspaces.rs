//! Plug-ins that are workspaces of their own: what they name of this workspace, and what their lock files reach.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, Result};
use cargo_metadata::Package;

use super::{GUEST_FOLDERS, NEVER_IN_A_GUEST, check_named};
use crate::plugins::own_workspace;
use crate::workspace::Workspace;

/// One line for each dependency that a plug-in must not have.
pub fn check(
    workspace: &Workspace,
    members: &BTreeMap<&str, &Package>,
    found: &mut Vec<String>,
) -> Result<()> {
    for parent in GUEST_FOLDERS {
        let parent = workspace.root.join(parent);
        for entry in
            fs::read_dir(&parent).with_context(|| format!("cannot list {}", parent.display()))?
        {
            let folder = entry?.path();
            if own_workspace::is_one(&folder) {
                let path = format!("{}/Cargo.toml", workspace.relative(&folder));
                let package = own_workspace::package(&folder)?;
                check_named(members, &package, &path, found);
                let lock = folder.join("Cargo.lock");
                let lock = fs::read_to_string(&lock)
                    .with_context(|| format!("cannot read {}", lock.display()))?;
                check_lock(&package.name, &lock, found)?;
            }
        }
    }
    Ok(())
}

/// What is locked might be compiled.
fn check_lock(package: &str, lock: &str, found: &mut Vec<String>) -> Result<()> {
    let lock: toml::Table = lock.parse().context("a lock file is not TOML")?;
    let packages = lock.get("package").and_then(toml::Value::as_array);
    for name in (packages.into_iter().flatten()).filter_map(|locked| locked.get("name")?.as_str()) {
        if NEVER_IN_A_GUEST.contains(&name) {
            found.push(format!("{package} reaches {name}: not in a plug-in"));
        }
    }
    Ok(())
}

/// The plug-ins that are workspaces of their own, for tests.
#[cfg(test)]
fn all(root: &std::path::Path) -> Vec<std::path::PathBuf> {
    let folders = GUEST_FOLDERS
        .iter()
        .filter_map(|parent| fs::read_dir(root.join(parent)).ok());
    let folders = folders.flat_map(|entries| entries.flatten().map(|entry| entry.path()));
    folders
        .filter(|folder| own_workspace::is_one(folder))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn the_renderer_of_pdf_is_looked_at_and_has_no_member_that_it_must_not_have() {
        let workspace = Workspace::load().unwrap();
        assert_eq!(
            all(&workspace.root),
            [workspace.root.join("plugins/render-pdf")]
        );
        let mut found = Vec::new();
        check(
            &workspace,
            &super::super::members(&workspace.metadata),
            &mut found,
        )
        .unwrap();
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_locked_runtime_is_found() {
        let mut found = Vec::new();
        let lock = "[[package]]\nname = \"tokio\"\nversion = \"1.0.0\"\n";
        check_lock("x", lock, &mut found).unwrap();
        assert_eq!(found, ["x reaches tokio: not in a plug-in"]);
    }
}
