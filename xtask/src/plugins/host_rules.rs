//! Holds the manifests that were written against the rules of the host, by the host's own reader: what breaks one of
//! them is signed and listed like any other, and refused only when a host loads it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use super::{Built, Purpose};
use crate::workspace::Workspace;

/// The exit code of a command line that the binary does not know.
const UNKNOWN_COMMAND: i32 = 2;

/// Checks the manifests of these packages with the `gtm` of this checkout, where it was built before. It is not built for
/// this: that takes minutes, and whoever writes a plug-in alone needs no host for it.
///
/// # Errors
/// If a manifest breaks a rule; the table of standard output names file and member.
pub fn check(
    workspace: &Workspace,
    catalog: &Path,
    purpose: Purpose,
    built: &[Built],
) -> Result<()> {
    let all = [workspace.gtm_binary(), workspace.release_binary()];
    let own = match purpose {
        Purpose::Development => 0,
        Purpose::Release | Purpose::Benchmark => 1,
    };
    let mut candidates = [&all[own], &all[1 - own]].into_iter();
    let Some(binary) = candidates.find(|binary| binary.exists()) else {
        eprintln!(
            "the host's rules were not checked, since gtm is not built here: after `cargo build --workspace --bin gtm`, \
             `gtm --catalog {} plugin list --check` does it",
            catalog.display()
        );
        return Ok(());
    };
    let manifests = built.iter().map(|it| manifest(catalog, it));
    check_with(binary, manifests.collect())
}

fn manifest(catalog: &Path, built: &Built) -> PathBuf {
    let folder = catalog.join(&built.kind).join(&built.key);
    folder.join(&built.version).join("manifest.json")
}

fn check_with(binary: &Path, manifests: Vec<PathBuf>) -> Result<()> {
    if manifests.is_empty() {
        return Ok(());
    }
    let output = Command::new(binary)
        .args(["plugin", "check"])
        .args(&manifests)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", binary.display()))?;
    match output.status.code() {
        Some(0) => Ok(()),
        Some(UNKNOWN_COMMAND) => {
            eprintln!(
                "the host's rules were not checked: {} is older than this checkout",
                binary.display()
            );
            Ok(())
        }
        _ => bail!(
            "a host would refuse what was built:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A program that says this and ends so.
    fn host(folder: &Path, script: &str) -> PathBuf {
        let path = folder.join("gtm");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        path
    }

    #[test]
    fn what_the_host_refuses_fails_the_build() {
        let folder = tempfile::tempdir().unwrap();
        let manifests = || vec![folder.path().join("manifest.json")];
        let sound = host(
            folder.path(),
            "test \"$1 $2\" = 'plugin check' && test -n \"$3\"",
        );
        check_with(&sound, manifests()).unwrap();
        let broken = host(folder.path(), "echo \"$3: /key\"; exit 1");
        let told = check_with(&broken, manifests()).unwrap_err().to_string();
        assert!(told.contains("manifest.json: /key"), "{told}");
        // An older one does not know the command.
        check_with(&host(folder.path(), "exit 2"), manifests()).unwrap();
        check_with(&broken, Vec::new()).unwrap();
    }
}
