//! That no source is too long to be read at once.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::listing;
use crate::workspace::Workspace;

const MOST_LINES: usize = 500;

/// Adds a line for each Rust source below this folder that has more lines.
pub fn check(folder: &Path, workspace: &Workspace, found: &mut Vec<String>) -> Result<()> {
    for path in listing::below(folder)? {
        if path.is_dir() || path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let lines = text.lines().count();
        if lines > MOST_LINES {
            found.push(format!(
                "{}: {lines} lines, where {MOST_LINES} are the most; split it by meaning",
                workspace.relative(&path)
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_long_source_is_found() {
        let workspace = Workspace::load().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let long = "// a line\n".repeat(MOST_LINES + 1);
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/long.rs"), &long).unwrap();
        fs::write(folder.path().join("src/words.toml"), &long).unwrap();
        let most = "// a line\n".repeat(MOST_LINES);
        fs::write(folder.path().join("src/most.rs"), most).unwrap();
        let mut found = Vec::new();
        check(folder.path(), &workspace, &mut found).unwrap();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("long.rs: 501 lines"), "{found:?}");
    }

    #[test]
    fn no_source_of_this_repository_is_too_long() {
        let workspace = Workspace::load().unwrap();
        let mut found = Vec::new();
        check(&workspace.root, &workspace, &mut found).unwrap();
        assert!(found.is_empty(), "\n{}", found.join("\n"));
    }
}
