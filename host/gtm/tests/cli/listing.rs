//! Lists and filters: something that does not exist is reported, never answered with an empty list.

use gtm_domain::{JobType, MicroUsd};
use serde_json::json;

use crate::process::{Gtm, text};
use crate::worker_side::{WorkerSide, raw};

const PROJECT: &str = "prj_01jz8q7b0x5f8s1t4v6w9y2a3c";
const ORGANIZATION: &str = "org_01jz8q7b0x5f8s1t4v6w9y2a3c";

#[test]
fn a_list_of_what_does_not_exist_is_no_empty_list() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    for noun in ["job", "key", "connection"] {
        let said = gtm.fails(1, &[noun, "list", "--project", PROJECT]);
        assert!(
            said.contains(&format!("project {PROJECT} does not exist"))
                && said.contains("gtm project list"),
            "{noun}: {said}"
        );
        assert!(
            gtm.run(&[noun, "list", "--project", &project])
                .status
                .success()
        );
    }
    for noun in ["project", "budget", "quota", "audit"] {
        let said = gtm.fails(1, &[noun, "list", "--org", ORGANIZATION]);
        assert!(
            said.contains(&format!("organization {ORGANIZATION} does not exist"))
                && said.contains("gtm org list"),
            "{noun}: {said}"
        );
    }
    // Told before the catalog is loaded: no connector and no backend is there.
    let provider = ["--provider", "web-fetch"];
    let backend = ["--capability", "playbooks", "--backend", "playbook"];
    for (noun, options) in [("connection", &provider[..]), ("binding", &backend[..])] {
        let create = [&[noun, "create", "--project", PROJECT], options].concat();
        let said = gtm.fails(1, &create);
        assert!(
            said.contains(&format!("project {PROJECT} does not exist")),
            "{said}"
        );
    }
    assert_eq!(
        gtm.json(&["job", "list", "--project", &project]),
        json!({ "jobs": [] })
    );
}

#[test]
fn a_value_that_there_is_not_is_answered_with_those_that_there_are() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    let org = text(&gtm.json(&["org", "create", "Acme"]), "id");
    for (arguments, words) in [
        (
            &["job", "list", "--status", "done"][..],
            "queued, running, succeeded, failed or canceled",
        ),
        (
            &["job", "list", "--type", "decks"],
            "playbooks, brands, documents, message_templates",
        ),
        (
            &["org", "capability", "enable", &org, "decks"],
            "playbooks, brands, documents, message_templates",
        ),
        (
            &[
                "key",
                "create",
                "--project",
                &project,
                "k",
                "--scopes",
                "all",
            ],
            "jobs:read",
        ),
        (
            &["plugin", "show", "x", "--kind", "backend"],
            "connector, generation_backend, document_renderer, evaluator",
        ),
        (
            &["completions", "csh"],
            "bash, elvish, fish, powershell, zsh",
        ),
        (&["job", "show", "prj_1"], "job_"),
        (&["serve", "--listen", "localhost"], "127.0.0.1:8080"),
        (
            &["audit", "export", "--since", "yesterday"],
            "2026-11-21T15:00:00Z",
        ),
    ] {
        let said = gtm.fails(2, arguments);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn a_number_out_of_range_is_answered_with_the_range_and_an_example() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    for bad in ["0", "-1", "1.5", "ten", "4294967296"] {
        let key = ["key", "create", "--project", &project, "k"];
        let rate = ["--requests-per-minute", bad];
        let said = gtm.fails(2, &[&key[..], &rate].concat());
        assert!(
            said.contains("a whole number from 1 to 4294967295, such as 60"),
            "{bad:?}: {said}"
        );
    }
    for noun in ["job", "audit"] {
        for bad in ["0", "10001", "x"] {
            let said = gtm.fails(2, &[noun, "list", "--limit", bad]);
            assert!(said.contains("from 1 to 10000, such as "), "{said}");
        }
    }
}

#[test]
fn an_empty_part_of_the_audit_log_says_which_words_there_are() {
    let gtm = Gtm::new();
    gtm.json(&["org", "create", "Acme"]);
    let said = |arguments: &[&str]| {
        let output = gtm.run(&[&["audit", "list"], arguments].concat());
        assert!(output.status.success(), "what was never done is no failure");
        String::from_utf8(output.stderr).unwrap()
    };
    let mistyped = said(&["--action", "organization.create"]);
    assert!(
        mistyped.contains("it has audit_chain.begun, organization.created"),
        "{mistyped}"
    );
    let mistyped = said(&["--resource", "organisation"]);
    assert!(mistyped.contains("organization"), "{mistyped}");
    assert_eq!(said(&["--resource", ORGANIZATION]), "");
    assert_eq!(said(&["--action", "organization.created"]), "");
}

#[tokio::test]
async fn a_damaged_job_is_marked_and_hides_no_other() {
    let gtm = Gtm::new();
    let side = WorkerSide::open(&gtm).await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let job = side.job(JobType::Playbooks, MicroUsd::ZERO);
        ids.push(job.id.to_string());
        side.store.create_job(&side.scope, job, None).await.unwrap();
    }
    side.store.close().await;
    ids.sort_unstable();
    // The one created first, which is therefore listed last.
    raw(
        &gtm,
        "UPDATE jobs SET pins = 'nonsense' WHERE id = (SELECT MIN(id) FROM jobs)",
    )
    .await;
    let listed = gtm.json(&["job", "list"]);
    assert_eq!(
        (&listed["jobs"][0]["id"], &listed["jobs"][0]["damage"]),
        (&json!(ids[1]), &json!(null))
    );
    assert_eq!(listed["jobs"][1]["id"], json!(ids[0]));
    let damage = listed["jobs"][1]["damage"].as_str().unwrap();
    assert!(damage.contains("pins"), "{damage}");
    let table = String::from_utf8(gtm.run(&["job", "list"]).stdout).unwrap();
    assert!(table.contains("damaged: column"), "{table}");

    let shown = gtm.json(&["job", "show", &ids[0]]);
    assert_eq!(
        (&shown["damage"], &shown["pins"]),
        (&json!(damage), &json!(null))
    );
    let shown = String::from_utf8(gtm.run(&["job", "show", &ids[0]]).stdout).unwrap();
    assert!(shown.contains("The row is damaged"), "{shown}");
    let refused = gtm.fails(1, &["job", "replay", &ids[0]]);
    assert!(refused.contains("its row is damaged"), "{refused}");
}

/// The connection is looked up before the catalog, which may take long to load and has messages of its own.
#[test]
fn a_connection_that_does_not_exist_is_told_before_a_catalog_is_loaded() {
    let gtm = Gtm::new();
    let absent = "conn_01jz8p0a1b2c3d4e5f6g7h8j9k";
    gtm.tenant();
    for arguments in [
        &["connection", "update", absent, "--name", "Other"][..],
        &["connection", "show", absent],
        &["connection", "enable", absent],
        &["connection", "disable", absent],
        &["connection", "verify", absent],
    ] {
        let said = gtm.fails(1, arguments);
        assert!(
            said.contains(&format!("connection {absent} does not exist"))
                && !said.contains("catalog"),
            "{arguments:?}: {said}"
        );
    }
}
