//! Company dossier specifications against a real catalog and real connections: frozen, paged, and without any
//! effect on the outside world or the ledger.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::future::join_all;
use gtm_e2e::Database;
use gtm_e2e::fake_site::FakeSite;
use gtm_e2e::gtm_process::Gtm;
use serde_json::{Value, json};

use crate::{DOMAIN, World, on_both_engines, sample_site};

const PATH: &str = "/v1/company-dossier-specifications";

/// A port that never answers and counts connections.
async fn canary() -> (String, Arc<AtomicUsize>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let connections = Arc::new(AtomicUsize::new(0));
    let counter = connections.clone();
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            counter.fetch_add(1, Ordering::SeqCst);
        }
    });
    (address, connections)
}

/// Key and version of the shipped web-fetch connector.
fn web_fetch(gtm: &Gtm) -> Value {
    let list = gtm.cli(&["plugin", "list"]);
    let plugins = list["plugins"].as_array().unwrap();
    let found = plugins.iter().find(|p| p["key"] == "web-fetch").unwrap();
    json!({"connector_key": "web-fetch", "manifest_version": found["version"]})
}

fn plan(connector: &Value, statement: &str) -> Value {
    json!({
        "target_company": {"name": "Sample Company", "domain": DOMAIN},
        "connector_revision": connector,
        "requested_sections": ["company_overview", "products", "news"],
        "collection_budgets": {
            "max_requests": 40, "max_bytes": 20_000_000, "max_sources": 15, "max_duration_seconds": 120, "max_cost_usd": 0.5,
        },
        "purpose": {"code": "account_planning", "statement": statement},
        "policy_version": "2026-01",
    })
}

async fn a_plan_has_no_effect(kind: Database, test: &str) {
    // The company's site and a model are both bound and allowed, so that a job could reach them.
    let (address, connections) = canary().await;
    let site = sample_site().await;
    let hosts = [address.clone()];
    let Some(world) = World::start_with(kind, test, site, &hosts, "").await else {
        return;
    };
    let gtm = &world.gtm;
    let model = json!({"base_url": format!("http://{address}/v1"), "model": "m", "free": true});
    world.tenant.bind_model_with(gtm, model);
    let ledger = gtm.cli(&["ledger", "verify"]);
    let connector = web_fetch(gtm);

    let mut made = Vec::new();
    for n in 0..5 {
        let body = plan(&connector, &format!("Plan {n}."));
        let answer = world
            .client
            .post(PATH, &body, Some(&format!("plan-{n}")))
            .await;
        assert_eq!(
            answer.status,
            201,
            "{}",
            String::from_utf8_lossy(&answer.bytes)
        );
        let again = world
            .client
            .post(PATH, &body, Some(&format!("plan-{n}")))
            .await;
        assert_eq!((again.status, &again.bytes), (201, &answer.bytes));
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.header("location"), answer.header("location"));
        let read = world.client.get(answer.header("location").unwrap()).await;
        assert_eq!((read.status, &read.bytes), (200, &answer.bytes));
        made.push(answer.json());
    }
    let digests = &made[0]["connector_revision"];
    for digest in ["manifest_digest", "component_digest"] {
        assert!(
            digests[digest].as_str().unwrap().starts_with("sha256:"),
            "{digests}"
        );
    }

    let (mut listed, mut path) = (Vec::new(), format!("{PATH}?limit=2"));
    loop {
        let page = world.client.get(&path).await.json();
        listed.extend(
            page["company_dossier_specifications"]
                .as_array()
                .unwrap()
                .clone(),
        );
        let Some(cursor) = page["next_cursor"].as_str() else {
            break;
        };
        path = format!("{PATH}?limit=2&cursor={cursor}");
    }
    made.sort_by(|a, b| b["id"].as_str().cmp(&a["id"].as_str()));
    assert_eq!(listed, made);

    // Workers poll for jobs twice a second, so this would be long enough.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(connections.load(Ordering::SeqCst), 0, "something connected");
    assert_eq!(world.site.requests().len(), 0, "something was fetched");
    assert_eq!(gtm.cli(&["ledger", "verify"]), ledger);
    assert_eq!(gtm.cli(&["job", "list"])["jobs"], json!([]));
    assert_eq!(world.client.get("/v1/jobs").await.json()["jobs"], json!([]));

    // Show that the check can fail: a playbook of the same company reaches both.
    let job = world
        .client
        .playbook(&json!({"target_company_domain": DOMAIN}))
        .await;
    assert!(!world.site.requests().is_empty(), "{job}");
    assert!(connections.load(Ordering::SeqCst) > 0, "{job}");
    assert_eq!(
        world.client.get("/v1/jobs").await.json()["jobs"],
        json!([job])
    );
}
on_both_engines!(no_effect, super::a_plan_has_no_effect);

async fn one_key_makes_one(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, FakeSite::start([]).await).await else {
        return;
    };
    let body = plan(&web_fetch(&world.gtm), "Plan.");
    let answers = join_all((0..50).map(|_| world.client.post(PATH, &body, Some("plan")))).await;
    let mut bytes = None;
    for answer in &answers {
        match answer.status {
            201 => assert_eq!(
                &answer.bytes,
                bytes.get_or_insert_with(|| answer.bytes.clone())
            ),
            409 => assert_eq!(answer.error_code(), "idempotency_in_progress"),
            other => panic!("{other}: {}", String::from_utf8_lossy(&answer.bytes)),
        }
    }
    let fresh = answers
        .iter()
        .filter(|a| a.status == 201 && a.header("idempotency-replayed").is_none());
    assert_eq!(fresh.count(), 1);
    let list = world.client.get(PATH).await.json();
    assert_eq!(
        list["company_dossier_specifications"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let playbook = json!({"target_company": "Acme"});
    let reused = world
        .client
        .post("/v1/playbooks", &playbook, Some("plan"))
        .await;
    assert_eq!(
        (reused.status, reused.error_code().as_str()),
        (409, "idempotency_key_reused")
    );
}
on_both_engines!(parallel_requests, super::one_key_makes_one);
