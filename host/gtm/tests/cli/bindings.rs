//! Binding plug-ins to their roles: backends, renderers and evaluators of the fixtures' catalog.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::process::{Gtm, text};

/// The fixtures' catalog; none, aloud, where it was not built.
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

#[test]
fn a_role_is_bound_to_a_plugin_of_its_kind() {
    let Some(fixtures) = fixtures() else { return };
    let gtm = Gtm::new();
    gtm.configure("allow_unsigned = true\n");
    for package in [
        "document_renderer/echo-renderer",
        "evaluator/echo-evaluator",
    ] {
        copy(
            &fixtures.join(package),
            &gtm.data().join("catalog").join(package),
        );
    }
    let create = |options: &[&'static str]| -> Vec<&'static str> {
        [&["binding", "create", "--platform"], options].concat()
    };
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
        table.contains("ROLE") && table.contains("KIND") && table.contains("renderer"),
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
