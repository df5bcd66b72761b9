//! Whether a library has tests, and examples in its documentation, which its manifest says with `test` and `doctest`.
//!
//! To link a program of no tests takes seconds, and to look for examples in a library longer. So a library without them
//! switches them off, and one that has some must not: they would never run.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use cargo_metadata::{Package, TargetKind};

use super::listing;

/// Adds what is wrong with the package's manifest.
pub fn check(package: &Package, found: &mut Vec<String>) -> Result<()> {
    let libraries = [TargetKind::Lib, TargetKind::RLib, TargetKind::CDyLib];
    for target in &package.targets {
        let is_library = target.kind.iter().any(|kind| libraries.contains(kind));
        if !is_library && !target.is_bin() {
            continue;
        }
        let folder = (target.src_path.parent()).context("a target's source lies in a folder")?;
        let mut compare = |what: &str, switch: &str, there: bool, is_on: bool| match (there, is_on)
        {
            (true, false) => found.push(format!(
                "{}: its {what} never run; take `{switch} = false` out of its manifest",
                package.name
            )),
            (false, true) => found.push(format!(
                "{}: it has no {what}; its manifest needs `{switch} = false`",
                package.name
            )),
            _ => {}
        };
        let there = any_source(folder.as_std_path(), has_test)?;
        compare("unit tests", "test", there, target.test);
        if is_library {
            let there = any_source(folder.as_std_path(), has_example)?;
            compare(
                "examples in its documentation",
                "doctest",
                there,
                target.doctest,
            );
        }
    }
    Ok(())
}

/// Whether one of the Rust sources below this folder is such a text.
fn any_source(folder: &Path, is_such: fn(&str) -> bool) -> Result<bool> {
    for path in listing::below(folder)? {
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            if is_such(&text) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether there is an attribute such as `#[test]` or `#[tokio::test(…)]`, by itself or among the tokens of a macro.
fn has_test(text: &str) -> bool {
    text.split("#[").skip(1).any(|behind| {
        let path = behind.split([']', '(']).next().unwrap_or_default();
        path.rsplit("::").next() == Some("test")
    })
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
    fn an_attribute_makes_a_test() {
        for text in [
            "#[test]\nfn a() {}",
            "#[tokio::test(flavor = \"x\")]",
            "m! { #[test] fn a() {} }",
        ] {
            assert!(has_test(text), "{text}");
        }
        for text in ["#[cfg(test)]\nmod tests;", "/// a test]", "#[testing]"] {
            assert!(!has_test(text), "{text}");
        }
    }

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
