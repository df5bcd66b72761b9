//! That no file has a name that says nothing of what is in it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::workspace::Workspace;

/// Names that do not say what a file contains.
const EMPTY_NAMES: &[&str] = &[
    "util", "utils", "helper", "helpers", "common", "misc", "stuff",
];

/// Adds a line for each file and folder below this one with such a name.
pub fn check(folder: &Path, workspace: &Workspace, found: &mut Vec<String>) -> Result<()> {
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?
    {
        let entry = entry?;
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') || ["target", "data", "node_modules"].contains(&name.as_ref()) {
            continue;
        }
        let stem = name.split('.').next().unwrap_or_default();
        if EMPTY_NAMES.contains(&stem) {
            found.push(format!(
                "{}: a name that says nothing; name it for what it holds",
                workspace.relative(&path)
            ));
        }
        if entry.file_type()?.is_dir() {
            check(&path, workspace, found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_name_that_says_nothing_is_found() {
        let workspace = Workspace::load().unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("src/helpers")).unwrap();
        fs::write(folder.path().join("src/utils.rs"), "").unwrap();
        fs::write(folder.path().join("src/ids.rs"), "").unwrap();
        let mut found = Vec::new();
        check(folder.path(), &workspace, &mut found).unwrap();
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
