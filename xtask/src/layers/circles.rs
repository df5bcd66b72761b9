//! Circular dependencies between the files of a crate: to read one file, a reader has to know all others.
//!
//! A module and its submodules may use one another.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use cargo_metadata::{Package, TargetKind};

use super::module_tree::{ModuleTree, Target};
use super::source::read_crate;
use crate::workspace::Workspace;

/// Folders whose packages are checked.
const FOLDERS: &[&str] = &[
    "documents/",
    "host/",
    "evidence/",
    "plugins/",
    "connectors/",
];

/// Which file uses which other, with one place where it does.
type Edges = BTreeMap<PathBuf, BTreeMap<PathBuf, Place>>;

struct Place {
    line: usize,
    path: String,
}

/// One description for each circle of files in these folders. `only` limits the check to the package of that
/// name, with or without `gtm-`.
pub fn circles(workspace: &Workspace, only: Option<&str>) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for package in workspace.metadata.workspace_packages() {
        let path = workspace.relative(package.manifest_path.as_std_path());
        let name = package.name.as_str();
        let wanted =
            only.is_none_or(|only| name == only || name.strip_prefix("gtm-") == Some(only));
        if wanted && FOLDERS.iter().any(|folder| path.starts_with(folder)) {
            let roots = roots(package);
            ensure!(!roots.is_empty(), "{name} has no files that are read");
            for root in roots {
                let tree = read_crate(&root)?;
                found.extend(describe(name, &tree));
            }
        }
    }
    Ok(found)
}

/// The root files of a package's library and programs.
fn roots(package: &Package) -> Vec<PathBuf> {
    package
        .targets
        .iter()
        .filter(|target| {
            target
                .kind
                .iter()
                .any(|kind| matches!(kind, TargetKind::Lib | TargetKind::RLib | TargetKind::Bin))
        })
        .map(|target| target.src_path.clone().into_std_path_buf())
        .collect()
}

fn describe(package: &str, tree: &ModuleTree) -> Vec<String> {
    let root = tree.modules[0].file.parent().unwrap_or(Path::new(""));
    let shown = |file: &Path| {
        file.strip_prefix(root)
            .unwrap_or(file)
            .display()
            .to_string()
    };
    let edges = edges(tree);
    connected(&edges)
        .into_iter()
        .map(|files| {
            let mut text = format!("{package}: a circle of {} files", files.len());
            for from in &files {
                for (to, place) in edges.get(from).into_iter().flatten() {
                    if files.contains(to) {
                        // Writing to a `String` cannot fail.
                        let _ = write!(
                            text,
                            "\n  {}:{} → {}: {}",
                            shown(from),
                            place.line,
                            shown(to),
                            place.path
                        );
                    }
                }
            }
            text
        })
        .collect()
}

fn edges(tree: &ModuleTree) -> Edges {
    let mut edges = Edges::new();
    for (from, module) in tree.modules.iter().enumerate() {
        for used in &module.paths {
            let Some(Target::ItemOf(to)) = tree.resolve(from, &used.segments) else {
                continue;
            };
            if tree.are_related(from, to) {
                continue;
            }
            edges
                .entry(module.file.clone())
                .or_default()
                .entry(tree.modules[to].file.clone())
                .or_insert_with(|| Place {
                    line: used.line,
                    path: used.segments.join("::"),
                });
        }
    }
    edges
}

/// The largest sets of two or more files in which every file reaches every other.
fn connected(edges: &Edges) -> Vec<BTreeSet<PathBuf>> {
    let reached: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> = edges
        .keys()
        .map(|from| (from, reached_from(from, edges)))
        .collect();
    let mut circles = BTreeSet::new();
    for (from, others) in &reached {
        let circle: BTreeSet<PathBuf> = others
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|back| back.contains(from)))
            .map(|other| (*other).clone())
            .collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

fn reached_from<'e>(from: &PathBuf, edges: &'e Edges) -> BTreeSet<&'e PathBuf> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&PathBuf> = edges
        .get(from)
        .into_iter()
        .flat_map(BTreeMap::keys)
        .collect();
    while let Some(file) = open.pop() {
        if reached.insert(file) {
            open.extend(edges.get(file).into_iter().flat_map(BTreeMap::keys));
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use std::fs;

    use super::*;

    /// The circles of a crate with these files.
    fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = read_crate(&folder.path().join("lib.rs")).unwrap();
        describe("small", &tree)
    }

    #[test]
    fn the_files_of_this_workspace_stand_in_no_circle() {
        let found = circles(&Workspace::load().unwrap(), None).unwrap();
        assert!(found.is_empty(), "\n{}", found.join("\n"));
    }

    #[test]
    fn two_files_that_use_each_other_are_a_circle() {
        let found = circles_of(&[
            ("lib.rs", "mod one; mod other; mod third;"),
            ("one.rs", "use crate::other::B;\npub struct A(B);"),
            ("other.rs", "\npub struct B;\nfn f(_: super::one::A) {}"),
            ("third.rs", "use crate::{one::A, other::B};"),
        ]);
        let expected = "small: a circle of 2 files\n  \
                        one.rs:1 → other.rs: crate::other::B\n  \
                        other.rs:3 → one.rs: super::one::A";
        assert_eq!(found, [expected]);
    }

    #[test]
    fn a_circle_of_many_files_is_told_as_one() {
        let found = circles_of(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b; pub fn f() { b::f() }"),
            (
                "b.rs",
                "pub fn f() { println!(\"{:?}\", x.y..crate::c::f()) }",
            ),
            ("c.rs", "#[serde(with = \"crate::a::f\")] pub fn f() {}"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("small: a circle of 3 files"));
    }

    #[test]
    fn a_re_export_leads_to_the_file_that_defines() {
        // `facade` names `one`, and `one` uses it, but only for what `other` defines.
        let facade = "pub use crate::one::A; pub use crate::other::*; pub use self::made::C;
                      mod made { pub struct C; }";
        let found = circles_of(&[
            (
                "lib.rs",
                "mod one; mod other; mod facade; pub use facade::B as Renamed;",
            ),
            (
                "one.rs",
                "pub struct A; use crate::facade::B; fn f(_: crate::Renamed) {}",
            ),
            ("other.rs", "pub struct B;"),
            ("facade.rs", facade),
        ]);
        assert_eq!(found, [""; 0]);
        let found = circles_of(&[
            ("lib.rs", "mod one; mod other; mod facade;"),
            ("one.rs", "pub struct A; use crate::facade::B;"),
            ("other.rs", "pub struct B(crate::facade::A);"),
            (
                "facade.rs",
                "pub use crate::one::A; pub use crate::other::*;",
            ),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("one.rs:1 → other.rs: crate::facade::B"));
        assert!(found[0].contains("other.rs:1 → one.rs: crate::facade::A"));
    }

    #[test]
    fn a_module_and_those_inside_it_may_know_one_another() {
        let found = circles_of(&[
            (
                "lib.rs",
                "mod outer; pub struct Root; fn f(_: outer::Outer) {}",
            ),
            (
                "outer/mod.rs",
                "mod inner; use inner::Inner; pub struct Outer(Inner);",
            ),
            (
                "outer/inner/mod.rs",
                "mod deep; pub struct Inner; use deep::D; use super::Outer;",
            ),
            (
                "outer/inner/deep.rs",
                "use crate::{Root, outer::Outer}; pub struct D(super::Inner);",
            ),
        ]);
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn modules_inside_one_of_two_files_count_as_that_file() {
        let found = circles_of(&[
            ("lib.rs", "mod one; mod other;"),
            (
                "one.rs",
                "pub mod inline { pub struct A(crate::other::B); }",
            ),
            (
                "other.rs",
                "pub struct B; use crate::one::inline; fn f(_: inline::A) {}",
            ),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn what_tests_use_does_not_count() {
        let tests = "use crate::other::B; #[cfg(test)] mod tests; #[cfg(test)] use crate::c::C;
                     pub struct A; impl A { #[cfg(all(test, unix))] fn f(_: crate::c::C) {} }";
        let other = "pub struct B; #[cfg(test)] mod tests { use crate::one::A; }";
        let found = circles_of(&[
            ("lib.rs", "mod one; mod other; mod c;"),
            ("one.rs", tests),
            ("other.rs", other),
            ("c.rs", "pub struct C(crate::one::A);"),
        ]);
        assert_eq!(found, [""; 0]);
        let found = circles_of(&[
            ("lib.rs", "mod one; mod other;"),
            (
                "one.rs",
                "pub struct A; #[cfg(not(test))] use crate::other::B;",
            ),
            ("other.rs", "pub struct B(crate::one::A);"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn what_a_macro_defines_is_found_in_its_file() {
        let found = circles_of(&[
            ("lib.rs", "mod ids; mod user; pub use ids::*;"),
            (
                "ids.rs",
                "macro_rules! ids { () => {} } ids! { JobId = \"job\" } use crate::user::U;",
            ),
            ("user.rs", "pub struct U(crate::JobId);"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn a_file_elsewhere_is_followed() {
        let found = circles_of(&[
            ("lib.rs", "mod sub; mod one;"),
            (
                "sub/mod.rs",
                "#[path = \"../queries/mod.rs\"] pub mod queries;",
            ),
            ("queries/mod.rs", "pub mod jobs;"),
            ("queries/jobs.rs", "pub struct J(crate::one::A);"),
            (
                "one.rs",
                "pub struct A; fn f(_: crate::sub::queries::jobs::J) {}",
            ),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("one.rs:1 → queries/jobs.rs"));
    }

    #[test]
    fn a_path_of_another_crate_leads_nowhere() {
        let found = circles_of(&[
            ("lib.rs", "mod url; mod one;"),
            (
                "one.rs",
                "pub struct A; use ::url::B; fn f() { std::url::g() }",
            ),
            ("url.rs", "pub struct B(crate::one::A);"),
        ]);
        assert_eq!(found, [""; 0]);
    }
}
