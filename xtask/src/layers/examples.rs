//! Whether a library's documentation has examples, which its manifest says with `doctest`.
//!
//! `cargo xtask test` runs the examples of those libraries alone: to look for some in each of the others takes minutes. So
//! a library without examples switches them off, and one that has some must not: they would never run.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use cargo_metadata::{Package, TargetKind};

/// Adds what is wrong with the package's manifest.
pub fn check(package: &Package, found: &mut Vec<String>) -> Result<()> {
    let libraries = [TargetKind::Lib, TargetKind::RLib, TargetKind::CDyLib];
    let library = (package.targets.iter())
        .find(|target| target.kind.iter().any(|kind| libraries.contains(kind)));
    let Some(library) = library else {
        return Ok(());
    };
    let folder = library
        .src_path
        .parent()
        .context("a library lies in a folder")?;
    match (has_examples(folder.as_std_path())?, library.doctest) {
        (true, false) => found.push(format!(
            "{}: the examples in its documentation never run; take `doctest = false` out of its manifest",
            package.name
        )),
        (false, true) => found.push(format!(
            "{}: its documentation has no examples; its manifest needs `doctest = false` in [lib]",
            package.name
        )),
        _ => {}
    }
    Ok(())
}

fn has_examples(folder: &Path) -> Result<bool> {
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?
    {
        let path = entry?.path();
        if path.is_dir() {
            if has_examples(&path)? {
                return Ok(true);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            if has_example(&text) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether a documentation comment opens a block of code that is Rust: it has no language, or Rust's.
fn has_example(text: &str) -> bool {
    let mut open = false;
    for line in text.lines().map(str::trim_start) {
        let Some(said) = line.strip_prefix("///").or(line.strip_prefix("//!")) else {
            open = false;
            continue;
        };
        let Some(language) = said.trim().strip_prefix("```") else {
            continue;
        };
        let is_rust = language.is_empty()
            || ["rust", "should_panic", "no_run", "compile_fail", "edition"]
                .iter()
                .any(|own| language.starts_with(own));
        if !open && is_rust {
            return true;
        }
        open = !open;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rust_is_an_example() {
        for (text, expected) in [
            ("//! ```\n//! let a = 1;\n//! ```\n", true),
            ("    /// ```no_run\n", true),
            ("//! ```json\n//! {}\n//! ```\n", false),
            (
                "//! ```json\n//! {}\n//! ```\n//!\n//! ```rust,ignore\n",
                true,
            ),
            ("// ```\nlet a = \"///\";\n", false),
        ] {
            assert_eq!(has_example(text), expected, "{text}");
        }
    }
}
