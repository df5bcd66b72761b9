//! Building a plug-in twice, in two folders, gives the same bytes, and nothing of this machine is
//! in them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A small fixture plug-in of the world that imports nothing, so that it is quick to build.
fn smallest_fixture(root: &Path) -> String {
    let mut keys: Vec<String> = fs::read_dir(root.join("tests/fixtures"))
        .unwrap()
        .flatten()
        .filter_map(|entry| fs::read_to_string(entry.path().join("manifest.json")).ok())
        .map(|text| serde_json::from_str::<Value>(&text).unwrap())
        .filter(|manifest| manifest["kind"] == "evaluator")
        .map(|manifest| manifest["key"].as_str().unwrap().to_owned())
        .collect();
    keys.sort();
    keys.into_iter()
        .next()
        .expect("an evaluator among the fixtures")
}

/// Runs `xtask plugins` in this checkout and returns the component, its manifest and the table.
fn build(
    root: &Path,
    target: Option<&Path>,
    catalog: &Path,
    key: &str,
) -> (Vec<u8>, Value, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command
        .current_dir(root)
        .args([
            "plugins",
            "--release",
            "--fixtures",
            "--only",
            key,
            "--catalog",
        ])
        .arg(catalog);
    if let Some(target) = target {
        command.env("CARGO_TARGET_DIR", target);
    }
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let versions = catalog.join("evaluator").join(key);
    let package = fs::read_dir(versions).unwrap().next().unwrap().unwrap();
    let manifest = fs::read_to_string(package.path().join("manifest.json")).unwrap();
    (
        fs::read(package.path().join("component.wasm")).unwrap(),
        serde_json::from_str(&manifest).unwrap(),
        String::from_utf8(output.stdout).unwrap(),
    )
}

fn copy_sources(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let name = entry.file_name();
        let left_out = ["target", "data", ".git"].iter().any(|it| name == *it);
        if left_out {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy_sources(&entry.path(), &to.join(name));
        } else {
            fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}

#[test]
fn the_same_source_in_another_folder_gives_the_same_component() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned();
    let place = tempfile::tempdir().unwrap();
    let key = smallest_fixture(&root);

    let (first, manifest, _) = build(&root, None, &place.path().join("first"), &key);
    let elsewhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reproducible-build");
    let copy = elsewhere.join("another/deeper/checkout");
    let target = elsewhere.join("target");
    // The last run's copy, and what was built of it; what it compiled of others' crates is kept, which takes
    // minutes and is the same in every folder.
    for of_last_run in [&copy, &target.join("plugin-build")] {
        match fs::remove_dir_all(of_last_run) {
            Err(error) if error.kind() != ErrorKind::NotFound => panic!("{error}"),
            _ => {}
        }
    }
    copy_sources(&root, &copy);
    let catalog = place.path().join("second");
    let (second, _, table) = build(&copy, Some(&target), &catalog, &key);
    assert!(table.contains("built"), "{table}");
    assert_eq!(first.len(), second.len());
    assert!(first == second, "two builds of `{key}` differ");

    let (third, _, table) = build(&copy, Some(&target), &catalog, &key);
    assert!(table.contains("cached"), "{table}");
    assert!(second == third);

    assert_eq!(manifest["component"]["size_bytes"], first.len());
    assert_eq!(manifest["component"]["world"], "gtm:plugin/evaluator@0.1.0");
    for folder in [Some(root), std::env::home_dir()].into_iter().flatten() {
        let name = folder.to_str().unwrap().as_bytes();
        assert!(
            !first.windows(name.len()).any(|window| window == name),
            "{} is in the component",
            folder.display()
        );
    }
}
