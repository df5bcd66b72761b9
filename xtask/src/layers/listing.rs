//! What lies in the repository and is ours.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// The files and folders below this one, but for hidden ones and what was made or downloaded.
pub fn below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') || ["target", "data", "node_modules"].contains(&name.as_ref())
            {
                continue;
            }
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            }
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}
