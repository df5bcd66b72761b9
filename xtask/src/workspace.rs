//! Where things are in this checkout, as reported by cargo.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use cargo_metadata::{Metadata, MetadataCommand, Package};

use crate::plugins::Purpose;

/// The workspace of the current directory. Cargo reports the target directory, so the catalogs too respect
/// `CARGO_TARGET_DIR` and a configured build directory.
pub struct Workspace {
    /// Folder of the workspace's `Cargo.toml`.
    pub root: PathBuf,
    /// Cargo's target directory; xtask writes only below it.
    pub target: PathBuf,
    /// Packages and their dependencies.
    pub metadata: Metadata,
}

impl Workspace {
    /// Asks `cargo metadata` about the workspace that the current directory belongs to.
    pub fn load() -> Result<Self> {
        let metadata = MetadataCommand::new()
            .exec()
            .context("cannot read the workspace with `cargo metadata`")?;
        Ok(Self {
            root: metadata.workspace_root.clone().into_std_path_buf(),
            target: metadata.target_directory.clone().into_std_path_buf(),
            metadata,
        })
    }

    /// The catalog of the product's own plug-ins and connectors.
    pub fn catalog(&self, purpose: Purpose) -> PathBuf {
        self.packages(purpose).join("catalog")
    }

    /// The catalog of the fixture plug-ins, separate so that no host loads them by accident.
    pub fn fixture_catalog(&self, purpose: Purpose) -> PathBuf {
        self.packages(purpose).join("fixture-catalog")
    }

    /// Each purpose has a catalog of its own, because packages of all purposes have the same keys and
    /// versions.
    fn packages(&self, purpose: Purpose) -> PathBuf {
        match purpose {
            Purpose::Development => self.target.clone(),
            Purpose::Release => self.target.join("release"),
            Purpose::Benchmark => self.target.join("benchmark"),
        }
    }

    /// Folder of the development publisher's keys.
    pub fn publisher(&self) -> PathBuf {
        self.target.join("dev-publisher")
    }

    /// Where cargo puts the `gtm` binary of the development profile.
    pub fn gtm_binary(&self) -> PathBuf {
        self.target
            .join("debug")
            .join(format!("gtm{}", std::env::consts::EXE_SUFFIX))
    }

    /// Where `cargo build --release` puts the `gtm` binary.
    pub fn release_binary(&self) -> PathBuf {
        self.target
            .join("release")
            .join(format!("gtm{}", std::env::consts::EXE_SUFFIX))
    }

    /// The workspace member whose `Cargo.toml` is in this folder.
    pub fn member_at(&self, folder: &Path) -> Option<&Package> {
        self.metadata
            .workspace_packages()
            .into_iter()
            .find(|package| {
                package
                    .manifest_path
                    .parent()
                    .is_some_and(|path| path.as_std_path() == folder)
            })
    }

    /// A path below the root as manifests and messages write it: relative, with `/`.
    pub fn relative(&self, path: &Path) -> String {
        relative(&self.root, path)
    }
}

/// See [`Workspace::relative`].
pub fn relative(root: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap_or(path);
    relative
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}
