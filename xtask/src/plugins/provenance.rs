//! Where a component comes from: what the manifest's `provenance` says, and the statement beside it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};

use super::component::Component;
use super::discover::{Entry, Source};
use crate::process::capture;
use crate::workspace::Workspace;

/// Written where the commit of the sources isn't known.
const UNKNOWN_COMMIT: &str = "0000000000000000000000000000000000000000";
/// Written where the workspace names no repository; `.invalid` never resolves (RFC 6761).
const UNKNOWN_REPOSITORY: &str = "https://repository.invalid/";

/// The origin of one component.
pub struct Provenance {
    repository: String,
    commit: String,
    source_paths: Vec<String>,
    toolchain: String,
    command: String,
}

impl Provenance {
    /// Collects the origin. `folders` are all folders whose content went into the component: the
    /// commit is only named if git sees no change in them, because otherwise it would be a lie.
    pub fn collect(
        workspace: &Workspace,
        source: &Source,
        folders: &[PathBuf],
        toolchain: &str,
    ) -> Self {
        let repository = source
            .repository
            .clone()
            .unwrap_or_else(|| repository_of(workspace));
        let declared = source
            .manifest
            .get("provenance")
            .and_then(|provenance| provenance.get("source_paths"))
            .and_then(Value::as_array)
            .map(|paths| paths.iter().filter_map(Value::as_str).map(str::to_owned))
            .map(Iterator::collect::<Vec<_>>)
            .filter(|paths| !paths.is_empty());
        Self {
            repository,
            commit: commit_of(workspace, folders).unwrap_or_else(|| UNKNOWN_COMMIT.to_owned()),
            source_paths: declared.unwrap_or_else(|| vec![workspace.relative(&source.folder)]),
            toolchain: toolchain.to_owned(),
            command: format!("cargo xtask plugins --only {}", source.key),
        }
    }

    /// The manifest's `provenance` member.
    fn to_manifest(&self) -> Value {
        json!({
            "repository": self.repository,
            "commit": self.commit,
            "source_paths": self.source_paths,
            "build": {
                "toolchain": self.toolchain,
                "command": self.command,
                // A claim about the build, not a check of it: paths are mapped away and dependencies
                // are locked, and the sources are those of the commit. Without the commit nobody else
                // has the sources to try it with.
                "reproducible": self.commit != UNKNOWN_COMMIT,
            },
        })
    }

    /// An in-toto statement with a SLSA v1 predicate about the component. It holds no time and no
    /// machine, so building twice gives the same statement.
    pub fn statement(&self, digest_hex: &str) -> Value {
        json!({
            "_type": "https://in-toto.io/Statement/v1",
            "subject": [{ "name": "component.wasm", "digest": { "sha256": digest_hex } }],
            "predicateType": "https://slsa.dev/provenance/v1",
            "predicate": {
                "buildDefinition": {
                    "buildType": "urn:gtm:build:plugin:1",
                    "externalParameters": {
                        "repository": self.repository,
                        "source_paths": self.source_paths,
                        "command": self.command,
                    },
                    "internalParameters": { "toolchain": self.toolchain },
                    "resolvedDependencies": [{
                        "uri": format!("git+{}", self.repository),
                        "digest": { "gitCommit": self.commit },
                    }],
                },
                "runDetails": { "builder": { "id": "urn:gtm:builder:xtask" } },
            },
        })
    }
}

/// The manifests of catalog entries with where they come from: nothing was built, so there is no build
/// to tell of.
pub fn complete_entries(workspace: &Workspace, folder: &Path, entries: &mut [Entry]) {
    let commit =
        commit_of(workspace, &[folder.to_owned()]).unwrap_or_else(|| UNKNOWN_COMMIT.to_owned());
    let repository = repository_of(workspace);
    for entry in entries {
        entry.manifest.insert(
            "provenance".into(),
            json!({
                "repository": repository,
                "commit": commit,
                "source_paths": [workspace.relative(&entry.path)],
            }),
        );
    }
}

/// The repository that the workspace names.
fn repository_of(workspace: &Workspace) -> String {
    workspace
        .metadata
        .workspace_metadata
        .get("repository")
        .and_then(Value::as_str)
        .unwrap_or(UNKNOWN_REPOSITORY)
        .to_owned()
}

/// The author's manifest with everything that only the build knows.
pub fn complete_manifest(
    source: &Map<String, Value>,
    component: &Component,
    digest_hex: &str,
    provenance: &Provenance,
) -> Value {
    let mut manifest = source.clone();
    manifest.insert(
        "component".into(),
        json!({
            "path": "component.wasm",
            "digest": format!("sha256:{digest_hex}"),
            "size_bytes": component.bytes.len(),
            "world": component.world,
            "host_imports": component.host_imports,
        }),
    );
    manifest.insert("provenance".into(), provenance.to_manifest());
    Value::Object(manifest)
}

/// The checked-out commit, if there is one and the folders are exactly as it has them.
fn commit_of(workspace: &Workspace, folders: &[PathBuf]) -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(&workspace.root).args(arguments);
        command
    };
    let head = capture(&mut git(&["rev-parse", "--verify", "HEAD"])).ok()?;
    let is_commit = head.len() == 40 && head.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut status = git(&["status", "--porcelain", "--"]);
    status.args(folders);
    let changes = capture(&mut status).ok()?;
    (is_commit && changes.is_empty()).then_some(head)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_build_of_changed_sources_does_not_claim_to_be_reproducible() {
        let claim = |commit: &str| {
            let provenance = Provenance {
                repository: UNKNOWN_REPOSITORY.into(),
                commit: commit.into(),
                source_paths: vec!["plugins/x".into()],
                toolchain: "rustc".into(),
                command: "cargo xtask plugins --only x".into(),
            };
            provenance.to_manifest()["build"]["reproducible"].clone()
        };
        assert_eq!(claim(UNKNOWN_COMMIT), false);
        assert_eq!(claim(&"1".repeat(40)), true);
    }
}
