//! Connectors and connections over HTTP: the shipped catalog follows the rules of annex A12, a connection's
//! status and verification are truthful, and no answer, log or output contains a secret.

use std::collections::{BTreeMap, BTreeSet};

use gtm_e2e::Database;
use gtm_e2e::fake_model::{API_KEY, FakeModel};
use gtm_e2e::gtm_process::Gtm;
use serde_json::{Value, json};

use crate::{World, on_both_engines, request, sample_site, tamper};

const CANARY: &str = "sk-canary-0123456789-of-a-connection";

async fn started(kind: Database, test: &str, model: &FakeModel) -> Option<World> {
    let hosts = [model.address.to_string()];
    World::start_with(kind, test, sample_site().await, &hosts, "").await
}

fn create(gtm: &Gtm, project: &str, base_url: &str, more: &[&str], key: Option<&str>) -> Value {
    let base_url = format!("base_url={base_url}");
    let mut arguments = vec![
        "connection",
        "create",
        "--project",
        project,
        "--provider",
        "openai-compatible",
        "--setting",
        &base_url,
        "--setting",
        "model=fake-1",
        "--setting",
        "free=true",
    ];
    arguments.extend(more);
    let mut environment = Vec::new();
    if let Some(key) = key {
        arguments.extend(["--credential-env", "api_key=GTM_TEST_CANARY"]);
        environment.push(("GTM_TEST_CANARY", key));
    }
    let output = gtm.cli_output(&arguments, &environment);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

fn id(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

/// The connection with this ID as the API shows it.
async fn shown(world: &World, id: &str) -> Value {
    let answer = world.client.get("/v1/connections").await.json();
    let list = answer["connections"].as_array().unwrap();
    list.iter().find(|c| c["id"] == id).unwrap().clone()
}

/// Verifies the connection through the CLI; returns the verdict and whether a request was sent.
fn verify(world: &World, id: &str) -> (String, bool) {
    let output = world.gtm.cli_output(&["connection", "verify", id], &[]);
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        output.status.success(),
        said["status"] == "verified",
        "{said}"
    );
    (
        said["status"].as_str().unwrap().to_owned(),
        said["network_request_made"].as_bool().unwrap(),
    )
}

fn verification(status: &str, sent: bool) -> Value {
    json!({ "mode": "live_probe", "status": status, "network_request_made": sent })
}

on_both_engines!(
    the_catalog_keeps_its_rules,
    crate::connections::the_catalog_keeps_its_rules_on
);
async fn the_catalog_keeps_its_rules_on(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, sample_site().await).await else {
        return;
    };
    let catalog = world.client.get("/v1/connectors").await.json();
    let connectors = catalog["connectors"].as_array().unwrap();
    let keys: Vec<&str> = connectors
        .iter()
        .map(|c| c["key"].as_str().unwrap())
        .collect();
    assert!(
        keys.is_sorted() && keys.iter().collect::<BTreeSet<_>>().len() == keys.len(),
        "{keys:?}"
    );
    let plugins = world.gtm.cli(&["plugin", "list"]);
    assert_eq!(plugins["refused"], json!([]));
    let runs: BTreeMap<&str, &Value> = (plugins["plugins"].as_array().unwrap().iter())
        .filter(|p| p["kind"] == "connector")
        .map(|p| (p["key"].as_str().unwrap(), &p["component_digest"]))
        .collect();
    let mut listed_only = 0;
    for connector in connectors {
        let key = connector["key"].as_str().unwrap();
        match connector["availability"].as_str().unwrap() {
            "catalog_only" => {
                listed_only += 1;
                assert!(!runs.contains_key(key), "{key}");
                assert_eq!(connector["verification_mode"], "unavailable", "{key}");
            }
            "preview" | "available" => {
                assert!(runs[key].as_str().unwrap().starts_with("sha256:"), "{key}");
            }
            other => panic!("{key}: {other}"),
        }
    }
    assert!(listed_only >= 20, "{listed_only}");
    let model = connectors
        .iter()
        .find(|c| c["key"] == "openai-compatible")
        .unwrap();
    assert_eq!(
        (&model["availability"], &model["verification_mode"]),
        (&json!("preview"), &json!("live_probe"))
    );
    // Another process reports the same for the same catalog.
    assert_eq!(world.gtm.cli(&["connector", "list"]), catalog);

    let capabilities = world.client.get("/v1/capabilities").await.json();
    let enabled: Vec<&str> = (capabilities["capabilities"].as_array().unwrap().iter())
        .filter(|c| c["enabled"] == true)
        .map(|c| c["key"].as_str().unwrap())
        .collect();
    assert_eq!(
        enabled,
        ["playbooks", "brands", "documents", "message_templates"]
    );
}

on_both_engines!(
    a_verification_is_what_was_seen,
    crate::connections::a_verification_is_what_was_seen_on
);
async fn a_verification_is_what_was_seen_on(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    let Some(world) = started(kind, test, &model).await else {
        return;
    };
    let project = &world.tenant.project;
    let connection = id(&create(
        &world.gtm,
        project,
        &model.base_url(),
        &[],
        Some(CANARY),
    ));
    assert_eq!(
        shown(&world, &connection).await["verification"],
        verification("not_attempted", false)
    );
    // The provider refuses a key that it does not know.
    assert_eq!(verify(&world, &connection), ("failed".into(), true));
    let row = shown(&world, &connection).await;
    assert_eq!(
        (&row["verification"], &row["status"]),
        (&verification("failed", true), &json!("configured"))
    );
    let replace = |key: &str| {
        let arguments = [
            "connection",
            "update",
            &connection,
            "--credential-env",
            "api_key=GTM_TEST_CANARY",
        ];
        let output = world
            .gtm
            .cli_output(&arguments, &[("GTM_TEST_CANARY", key)]);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    replace(API_KEY);
    let row = shown(&world, &connection).await;
    assert_eq!(
        (&row["verification"], &row["credentials_version"]),
        (&verification("not_attempted", false), &json!(2))
    );
    assert_eq!(verify(&world, &connection), ("verified".into(), true));
    assert_eq!(
        shown(&world, &connection).await["verification"],
        verification("verified", true)
    );

    // If no request was sent, the status must not claim that one was: neither for a host that the operator
    // did not allow, nor for a port where nobody listens.
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    for address in ["127.0.0.2:9".to_owned(), closed.to_string()] {
        let base_url = format!("http://{address}/v1");
        let nowhere = id(&create(&world.gtm, project, &base_url, &[], Some(CANARY)));
        assert_eq!(
            verify(&world, &nowhere),
            ("pending".into(), false),
            "{address}"
        );
        assert_eq!(
            shown(&world, &nowhere).await["verification"],
            verification("pending", false)
        );
    }

    // Nothing stored, returned or logged contains a secret.
    let list = world.gtm.cli(&["connection", "list"]).to_string();
    let answer = world.client.get("/v1/connections").await;
    for text in [list, answer.json().to_string(), world.gtm.log()] {
        assert!(!text.contains(CANARY) && !text.contains(API_KEY), "{text}");
    }
    let unknown = world.client.get("/v1/connections?").await.json();
    assert_eq!(
        unknown["connections"].as_array().unwrap().len(),
        4,
        "web-fetch's is the fourth"
    );
}

on_both_engines!(
    what_cannot_serve_is_not_bound,
    crate::connections::what_cannot_serve_is_not_bound_on
);
async fn what_cannot_serve_is_not_bound_on(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    let Some(world) = started(kind, test, &model).await else {
        return;
    };
    let project = &world.tenant.project;
    let made = create(&world.gtm, project, &model.base_url(), &[], None);
    assert_eq!(
        (&made["status"], &made["missing_fields"]),
        (&json!("incomplete"), &json!(["api_key"]))
    );
    let hint = made["hint"].as_str().unwrap();
    assert!(
        hint.contains("api_key") && hint.contains("authentication to none"),
        "{hint}"
    );
    let connection = id(&made);
    let row = shown(&world, &connection).await;
    assert_eq!(
        (&row["status"], &row["configured_fields"]),
        (&json!("incomplete"), &json!(["base_url", "free", "model"]))
    );
    let keyless = create(
        &world.gtm,
        project,
        &model.base_url(),
        &["--setting", "authentication=none"],
        None,
    );
    assert_eq!(keyless["status"], "configured");

    // A job that needs the model: an incomplete connection counts as missing, a complete one works, and a
    // disabled one no longer does.
    let bound = world.gtm.cli_output(
        &[
            "binding",
            "create",
            "--project",
            project,
            "--capability",
            "model.complete",
            "--connection",
            &connection,
        ],
        &[],
    );
    let printed: Value = serde_json::from_slice(&bound.stdout).unwrap();
    assert_eq!(printed["missing_fields"], json!(["api_key"]), "{printed}");
    let said = String::from_utf8(bound.stderr).unwrap();
    let told = format!("each job that needs {connection} will fail connector_not_configured");
    assert!(
        said.contains(&told)
            && said.contains("it lacks api_key")
            && said.contains("--credential-stdin"),
        "{said}"
    );
    let strict = json!({"max_pages": 8, "allow_evidence_only": false, "start_urls": {crate::DOMAIN: world.site.url()}});
    world.tenant.bind_backend(&world.gtm, "playbook", &strict);
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["error"]["code"], "connector_not_configured", "{job}");
    let arguments = [
        "connection",
        "update",
        &connection,
        "--credential-env",
        "api_key=GTM_TEST_CANARY",
    ];
    let output = world
        .gtm
        .cli_output(&arguments, &[("GTM_TEST_CANARY", API_KEY)]);
    assert!(output.status.success());
    assert_eq!(shown(&world, &connection).await["status"], "configured");
    let job = world.client.playbook(&request()).await;
    assert_ne!(job["error"]["code"], "connector_not_configured", "{job}");
    assert!(!model.requests().is_empty());
    world.gtm.cli(&["connection", "disable", &connection]);
    assert_eq!(shown(&world, &connection).await["status"], "disabled");
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["error"]["code"], "connector_not_configured", "{job}");
    world.gtm.cli(&["connection", "enable", &connection]);
    assert_eq!(shown(&world, &connection).await["status"], "configured");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_that_do_not_open_are_an_error_of_that_connection_alone() {
    let model = FakeModel::start().await;
    let mut world = started(Database::Sqlite, "error", &model).await.unwrap();
    let project = world.tenant.project.clone();
    let [broken, whole] = [(); 2].map(|()| {
        id(&create(
            &world.gtm,
            &project,
            &model.base_url(),
            &[],
            Some(CANARY),
        ))
    });
    assert!(world.gtm.terminate(std::time::Duration::from_secs(20)));
    let statement = format!(
        "UPDATE connection_secrets SET sealed = zeroblob(length(sealed)) WHERE connection_id = '{broken}'"
    );
    tamper(&world.gtm, &[&statement]).await;
    world.gtm.start();
    world.client = world.tenant.client(&world.gtm);
    assert_eq!(shown(&world, &broken).await["status"], "error");
    assert_eq!(shown(&world, &whole).await["status"], "configured");
    let seen = world.gtm.cli(&["connection", "show", &broken]);
    assert!(
        seen["hint"].as_str().unwrap().contains("master keys"),
        "{seen}"
    );
}
