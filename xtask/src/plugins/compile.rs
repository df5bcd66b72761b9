//! From sources to core modules: which plug-ins one call of cargo compiles, and with which settings.

use std::collections::BTreeMap;
use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use cargo_metadata::{Message, PackageId};

use super::discover::Source;
use super::toolchain::Toolchain;
use crate::workspace::Workspace;

/// How plug-ins are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settings {
    /// For a developer who waits: little optimization, and one call of cargo for all plug-ins of a kind, so
    /// that they share compiled dependencies.
    Development,
    /// For packages that others install: small, and each plug-in compiled alone, so that its features and its
    /// bytes depend on its own sources only.
    Release,
}

impl Settings {
    /// The profile in the workspace's `Cargo.toml`.
    pub fn profile(self) -> &'static str {
        match self {
            Self::Development => "plugin-dev",
            Self::Release => "plugin",
        }
    }
}

/// Compiles `wanted` and returns their core modules. `all` holds every plug-in of a build with these
/// settings, so that the features of shared dependencies do not vary with what has changed.
pub fn compile(
    workspace: &Workspace,
    toolchain: &Toolchain,
    settings: Settings,
    wanted: &[&Source],
    all: &[&Source],
) -> Result<BTreeMap<PackageId, Vec<u8>>> {
    let mut modules = BTreeMap::new();
    match settings {
        Settings::Release => {
            for source in wanted {
                eprintln!("building {} ({})", source.key, source.kind);
                modules.extend(call(workspace, toolchain, settings, &[source])?);
            }
        }
        Settings::Development => {
            // A plug-in's kind decides its world, and with it the SDK's features.
            let mut kinds: Vec<&str> = wanted.iter().map(|source| source.kind.as_str()).collect();
            kinds.sort_unstable();
            kinds.dedup();
            for kind in kinds {
                let of_kind = |source: &&&Source| source.kind == kind;
                let together: Vec<&Source> = all.iter().filter(of_kind).copied().collect();
                let changed: Vec<&str> = (wanted.iter().filter(of_kind))
                    .map(|source| source.key.as_str())
                    .collect();
                eprintln!("building {} ({kind})", changed.join(", "));
                modules.extend(call(workspace, toolchain, settings, &together)?);
            }
        }
    }
    if let Some(missing) = wanted
        .iter()
        .find(|source| !modules.contains_key(&source.id))
    {
        bail!("cargo built no .wasm file for `{}`", missing.key);
    }
    Ok(modules)
}

/// One call of cargo for these packages.
fn call(
    workspace: &Workspace,
    toolchain: &Toolchain,
    settings: Settings,
    sources: &[&Source],
) -> Result<BTreeMap<PackageId, Vec<u8>>> {
    let mut command = toolchain.build(workspace, settings.profile());
    for source in sources {
        command.args(["--package", &source.package]);
    }
    let modules = modules(&mut command).with_context(|| {
        let keys: Vec<&str> = sources.iter().map(|source| source.key.as_str()).collect();
        format!("one of {} cannot be built", keys.join(", "))
    })?;
    for module in modules.values() {
        names_no_checkout(module, &workspace.root)?;
    }
    Ok(modules)
}

/// Runs cargo and returns the modules that it built, by package.
pub fn modules(command: &mut Command) -> Result<BTreeMap<PackageId, Vec<u8>>> {
    command
        .arg("--message-format=json-render-diagnostics")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let output = child.stdout.take().context("cargo's output is piped")?;
    let mut files = BTreeMap::new();
    for message in Message::parse_stream(BufReader::new(output)) {
        if let Message::CompilerArtifact(artifact) =
            message.context("cannot read cargo's output")?
            && let Some(file) =
                (artifact.filenames.into_iter()).find(|name| name.extension() == Some("wasm"))
        {
            files.insert(artifact.package_id, file);
        }
    }
    let status = child.wait().context("cannot wait for cargo")?;
    if !status.success() {
        bail!("the compiler refused it");
    }
    files
        .into_iter()
        .map(|(id, file)| {
            let bytes = fs::read(&file).with_context(|| format!("cannot read {file}"))?;
            Ok((id, bytes))
        })
        .collect()
}

/// Fails if the module contains the checkout's path. Its bytes are kept for every checkout that shares the
/// target folder, and must not depend on the one that happened to build them.
pub fn names_no_checkout(module: &[u8], root: &Path) -> Result<()> {
    let path = root.as_os_str().as_encoded_bytes();
    if module.windows(path.len()).any(|bytes| bytes == path) {
        bail!(
            "it would differ in another checkout, for it contains the path {}; does a source include a file by an absolute path?",
            root.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_module_with_the_checkouts_path_is_refused() {
        let root = Path::new("/srv/checkout");
        names_no_checkout(b"plugins/brand/src/lib.rs", root).unwrap();
        let error = names_no_checkout(b"at /srv/checkout/plugins/x.rs", root).unwrap_err();
        assert!(error.to_string().contains("/srv/checkout"), "{error}");
    }
}
