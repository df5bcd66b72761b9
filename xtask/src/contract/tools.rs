//! The tools of the contract tests: Python packages in a virtual environment and npm packages. Both are
//! installed below the target directory and pinned by files in `tests/contract/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

use crate::process::{capture, find_program};
use crate::workspace::Workspace;

/// The installed tools.
pub struct Tools {
    python: PathBuf,
    node: PathBuf,
}

impl Tools {
    /// Installs tools that are missing or pinned to other versions.
    ///
    /// # Errors
    /// If python3, node or npm is missing, or a package is unavailable.
    pub fn install(workspace: &Workspace) -> Result<Self> {
        let pinned = workspace.root.join("tests/contract");
        let folder = workspace.target.join("contract");
        let tools = Self {
            python: folder.join("python"),
            node: folder.join("node"),
        };
        let python = find_program(&["python3"]).context("there is no python3")?;
        find_program(&["node"]).context("there is no node")?;
        let npm = find_program(&["npm"]).context("there is no npm")?;
        let requirements = pinned.join("python/requirements.txt");
        python_packages(
            &python,
            &tools.python,
            requirements,
            "for the contract tests",
        )?;
        let npm_files = ["package.json", "package-lock.json", ".npmrc"]
            .map(|name| pinned.join("typescript").join(name));
        once(&tools.node, &npm_files, |to, files| {
            eprintln!("installing npm packages for the contract tests");
            for file in files {
                fs::copy(file, to.join(file.file_name().unwrap_or_default()))?;
            }
            capture(Command::new(&npm).current_dir(to).args(["ci", "--silent"]))
        })?;
        Ok(tools)
    }

    /// Environment variables that tell the tests where the tools are.
    pub fn variables(&self) -> [(&'static str, &Path); 2] {
        [
            ("GTM_TEST_PYTHON_TOOLS", &self.python),
            ("GTM_TEST_NODE_TOOLS", &self.node),
        ]
    }
}

/// Installs pinned Python packages into a virtual environment of `python` in this folder, once for each pinning. `purpose`
/// is told: `for the contract tests`.
///
/// # Errors
/// If the environment cannot be made, or a package is unavailable.
pub fn python_packages(
    python: &Path,
    folder: &Path,
    requirements: PathBuf,
    purpose: &str,
) -> Result<()> {
    once(folder, &[requirements], |to, files| {
        eprintln!("installing Python packages {purpose}");
        capture(Command::new(python).args(["-m", "venv"]).arg(to))?;
        capture(
            Command::new(to.join("bin/python"))
                .args(["-m", "pip", "--quiet", "--disable-pip-version-check"])
                .args(["install", "--no-deps", "--requirement"])
                .args(files),
        )
    })
}

/// Recreates the folder with `install`, unless it was already created from files of the same content.
pub fn once(
    folder: &Path,
    files: &[PathBuf],
    install: impl FnOnce(&Path, &[PathBuf]) -> Result<String>,
) -> Result<()> {
    let mut content = Sha256::new();
    for file in files {
        content.update(fs::read(file).with_context(|| format!("cannot read {}", file.display()))?);
    }
    let wanted = hex::encode(content.finalize());
    let stamp = folder.join("installed-from");
    if fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    install(folder, files)?;
    fs::write(stamp, wanted)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn tools_are_installed_once_for_each_pinning() {
        let folder = tempfile::tempdir().unwrap();
        let pins = folder.path().join("pins.txt");
        let to = folder.path().join("tools");
        let mut installed = 0;
        for (content, expected) in [("a", 1), ("a", 1), ("b", 2)] {
            fs::write(&pins, content).unwrap();
            once(&to, std::slice::from_ref(&pins), |_, _| {
                installed += 1;
                Ok(String::new())
            })
            .unwrap();
            assert_eq!(installed, expected, "{content}");
        }
        fs::write(&pins, "c").unwrap();
        let broken = once(&to, std::slice::from_ref(&pins), |_, _| {
            anyhow::bail!("offline")
        });
        assert!(broken.is_err());
        once(&to, &[pins], |_, _| {
            installed += 1;
            Ok(String::new())
        })
        .unwrap();
        assert_eq!(installed, 3, "what failed is tried again");
    }
}
