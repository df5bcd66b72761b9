//! Changing and approving plug-in versions on the command line: no version changes by itself, and whatever
//! a version may do in addition is shown before it is used. Entries without a component show this without a
//! sandbox.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::process::{Gtm, text};

const KEY: &str = "tavily";

/// An installation with one provider of the repository as version 0.1.0, a project, and a connection.
struct Installation {
    gtm: Gtm,
    connection: String,
}

impl Installation {
    fn new() -> Self {
        let gtm = Gtm::new();
        gtm.configure("allow_unsigned = true\n");
        put(&gtm, "0.1.0", |_| {});
        let (project, _) = gtm.tenant();
        let output = gtm
            .command(&[
                "--json",
                "connection",
                "create",
                "--project",
                &project,
                "--provider",
                KEY,
                "--credential-env",
                "api_key=TEST_CREDENTIAL",
            ])
            .env("TEST_CREDENTIAL", "tvly-abc")
            .output()
            .unwrap();
        let made: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        let connection = text(&made, "id");
        Self { gtm, connection }
    }

    /// Updates the connection and returns its version.
    fn update(&self, options: &[&str]) -> String {
        let arguments = [&["connection", "update", &self.connection], options].concat();
        text(&self.gtm.json(&arguments), "manifest_version")
    }

    fn update_fails(&self, options: &[&str]) -> String {
        let arguments = [&["connection", "update", &self.connection], options].concat();
        self.gtm.fails(1, &arguments)
    }
}

fn place(gtm: &Gtm, version: &str) -> PathBuf {
    gtm.data().join("catalog/connector").join(KEY).join(version)
}

fn put(gtm: &Gtm, version: &str, change: impl FnOnce(&mut Value)) -> PathBuf {
    let file = format!("../../connectors/catalog/{KEY}.json");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let mut manifest: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    manifest["provenance"]["repository"] = json!("https://git.example/gtm");
    manifest["provenance"]["commit"] = json!("0".repeat(40));
    manifest["manifest_version"] = json!(version);
    change(&mut manifest);
    let package = place(gtm, version);
    std::fs::create_dir_all(&package).unwrap();
    let path = package.join("manifest.json");
    std::fs::write(&path, manifest.to_string()).unwrap();
    path
}

fn wider(manifest: &mut Value) {
    let hosts = manifest["egress"].as_array_mut().unwrap();
    hosts.push(json!({ "host": "evil.example" }));
    let schemes = manifest["auth"]["schemes"].as_array_mut().unwrap();
    schemes[0]["hosts"]
        .as_array_mut()
        .unwrap()
        .push(json!("evil.example"));
}

#[test]
fn a_connection_moves_to_another_version_only_when_told() {
    let installation = Installation::new();
    put(&installation.gtm, "0.2.0", |m| {
        m["name"] = json!("Tavily 2")
    });
    assert_eq!(installation.update(&["--name", "renamed"]), "0.1.0");
    let output = installation
        .gtm
        .command(&[
            "--json",
            "connection",
            "update",
            &installation.connection,
            "--credential-env",
            "api_key=TEST_CREDENTIAL",
        ])
        .env("TEST_CREDENTIAL", "tvly-new")
        .output()
        .unwrap();
    let rotated: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rotated["manifest_version"], "0.1.0");
    assert_eq!(installation.update(&["--newest-version"]), "0.2.0");
    assert_eq!(installation.update(&["--version", "0.1.0"]), "0.1.0");
    let said = installation.update_fails(&["--version", "9.9.9"]);
    assert!(said.contains("tavily 9.9.9"), "{said}");
    installation.gtm.fails(
        2,
        &[
            "connection",
            "update",
            &installation.connection,
            "--newest-version",
            "--version",
            "0.1.0",
        ],
    );
    // A connection whose version is gone can still be renamed, and moved to another version.
    std::fs::remove_dir_all(place(&installation.gtm, "0.1.0")).unwrap();
    assert_eq!(installation.update(&["--name", "still"]), "0.1.0");
    let said = installation.update_fails(&["--setting", "a=b"]);
    assert!(said.contains("--newest-version"), "{said}");
    assert_eq!(installation.update(&["--newest-version"]), "0.2.0");
}

#[test]
fn a_version_that_may_do_more_waits_until_the_operator_has_seen_what() {
    let installation = Installation::new();
    let gtm = &installation.gtm;
    put(gtm, "0.3.0", wider);
    let list = gtm.json(&["plugin", "list"]);
    let reasons: Vec<_> = list["listed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (text(entry, "version"), text(entry, "reason")))
        .collect();
    assert_eq!(
        reasons,
        [
            ("0.1.0".to_owned(), "no_component".to_owned()),
            ("0.3.0".to_owned(), "pending".to_owned())
        ]
    );
    assert_eq!(installation.update(&["--newest-version"]), "0.1.0");
    let said = installation.update_fails(&["--version", "0.3.0"]);
    assert!(said.contains("pending"), "{said}");
    let shown = gtm.run(&["plugin", "show", KEY, "--plugin-version", "0.3.0"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("gtm plugin approve"));

    let approve = ["plugin", "approve", "connector/tavily", "0.3.0"];
    let said = gtm.fails(1, &approve);
    assert!(
        said.contains("evil.example") && said.contains("widens") && said.contains("--yes"),
        "{said}"
    );
    assert_eq!(installation.update(&["--newest-version"]), "0.1.0");
    let approved = gtm.json(&[&approve[..], &["--yes"]].concat());
    assert_eq!(approved["compared_with"], "0.1.0");
    let differences = approved["differences"].to_string();
    assert!(
        differences.contains("https://evil.example:443") && differences.contains("\"auth\""),
        "{differences}"
    );
    let log = gtm.json(&["audit", "list", "--action", "plugin.approved"]);
    assert!(log.to_string().contains("connector/tavily/0.3.0"), "{log}");

    assert_eq!(installation.update(&["--name", "stays"]), "0.1.0");
    assert_eq!(installation.update(&["--newest-version"]), "0.3.0");
    let said = gtm.fails(1, &approve);
    assert!(said.contains("is not pending"), "{said}");
    let said = gtm.fails(1, &["plugin", "approve", "connector/tavily", "7.0.0"]);
    assert!(said.contains("7.0.0"), "{said}");
    gtm.fails(2, &["plugin", "approve", "tavily", "0.3.0"]);
}

#[test]
fn a_version_does_not_come_back_with_another_manifest() {
    let installation = Installation::new();
    put(&installation.gtm, "0.1.0", wider);
    let list = installation.gtm.json(&["plugin", "list"]);
    assert_eq!(
        list["refused"][0]["code"], "known_manifest_differs",
        "{list}"
    );
    put(&installation.gtm, "0.1.0", |_| {});
    let list = installation.gtm.json(&["plugin", "list"]);
    assert_eq!(list["refused"], json!([]));
}

#[test]
fn looking_at_a_catalog_remembers_nothing() {
    let gtm = Gtm::new();
    gtm.configure("allow_unsigned = true\n");
    put(&gtm, "0.1.0", |_| {});
    gtm.json(&["plugin", "list"]);
    gtm.json(&["connector", "list"]);
    put(&gtm, "0.1.0", wider);
    assert_eq!(gtm.json(&["plugin", "list"])["refused"], json!([]));
}

#[test]
fn what_the_operator_did_not_consent_to_is_not_remembered() {
    let installation = Installation::new();
    let gtm = &installation.gtm;
    put(gtm, "0.3.0", wider);
    gtm.fails(1, &["plugin", "approve", "connector/tavily", "0.3.0"]);
    let log = gtm.json(&["audit", "list", "--action", "plugin.added"]);
    assert!(!log.to_string().contains("tavily/0.3.0"), "{log}");
    put(gtm, "0.3.0", |manifest| {
        wider(manifest);
        manifest["name"] = json!("Repaired");
    });
    let list = gtm.json(&["plugin", "list"]);
    assert_eq!(list["refused"], json!([]), "{list}");
}

#[test]
fn a_first_look_compares_with_the_version_before_too() {
    let gtm = Gtm::new();
    gtm.configure("allow_unsigned = true\n");
    put(&gtm, "0.1.0", |_| {});
    put(&gtm, "0.3.0", wider);
    let approve = ["plugin", "approve", "connector/tavily", "0.3.0"];
    let said = gtm.fails(1, &approve);
    assert!(
        said.contains("0.1.0 -> 0.3.0") && said.contains("evil.example"),
        "{said}"
    );
    let approved = gtm.json(&[&approve[..], &["--yes"]].concat());
    assert_eq!(approved["compared_with"], "0.1.0");
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    let installation = Installation::new();
    let gtm = &installation.gtm;
    for publisher in [
        "",
        "example",
        "not a publisher",
        "com.example\nx",
        "Com.Example",
    ] {
        let transfer = ["plugin", "transfer", "connector/tavily", publisher, "--yes"];
        let said = gtm.fails(2, &transfer);
        assert!(said.contains("com.example"), "{said}");
    }
    for plugin in [
        "connector/",
        "connector/Tavily",
        "connector/a b",
        "nothing/tavily",
    ] {
        gtm.fails(2, &["plugin", "transfer", plugin, "com.example", "--yes"]);
    }
    put(gtm, "0.4.0", |manifest| manifest["egress"] = json!("all"));
    let versions = ["connector/tavily@0.1.0", "connector/tavily@0.4.0"];
    let said = gtm.fails(1, &["plugin", "diff", versions[0], versions[1]]);
    assert!(said.contains("was refused (manifest_schema)"), "{said}");
    let said = gtm.fails(1, &["plugin", "show", KEY, "--plugin-version", "9.9.9"]);
    assert!(said.contains("tavily 9.9.9"), "{said}");
}

#[test]
fn a_difference_says_what_widens_and_what_breaks() {
    let installation = Installation::new();
    let gtm = &installation.gtm;
    let file = put(gtm, "0.4.0", |manifest| {
        wider(manifest);
        manifest["credential_fields"][0]["key"] = json!("token");
        manifest["auth"]["schemes"][0]["inject"][0]["value"] = json!("Bearer ${credential.token}");
    });
    let found = gtm.json(&[
        "plugin",
        "diff",
        "connector/tavily@0.1.0",
        "connector/tavily@0.4.0",
    ]);
    assert_eq!(
        (&found["widens"], &found["breaks"]),
        (&json!(true), &json!(true)),
        "{found}"
    );
    let path = file.to_str().unwrap();
    let from_file = gtm.json(&["plugin", "diff", "connector/tavily@0.1.0", path]);
    assert_eq!(from_file, found);
    // A version that is gone is compared as it was recorded.
    std::fs::remove_dir_all(place(gtm, "0.1.0")).unwrap();
    let gone = gtm.json(&["plugin", "diff", "connector/tavily@0.1.0", path]);
    assert_eq!(gone, found);
    let same = gtm.run(&["plugin", "diff", path, path]);
    assert!(String::from_utf8_lossy(&same.stdout).contains("no difference"));
    let said = gtm.fails(1, &["plugin", "diff", "connector/tavily@8.0.0", path]);
    assert!(said.contains("was never seen there"), "{said}");
    gtm.fails(2, &["plugin", "diff", "tavily", path]);
}

#[test]
fn nothing_that_a_publisher_wrote_hides_a_line_from_the_operator() {
    let installation = Installation::new();
    let gtm = &installation.gtm;
    // Clears the previous line, reverses the rest, and imitates a line of the host's own output.
    let hiding = "/x\u{9b}2K\u{1b}[1A\u{202e}\nchanges  rate";
    let file = put(gtm, "0.5.0", |manifest| {
        wider(manifest);
        manifest["name"] = json!(hiding);
        manifest["egress"][1]["path_prefixes"] = json!([hiding]);
        manifest["breaking_changes"] = json!([{ "version": "0.5.0", "message": hiding,
            "upgrade_by": "2027-01-01" }]);
    });
    let path = file.to_str().unwrap();
    let old = "connector/tavily@0.1.0";
    for arguments in [
        &["plugin", "diff", old, path][..],
        &["--json", "plugin", "diff", old, path],
        &["plugin", "approve", "connector/tavily", "0.5.0"],
        &["plugin", "show", KEY, "--plugin-version", "0.5.0"],
        &["--json", "plugin", "show", KEY, "--plugin-version", "0.5.0"],
        &["plugin", "list"],
        &["--json", "plugin", "list"],
        &["connector", "list"],
        &["plugin", "approve", "connector/tavily", "0.5.0", "--yes"],
        &["connector", "show", KEY],
    ] {
        let output = gtm.run(arguments);
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        let hidden = said.contains(['\u{9b}', '\u{1b}', '\u{202e}']);
        assert!(
            !hidden && !said.contains("\nchanges  rate"),
            "{arguments:?}: {said:?}"
        );
        let named = arguments.contains(&"diff") || arguments.contains(&"approve");
        assert!(
            !named || said.contains("\\u009b2K\\u001b[1A\\u202e\\nchanges"),
            "{said}"
        );
    }
    // Programs get exactly what the publisher wrote.
    let found = gtm.json(&["plugin", "diff", old, path]).to_string();
    assert!(found.contains("\u{202e}"), "{found}");
    let shown = gtm.json(&["plugin", "show", KEY, "--plugin-version", "0.5.0"]);
    assert_eq!(shown["manifest"]["name"], hiding);
}

#[test]
fn a_plugin_is_given_to_another_publisher_by_the_operator() {
    let gtm = Gtm::new();
    gtm.configure("");
    let transfer = ["plugin", "transfer", "connector/weather", "com.example"];
    let said = gtm.fails(1, &transfer);
    assert!(
        said.contains("--yes") && said.contains("no publisher has provided"),
        "{said}"
    );
    let sure = [&transfer[..], &["--yes"]].concat();
    let given = gtm.json(&sure);
    assert_eq!(
        (&given["publisher"], &given["previous_publisher"]),
        (&json!("com.example"), &Value::Null)
    );
    assert_eq!(gtm.json(&transfer)["since"], given["since"], "it is theirs");
    let other = gtm.json(&[
        "plugin",
        "transfer",
        "connector/weather",
        "com.other",
        "--yes",
    ]);
    assert_eq!(other["previous_publisher"], "com.example");
    let log = gtm.json(&["audit", "list", "--action", "plugin.transferred"]);
    assert_eq!(log["entries"].as_array().map(Vec::len), Some(2), "{log}");
}
