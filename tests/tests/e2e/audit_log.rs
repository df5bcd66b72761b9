//! The audit log from an operator's view: who is named, an export that others can verify, and a verification
//! that fails after tampering.

use std::collections::BTreeMap;

use gtm_domain::Digest;
use gtm_e2e::Database;
use gtm_e2e::gtm_process::Gtm;
use serde_json::Value;

use crate::{World, on_both_engines, request, sample_site, tamper};

/// The bytes over which an entry's hash is computed, built as `docs/audit-log.md` describes and without the
/// product's code: members sorted by name, no white space, strings escaped as in JSON.
fn hashed_text(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let sorted: BTreeMap<&String, &Value> =
                members.iter().filter(|(name, _)| *name != "hash").collect();
            let members: Vec<_> = sorted
                .into_iter()
                .map(|(name, value)| format!("\"{name}\":{}", hashed_text(value)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

fn export(gtm: &Gtm, arguments: &[&str]) -> Vec<Value> {
    let output = gtm.cli_output(&[&["audit", "export"][..], arguments].concat(), &[]);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

async fn an_operator_and_a_key_are_named_and_the_export_checks_out(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, sample_site().await).await else {
        return;
    };
    let named = [("GTM_OPERATOR", "ada@ops")];
    let output = world
        .gtm
        .cli_output(&["key", "revoke", &world.tenant.key_id], &named);
    assert!(output.status.success(), "{output:?}");
    let project = ["key", "create", "--project", &world.tenant.project, "other"];
    let key = world.gtm.cli(&project);
    let client = gtm_e2e::client::Client::new(&world.gtm.base(), key["secret"].as_str().unwrap());
    let created = client.post("/v1/playbooks", &request(), None).await;
    assert_eq!(created.status, 202);
    let job = created.json()["id"].as_str().unwrap().to_owned();

    let listed = |arguments: &[&str]| {
        let list = world.gtm.cli(&[&["audit", "list"][..], arguments].concat());
        list["entries"].as_array().unwrap().clone()
    };
    let revoked = listed(&["--action", "api_key.revoked"]);
    assert_eq!(revoked.len(), 1, "{revoked:?}");
    assert_eq!(
        revoked[0]["actor"],
        serde_json::json!({"type": "operator", "id": "ada@ops"})
    );
    assert_eq!(revoked[0]["resource"]["id"], world.tenant.key_id);
    let made = listed(&["--resource", &job]);
    let made = made.iter().find(|e| e["action"] == "job.created").unwrap();
    assert_eq!(made["actor"]["type"], "key");
    assert_eq!(made["actor"]["id"], key["id"]);
    assert_eq!(
        made["request_id"].as_str(),
        created.header("x-request-id"),
        "{made}"
    );
    assert!(
        made["ip_hash"]
            .as_str()
            .unwrap()
            .starts_with("hmac-sha256:"),
        "{made}"
    );
    let refused = world
        .gtm
        .cli_output(&["org", "create", "x"], &[("GTM_OPERATOR", " ")]);
    assert!(!refused.status.success(), "a blank name would say nothing");

    // Starting the server recorded the catalog's packages in the platform's chain.
    assert!(!listed(&["--action", "plugin.added"]).is_empty());

    let lines = export(&world.gtm, &[]);
    let mut last: Option<&Value> = None;
    for line in &lines {
        let text = hashed_text(line);
        assert_eq!(
            line["hash"],
            Digest::of(text.as_bytes()).to_string(),
            "{text}"
        );
        let chain = line["chain"].as_str().unwrap();
        match last.filter(|previous| previous["chain"] == line["chain"]) {
            Some(previous) => {
                assert_eq!(line["prev_hash"], previous["hash"]);
                assert_eq!(line["seq"], previous["seq"].as_u64().unwrap() + 1);
            }
            None => {
                assert_eq!(line["seq"], 1);
                assert_eq!(line["prev_hash"], Digest::of(chain.as_bytes()).to_string());
            }
        }
        last = Some(line);
    }
    let own = export(&world.gtm, &["--org", &world.tenant.organization]);
    assert!(!own.is_empty() && own.len() < lines.len());
    let later = export(&world.gtm, &["--since", "2100-01-01T00:00:00Z"]);
    assert!(later.is_empty());
    let report = world.gtm.cli(&["audit", "verify"]);
    assert_eq!(report["sound"], true, "{report}");
}
on_both_engines!(
    recorded_and_exported,
    super::an_operator_and_a_key_are_named_and_the_export_checks_out
);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verification_fails_on_a_changed_and_on_a_cut_log() {
    let mut world = World::start(Database::Sqlite, "audit", sample_site().await)
        .await
        .unwrap();
    world.gtm.terminate(std::time::Duration::from_secs(20));
    let heads = world.gtm.dir.path().join("heads.json");
    let printed = world.gtm.cli(&["audit", "head"]);
    std::fs::write(&heads, printed.to_string()).unwrap();
    let against = ["audit", "verify", "--against", heads.to_str().unwrap()];
    assert_eq!(world.gtm.cli(&against)["sound"], true);

    let chain = &world.tenant.organization;
    let cut = [
        "DROP TRIGGER audit_log_remains",
        "DROP TRIGGER audit_heads_grow",
        &format!(
            "DELETE FROM audit_log WHERE chain = '{chain}' AND seq = (SELECT MAX(seq) FROM audit_log WHERE chain = '{chain}')"
        ),
        &format!(
            "UPDATE audit_heads SET (seq, hash) = (SELECT seq, hash FROM audit_log \
             WHERE chain = '{chain}' ORDER BY seq DESC LIMIT 1) WHERE chain = '{chain}'"
        ),
    ];
    tamper(&world.gtm, &cut).await;
    assert_eq!(world.gtm.cli(&["audit", "verify"])["sound"], true);
    let output = world.gtm.cli_output(&against, &[]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        report["breaches"][0]["chain"].as_str(),
        Some(chain.as_str())
    );

    let change = [
        "DROP TRIGGER audit_log_stays",
        &format!("UPDATE audit_log SET actor_id = 'mallory' WHERE chain = '{chain}' AND seq = 2"),
    ];
    tamper(&world.gtm, &change).await;
    let output = world.gtm.cli_output(&["audit", "verify"], &[]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (
            report["sound"].as_bool(),
            report["breaches"][0]["seq"].as_u64()
        ),
        (Some(false), Some(2)),
        "{report}"
    );
    let nothing = world.gtm.dir.path().join("nothing.json");
    std::fs::write(&nothing, r#"{"heads": []}"#).unwrap();
    let empty = ["audit", "verify", "--against", nothing.to_str().unwrap()];
    let output = world.gtm.cli_output(&empty, &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("names no chain"));
}
