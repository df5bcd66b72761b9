//! Binding plug-ins to their roles: backends, renderers and evaluators of the fixtures' catalog.

use std::path::{Path, PathBuf};

use gtm_domain::binding::{BindingScope, BindingTarget};
use serde_json::json;

use crate::process::{Gtm, text};
use crate::worker_side::open_store;

/// The fixtures' catalog. If it was not built, reports the skipped test and returns `None`.
fn fixtures() -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"),
        PathBuf::from,
    );
    let dir = std::env::var_os("GTM_TEST_FIXTURE_CATALOG")
        .map_or_else(|| target.join("fixture-catalog"), PathBuf::from);
    if dir.is_dir() {
        return Some(dir);
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "no catalog of fixtures: run `cargo xtask plugins --fixtures`"
    );
    eprintln!("SKIPPED: no catalog of fixtures; run `cargo xtask plugins --fixtures`");
    None
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// An installation whose catalog has the fixtures' renderer and evaluator.
pub fn installation() -> Option<Gtm> {
    let packages = [
        "document_renderer/echo-renderer",
        "evaluator/echo-evaluator",
    ];
    installation_of(&packages, "")
}

/// An installation whose catalog has these packages of the fixtures, with more lines of configuration.
pub fn installation_of(packages: &[&str], more: &str) -> Option<Gtm> {
    let fixtures = fixtures()?;
    let gtm = Gtm::new();
    gtm.configure(&format!("allow_unsigned = true\n{more}"));
    for package in packages {
        copy(
            &fixtures.join(package),
            &gtm.data().join("catalog").join(package),
        );
    }
    Some(gtm)
}

fn create<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&["binding", "create", "--platform"], options].concat()
}

#[tokio::test]
async fn a_version_is_that_of_a_plugin_of_the_same_kind() {
    let Some(gtm) = installation() else { return };
    gtm.tenant();
    let store = open_store(&gtm).await;
    let target = BindingTarget::Backend {
        key: "echo-renderer".to_owned(),
        version: Some("9.9.9".to_owned()),
    };
    let operator = store.operator();
    let scope = BindingScope::Platform;
    let bound = operator.set_binding(scope, "test.render", target, json!({}));
    bound.await.unwrap();
    store.close().await;
    let options = ["--role", "test.render", "--renderer", "echo-renderer"];
    let bound = gtm.json(&create(&options));
    let target = json!({"kind": "renderer", "key": "echo-renderer", "version": "0.1.0"});
    assert_eq!(bound["target"], target);
}

/// The kind alone decides, whatever a manifest says, so no catalog is needed.
#[test]
fn what_would_never_be_used_is_not_bound() {
    let gtm = Gtm::new();
    gtm.configure("");
    for (option, kind) in [
        ("--renderer", "a renderer"),
        ("--evaluator", "an evaluator"),
        ("--connection", "a connection"),
    ] {
        let target = "conn_01jz8q7b0x5f8s1t4v6w9y2a3c";
        let told = gtm.fails(1, &create(&["--capability", "playbooks", option, target]));
        let expected = format!("playbooks is served by a generation backend, not by {kind}");
        assert!(told.contains(&expected), "{told}");
    }
    let judge = ["--role", "test.evaluate", "--evaluator", "echo-evaluator"];
    for settings in [["--setting", "strict=yes"], ["--settings-json", "{}"]] {
        let told = gtm.fails(1, &create(&[&judge[..], &settings[..]].concat()));
        assert!(told.contains("an evaluator takes no settings"), "{told}");
    }
    assert_eq!(gtm.json(&["binding", "list"]), json!({ "bindings": [] }));
}

#[test]
fn a_role_is_bound_to_a_plugin_of_its_kind() {
    let Some(gtm) = installation() else { return };
    let bound = gtm.json(&create(&[
        "--role",
        "test.render",
        "--renderer",
        "echo-renderer",
    ]));
    let target = json!({"kind": "renderer", "key": "echo-renderer", "version": "0.1.0"});
    assert_eq!(
        (&bound["capability"], &bound["target"]),
        (&json!("test.render"), &target)
    );
    let judge = gtm.json(&create(&[
        "--capability",
        "test.evaluate",
        "--evaluator",
        "echo-evaluator",
        "--plugin-version",
        "0.1.0",
    ]));
    assert_eq!(judge["target"]["kind"], "evaluator");
    let shown = gtm.json(&["binding", "show", &text(&judge, "id")]);
    assert_eq!(shown["target"], judge["target"]);

    let table = String::from_utf8(gtm.run(&["binding", "list"]).stdout).unwrap();
    assert!(
        table.contains("CAPABILITY") && table.contains("KIND") && table.contains("renderer"),
        "{table}"
    );
    for (options, problem) in [
        (
            ["--renderer", "echo-evaluator"],
            "no renderer echo-evaluator",
        ),
        (
            ["--backend", "echo-renderer"],
            "no generation backend echo-renderer",
        ),
        (
            ["--evaluator", "echo-evaluator"],
            "echo-evaluator does not serve test.render",
        ),
    ] {
        let options = [&["--role", "test.render"], &options[..]].concat();
        let message = gtm.fails(1, &create(&options));
        assert!(message.contains(problem), "{message}");
    }
    gtm.fails(
        2,
        &create(&[
            "--role",
            "test.render",
            "--renderer",
            "echo-renderer",
            "--evaluator",
            "echo-evaluator",
        ]),
    );
}
