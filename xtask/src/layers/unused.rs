//! That a manifest declares no dependency which no source of its package names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use cargo_metadata::{DependencyKind, Package};

use super::listing;
use crate::plugins::own_workspace;
use crate::workspace::Workspace;

/// Adds a line for each such dependency, also of the packages that are workspaces of their own.
pub fn check(workspace: &Workspace, found: &mut Vec<String>) -> Result<()> {
    for (folder, named) in names_by_package(&workspace.root)? {
        match workspace.member_at(&folder) {
            Some(package) => check_package(package, &named, found),
            None if folder == workspace.root => {}
            None => check_package(&own_workspace::package(&folder)?, &named, found),
        }
    }
    Ok(())
}

/// What the sources of each package name, by the folder of its manifest.
fn names_by_package(root: &Path) -> Result<BTreeMap<PathBuf, BTreeSet<String>>> {
    let files = listing::below(root)?;
    let mut packages: BTreeMap<PathBuf, BTreeSet<String>> = files
        .iter()
        .filter(|path| path.ends_with("Cargo.toml"))
        .filter_map(|path| Some((path.parent()?.to_owned(), BTreeSet::new())))
        .collect();
    let sources = (files.iter()).filter(|path| path.extension().is_some_and(|it| it == "rs"));
    for path in sources {
        let own = path
            .ancestors()
            .find(|folder| packages.contains_key(*folder));
        if let Some(named) = own.and_then(|folder| packages.get_mut(folder)) {
            let text = fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            named.extend(names_in(&text).map(str::to_owned));
        }
    }
    Ok(packages)
}

/// The words that may be a crate: those before `::`, and those that `use` or `extern crate` names alone.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(str::trim_start);
    let code = code.filter(|line| !line.starts_with("//"));
    code.flat_map(|line| {
        let parts =
            (line.split("::")).filter_map(|part| part.rsplit(|sign| !is_of_a_word(sign)).next());
        // Behind the last colons stands no crate.
        let before_colons = parts.take(line.matches("::").count());
        let alone = line
            .split_whitespace()
            .skip_while(|word| !["use", "crate"].contains(word))
            .nth(1)
            .map(|word| word.trim_end_matches(';'));
        before_colons.chain(alone)
    })
}

fn is_of_a_word(sign: char) -> bool {
    sign == '_' || sign.is_alphanumeric()
}

/// A dependency that is there for its features, or for sources that lie elsewhere, stands in the list that the tool
/// `cargo machete` reads too.
fn check_package(package: &Package, named: &BTreeSet<String>, found: &mut Vec<String>) {
    let waived = &package.metadata["cargo-machete"]["ignored"];
    // What build scripts alone use is often there to choose features.
    let own =
        (package.dependencies.iter()).filter(|dependency| dependency.kind != DependencyKind::Build);
    for dependency in own {
        let name = dependency.rename.as_ref().unwrap_or(&dependency.name);
        let is_named = named.contains(&name.replace('-', "_"));
        let is_waived = (waived.as_array().into_iter().flatten()).any(|waived| waived == name);
        if is_named == is_waived {
            let what = match is_named {
                true => "waived as unused, but a source names it",
                false => "no source names it",
            };
            found.push(format!("{} → {name}: {what}", package.name));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_crate_is_named_by_its_path() {
        let text = "use one::A;\nlet a = b.c(two::f(), e);\n#[serde(with = \"three::x\")]\npub use four;\n    extern crate five as _;";
        let named: BTreeSet<&str> = names_in(text).collect();
        for name in ["one", "two", "three", "four", "five"] {
            assert!(named.contains(name), "{name}: {named:?}");
        }
        for text in ["// hex::encode", "let hex = url.log;", "f(hex)"] {
            assert_eq!(names_in(text).count(), 0, "{text}");
        }
    }

    #[test]
    fn what_no_source_names_is_found_and_so_is_a_waiver_of_what_one_names() {
        let workspace = Workspace::load().unwrap();
        let member = |folder: &str| workspace.member_at(&workspace.root.join(folder)).unwrap();
        let mut found = Vec::new();
        check_package(member("documents/ooxml"), &BTreeSet::new(), &mut found);
        assert!(!found.is_empty());
        assert!(found[0].ends_with("no source names it"), "{found:?}");
        found.clear();
        let named = BTreeSet::from([
            "serde".to_owned(),
            "serde_json".to_owned(),
            "gtm_sdk".to_owned(),
        ]);
        check_package(member("tests/fixtures/people-data"), &named, &mut found);
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
