//! 402 and both kinds of 429 on a create: code, details, message, and no `Retry-After`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gtm_api::{Api, ApiConfig, contract, router};
use gtm_domain::binding::{BindingScope, BindingTarget, BindingTerms};
use gtm_domain::dossier::ConnectorRevision;
use gtm_domain::job::Finish;
use gtm_domain::money::{BillingMode, LimitMetric, LimitOwner, ProviderCallId};
use gtm_domain::step::NewStep;
use gtm_domain::{
    Digest, Failure, FailureKind, MicroUsd, OrganizationId, Timestamp, Usage, WorkerId,
};
use gtm_engine::connections::ConnectorCatalog;
use gtm_engine::plugins::{
    BackendFacts, BackendRequest, BackendRunner, ConnectorCaller, ConnectorFacts, ConnectorRequest,
    EvaluateRequest, OperationFacts, PluginIdentity, Plugins, PureRunner, RenderRequest,
};
use gtm_engine::{Engine, EngineConfig, job_types};
use gtm_runtime::{
    BackendHost, BackendOutcome, ConnectorOutcome, EvaluateOutcome, PluginKind, RenderOutcome,
};
use gtm_store::{NewConnection, Settlement, uuid_v7};
use serde_json::{Value, json};

use crate::world::{Answer, World};

const BODY: &str = r#"{"target_company_domain":"acme.example"}"#;

/// A catalog with one backend that needs a model. Jobs are only accepted here; none runs.
struct Catalog;

fn identity(key: &str) -> PluginIdentity {
    PluginIdentity {
        key: key.to_owned(),
        version: "1.0.0".to_owned(),
        digest: Digest::of(key.as_bytes()),
        manifest_digest: None,
    }
}

#[async_trait]
impl BackendRunner for Catalog {
    fn find_backend(&self, key: &str, _: &str) -> Option<BackendFacts> {
        Some(BackendFacts {
            free_urls: false,
            identity: identity(key),
            requires: vec![("model.complete".to_owned(), false)],
            takes_start_urls: std::collections::BTreeSet::new(),
        })
    }
    fn backend(&self, identity: &PluginIdentity) -> Option<BackendFacts> {
        self.find_backend(&identity.key, &identity.version)
    }
    async fn generate(&self, _: BackendRequest, _: Arc<dyn BackendHost>) -> BackendOutcome {
        panic!("no worker runs")
    }
}

#[async_trait]
impl ConnectorCaller for Catalog {
    fn find_connector(&self, key: &str, _: &str) -> Option<PluginIdentity> {
        Some(identity(key))
    }
    fn connector_facts(&self, _: &str, _: &str) -> Option<ConnectorFacts> {
        None
    }
    fn connector_revision(&self, _: &str, _: &str) -> Option<ConnectorRevision> {
        None
    }
    fn connector_catalog(&self, _: Timestamp) -> ConnectorCatalog {
        ConnectorCatalog {
            catalog_version: String::new(),
            connectors: Vec::new(),
        }
    }
    fn operation(&self, _: &PluginIdentity, _: &str) -> Option<OperationFacts> {
        None
    }
    async fn call(&self, _: ConnectorRequest) -> ConnectorOutcome {
        panic!("no worker runs")
    }
}

#[async_trait]
impl PureRunner for Catalog {
    fn find_pure(&self, _: PluginKind, _: &str, _: &str) -> Option<PluginIdentity> {
        None
    }
    fn newest_pure(&self, _: PluginKind, _: &str) -> Option<PluginIdentity> {
        None
    }
    async fn render(&self, _: RenderRequest) -> RenderOutcome {
        panic!("no worker runs")
    }
    async fn evaluate(&self, _: EvaluateRequest) -> EvaluateOutcome {
        panic!("no worker runs")
    }
}

/// A project whose jobs may cost money: a backend and a model with prices are bound.
async fn priced() -> (World, OrganizationId) {
    let mut world = World::start().await;
    let engine = Engine::with_plugins(
        world.store.clone(),
        Plugins {
            connectors: Arc::new(Catalog),
            backends: Arc::new(Catalog),
            pure: Arc::new(Catalog),
        },
        job_types::ALL,
        EngineConfig::default(),
        world.clock.clone(),
    );
    world.router = router(Api::new(
        engine,
        ApiConfig::default(),
        world.clock.clone(),
        contract().unwrap(),
    ));
    let operator = world.store.operator();
    let project = operator.show_project(world.project).await.unwrap().unwrap();
    let new = NewConnection {
        provider_key: "openai-compatible".into(),
        manifest_version: "1.0.0".into(),
        name: "model".into(),
        settings: json!({"prices": {"input_per_million_usd": 1.0, "output_per_million_usd": 1.0}}),
        credentials: BTreeMap::new(),
    };
    let connection = operator
        .create_connection(world.project, new)
        .await
        .unwrap();
    operator
        .set_binding(
            BindingScope::Project(world.project),
            "model.complete",
            BindingTarget::Connection {
                connection: connection.id,
            },
            json!({}),
        )
        .await
        .unwrap();
    operator
        .set_binding(
            BindingScope::Project(world.project),
            "playbooks",
            BindingTarget::Backend {
                key: "playbook".into(),
                version: Some("1.0.0".into()),
            },
            json!({}),
        )
        .await
        .unwrap();
    (world, project.organization)
}

/// Status, code, details and message of a refusal.
fn refusal(answer: &Answer) -> (u16, String, Value, String) {
    assert_eq!(answer.header("retry-after"), None);
    assert!(answer.header("ratelimit-limit").is_some());
    let (status, code) = answer.error();
    let error = answer.json()["error"].clone();
    let message = error["message"].as_str().unwrap().to_owned();
    (status, code, error["details"].clone(), message)
}

#[tokio::test]
async fn without_credit_nothing_that_costs_is_accepted() {
    let (world, organization) = priced().await;
    let key = [("idempotency-key", "k")];
    let (status, code, details, message) = refusal(&world.post(BODY, &key).await);
    assert_eq!(
        (status, code.as_str(), details),
        (402, "insufficient_credits", Value::Null)
    );
    assert!(message.contains("credit"), "{message}");
    let operator = world.store.operator();
    operator
        .grant_credit(organization, MicroUsd::from_micros(1), None)
        .await
        .unwrap();
    let accepted = world.post(BODY, &key).await;
    assert_eq!(accepted.status, 202, "the refused create left no trace");
    let (status, code, ..) = refusal(&world.post(BODY, &[]).await);
    assert_eq!((status, code.as_str()), (402, "insufficient_credits"));
    let replayed = world.post(BODY, &key).await;
    assert_eq!(
        (replayed.status, replayed.body),
        (accepted.status, accepted.body)
    );
    operator
        .set_billing(organization, Some(BillingMode::Postpaid), None)
        .await
        .unwrap();
    assert_eq!(world.post(BODY, &[]).await.status, 202);
}

#[tokio::test]
async fn a_used_up_limit_says_whose_it_is_and_when_it_resets() {
    let (world, organization) = priced().await;
    let operator = world.store.operator();
    operator
        .set_billing(organization, Some(BillingMode::Postpaid), None)
        .await
        .unwrap();
    let resets_at = world.clock_now().next_month_start().to_string();
    for (metric, code) in [
        (LimitMetric::MonthlyBudget, "budget_exceeded"),
        (LimitMetric::MonthlyJobs, "quota_exceeded"),
    ] {
        for (owner, scope, owned_by) in [
            (
                LimitOwner::Organization(organization),
                "organization",
                "the organization",
            ),
            (LimitOwner::Project(world.project), "project", "the project"),
        ] {
            operator.set_limit(owner, metric, 0).await.unwrap();
            let (status, refused, details, message) = refusal(&world.post(BODY, &[]).await);
            assert_eq!((status, refused.as_str()), (429, code));
            let mut wanted = json!({"scope": scope, "resets_at": resets_at});
            if metric == LimitMetric::MonthlyBudget {
                for member in ["limit_usd", "settled_usd", "reserved_usd"] {
                    wanted[member] = json!(0.0);
                }
            }
            assert_eq!(details, wanted);
            assert!(message.contains(owned_by), "{message}");
            // A limit of 0 has no room in the next month either.
            assert!(!message.contains(&resets_at), "{message}");
            assert!(message.contains("is 0, so"), "{message}");
            operator.clear_limit(owner, metric).await.unwrap();
        }
    }
    // The lowest tier's cap is 100 dollars, and a job of this binding is expected to cost five.
    let target = BindingTarget::Backend {
        key: "playbook".into(),
        version: Some("1.0.0".into()),
    };
    let scope = BindingScope::Project(world.project);
    let five = BindingTerms {
        expected_cost: Some(MicroUsd::from_micros(5_000_000)),
        ..BindingTerms::default()
    };
    operator
        .set_binding_on(scope, "playbooks", target, json!({}), five)
        .await
        .unwrap();
    for _ in 0..20 {
        assert_eq!(world.post(BODY, &[]).await.status, 202);
    }
    let (status, code, details, message) = refusal(&world.post(BODY, &[]).await);
    assert_eq!((status, code.as_str()), (429, "budget_exceeded"));
    assert_eq!(
        details,
        json!({
            "scope": "usage_tier", "resets_at": resets_at,
            "limit_usd": 100.0, "settled_usd": 0.0, "reserved_usd": 100.0
        })
    );
    assert!(message.contains("usage tier"), "{message}");
    assert!(
        message.contains("reserved for running jobs"),
        "nothing was charged yet: {message}"
    );
}

#[tokio::test]
async fn what_is_kept_for_calls_in_doubt_is_told() {
    let (world, organization) = priced().await;
    let (operator, store) = (world.store.operator(), &world.store);
    let usd = MicroUsd::from_micros;
    operator
        .grant_credit(organization, usd(1_000), None)
        .await
        .unwrap();
    assert_eq!(world.post(BODY, &[]).await.status, 202);
    // A worker loses the answer of a call that may have cost the whole budget.
    let worker = WorkerId::from_uuid(uuid_v7(world.clock_now()));
    let claimed = store
        .claim_jobs(worker, 1, 1, Duration::from_secs(60))
        .await;
    let lease = claimed.unwrap().jobs.remove(0).lease;
    let step = NewStep {
        seq: 0,
        capability: "model.complete".to_owned(),
        input_digest: Digest::of(b"input"),
        connection: None,
        connector: None,
        replay_safe: false,
        keyed: false,
        step_key: "step".to_owned(),
        ceiling: usd(1_000),
    };
    store.start_step(&lease, step).await.unwrap();
    let lost = Settlement {
        outcome: Err(Failure::new(FailureKind::Timeout, "timeout", "no answer")),
        exchanges: Vec::new(),
        usage: Usage::default(),
        reported: None,
        reconcile: true,
        at_most: None,
    };
    store.settle_step(&lease, 0, lost).await.unwrap();
    let ended = store.finish(&lease, Finish::Canceled, Usage::default());
    let job = ended.await.unwrap().id;

    let (status, code, details, message) = refusal(&world.post(BODY, &[]).await);
    assert_eq!((status, code.as_str()), (402, "insufficient_credits"));
    assert_eq!(details, json!({"awaiting_usd": 0.001}));
    assert!(
        message.contains("until an operator settles them"),
        "{message}"
    );
    let usage = world.get("/v1/usage").await.json();
    assert_eq!(
        usage["credits"],
        json!({"balance_usd": 0.001, "reserved_usd": 0.001, "awaiting_usd": 0.001})
    );
    let project = LimitOwner::Project(world.project);
    let budget = LimitMetric::MonthlyBudget;
    operator.set_limit(project, budget, 900).await.unwrap();
    let (status, code, details, message) = refusal(&world.post(BODY, &[]).await);
    assert_eq!((status, code.as_str()), (429, "budget_exceeded"));
    assert_eq!(
        details,
        json!({
            "scope": "project", "resets_at": world.clock_now().next_month_start(), "limit_usd": 0.0009,
            "settled_usd": 0.0, "reserved_usd": 0.001, "awaiting_usd": 0.001
        })
    );
    assert!(
        message.contains("until an operator settles them"),
        "{message}"
    );
    let call = ProviderCallId { job, step: 0 };
    operator.reconcile_call(call, usd(100), None).await.unwrap();
    assert_eq!(world.post(BODY, &[]).await.status, 202);
}
