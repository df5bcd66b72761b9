//! `/v1/company-dossier-specifications`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use axum::body::Body;
use gtm_api::ApiConfig;
use gtm_domain::dossier::ConnectorRevision;
use gtm_domain::{Digest, Timestamp, canonical_digest};
use gtm_engine::connections::ConnectorCatalog;
use gtm_engine::plugins::{
    ConnectorCaller, ConnectorFacts, ConnectorRequest, OperationFacts, PluginIdentity,
};
use gtm_runtime::ConnectorOutcome;
use http::Request;
use serde_json::{Value, json};

use crate::jobs::check;
use crate::world::{Answer, World};

const PATH: &str = "/v1/company-dossier-specifications";

/// A catalog with one connector, which can be removed. Only its digests may be requested.
#[derive(Default)]
pub struct OneConnector {
    gone: AtomicBool,
}

impl OneConnector {
    pub fn remove(&self) {
        self.gone.store(true, Ordering::SeqCst);
    }
}

#[async_trait]
impl ConnectorCaller for OneConnector {
    fn find_connector(&self, _: &str, _: &str) -> Option<PluginIdentity> {
        None
    }
    fn connector_revision(&self, key: &str, manifest_version: &str) -> Option<ConnectorRevision> {
        let known = (key, manifest_version) == ("registry", "2.0.1");
        (known && !self.gone.load(Ordering::SeqCst)).then(|| ConnectorRevision {
            connector_key: key.to_owned(),
            manifest_version: manifest_version.to_owned(),
            manifest_digest: Digest::of(b"manifest"),
            component_digest: None,
        })
    }
    fn connector_facts(&self, _: &str, _: &str) -> Option<ConnectorFacts> {
        panic!("a specification asked for settings")
    }
    fn connector_catalog(&self, _: Timestamp) -> ConnectorCatalog {
        panic!("a specification asked for the catalog")
    }
    fn operation(&self, _: &PluginIdentity, _: &str) -> Option<OperationFacts> {
        panic!("a specification asked for an operation")
    }
    async fn call(&self, _: ConnectorRequest) -> ConnectorOutcome {
        panic!("a specification called a provider")
    }
}

pub async fn start() -> (World, Arc<OneConnector>) {
    let connectors = Arc::new(OneConnector::default());
    let world = World::with_connectors(ApiConfig::default(), Some(connectors.clone())).await;
    (world, connectors)
}

pub fn body() -> Value {
    json!({
        "target_company": { "domain": "Acme-Estates.example" },
        "connector_revision": { "connector_key": "registry", "manifest_version": "2.0.1" },
        "requested_sections": ["company_overview", "news"],
        "collection_budgets": {
            "max_requests": 40, "max_bytes": 20_000_000, "max_sources": 15, "max_duration_seconds": 120, "max_cost_usd": 0.5,
        },
        "purpose": { "code": "account_planning", "statement": "Prepare Q2 account plan." },
        "policy_version": "2026-01",
    })
}

async fn post(world: &World, body: &Value, key: Option<&str>) -> Answer {
    send(world, "POST", PATH, &world.key, body.to_string(), key).await
}

async fn send(
    world: &World,
    method: &str,
    path: &str,
    key: &str,
    body: String,
    idempotency: Option<&str>,
) -> Answer {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {key}"))
        .header("content-type", "application/json");
    if let Some(idempotency) = idempotency {
        request = request.header("idempotency-key", idempotency);
    }
    world.send(request.body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn a_specification_is_frozen() {
    let (world, _) = start().await;
    let answer = post(&world, &body(), None).await;
    let made = answer.json();
    assert_eq!(answer.status, 201, "{made}");
    check("CompanyDossierSpecification", &made);
    let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), Some(path.as_str()));
    assert_eq!(
        made["target_company"],
        json!({"name": null, "domain": "acme-estates.example"})
    );
    assert_eq!(made["connector_revision"]["component_digest"], Value::Null);
    assert_eq!(made["external_ref"], Value::Null);
    assert_eq!(
        made["effects"],
        json!({"provider_requests": 0, "research_runs": 0, "model_calls": 0, "renders": 0})
    );
    assert_eq!(
        made["authority"],
        json!({"evidence": false, "collateral": false, "crawl": false, "publish": false})
    );
    // A caller can compute the hash from what it received.
    let mut covered = made.clone();
    for name in [
        "id",
        "specification_hash",
        "created_at",
        "created_by_key_id",
    ] {
        covered.as_object_mut().unwrap().remove(name).unwrap();
    }
    assert_eq!(
        made["specification_hash"],
        canonical_digest(&covered).unwrap().to_string()
    );
    let read = world.get(&path).await;
    assert_eq!((read.status.as_u16(), &read.body), (200, &answer.body));
    let list = world.get(PATH).await.json();
    assert_eq!(
        list,
        json!({"company_dossier_specifications": [made], "next_cursor": null, "has_more": false})
    );
    check("CompanyDossierSpecificationList", &list);
    let jobs = world.get("/v1/jobs").await.json();
    assert_eq!(jobs["jobs"], json!([]), "no job comes of it");
}

#[tokio::test]
async fn equal_content_has_an_equal_hash() {
    let (world, _) = start().await;
    let (one, two) = (
        post(&world, &body(), None).await.json(),
        post(&world, &body(), None).await.json(),
    );
    assert_ne!(one["id"], two["id"]);
    assert_eq!(one["specification_hash"], two["specification_hash"]);
    let mut other = body();
    other["collection_budgets"]["max_cost_usd"] = json!(0.500_001);
    let other = post(&world, &other, None).await.json();
    assert_ne!(one["specification_hash"], other["specification_hash"]);
}

#[tokio::test]
async fn a_repeated_request_gets_the_same_answer() {
    let (world, connectors) = start().await;
    let first = post(&world, &body(), Some("plan-1")).await;
    assert_eq!(
        (first.status.as_u16(), first.header("idempotency-replayed")),
        (201, None)
    );
    // Also after the connector has been removed from the catalog.
    for gone in [false, true] {
        connectors.gone.store(gone, Ordering::SeqCst);
        let again = post(&world, &body(), Some("\"plan-1\"")).await;
        assert_eq!(
            (again.status.as_u16(), again.header("idempotency-replayed")),
            (201, Some("true"))
        );
        assert_eq!(again.body, first.body);
        assert_eq!(again.header("location"), first.header("location"));
        assert_eq!(again.header("content-type"), first.header("content-type"));
        let mut other = body();
        other["policy_version"] = json!("2026-02");
        let reused = post(&world, &other, Some("plan-1")).await;
        assert_eq!(reused.error(), (409, "idempotency_key_reused".to_owned()));
    }
    let refused = post(&world, &body(), Some("plan-2")).await;
    assert_eq!(refused.error().0, 422);
    connectors.gone.store(false, Ordering::SeqCst);
    let free = post(&world, &body(), Some("plan-2")).await;
    assert_eq!(free.status, 201, "a refused request leaves its key free");
}

#[tokio::test]
async fn a_key_belongs_to_one_operation() {
    let (world, _) = start().await;
    let playbook = r#"{"target_company":"Acme"}"#;
    let job = world.post(playbook, &[("idempotency-key", "k1")]).await;
    assert_eq!(job.status, 202);
    let reused = post(&world, &body(), Some("k1")).await;
    assert_eq!(reused.error(), (409, "idempotency_key_reused".to_owned()));
    assert_eq!(post(&world, &body(), Some("k2")).await.status, 201);
    let reused = world.post(playbook, &[("idempotency-key", "k2")]).await;
    assert_eq!(reused.error(), (409, "idempotency_key_reused".to_owned()));
}

#[tokio::test]
async fn an_unknown_connector_revision_is_refused() {
    let (world, _) = start().await;
    for (key, version) in [
        ("registry", "2.0.2"),
        ("registrar", "2.0.1"),
        ("registry", "2"),
    ] {
        let mut wanted = body();
        wanted["connector_revision"] = json!({"connector_key": key, "manifest_version": version});
        let answer = post(&world, &wanted, None).await;
        assert_eq!(answer.error(), (422, "invalid_request".to_owned()));
        let violations = &answer.json()["error"]["details"]["violations"];
        assert_eq!(
            violations[0]["pointer"], "/connector_revision",
            "{violations}"
        );
        assert_eq!(violations[0]["rule"], "exists");
    }
    let list = world.get(PATH).await.json();
    assert_eq!(list["company_dossier_specifications"], json!([]));
}

#[tokio::test]
async fn all_violations_come_at_once() {
    let (world, _) = start().await;
    let wrong = json!({
        "target_company": { "domain": "https://acme.example" }, "requested_sections": [],
        "collection_budgets": { "max_requests": 0 }, "purpose": { "code": "spam", "statement": "x" }, "policy_version": "",
        "id": "dsp_1",
    });
    let answer = post(&world, &wrong, None).await;
    assert_eq!(answer.error(), (422, "invalid_request".to_owned()));
    let violations = answer.json()["error"]["details"]["violations"].clone();
    let mut found: Vec<&str> = violations
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v["pointer"].as_str().unwrap())
        .collect();
    found.sort_unstable();
    let want = [
        "/collection_budgets/max_bytes",
        "/collection_budgets/max_cost_usd",
        "/collection_budgets/max_duration_seconds",
        "/collection_budgets/max_requests",
        "/collection_budgets/max_sources",
        "/connector_revision",
        "/id",
        "/policy_version",
        "/purpose/code",
        "/requested_sections",
        "/target_company/domain",
    ];
    assert_eq!(found, want);
    let huge = body().to_string().replace("0.5", "1e999");
    let answer = send(&world, "POST", PATH, &world.key, huge, None).await;
    assert_eq!(answer.error(), (400, "invalid_request".to_owned()));
}

#[tokio::test]
async fn nothing_changes_or_removes_one() {
    let (world, _) = start().await;
    let made = post(&world, &body(), None).await;
    let one = made.header("location").unwrap();
    for (path, allowed) in [(one, "GET,HEAD"), (PATH, "GET,HEAD,POST")] {
        for method in ["PUT", "PATCH", "DELETE"] {
            let answer = send(&world, method, path, &world.key, body().to_string(), None).await;
            assert_eq!(
                answer.error(),
                (405, "invalid_request".to_owned()),
                "{method} {path}"
            );
            let mut allow: Vec<&str> = answer.header("allow").unwrap().split(',').collect();
            allow.sort_unstable();
            assert_eq!(allow.join(","), allowed);
        }
    }
    assert_eq!(world.get(one).await.body, made.body);
}

#[tokio::test]
async fn foreign_absent_and_nonsense_look_alike() {
    let (world, _) = start().await;
    let made = post(&world, &body(), None).await;
    let one = made.header("location").unwrap();
    let stranger = world.stranger().await;
    let absent = format!("{PATH}/dsp_01jz8q7b0x5f8s1t4v6w9y2a3c");
    let job = format!("{PATH}/job_01jz8q7b0x5f8s1t4v6w9y2a3c");
    for (path, key) in [(one, &stranger), (&absent, &world.key), (&job, &world.key)] {
        let answer = world.get_as(path, key).await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()), "{path}");
    }
    let theirs = world.get_as(PATH, &stranger).await.json();
    assert_eq!(theirs["company_dossier_specifications"], json!([]));
}

#[tokio::test]
async fn each_operation_has_its_permission() {
    let (world, _) = start().await;
    let reader = world.new_key("dossier_specifications:read", None).await;
    let writer = world.new_key("dossier_specifications:write", None).await;
    let create = async |key: &str| send(&world, "POST", PATH, key, body().to_string(), None).await;
    assert_eq!(create(&reader).await.error(), (403, "forbidden".to_owned()));
    let made = create(&writer).await;
    assert_eq!(made.status, 201);
    for path in [PATH, made.header("location").unwrap()] {
        let refused = world.get_as(path, &writer).await;
        assert_eq!(refused.error(), (403, "forbidden".to_owned()));
        assert_eq!(world.get_as(path, &reader).await.status, 200);
    }
}
