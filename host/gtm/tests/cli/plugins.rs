//! Plug-ins as the command line shows and uses them.

use crate::process::Gtm;

#[test]
fn an_empty_catalog_is_no_error() {
    let gtm = Gtm::new();
    gtm.configure("");
    let list = gtm.json(&["plugin", "list"]);
    assert_eq!(
        (
            list["plugins"].as_array().unwrap().len(),
            list["refused"].as_array().unwrap().len()
        ),
        (0, 0)
    );
    assert!(
        gtm.fails(1, &["plugin", "show", "nothing"])
            .contains("nothing")
    );
}

#[test]
fn a_broken_package_is_listed_with_its_reason() {
    let gtm = Gtm::new();
    let package = gtm.data().join("catalog/connector/broken/1.0.0");
    std::fs::create_dir_all(&package).unwrap();
    std::fs::write(package.join("manifest.json"), "{}").unwrap();
    let list = gtm.json(&["plugin", "list"]);
    let refused = &list["refused"][0];
    assert_eq!(
        (refused["key"].as_str(), refused["kind"].as_str()),
        (Some("broken"), Some("connector")),
        "{list}"
    );
    assert!(
        refused["reason"]
            .as_str()
            .is_some_and(|reason| !reason.is_empty())
            && refused["code"].is_string()
    );
    let said = gtm.fails(1, &["plugin", "show", "broken"]);
    assert!(
        said.contains("was refused") && said.contains("broken"),
        "{said}"
    );
    let listed = gtm.run(&["plugin", "list"]);
    let table = String::from_utf8(listed.stdout).unwrap();
    assert!(
        table.contains("refused") && table.contains("broken"),
        "{table}"
    );
    let warned = String::from_utf8(listed.stderr).unwrap();
    assert!(warned.contains("1 package was refused"), "{warned}");
    // A script that asks is told by the exit code.
    let checked = gtm.run(&["plugin", "list", "--check"]);
    let said = String::from_utf8(checked.stderr).unwrap();
    assert_eq!(checked.status.code(), Some(1));
    assert!(said.contains("1 package was refused"), "{said}");
    std::fs::remove_dir_all(gtm.data().join("catalog/connector")).unwrap();
    let checked = gtm.run(&["plugin", "list", "--check"]);
    assert!(checked.status.success() && checked.stderr.is_empty());
}

#[test]
fn manifests_are_checked_without_an_installation() {
    let gtm = Gtm::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sound = root.join("plugins/policy-gb/manifest.json");
    std::fs::create_dir_all(gtm.data()).unwrap();
    let broken = gtm.data().join("broken.json");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&sound).unwrap()).unwrap();
    manifest["key"] = serde_json::json!(3);
    std::fs::write(&broken, manifest.to_string()).unwrap();
    let broken = broken.to_str().unwrap();
    let said = gtm.run(&["plugin", "check", broken]);
    assert_eq!(said.status.code(), Some(1));
    let table = String::from_utf8(said.stdout).unwrap();
    assert!(
        table.contains("broken.json") && table.contains("/key"),
        "{table}"
    );
    // Of a long manifest, too.
    let long = root.join("connectors/people-data-labs/manifest.json");
    let long = std::fs::read(long).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_slice(&long).unwrap();
    manifest["key"] = serde_json::json!(3);
    std::fs::write(broken, manifest.to_string()).unwrap();
    let said = gtm.run(&["plugin", "check", broken]);
    let table = String::from_utf8(said.stdout).unwrap();
    assert!(table.contains("/key"), "{table}");
    let said = gtm.run(&["plugin", "check", "/nowhere.json"]);
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains("1 of 1 manifests"), "{said}");
    // Nothing was made for it.
    assert!(!gtm.data().join("gtm.db").exists());
}

#[test]
fn what_the_catalog_does_not_have_cannot_be_bound() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    let message = gtm.fails(
        1,
        &[
            "connection",
            "create",
            "--project",
            &project,
            "--provider",
            "web-fetch",
        ],
    );
    assert!(
        message.contains("web-fetch") && message.contains("gtm plugin list"),
        "{message}"
    );
    let message = gtm.fails(
        1,
        &[
            "binding",
            "create",
            "--project",
            &project,
            "--capability",
            "playbooks",
            "--backend",
            "playbook",
        ],
    );
    assert!(
        message.contains("playbook") && message.contains("gtm plugin list"),
        "{message}"
    );
    gtm.fails(
        2,
        &[
            "binding",
            "create",
            "--capability",
            "playbooks",
            "--backend",
            "playbook",
        ],
    );
    gtm.fails(
        2,
        &[
            "binding",
            "create",
            "--platform",
            "--project",
            &project,
            "--capability",
            "x",
            "--backend",
            "y",
        ],
    );
    gtm.fails(2, &["binding", "create", "--platform", "--capability", "x"]);
}
