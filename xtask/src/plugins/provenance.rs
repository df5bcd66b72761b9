//! The origin of a component: the `provenance` in its manifest, and the statement beside it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};
use url::Url;

use super::compile::Settings;
use super::component::Component;
use super::discover::{Entry, Source};
use super::inputs;
use crate::process::capture;
use crate::workspace::Workspace;

/// The origin of one component. Unknown facts are null.
pub struct Provenance {
    repository: Option<String>,
    commit: Option<String>,
    source_paths: Vec<String>,
    toolchain: String,
    settings: Settings,
    command: String,
}

impl Provenance {
    /// Collects the origin. `folders` are all folders that the component was built from.
    pub fn collect(
        workspace: &Workspace,
        source: &Source,
        folders: &[PathBuf],
        settings: Settings,
        toolchain: &str,
    ) -> Self {
        let repository = source
            .repository
            .clone()
            .or_else(|| repository_of(workspace));
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
            commit: last_change(
                &workspace.root,
                &inputs::pathspecs(&workspace.root, folders),
            ),
            source_paths: declared.unwrap_or_else(|| vec![workspace.relative(&source.folder)]),
            toolchain: toolchain.to_owned(),
            settings,
            command: command(source, settings),
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
                // A claim about the build, not a check of it: paths are mapped away, dependencies are locked,
                // and the sources are those of the commit. Without the commit, nobody else has the sources to
                // rebuild from. A plug-in that was compiled together with others may have features of theirs.
                "reproducible": self.commit.is_some() && self.settings == Settings::Release,
            },
        })
    }
}

/// An in-toto statement with a SLSA v1 predicate about the component of a complete manifest, which says all
/// that the statement says. It names no time and no machine, so building twice gives the same statement.
pub fn statement(manifest: &Value, settings: Settings) -> Value {
    let provenance = &manifest["provenance"];
    // Nobody could fetch a dependency without an address, so it is left out.
    let dependency = provenance["repository"].as_str().map(|repository| {
        let mut dependency = json!({ "uri": format!("git+{repository}") });
        if let Some(commit) = provenance["commit"].as_str() {
            dependency["digest"] = json!({ "gitCommit": commit });
        }
        dependency
    });
    let digest = manifest["component"]["digest"].as_str();
    let sha256 = digest.and_then(|digest| digest.strip_prefix("sha256:"));
    json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{ "name": "component.wasm", "digest": { "sha256": sha256 } }],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:gtm:build:plugin:1",
                "externalParameters": {
                    "repository": provenance["repository"],
                    "source_paths": provenance["source_paths"],
                    "command": provenance["build"]["command"],
                },
                "internalParameters": {
                    "toolchain": provenance["build"]["toolchain"],
                    "profile": settings.profile(),
                },
                "resolvedDependencies": dependency.into_iter().collect::<Vec<_>>(),
            },
            "runDetails": { "builder": { "id": "urn:gtm:builder:xtask" } },
        },
    })
}

/// The command that repeats this build of one plug-in.
fn command(source: &Source, settings: Settings) -> String {
    let mut command = "cargo xtask plugins".to_owned();
    if settings == Settings::Release {
        command.push_str(" --release");
    }
    if source.fixture {
        command.push_str(" --fixtures");
    }
    format!("{command} --only {}", source.key)
}

/// Adds the origin to the manifests of catalog entries. They have no build, so they state no facts about one.
pub fn complete_entries(workspace: &Workspace, entries: &mut [Entry]) {
    let repository = repository_of(workspace);
    for entry in entries {
        let own = inputs::pathspecs(&workspace.root, std::slice::from_ref(&entry.path));
        entry.manifest.insert(
            "provenance".into(),
            json!({
                "repository": repository,
                "commit": last_change(&workspace.root, &own),
                "source_paths": [workspace.relative(&entry.path)],
            }),
        );
    }
}

/// The repository that the workspace's `Cargo.toml` names, else the one that this checkout came from.
fn repository_of(workspace: &Workspace) -> Option<String> {
    named_repository(&workspace.root).or_else(|| {
        let mut command = Command::new("git");
        command
            .current_dir(&workspace.root)
            .args(["config", "--get", "remote.origin.url"]);
        public_address(&capture(&mut command).ok()?)
    })
}

/// `repository` of `[workspace.package]`, which `cargo metadata` does not report.
fn named_repository(root: &Path) -> Option<String> {
    let text = std::fs::read_to_string(root.join("Cargo.toml")).ok()?;
    let manifest: toml::Table = text.parse().ok()?;
    let package = manifest.get("workspace")?.get("package")?;
    public_address(package.get("repository")?.as_str()?)
}

/// The address for other people: `https` only, without user, password, query and fragment. `None` for a
/// remote of another scheme, such as ssh or a folder, because its public address is unknown.
fn public_address(remote: &str) -> Option<String> {
    let mut url = Url::parse(remote).ok()?;
    if url.scheme() != "https" || url.host_str().is_none() {
        return None;
    }
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    Some(url.into())
}

/// The author's manifest, completed with everything that only the build knows.
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

/// The last commit that changed one of these paths, if the paths are exactly as in that commit.
///
/// **A host refuses a known version with a different manifest.** The checked-out commit changes with every
/// commit and would change every manifest; this one changes only with the package's own inputs.
fn last_change(root: &Path, pathspecs: &[String]) -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(root).args(arguments);
        command
    };
    let mut status = git(&["status", "--porcelain", "--untracked-files=normal", "--"]);
    if !capture(status.args(pathspecs)).ok()?.is_empty() {
        return None;
    }
    let mut last = git(&["rev-list", "--max-count=1", "HEAD", "--"]);
    let commit = capture(last.args(pathspecs)).ok()?;
    let is_commit = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_commit {
        return None;
    }
    // In a shallow clone, the oldest commit seems to have created every file.
    let shallow = capture(&mut git(&["rev-parse", "--is-shallow-repository"])).ok()? == "true";
    if shallow {
        let parents = ["rev-list", "--max-count=1", "--parents", &commit];
        let line = capture(&mut git(&parents)).ok()?;
        line.split_once(' ')?;
    }
    Some(commit)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn only_a_release_of_committed_sources_claims_to_be_reproducible() {
        let claim = |commit, settings| {
            let provenance = Provenance {
                settings,
                ..provenance(None, commit)
            };
            provenance.to_manifest()["build"]["reproducible"].clone()
        };
        let commit = || Some("1".repeat(40));
        assert_eq!(claim(None, Settings::Release), false);
        assert_eq!(claim(commit(), Settings::Release), true);
        assert_eq!(claim(commit(), Settings::Development), false);
    }

    fn provenance(repository: Option<&str>, commit: Option<String>) -> Provenance {
        Provenance {
            repository: repository.map(str::to_owned),
            commit,
            source_paths: vec!["plugins/x".into()],
            toolchain: "rustc".into(),
            settings: Settings::Release,
            command: "cargo xtask plugins --only x".into(),
        }
    }

    #[test]
    fn what_is_not_known_is_null() {
        let unknown = provenance(None, None);
        let manifest = unknown.to_manifest();
        assert_eq!(
            (&manifest["repository"], &manifest["commit"]),
            (&Value::Null, &Value::Null)
        );
        let dependencies = |p: &Provenance| {
            let manifest = json!({ "provenance": p.to_manifest() });
            let statement = statement(&manifest, Settings::Release);
            statement["predicate"]["buildDefinition"]["resolvedDependencies"].clone()
        };
        assert_eq!(dependencies(&unknown), json!([]));
        let known = provenance(Some("https://git.example/gtm"), None);
        assert_eq!(
            dependencies(&known),
            json!([{ "uri": "git+https://git.example/gtm" }])
        );
    }

    #[test]
    fn a_repository_is_an_address_that_others_can_use() {
        for (remote, wanted) in [
            (
                "https://git.example/gtm.git",
                Some("https://git.example/gtm.git"),
            ),
            (
                "https://user:password@git.example:8443/gtm?x=1#y",
                Some("https://git.example:8443/gtm"),
            ),
            ("git@git.example:gtm.git", None),
            ("ssh://git@git.example/gtm.git", None),
            ("/srv/gtm.git", None),
            ("file:///srv/gtm.git", None),
            ("http://git.example/gtm", None),
            ("", None),
        ] {
            assert_eq!(public_address(remote).as_deref(), wanted, "{remote}");
        }
    }

    #[test]
    fn the_workspace_can_name_its_repository() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Cargo.toml");
        assert_eq!(named_repository(folder.path()), None);
        std::fs::write(&file, "[workspace.package]\nversion = \"0.1.0\"\n").unwrap();
        assert_eq!(named_repository(folder.path()), None);
        let named = "[workspace.package]\nrepository = \"https://git.example/gtm\"\n";
        std::fs::write(&file, named).unwrap();
        assert_eq!(
            named_repository(folder.path()).as_deref(),
            Some("https://git.example/gtm")
        );
    }

    /// A repository in which each step is a commit.
    struct Repository(tempfile::TempDir);

    impl Repository {
        fn new() -> Self {
            let repository = Self(tempfile::tempdir().unwrap());
            repository.git(&["init", "--quiet"]);
            repository
        }

        fn git(&self, arguments: &[&str]) -> String {
            let mut command = Command::new("git");
            command
                .current_dir(self.0.path())
                .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
                .args(arguments);
            capture(&mut command).unwrap()
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.0.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn commit(&self, path: &str, text: &str) -> String {
            self.write(path, text);
            self.git(&["add", "--all"]);
            self.git(&["commit", "--quiet", "--message", path]);
            self.git(&["rev-parse", "HEAD"])
        }

        fn last_change(&self, paths: &[&str]) -> Option<String> {
            let folders: Vec<PathBuf> = paths.iter().map(|it| self.0.path().join(it)).collect();
            let specs = inputs::pathspecs(self.0.path(), &folders);
            last_change(self.0.path(), &specs)
        }
    }

    #[test]
    fn a_commit_elsewhere_changes_no_manifest() {
        let repository = Repository::new();
        assert_eq!(
            repository.last_change(&["plugins/x"]),
            None,
            "no commit yet"
        );
        let first = repository.commit("plugins/x/src/lib.rs", "1");
        let library = repository.commit("plugins/lib/src/lib.rs", "1");
        repository.commit("host/src/lib.rs", "1");
        repository.commit("plugins/x/tests/answers.rs", "1");
        repository.commit("plugins/x/src/cassettes/answer.json", "1");
        let alone = || repository.last_change(&["plugins/x"]);
        assert_eq!(alone(), Some(first));
        let with_library = || repository.last_change(&["plugins/x", "plugins/lib"]);
        assert_eq!(with_library(), Some(library));
        let again = repository.commit("plugins/x/src/lib.rs", "2");
        assert_eq!(
            (alone(), with_library()),
            (Some(again.clone()), Some(again))
        );
    }

    #[test]
    fn changed_sources_have_no_commit() {
        let repository = Repository::new();
        let first = repository.commit("plugins/x/src/lib.rs", "1");
        let commit = || repository.last_change(&["plugins/x"]);
        for elsewhere in [
            "host/src/lib.rs",
            "plugins/x/tests/new.rs",
            "plugins/x/.swp",
        ] {
            repository.write(elsewhere, "new");
        }
        assert_eq!(commit().as_ref(), Some(&first));
        repository.write("plugins/x/src/lib.rs", "2");
        assert_eq!(commit(), None, "a changed file");
        repository.write("plugins/x/src/lib.rs", "1");
        assert_eq!(commit().as_ref(), Some(&first));
        repository.write("plugins/x/src/new.rs", "1");
        assert_eq!(commit(), None, "a new file");
        assert_eq!(repository.last_change(&["nothing"]), None);
    }

    #[test]
    fn a_shallow_clone_knows_only_the_commits_that_it_has() {
        let origin = Repository::new();
        let first = origin.commit("plugins/x/src/lib.rs", "1");
        let second = origin.commit("plugins/y/src/lib.rs", "1");
        origin.commit("README.md", "1");
        let clone = Repository(tempfile::tempdir().unwrap());
        let address = format!("file://{}", origin.0.path().display());
        clone.git(&["clone", "--quiet", "--depth", "2", &address, "."]);
        assert_eq!(clone.last_change(&["plugins/x"]), None);
        assert_eq!(
            clone.last_change(&["plugins/y"]),
            None,
            "as far as it knows"
        );
        assert_eq!(
            clone.last_change(&["README.md"]),
            origin.last_change(&["README.md"])
        );
        assert_eq!(origin.last_change(&["plugins/x"]), Some(first));
        assert_eq!(origin.last_change(&["plugins/y"]), Some(second));
    }
}
