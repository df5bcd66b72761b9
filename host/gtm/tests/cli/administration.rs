//! Organizations, projects, keys, jobs and the ledger.

use serde_json::json;

use crate::process::{Gtm, text};

#[test]
fn from_nothing_to_a_key() {
    let gtm = Gtm::new();
    let organization = gtm.json(&["org", "create", "Acme"]);
    let id = text(&organization, "id");
    let project = gtm.json(&["project", "create", "--org", &id, "main"]);
    assert_eq!(project["organization_id"], organization["id"]);
    let key = gtm.json(&[
        "key",
        "create",
        "--project",
        &text(&project, "id"),
        "ci",
        "--scopes",
        "read_only",
        "--expires-in",
        "30d",
    ]);
    assert!(text(&key, "secret").starts_with("gtm_k1_"));
    assert!(key["expires_at"].is_string() && key["scopes"].to_string().contains("jobs:read"));
    let shown = gtm.json(&["key", "show", &text(&key, "id")]);
    assert_eq!(
        (shown["status"].as_str(), shown.get("secret")),
        (Some("active"), None),
        "a secret is shown once"
    );
    assert_eq!(
        gtm.json(&["key", "revoke", &text(&key, "id")])["status"],
        "revoked"
    );
    assert!(gtm.json(&["project", "archive", &text(&project, "id")])["archived_at"].is_string());
    assert!(gtm.json(&["org", "archive", &id])["archived_at"].is_string());
    assert_eq!(
        gtm.json(&["org", "list"])["organizations"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(gtm.json(&["job", "list"]), json!({ "jobs": [] }));
    assert_eq!(
        gtm.json(&["connection", "list"]),
        json!({ "connections": [] })
    );
    assert_eq!(gtm.json(&["binding", "list"]), json!({ "bindings": [] }));
    assert_eq!(gtm.json(&["ledger", "verify"])["balanced"], true);
    assert_eq!(gtm.json(&["key-ring", "reseal"]), json!({ "resealed": 0 }));
}

#[test]
fn names_are_for_people() {
    let gtm = Gtm::new();
    for bad in ["", "  ", "a\nb", &"x".repeat(201)] {
        assert!(gtm.fails(2, &["org", "create", bad]).contains("a name"));
    }
    assert_eq!(gtm.json(&["org", "create", " Acme "])["name"], "Acme");
    gtm.fails(2, &["job", "list", "--limit", "0"]);
}

#[test]
fn people_get_tables() {
    let gtm = Gtm::new();
    let organization = text(&gtm.json(&["org", "create", "Two words"]), "id");
    let list = String::from_utf8(gtm.run(&["org", "list"]).stdout).unwrap();
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        lines[0].find("NAME"),
        lines[1].find("Two words"),
        "columns are aligned:\n{list}"
    );
    let shown = String::from_utf8(gtm.run(&["org", "show", &organization]).stdout).unwrap();
    assert!(shown.contains("name") && shown.contains("Two words"));
}

#[test]
fn a_failure_is_one_sentence_with_a_hint() {
    let gtm = Gtm::new();
    // The first command makes the data directory and says so; others do not.
    let first = gtm.run(&["org", "create", "Acme"]);
    let told = String::from_utf8_lossy(&first.stderr);
    assert!(told.starts_with("made a new data directory: "), "{told}");
    let absent = "prj_01jz8q7b0x5f8s1t4v6w9y2a3c";
    let message = gtm.fails(1, &["project", "show", absent]);
    assert!(
        message.starts_with("error: ") && message.contains(absent) && message.contains("hint: "),
        "{message}"
    );
    assert!(
        gtm.fails(1, &["key", "create", "--project", absent, "k"])
            .contains("gtm project list")
    );
    assert!(
        gtm.fails(1, &["job", "cancel", "job_01jz8q7b0x5f8s1t4v6w9y2a3c"])
            .contains("does not exist")
    );
    gtm.fails(2, &["project", "show", "nonsense"]);
    gtm.fails(2, &["key", "create"]);
    assert!(
        gtm.fails(
            2,
            &[
                "key",
                "create",
                "--project",
                absent,
                "k",
                "--expires-in",
                "soon"
            ]
        )
        .contains("30d")
    );
    assert!(
        gtm.fails(
            2,
            &[
                "key",
                "create",
                "--project",
                absent,
                "k",
                "--scopes",
                "everything"
            ]
        )
        .contains("everything")
    );
}

#[test]
fn a_wrong_master_key_is_told_as_such() {
    let (gtm, other) = (Gtm::new(), Gtm::new());
    gtm.json(&["org", "create", "Acme"]);
    other.json(&["org", "create", "Other"]);
    std::fs::copy(
        other.data().join("master.key"),
        gtm.data().join("master.key"),
    )
    .unwrap();
    let message = gtm.fails(1, &["org", "list"]);
    assert!(
        message.contains("master key") && message.contains("hint: "),
        "{message}"
    );
}

#[test]
fn the_description_is_printed_as_it_is_served() {
    let gtm = Gtm::new();
    assert_eq!(gtm.json(&["openapi"]), gtm_api::openapi());
    assert!(!gtm.data().exists(), "printing it needs no installation");
}
