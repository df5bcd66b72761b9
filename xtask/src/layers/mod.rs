//! `cargo xtask layers`: checks the structure that the architecture promises.
//!
//! Dependencies point only downwards: gtm → api → engine → runtime, store, evidence/check → domain →
//! documents/model. Plug-ins and connectors depend on the SDK, on the document model and on the libraries that
//! read evidence for them and the host alike, but on nothing else of the host. Inside a crate, files use each other in
//! one direction only. No file has a meaningless name or more lines than can be read at once, a library without examples
//! in its documentation says so, a release compiles the same source, language tags are taken apart in one place, and no
//! manifest declares a dependency that no source names.

mod circles;
mod empty_names;
mod examples;
mod language_tags;
mod listing;
mod long_sources;
mod module_tree;
mod one_source;
mod order;
mod own_workspaces;
mod source;
mod unused;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail};
use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};

use crate::workspace::Workspace;
use order::{LAYERS, Layer};

/// Folders whose packages must each be one of [`LAYERS`].
const LAYERED_FOLDERS: &[&str] = &["documents/", "host/", "evidence/"];
/// Workspace members that every crate's tests may use; they depend on no other member.
const TEST_LIBRARIES: &[&str] = &["gtm-test-support"];
/// Workspace members that plug-ins, connectors and fixture plug-ins may depend on.
const GUEST_LIBRARIES: &[&str] = &[
    "gtm-sdk",
    "gtm-document-model",
    "gtm-file-text",
    "gtm-fixed-texts",
    "gtm-fixed-texts-build",
    "gtm-language-tag",
    "gtm-lexicon",
    "gtm-ooxml",
    "gtm-page-text",
    "gtm-site-signals",
    "gtm-typeset-input",
];
/// Libraries in `plugins/` that only the plug-ins there may use.
const PLUGIN_LIBRARIES: &[&str] = &[
    "gtm-policy-rules",
    "gtm-site-facts",
    "gtm-site-research",
    "gtm-writing",
];
/// Folders whose packages are guests.
const GUEST_FOLDERS: &[&str] = &["plugins/", "connectors/", "tests/fixtures/"];
/// Libraries of the host that a guest must not reach even through a dependency.
const NEVER_IN_A_GUEST: &[&str] = &["tokio", "reqwest", "sqlx", "wasmtime"];
/// Check that crates depend on each other only downwards, that no files of a crate use each other in a
/// circle, that file names say what is inside, that every declared dependency is used, and that language tags are taken
/// apart in one place.
#[derive(clap::Args)]
pub struct Args {
    /// Look only for circles of files, and only in this crate: `runtime` or `gtm-runtime`.
    #[arg(long = "crate", value_name = "NAME")]
    only: Option<String>,
}

/// Runs the checks and prints the violations.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    let mut found = circles::circles(&workspace, args.only.as_deref())?;
    if args.only.is_none() {
        found.extend(violations(&workspace)?);
    }
    for line in &found {
        eprintln!("{line}");
    }
    if !found.is_empty() {
        bail!("{} violation(s) of the structure", found.len());
    }
    match &args.only {
        Some(only) => println!("layers: no circle of files in {only}"),
        None => println!(
            "layers: {} packages, every arrow goes down",
            workspace.metadata.workspace_members.len()
        ),
    }
    Ok(())
}

/// One line for each dependency that points upwards, each meaningless name and each source that is too long.
fn violations(workspace: &Workspace) -> Result<Vec<String>> {
    let metadata = &workspace.metadata;
    let mut found = Vec::new();
    let members = members(metadata);
    for package in members.values() {
        let path = workspace.relative(package.manifest_path.as_std_path());
        if let Some(layer) = LAYERS.iter().find(|layer| layer.name == *package.name) {
            check_layer(metadata, &members, package, layer, &mut found)?;
        } else if GUEST_FOLDERS.iter().any(|folder| path.starts_with(folder)) {
            check_guest(metadata, &members, package, &path, &mut found)?;
        } else if LAYERED_FOLDERS
            .iter()
            .any(|folder| path.starts_with(folder))
        {
            found.push(format!(
                "{}: {path} has no place among the layers (xtask/src/layers/order.rs)",
                package.name
            ));
        }
        examples::check(package, &mut found)?;
    }
    own_workspaces::check(workspace, &members, &mut found)?;
    one_source::check(workspace, &mut found)?;
    empty_names::check(&workspace.root, workspace, &mut found)?;
    language_tags::check(workspace, &mut found)?;
    long_sources::check(&workspace.root, workspace, &mut found)?;
    unused::check(workspace, &mut found)?;
    Ok(found)
}

/// The workspace's packages by name.
fn members(metadata: &Metadata) -> BTreeMap<&str, &Package> {
    metadata
        .workspace_packages()
        .into_iter()
        .map(|package| (package.name.as_str(), package))
        .collect()
}

fn check_layer(
    metadata: &Metadata,
    members: &BTreeMap<&str, &Package>,
    package: &Package,
    layer: &Layer,
    found: &mut Vec<String>,
) -> Result<()> {
    for dependency in &package.dependencies {
        let name = dependency.name.as_str();
        let in_tests = dependency.kind == DependencyKind::Development;
        // Tests may combine lower layers, but they must not use a higher layer either.
        let lower = LAYERS
            .iter()
            .take_while(|other| other.name != layer.name)
            .any(|other| other.name == name);
        let for_tests = in_tests && (lower || TEST_LIBRARIES.contains(&name));
        let allowed = layer.below.contains(&name) || name == layer.name || for_tests;
        if members.contains_key(name) && !allowed {
            found.push(format!("{} → {name}: this arrow goes up", layer.name));
        }
        if layer.never_direct.contains(&name) && !in_tests {
            found.push(format!("{} → {name}: not in this layer", layer.name));
        }
    }
    for name in reached(metadata, &package.id)? {
        if layer.never.contains(&name.as_str()) {
            found.push(format!(
                "{} reaches {name}: not even through a dependency",
                layer.name
            ));
        }
    }
    Ok(())
}

fn check_guest(
    metadata: &Metadata,
    members: &BTreeMap<&str, &Package>,
    package: &Package,
    path: &str,
    found: &mut Vec<String>,
) -> Result<()> {
    check_named(members, package, path, found);
    for name in reached(metadata, &package.id)? {
        if NEVER_IN_A_GUEST.contains(&name.as_str()) {
            found.push(format!("{} reaches {name}: not in a plug-in", package.name));
        }
    }
    Ok(())
}

/// The members of this workspace that a guest names.
fn check_named(
    members: &BTreeMap<&str, &Package>,
    package: &Package,
    path: &str,
    found: &mut Vec<String>,
) {
    let mut allowed = GUEST_LIBRARIES.to_vec();
    if path.starts_with("plugins/") {
        allowed.extend(PLUGIN_LIBRARIES);
    }
    for dependency in &package.dependencies {
        let name = dependency.name.as_str();
        let in_tests = dependency.kind == DependencyKind::Development;
        if members.contains_key(name) && !allowed.contains(&name) && !in_tests {
            found.push(format!(
                "{} → {name}: of this workspace, {path} may name only {}",
                package.name,
                allowed.join(", ")
            ));
        }
    }
}

/// Names of all packages that this one is built with, except itself and dependencies of tests only.
fn reached(metadata: &Metadata, id: &PackageId) -> Result<BTreeSet<String>> {
    let resolve = metadata
        .resolve
        .as_ref()
        .context("cargo metadata names no dependencies")?;
    let nodes: BTreeMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut seen = BTreeSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = nodes.get(id).context("a dependency is not in the graph")?;
        open.extend(node.deps.iter().filter_map(|dependency| {
            let linked = dependency
                .dep_kinds
                .iter()
                .any(|kind| kind.kind == DependencyKind::Normal);
            linked.then_some(&dependency.pkg)
        }));
    }
    seen.remove(id);
    Ok(metadata
        .packages
        .iter()
        .filter(|package| seen.contains(&package.id))
        .map(|package| package.name.to_string())
        .collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn no_arrow_of_this_workspace_goes_up() {
        let found = violations(&Workspace::load().unwrap()).unwrap();
        assert!(found.is_empty(), "\n{}", found.join("\n"));
    }

    #[test]
    fn an_arrow_that_goes_up_is_found() {
        let workspace = Workspace::load().unwrap();
        let members = members(&workspace.metadata);
        // The engine uses the store and, through it, sqlx; for a layer that must not, the check reports both.
        let strict = Layer {
            name: "gtm-engine",
            below: &["gtm-domain", "gtm-runtime", "gtm-evidence-check"],
            never_direct: &["gtm-runtime"],
            never: &["sqlx"],
        };
        let mut found = Vec::new();
        check_layer(
            &workspace.metadata,
            &members,
            members["gtm-engine"],
            &strict,
            &mut found,
        )
        .unwrap();
        for expected in [
            "gtm-engine → gtm-store: this arrow goes up",
            "gtm-engine → gtm-runtime: not in this layer",
            "gtm-engine reaches sqlx: not even through a dependency",
        ] {
            assert!(found.iter().any(|line| line == expected), "{found:?}");
        }
    }

    #[test]
    fn a_plugin_that_depends_on_the_host_is_found() {
        let workspace = Workspace::load().unwrap();
        let members = members(&workspace.metadata);
        let mut found = Vec::new();
        // The API crate stands in for a plug-in: it has many dependencies that a plug-in must not have.
        check_guest(
            &workspace.metadata,
            &members,
            members["gtm-api"],
            "plugins/api",
            &mut found,
        )
        .unwrap();
        assert!(found.iter().any(|line| line.contains("→ gtm-engine")));
        assert!(found.iter().any(|line| line.contains("reaches tokio")));
    }

    #[test]
    fn a_connector_that_depends_on_a_backends_library_is_found() {
        let workspace = Workspace::load().unwrap();
        let members = members(&workspace.metadata);
        // The dependencies of a backend, checked once in its own folder and once as if it were a connector.
        for (path, expected) in [
            ("plugins/playbook/Cargo.toml", 0),
            ("connectors/playbook/Cargo.toml", 3),
        ] {
            let mut found = Vec::new();
            check_guest(
                &workspace.metadata,
                &members,
                members["gtm-playbook"],
                path,
                &mut found,
            )
            .unwrap();
            assert_eq!(found.len(), expected, "{found:?}");
        }
    }

    #[test]
    fn an_evidence_check_that_reaches_the_store_is_found() {
        let workspace = Workspace::load().unwrap();
        let members = members(&workspace.metadata);
        let check = LAYERS
            .iter()
            .find(|layer| layer.name == "gtm-evidence-check")
            .unwrap();
        let mut found = Vec::new();
        // The engine stands in for the evidence check: it depends on the store and on an async runtime.
        check_layer(
            &workspace.metadata,
            &members,
            members["gtm-engine"],
            check,
            &mut found,
        )
        .unwrap();
        for expected in [
            "gtm-evidence-check → gtm-store: this arrow goes up",
            "gtm-evidence-check reaches tokio: not even through a dependency",
        ] {
            assert!(found.iter().any(|line| line == expected), "{found:?}");
        }
    }
}
