//! Credit, budgets, quotas and how an organization pays.

use serde_json::json;

use crate::process::{Gtm, text};

fn organization(gtm: &Gtm) -> String {
    text(&gtm.json(&["org", "create", "Acme"]), "id")
}

#[test]
fn credit_is_granted_exactly_and_taken_back() {
    let gtm = Gtm::new();
    let org = organization(&gtm);
    let granted = gtm.json(&["credit", "grant", &org, "25.100001", "--note", "invoice 7"]);
    assert_eq!(granted["balance_usd"], json!(25.100_001));
    assert_eq!(granted["billing"], "prepaid");
    let left = gtm.json(&["credit", "revoke", &org, "0.1"]);
    assert_eq!(left["balance_usd"], json!(25.000_001));
    let list = gtm.json(&["credit", "list", &org]);
    let movements = list["movements"].as_array().unwrap();
    assert_eq!(movements.len(), 2);
    assert_eq!(
        (&movements[0]["kind"], &movements[0]["note"]),
        (&json!("grant"), &json!("invoice 7"))
    );
    assert_eq!(
        (&movements[1]["kind"], &movements[1]["amount_usd"]),
        (&json!("adjustment"), &json!(-0.1))
    );
    let shown = String::from_utf8(gtm.run(&["credit", "show", &org]).stdout).unwrap();
    assert!(shown.contains("$25.000001"), "{shown}");
    let verified = gtm.json(&["ledger", "verify"]);
    assert_eq!(
        (&verified["balanced"], &verified["granted_usd"]),
        (&json!(true), &json!(25.000_001))
    );
    for bad in ["-1", "1.0000001", "1e3", "ten", ""] {
        gtm.fails(2, &["credit", "grant", &org, "--", bad]);
    }
    assert!(
        gtm.fails(1, &["credit", "grant", &org, "0"])
            .contains("over zero")
    );
    assert!(
        gtm.fails(1, &["credit", "revoke", &org, "26"])
            .contains("$25.000001")
    );
    let absent = "org_01jz8q7b0x5f8s1t4v6w9y2a3c";
    assert!(
        gtm.fails(1, &["credit", "show", absent])
            .contains("gtm org list")
    );
}

#[test]
fn limits_are_set_listed_and_cleared() {
    let gtm = Gtm::new();
    let org = organization(&gtm);
    let project = text(
        &gtm.json(&["project", "create", "--org", &org, "main"]),
        "id",
    );
    let key = text(
        &gtm.json(&["key", "create", "--project", &project, "ci"]),
        "id",
    );
    let budget = gtm.json(&["budget", "set", "--project", &project, "12.5"]);
    assert_eq!(
        (&budget["scope"], &budget["scope_id"], &budget["limit_usd"]),
        (&json!("project"), &json!(project), &json!(12.5))
    );
    gtm.json(&["budget", "set", "--org", &org, "0"]);
    let quota = gtm.json(&["quota", "set", "--key", &key, "10"]);
    assert_eq!(
        (&quota["metric"], &quota["limit"]),
        (&json!("jobs_per_month"), &json!(10)),
        "the names of GET /v1/usage"
    );
    let count = |noun: &str, list: &[&str]| gtm.json(list)[noun].as_array().unwrap().len();
    assert_eq!(count("budgets", &["budget", "list", "--org", &org]), 2);
    assert_eq!(count("quotas", &["quota", "list"]), 1);
    gtm.json(&["budget", "clear", "--org", &org]);
    assert_eq!(count("budgets", &["budget", "list"]), 1);
    let absent = gtm.fails(1, &["budget", "clear", "--org", &org]);
    assert!(absent.contains("has no budget") && absent.contains("gtm budget list"));
    gtm.fails(2, &["budget", "set", "5"]);
    gtm.fails(
        2,
        &["budget", "set", "--org", &org, "--project", &project, "5"],
    );
    for bad in ["1.5", "-1", "4294967296", "many", ""] {
        let said = gtm.fails(2, &["quota", "set", "--org", &org, bad]);
        let wanted = "a whole number from 0 to 4294967295, such as 500";
        assert!(said.contains(wanted), "{bad:?}: {said}");
    }
    for bad in ["-1", "1e3", "0.0000001"] {
        let said = gtm.fails(2, &["budget", "set", "--org", &org, bad]);
        assert!(said.contains("such as 25 or 0.50"), "{bad:?}: {said}");
    }
}

#[test]
fn an_organization_pays_before_or_after() {
    let gtm = Gtm::new();
    let org = gtm.json(&["org", "create", "Later", "--billing", "postpaid"]);
    assert_eq!(org["billing"], "postpaid");
    let id = text(&org, "id");
    let updated = gtm.json(&[
        "org",
        "update",
        &id,
        "--billing",
        "prepaid",
        "--tier",
        "tier_2",
    ]);
    assert_eq!(
        (&updated["billing"], &updated["pinned_tier"]),
        (&json!("prepaid"), &json!("tier_2"))
    );
    assert_eq!(
        gtm.json(&["org", "update", &id, "--tier", "none"])["pinned_tier"],
        json!(null)
    );
    let unknown = gtm.fails(1, &["org", "update", &id, "--tier", "gold"]);
    assert!(unknown.contains("tier_1"), "{unknown}");
    gtm.fails(2, &["org", "update", &id]);
    let said = gtm.fails(2, &["org", "create", "x", "--billing", "free"]);
    assert!(said.contains("prepaid or postpaid"), "{said}");
}

#[test]
fn a_mistyped_directory_is_not_found_sound() {
    let gtm = Gtm::new();
    for command in [
        ["ledger", "verify"],
        ["audit", "verify"],
        ["budget", "list"],
        ["quota", "list"],
    ] {
        let said = gtm.fails(1, &command);
        let there = gtm.data().display().to_string();
        assert!(
            said.contains(&there) && said.contains("does not exist"),
            "{said}"
        );
    }
    assert!(!gtm.data().join("gtm.db").exists(), "nothing was made");
    let org = organization(&gtm);
    assert_eq!(gtm.json(&["org", "show", &org])["paid_total_usd"], 0.0);
    gtm.json(&["audit", "verify"]);
    let said = gtm.fails(
        1,
        &["audit", "export", "--org", "org_01jz8q7b0x5f8s1t4v6w9y2a3c"],
    );
    assert!(said.contains("does not exist"), "{said}");
}

#[test]
fn there_is_nothing_to_reconcile_where_nothing_was_lost() {
    let gtm = Gtm::new();
    organization(&gtm);
    let listed = gtm.json(&["ledger", "reconcile", "list", "--all"]);
    assert_eq!(listed, json!({"calls": []}));
    let call = "job_01jz8q7b0x5f8s1t4v6w9y2a3c.0";
    let settle = |call: &str, usd: &str, code| {
        gtm.fails(
            code,
            &["ledger", "reconcile", "settle", call, "--cost-usd", usd],
        )
    };
    assert!(settle(call, "1", 1).contains("gtm ledger reconcile list"));
    for (call, usd) in [
        ("job_01jz8q7b0x5f8s1t4v6w9y2a3c", "1"),
        ("job_01jz8q7b0x5f8s1t4v6w9y2a3c.-1", "1"),
        (call, "-1"),
        (call, "0.0000001"),
    ] {
        settle(call, usd, 2);
    }
    gtm.fails(2, &["ledger", "reconcile", "settle", call]);
    // Either for one call, or for all calls of one job or one connection.
    let job = ["--job", "job_01jz8q7b0x5f8s1t4v6w9y2a3c"];
    let many = |options: &[&str], code| {
        let settle = ["ledger", "reconcile", "settle", "--cost-usd", "0"];
        gtm.fails(code, &[&settle[..], options].concat())
    };
    assert!(many(&job, 1).contains("gtm ledger reconcile list"));
    many(&[], 2);
    many(&[&job[..], &[call]].concat(), 2);
    let said = gtm.fails(1, &["ledger", "settle", "job_01jz8q7b0x5f8s1t4v6w9y2a3c"]);
    assert!(said.contains("does not exist"), "{said}");
    gtm.fails(2, &["ledger", "settle", call]);
    let verified = gtm.json(&["ledger", "verify"]);
    assert_eq!(
        (
            &verified["reconciled_usd"],
            &verified["awaiting_reconciliation"]
        ),
        (&json!(0.0), &json!(0))
    );
}
