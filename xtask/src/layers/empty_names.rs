//! That no file has a name that says nothing of what is in it.

use std::path::Path;

use anyhow::Result;

use super::listing;
use crate::workspace::Workspace;

/// Names that do not say what a file contains.
const EMPTY_NAMES: &[&str] = &[
    "util", "utils", "helper", "helpers", "common", "misc", "stuff",
];

/// Adds a line for each file and folder below this one with such a name.
pub fn check(folder: &Path, workspace: &Workspace, found: &mut Vec<String>) -> Result<()> {
    for path in listing::below(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.split('.').next().unwrap_or_default();
        if EMPTY_NAMES.contains(&stem) {
            found.push(format!(
                "{}: a name that says nothing; name it for what it holds",
                workspace.relative(&path)
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use std::fs;

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
