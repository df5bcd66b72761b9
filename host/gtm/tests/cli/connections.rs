//! Connections of providers that the catalog lists without a component: every field is checked, and nothing
//! unverified is claimed.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::process::{Gtm, text};

/// An installation whose catalog has these entries of the repository, with a project.
fn with_entries(keys: &[&str]) -> (Gtm, String) {
    let gtm = Gtm::new();
    gtm.configure("allow_unsigned = true\n");
    let entries = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../connectors/catalog");
    for key in keys {
        let file = entries.join(format!("{key}.json"));
        let mut manifest: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        manifest["provenance"]["repository"] = json!("https://git.example/gtm");
        manifest["provenance"]["commit"] = json!("0".repeat(40));
        let version = manifest["manifest_version"].as_str().unwrap();
        let package = gtm.data().join("catalog/connector").join(key).join(version);
        std::fs::create_dir_all(&package).unwrap();
        std::fs::write(package.join("manifest.json"), manifest.to_string()).unwrap();
    }
    let (project, _) = gtm.tenant();
    (gtm, project)
}

/// Runs a command with a value on standard input. Returns whether it succeeded, and its whole output.
fn piped(gtm: &Gtm, arguments: &[&str], value: &[u8]) -> (bool, String) {
    let mut child = gtm
        .command(&[&["--json"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(value).ok();
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

fn create<'a>(project: &'a str, provider: &'a str) -> Vec<&'a str> {
    vec![
        "connection",
        "create",
        "--project",
        project,
        "--provider",
        provider,
    ]
}

#[test]
fn a_listed_provider_takes_a_connection_that_nothing_can_check() {
    let (gtm, project) = with_entries(&["tavily"]);
    let arguments = [
        create(&project, "tavily"),
        vec!["--credential-stdin", "api_key"],
    ]
    .concat();
    let (done, said) = piped(&gtm, &arguments, b"tvly-canary\n");
    assert!(done && !said.contains("canary"), "{said}");
    let made: Value = serde_json::from_str(&said).unwrap();
    let id = text(&made, "id");
    assert_eq!(made["status"], "configured");
    assert_eq!(made["missing_fields"], json!([]));
    let unchecked =
        json!({ "mode": "unavailable", "status": "unavailable", "network_request_made": false });
    let said = gtm.run(&["--json", "connection", "verify", &id]);
    assert_eq!(said.status.code(), Some(1));
    let verdict: Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(
        (
            &verdict["status"],
            &verdict["network_request_made"],
            &verdict["verification"]
        ),
        (&json!("unavailable"), &json!(false), &unchecked)
    );
    assert!(
        text(&verdict, "reason").contains("nothing can check"),
        "{verdict}"
    );
    // It serves no capability, so nothing can be bound to it.
    let arguments = [
        "binding",
        "create",
        "--project",
        &project,
        "--capability",
        "web.search",
        "--connection",
        &id,
    ];
    assert!(
        gtm.fails(1, &arguments)
            .contains("gtm connector show tavily")
    );

    assert_eq!(
        gtm.json(&["connection", "disable", &id])["status"],
        "disabled"
    );
    assert_eq!(
        gtm.json(&["connection", "enable", &id])["status"],
        "configured"
    );
    let removed = gtm.json(&[
        "connection",
        "update",
        &id,
        "--remove-credential",
        "api_key",
    ]);
    assert_eq!(
        (&removed["status"], &removed["missing_fields"]),
        (&json!("incomplete"), &json!(["api_key"]))
    );
    assert!(
        text(&removed, "hint").contains("--credential-stdin api_key"),
        "{removed}"
    );
    assert_eq!(removed["credentials_version"], 2);
    let listed = gtm.json(&["connection", "list"]);
    assert_eq!(listed["connections"][0]["status"], "incomplete");
}

#[test]
fn no_field_is_taken_unchecked_and_no_message_has_its_value() {
    let (gtm, project) = with_entries(&["tavily", "sec_edgar"]);
    let tavily = create(&project, "tavily");
    let from_stdin = [tavily.clone(), vec!["--credential-stdin", "api_key"]].concat();
    let long = "canary".repeat(2_000);
    for value in [
        "",
        "\n",
        "   \n",
        "canary\r\nX-Evil: canary",
        "canary\ncanary",
        "canary\0",
        "can\tary-canary",
        "canary\u{7f}",
        "canary\u{9b}",
        &long,
    ] {
        let (done, said) = piped(&gtm, &from_stdin, value.as_bytes());
        assert!(!done, "{value:?} was taken");
        assert!(
            said.contains("api_key") && !said.contains("canary"),
            "{value:?}: {said}"
        );
    }
    let (done, said) = piped(&gtm, &from_stdin, b"canary\xff\xfe");
    assert!(!done && !said.contains("canary"), "{said}");
    let unknown = [tavily.clone(), vec!["--credential-stdin", "password"]].concat();
    let (done, said) = piped(&gtm, &unknown, b"canary");
    assert!(
        !done && said.contains("no credential field password") && !said.contains("canary"),
        "{said}"
    );
    assert!(
        gtm.fails(1, &tavily)
            .contains("needs the credential api_key")
    );
    let edgar = create(&project, "sec_edgar");
    assert!(gtm.fails(1, &edgar).contains("contact"));
    let too_long = format!("contact={long}");
    let bad = [edgar.clone(), vec!["--setting", &too_long]].concat();
    assert!(!gtm.fails(1, &bad).contains("canary"));
    assert_eq!(
        gtm.json(&["connection", "list"]),
        json!({ "connections": [] })
    );
    let good = [edgar, vec!["--setting", "contact=Acme ops@acme.example"]].concat();
    let made = gtm.json(&good);
    assert_eq!(made["status"], "configured", "it needs no key");
    let id = text(&made, "id");
    assert!(
        gtm.fails(
            1,
            &[
                "connection",
                "update",
                &id,
                "--remove-credential",
                "api_key"
            ]
        )
        .contains("no credential field")
    );
}

#[test]
fn the_environment_aliases_are_the_manifests() {
    let (gtm, project) = with_entries(&["serpapi", "hunter"]);
    let arguments = [create(&project, "serpapi"), vec!["--from-env"]].concat();
    assert!(
        gtm.fails(1, &arguments)
            .contains("needs the credential api_key")
    );
    let output = gtm
        .command(&[&["--json"], &arguments[..]].concat())
        .env("SERPAPI_API_KEY", "canary-of-the-second-alias")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        !said.contains("canary") && said.contains("api_key"),
        "{said}"
    );
    // The command names each variable that it reads.
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "credential api_key is read from SERPAPI_API_KEY\n"
    );
    // With an explicit name, any variable can be read, and only that one.
    let named = |provider: &str, variable: &str, set: &str| {
        let arguments = [create(&project, provider), vec!["--from-env", variable]].concat();
        let output = gtm
            .command(&arguments)
            .env(set, "canary-1")
            .output()
            .unwrap();
        (
            output.status.success(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    assert_eq!(
        named("hunter", "COMPANY_HUNTER_KEY", "COMPANY_HUNTER_KEY"),
        (
            true,
            "credential api_key is read from COMPANY_HUNTER_KEY\n".to_owned()
        )
    );
    let (done, said) = named("serpapi", "SERPAPI_KEY", "SERPAPI_API_KEY");
    assert!(
        !done && said.contains("SERPAPI_KEY for the credential api_key is not set"),
        "{said}"
    );
    let broken = gtm
        .command(&arguments)
        .env("SERPAPI_KEY", "canary\nX-Evil: 1")
        .output()
        .unwrap();
    assert!(!broken.status.success());
    assert!(!String::from_utf8_lossy(&broken.stderr).contains("canary"));
}

/// A connector whose manifest names variables that hold the operator's other secrets.
#[test]
fn an_alias_thief_is_refused_and_reads_nothing() {
    let (gtm, project) = with_entries(&["tavily"]);
    let entry = gtm.data().join("catalog/connector/tavily");
    let package = std::fs::read_dir(entry)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let manifest = std::fs::read_to_string(package.join("manifest.json")).unwrap();
    for (key, aliases) in [
        ("alias_thief", vec!["ALIAS_THIEF_KEY", "GTM_MASTER_KEY"]),
        ("alias_thief", vec!["OPENAI_API_KEY"]),
        ("alias_thief", vec!["ALIAS_THIEFKEY"]),
        ("gtm", vec!["GTM_MASTER_KEY"]),
        ("aws", vec!["AWS_SECRET_ACCESS_KEY"]),
    ] {
        let mut thief: Value = serde_json::from_str(&manifest).unwrap();
        thief["key"] = json!(key);
        thief["credential_fields"][0]["environment_aliases"] = json!(aliases);
        let version = package.file_name().unwrap();
        let folder = gtm.data().join("catalog/connector").join(key).join(version);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("manifest.json"), thief.to_string()).unwrap();
        let refused = gtm.json(&["plugin", "list"])["refused"].clone();
        assert_eq!(refused[0]["code"], "environment_alias_foreign", "{refused}");
        let output = gtm
            .command(&[create(&project, key), vec!["--from-env"]].concat())
            .envs(
                aliases
                    .iter()
                    .filter(|a| !a.starts_with("GTM_"))
                    .map(|a| (*a, "canary")),
            )
            .output()
            .unwrap();
        assert!(!output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("no connector") && !said.contains("read from"),
            "{said}"
        );
        std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
    }
    let own = gtm.json(&["connector", "show", "tavily"]);
    assert_eq!(
        own["hosts"],
        json!(["api.tavily.com"]),
        "the connector with variables of its own stays"
    );
}

#[test]
fn the_catalog_of_connectors_is_shown() {
    let (gtm, _) = with_entries(&["tavily", "gdelt"]);
    let catalog = gtm.json(&["connector", "list"]);
    let keys: Vec<_> = catalog["connectors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| text(c, "key"))
        .collect();
    assert_eq!(keys, ["gdelt", "tavily"]);
    assert_eq!(catalog["connectors"][1]["availability"], "catalog_only");
    let table = String::from_utf8(gtm.run(&["connector", "list"]).stdout).unwrap();
    assert!(
        table.contains("tavily") && table.contains("catalog_only"),
        "{table}"
    );
    let shown = gtm.json(&["connector", "show", "tavily"]);
    assert_eq!(shown["hosts"], json!(["api.tavily.com"]));
    assert!(
        shown["facts"]
            .as_array()
            .is_some_and(|facts| !facts.is_empty())
    );
    assert!(
        gtm.fails(1, &["connector", "show", "nothing"])
            .contains("gtm connector list")
    );
    let plugins = gtm.json(&["plugin", "list"]);
    assert_eq!(plugins["plugins"], json!([]));
    assert_eq!(plugins["listed"][1]["reason"], "no_component");
}

#[test]
fn a_connector_is_shown_with_all_that_a_connection_needs() {
    let (gtm, _) = with_entries(&["tavily", "sec_edgar"]);
    let shown = |key: &str| {
        let output = gtm.run(&["connector", "show", key]);
        String::from_utf8(output.stdout).unwrap()
    };
    let tavily = shown("tavily");
    for words in [
        "availability   catalog_only",
        "capabilities   web.search",
        "api_key  yes       yes     TAVILY_API_KEY",
        "api.tavily.com  https 443  GET,POST",
        "https://git.example/gtm",
    ] {
        assert!(tavily.contains(words), "{words:?} in\n{tavily}");
    }
    let edgar = shown("sec_edgar");
    let (_, settings) = edgar.split_once("\nsettings\n").unwrap();
    assert!(
        settings
            .lines()
            .any(|l| l.starts_with("contact ") && l.contains(" string ")),
        "{edgar}"
    );
    let json = gtm.json(&["connector", "show", "sec_edgar"]);
    assert!(json["settings_schema"]["properties"]["contact"].is_object());
    assert!(json["egress"].is_array() && json["credential_fields"].is_array());
}

#[test]
fn a_plugin_that_is_listed_only_is_shown_as_such() {
    let (gtm, _) = with_entries(&["tavily"]);
    let shown = gtm.json(&["plugin", "show", "tavily"]);
    assert_eq!(
        (&shown["reason"], &shown["manifest"]["key"]),
        (&json!("no_component"), &json!("tavily"))
    );
    let people = String::from_utf8(gtm.run(&["plugin", "show", "tavily"]).stdout).unwrap();
    assert!(
        people.contains("listed only: it has no component"),
        "{people}"
    );
    let wrong = ["plugin", "show", "tavily", "--plugin-version", "9.9.9"];
    assert!(gtm.fails(1, &wrong).contains("tavily"));
    let wrong = ["plugin", "show", "tavily", "--kind", "evaluator"];
    assert!(gtm.fails(1, &wrong).contains("does not exist"));
}

#[test]
fn an_update_must_say_what_to_change() {
    let (gtm, project) = with_entries(&["gdelt"]);
    let made = gtm.json(&create(&project, "gdelt"));
    let id = text(&made, "id");
    assert_eq!(
        (&made["project_id"], &made["settings"]),
        (&json!(project), &json!({}))
    );
    let said = gtm.fails(1, &["connection", "update", &id]);
    assert!(
        said.contains("nothing to change") && said.contains("--name"),
        "{said}"
    );
    let newest = gtm.json(&["connection", "update", &id, "--newest-version"]);
    assert_eq!(newest["manifest_version"], made["manifest_version"]);
    let named = gtm.json(&["connection", "update", &id, "--name", "News"]);
    assert_eq!(named["name"], "News");
}

#[test]
fn two_connections_of_a_project_have_two_names() {
    let (gtm, project) = with_entries(&["tavily"]);
    let made = |project: &str, more: &[&str]| {
        let arguments = [
            &create(project, "tavily")[..],
            &["--credential-stdin", "api_key"],
            more,
        ];
        let (done, said) = piped(&gtm, &arguments.concat(), b"tvly-canary\n");
        (done, said)
    };
    let named = |(done, said): (bool, String)| {
        assert!(done, "{said}");
        let made: Value = serde_json::from_str(&said).unwrap();
        (text(&made, "id"), text(&made, "name"))
    };
    let (first, name) = named(made(&project, &[]));
    assert_eq!(name, "tavily");
    let (second, name) = named(made(&project, &[]));
    assert_eq!(name, "tavily 2", "nobody gave it one");
    let (done, said) = made(&project, &["--name", "Tavily"]);
    assert!(
        !done && said.contains(&first) && said.contains("--name"),
        "{said}"
    );
    let said = gtm.fails(1, &["connection", "update", &second, "--name", "tavily"]);
    assert!(said.contains(&first), "{said}");
    // Its own name is free, and another project's is.
    gtm.json(&["connection", "update", &second, "--name", "TAVILY 2"]);
    let (other, _) = gtm.tenant();
    assert_eq!(named(made(&other, &[])).1, "tavily");
}
