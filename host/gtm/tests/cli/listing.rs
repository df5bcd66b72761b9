//! Lists and filters: what does not exist is told, never answered by an empty list.

use serde_json::json;

use crate::process::{Gtm, text};

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
