//! `gtm offer …`.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::process::{Gtm, text};

const OFFER: &str = "\
key: meters
name: Meters
value_propositions:
  - {key: bill, text: One bill per flat.}
icp: {countries: [NO]}
pricing: {model: per_unit_month, display: from £3.20}
forbidden_claims: [guaranteed savings]
";

fn file(gtm: &Gtm, name: &str, content: &str) -> String {
    let path = gtm.data().join(name);
    std::fs::create_dir_all(gtm.data()).unwrap();
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The organization's id.
fn organization(gtm: &Gtm) -> String {
    text(&gtm.json(&["org", "create", "Acme"]), "id")
}

#[test]
fn an_offer_is_managed() {
    let gtm = Gtm::new();
    let org = organization(&gtm);
    let yaml = file(&gtm, "offer.yaml", OFFER);
    let made = gtm.json(&["offer", "create", "--org", &org, &yaml]);
    let id = text(&made, "id");
    assert_eq!(
        (&made["status"], &made["revision"], &made["approved"]),
        (&json!("draft"), &json!(1), &Value::Null)
    );
    assert_eq!(made["icp"]["countries"], json!(["NO"]));
    let again = gtm.fails(1, &["offer", "create", "--org", &org, &yaml]);
    assert!(again.contains("has an offer meters already"), "{again}");

    let approved = gtm.json(&["offer", "approve", &id, "--revision", "1", "--by", "Ada"]);
    assert_eq!(
        (&approved["status"], &approved["approved"]["by"]),
        (&json!("active"), &json!("Ada"))
    );
    let new = file(&gtm, "new.json", r#"{"name": "Better meters"}"#);
    let revised = gtm.json(&["offer", "revise", &id, &new]);
    assert_eq!(
        (
            &revised["revision"],
            &revised["approved_revision"],
            &revised["approved"]
        ),
        (&json!(2), &json!(1), &Value::Null)
    );
    let old = gtm.fails(1, &["offer", "approve", &id, "--revision", "1"]);
    assert!(old.contains("the newest, which is 2"), "{old}");
    let shown = gtm.json(&["offer", "show", &id, "--revision", "1"]);
    assert_eq!(
        (&shown["name"], &shown["newest_revision"]),
        (&json!("Meters"), &json!(2))
    );
    let none = gtm.fails(1, &["offer", "show", &id, "--revision", "7"]);
    assert!(none.contains("no revision 7; the newest is 2"), "{none}");

    let keys = |list: &Value| -> Vec<String> {
        let rows = list["offers"].as_array().unwrap().iter();
        rows.map(|row| text(row, "key")).collect()
    };
    assert_eq!(
        keys(&gtm.json(&["offer", "list", "--org", &org])),
        ["meters"]
    );
    assert_eq!(gtm.json(&["offer", "archive", &id])["status"], "archived");
    assert!(keys(&gtm.json(&["offer", "list"])).is_empty());
    assert_eq!(
        keys(&gtm.json(&["offer", "list", "--archived"])),
        ["meters"]
    );
    let refused = gtm.fails(1, &["offer", "revise", &id, &new]);
    assert!(refused.contains("archived"), "{refused}");
    let printed = String::from_utf8(gtm.run(&["offer", "show", &id]).stdout).unwrap();
    assert!(printed.contains("Better meters"), "{printed}");

    let audit = gtm.json(&["audit", "list", "--limit", "100"]);
    let actions: Vec<&str> = audit["entries"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|entry| entry["action"].as_str())
        .filter(|action| action.starts_with("offer."))
        .collect();
    assert_eq!(actions.len(), 4, "{actions:?}");
    assert_eq!(gtm.json(&["audit", "verify"])["sound"], true);
    let absent = "offr_01jz8r0a1b2c3d4e5f6g7h8j9k";
    for command in ["show", "approve", "archive"] {
        gtm.fails(1, &["offer", command, absent]);
    }
    gtm.fails(1, &["offer", "revise", absent, &new]);
}

#[test]
fn what_is_wrong_with_a_file_is_told_with_its_places() {
    let gtm = Gtm::new();
    let org = organization(&gtm);
    let create = |content: &str| {
        let path = file(&gtm, "offer", content);
        gtm.fails(1, &["offer", "create", "--org", &org, &path])
    };
    let told = create(
        "key: meters\nnmae: Meters\nproof_points:\n  - {key: a, text: 3 flats, numeric_values: ['4']}\n",
    );
    for part in [
        "/name is required",
        "/nmae is not known",
        "/proof_points/0/numeric_values/0",
        "gtm help offer create",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    assert!(create("name: Meters\n").contains("/key is required"));
    assert!(create("name: [").contains("neither JSON nor YAML"));
    let missing = gtm.data().join("nothing.yaml");
    let told = gtm.fails(
        1,
        &["offer", "create", "--org", &org, missing.to_str().unwrap()],
    );
    assert!(told.contains("cannot read"), "{told}");
    let yaml = file(&gtm, "offer.yaml", OFFER);
    let nobody = "org_01jz8p0z1b2c3d4e5f6g7h8j9k";
    gtm.fails(1, &["offer", "create", "--org", nobody, &yaml]);
}

#[test]
fn an_offer_comes_from_standard_input_as_well() {
    let gtm = Gtm::new();
    let org = organization(&gtm);
    let mut command = gtm.command(&["--json", "offer", "create", "--org", &org, "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(br#"{"key": "meters", "name": "Meters"}"#)
        .unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let made: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(made["key"], "meters");
}
