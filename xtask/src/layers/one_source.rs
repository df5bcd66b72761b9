//! That a release compiles the same source as everything that is tested: no item is there only with debug assertions, or
//! only without. `cfg!(debug_assertions)` is a value like any other, and its branches are compiled in both.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::workspace::Workspace;

/// Adds a line for each source file of a member with an attribute that asks for debug assertions.
pub fn check(workspace: &Workspace, found: &mut Vec<String>) -> Result<()> {
    for package in workspace.metadata.workspace_packages() {
        let folder = package.manifest_path.as_std_path().with_file_name("src");
        if folder.is_dir() {
            check_folder(&folder, workspace, found)?;
        }
    }
    Ok(())
}

fn check_folder(folder: &Path, workspace: &Workspace, found: &mut Vec<String>) -> Result<()> {
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?
    {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            check_folder(&path, workspace, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            if asks_for_debug_assertions(&text) {
                found.push(format!(
                    "{}: a release would compile other source; use `cfg!(debug_assertions)`",
                    workspace.relative(&path)
                ));
            }
        }
    }
    Ok(())
}

/// Whether an attribute of a file, such as `cfg` or `cfg_attr`, names debug assertions.
fn asks_for_debug_assertions(text: &str) -> bool {
    ["#[cfg", "#![cfg"].iter().any(|attribute| {
        text.split(attribute).skip(1).any(|behind| {
            let condition = behind.split(']').next().unwrap_or_default();
            condition.contains("debug_assertions")
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn only_attributes_make_other_source() {
        let word = "debug_assertions";
        for text in [
            format!("#[cfg({word})]\nfn a() {{}}"),
            format!("#[cfg(not({word}))]\nfn a() {{}}"),
            format!("#![cfg_attr(not(\n    {word}\n), allow(dead_code))]"),
        ] {
            assert!(asks_for_debug_assertions(&text), "{text}");
        }
        for text in [
            format!("const ON: bool = cfg!({word});"),
            format!("#[cfg(test)]\nconst ON: bool = cfg!({word});"),
            format!("// {word}"),
        ] {
            assert!(!asks_for_debug_assertions(&text), "{text}");
        }
    }
}
