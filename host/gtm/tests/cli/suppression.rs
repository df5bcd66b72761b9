//! `gtm suppression …`.

use serde_json::{Value, json};

use crate::process::{Gtm, text};
use crate::worker_side::raw;

const FILE: &str = "\
kind,address,domain,person,occurred_at,source
unsubscribe,Sam@acme.example,,,2026-03-01,
objection,,quiet.example,,2026-03-02,letter
do_not_contact,,acme.example,Ada Byron,2026-03-02T10:00:00Z,call
soft_bounce,bob@acme.example,,,2026-03-02,
";

fn file(gtm: &Gtm, name: &str, content: &str) -> String {
    let path = gtm.data().join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Whether something speaks against writing, and what it names.
fn check(gtm: &Gtm, arguments: &[&str]) -> (bool, Vec<String>) {
    let command = [&["--json", "suppression", "check"], arguments].concat();
    let output = gtm.run(&command);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let suppressed = value["suppressed"].as_bool().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(suppressed)), "{value}");
    let matches = value["matches"].as_array().unwrap().iter();
    (suppressed, matches.map(|one| text(one, "match")).collect())
}

#[test]
fn outcomes_are_imported_and_looked_up() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    let path = file(&gtm, "outcomes.csv", FILE);
    let import = [
        "suppression",
        "import",
        &path,
        "--project",
        &project,
        "--source",
        "newsletter",
    ];
    let first = gtm.json(&import);
    assert_eq!(
        first,
        // A person is three entries: the whole name, and each word with the initial of the other.
        json!({"added": 4, "already_known": 0, "sequence": 6})
    );
    let again = gtm.json(&import);
    assert_eq!(
        again,
        json!({"added": 0, "already_known": 4, "sequence": 6})
    );

    let named = |found: (bool, Vec<String>)| (found.0, found.1.join(","));
    assert_eq!(
        named(check(&gtm, &["SAM@acme.example"])),
        (true, "address".to_owned())
    );
    assert_eq!(
        named(check(&gtm, &["anybody@mail.quiet.example"])),
        (true, "domain".to_owned())
    );
    let ada = [
        "ada@acme.example",
        "--person",
        "ada byron",
        "--company",
        "acme.example",
    ];
    assert_eq!(named(check(&gtm, &ada)), (true, "person".to_owned()));
    assert_eq!(
        named(check(&gtm, &["bob@acme.example"])),
        (false, "address".to_owned()),
        "a soft bounce is shown"
    );
    assert_eq!(
        named(check(&gtm, &["eve@acme.example"])),
        (false, String::new())
    );
    let org = text(&gtm.json(&["project", "show", &project]), "organization_id");
    let other = text(
        &gtm.json(&["project", "create", "--org", &org, "other"]),
        "id",
    );
    assert!(!check(&gtm, &["sam@acme.example", "--project", &other]).0);

    let verified = gtm.json(&["suppression", "verify"]);
    assert_eq!(
        (&verified["sound"], &verified["ledgers"][0]["entries"]),
        (&json!(true), &json!(6))
    );
    assert_eq!(gtm.json(&["audit", "verify"])["sound"], true);
    let audit = gtm.json(&["audit", "list", "--action", "outcome_ledger.recorded"]);
    assert_eq!(audit["entries"].as_array().unwrap().len(), 1);
}

#[test]
fn single_outcomes_and_the_platform_s_list() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    let add = [
        "suppression",
        "add",
        "--project",
        &project,
        "--kind",
        "complaint",
    ];
    let made = gtm.json(&[&add[..], &["--address", "sam@acme.example"]].concat());
    assert_eq!((&made["added"], &made["sequence"]), (&json!(1), &json!(1)));
    let when = ["--domain", "quiet.example", "--occurred-at", "2026-03-01"];
    gtm.json(&[&add[..], &when].concat());
    assert!(check(&gtm, &["sam@acme.example"]).0);

    let platform = ["suppression", "platform", "add"];
    let listed = [
        &platform[..],
        &["--address", "eve@acme.example", "--source", "letter"],
    ]
    .concat();
    assert_eq!(gtm.json(&listed)["added"], 1);
    assert_eq!(gtm.json(&listed)["added"], 0);
    assert!(check(&gtm, &["eve@acme.example", "--project", &project]).0);
    let list = gtm.json(&["suppression", "platform", "list"]);
    let rows = list["do_not_contact"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["source"]), (1, &json!("letter")));
    assert!(text(&rows[0], "hmac").starts_with("hmac-sha256:"));
    assert!(!list.to_string().contains("eve"), "{list}");
}

#[test]
fn what_is_wrong_is_told() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    let path = file(
        &gtm,
        "outcomes.csv",
        "kind,address,occurred_at\nunsubscribe,sam@acme.example,2026-03-01\nbounce,sam,yesterday\n",
    );
    let told = gtm.fails(1, &["suppression", "import", &path, "--project", &project]);
    for part in [
        "nothing was imported: line 3: kind must be one of unsubscribe",
        "gtm help suppression import",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    assert!(
        !check(&gtm, &["sam@acme.example"]).0,
        "not even the line without a fault"
    );
    let add = [
        "suppression",
        "add",
        "--project",
        &project,
        "--kind",
        "objection",
    ];
    for (more, part) in [
        (
            vec!["--domain", "gmail.com"],
            "--domain is a public mail domain",
        ),
        (
            vec!["--address", "sam"],
            "--address must be an e-mail address",
        ),
        (
            vec!["--person", "Sam"],
            "--domain must be the domain of the person's company",
        ),
        (
            vec![],
            "give --address, --domain, or --person with --domain",
        ),
        (
            vec![
                "--address",
                "sam@acme.example",
                "--occurred-at",
                "2999-01-01",
            ],
            "--occurred-at must not be in the future",
        ),
    ] {
        let told = gtm.fails(1, &[&add[..], &more].concat());
        assert!(told.contains(part), "{part} in {told}");
    }
    let told = gtm.fails(
        2,
        &[
            &add[..],
            &[
                "--address",
                "sam@acme.example",
                "--source",
                "sam@acme.example",
            ],
        ]
        .concat(),
    );
    assert!(
        told.contains("it must not contain an e-mail address"),
        "{told}"
    );
    let absent = "prj_01jz8p0a1b2c3d4e5f6g7h8j9k";
    gtm.fails(1, &["suppression", "import", &path, "--project", absent]);
    gtm.fails(1, &["suppression", "verify", "--project", absent]);
}

#[tokio::test]
async fn a_changed_ledger_is_told() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    let path = file(&gtm, "outcomes.csv", FILE);
    gtm.json(&["suppression", "import", &path, "--project", &project]);
    raw(&gtm, "DROP TRIGGER outcome_ledger_stays").await;
    raw(
        &gtm,
        "UPDATE outcome_ledger SET kind = 'soft_bounce' WHERE sequence = 2",
    )
    .await;
    let output = gtm.run(&["--json", "suppression", "verify"]);
    assert_eq!(output.status.code(), Some(1));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["sound"], false);
    assert_eq!(value["ledgers"][0]["breach"]["sequence"], 2);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("1 of 1 ledgers do not hold"), "{told}");
}
