//! Credit and budgets from the outside: a create is refused, the operator grants credit or raises the budget,
//! and it is accepted.

use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::client::Answer;
use gtm_e2e::fake_model::FakeModel;
use gtm_e2e::tenant::Tenant;
use serde_json::Value;

use crate::playbooks::write_from_schema;
use crate::{World, backend_settings, on_both_engines, request, sample_site};

/// Status, code and details of a refused create; asserts that there is no `Retry-After`.
fn refusal(answer: &Answer) -> (u16, String, Value) {
    let error = answer.json()["error"].clone();
    assert_eq!(answer.header("retry-after"), None, "{error}");
    (
        answer.status,
        error["code"].as_str().unwrap().to_owned(),
        error["details"].clone(),
    )
}

async fn credit_and_budget(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    model.write_with(write_from_schema);
    let hosts = [model.address.to_string()];
    let site = sample_site().await;
    let Some(world) = World::start_with(kind, test, site, &hosts, "").await else {
        return;
    };
    let gtm = &world.gtm;
    let tenant = Tenant::without_credit(gtm, "Frugal");
    tenant.bind_web(gtm);
    tenant.bind_backend(gtm, "playbook", &backend_settings(&world.site));
    tenant.bind_model(gtm, &model);
    let client = tenant.client(gtm);
    let create = |key: &'static str| {
        let client = &client;
        async move { client.post("/v1/playbooks", &request(), Some(key)).await }
    };

    let refused = create("first").await;
    assert_eq!(
        refusal(&refused),
        (402, "insufficient_credits".to_owned(), Value::Null)
    );
    assert!(model.requests().is_empty(), "nothing was begun");
    let granted = gtm.cli(&[
        "credit",
        "grant",
        &tenant.organization,
        "2.50",
        "--note",
        "test",
    ]);
    assert_eq!(granted["balance_usd"], 2.5);
    // The refused create left nothing behind: the same key now creates the job.
    let accepted = create("first").await;
    assert_eq!(accepted.status, 202);
    let id = accepted.json()["id"].as_str().unwrap().to_owned();
    let job = client.wait(&id, Duration::from_secs(200)).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    let cost = job["usage"]["cost_usd"].as_f64().unwrap();
    assert!(cost > 0.0);
    let statement = gtm.cli(&["credit", "show", &tenant.organization]);
    assert_eq!(statement["charged_usd"], cost);
    assert_eq!(statement["reserved_usd"], 0.0);

    // A budget of one micro-dollar, set in the middle of the month, is used up already.
    gtm.cli(&["budget", "set", "--project", &tenant.project, "0.000001"]);
    let refused = create("second").await;
    let (status, code, details) = refusal(&refused);
    assert_eq!((status, code.as_str()), (429, "budget_exceeded"));
    assert_eq!(details["scope"], "project");
    let resets_at = details["resets_at"].as_str().unwrap();
    assert!(resets_at.ends_with("-01T00:00:00.000Z"), "{resets_at}");
    let replayed = create("first").await;
    assert_eq!(
        (replayed.status, replayed.bytes),
        (202, accepted.bytes),
        "a replay is never refused"
    );
    gtm.cli(&["budget", "set", "--project", &tenant.project, "2"]);
    let job = client.playbook(&request()).await;
    assert_eq!(job["status"], "succeeded", "{job}");

    gtm.cli(&["quota", "set", "--key", &tenant.key_id, "2"]);
    let (status, code, details) = refusal(&create("third").await);
    assert_eq!((status, code.as_str()), (429, "quota_exceeded"));
    assert_eq!(details["scope"], "key");
    gtm.cli(&["quota", "clear", "--key", &tenant.key_id]);
    assert_eq!(create("third").await.status, 202);
    assert_eq!(gtm.cli(&["ledger", "verify"])["balanced"], true);
}
on_both_engines!(refused_then_accepted, super::credit_and_budget);

/// A working day: fifty jobs are queued or running, and none is refused for money that nobody spends.
struct WorkingDay {
    world: World,
    tenant: Tenant,
    model: FakeModel,
    ids: Vec<String>,
}

impl WorkingDay {
    async fn begin(kind: Database, test: &str, credit: &str) -> Option<Self> {
        let model = FakeModel::start().await;
        model.write_with(write_from_schema);
        // So slow that no job ends before all fifty are created.
        model.set_latency(Duration::from_secs(30));
        let hosts = [model.address.to_string()];
        let world = World::start_with(kind, test, sample_site().await, &hosts, "").await?;
        let gtm = &world.gtm;
        let tenant = Tenant::without_credit(gtm, "Busy");
        tenant.bind_web(gtm);
        tenant.bind_backend(gtm, "playbook", &backend_settings(&world.site));
        tenant.bind_model(gtm, &model);
        gtm.cli(&["credit", "grant", &tenant.organization, credit]);
        let client = tenant.client(gtm);
        let mut ids = Vec::new();
        for n in 0..50 {
            let key = format!("job-{n}");
            let accepted = client.post("/v1/playbooks", &request(), Some(&key)).await;
            assert_eq!(accepted.status, 202, "{n}: {}", accepted.json());
            ids.push(accepted.json()["id"].as_str().unwrap().to_owned());
        }
        let usage = client.get("/v1/usage").await.json();
        assert_eq!(usage["totals"]["jobs"]["active"], 50, "{usage}");
        assert_eq!(usage["usage_tier"]["key"], "tier_1");
        // A quarter of a dollar each, the amount for jobs of unknown cost; the CLI reports the same.
        assert_eq!(usage["credits"]["reserved_usd"], 12.5, "{usage}");
        let granted: f64 = credit.parse().unwrap();
        assert_eq!(usage["credits"]["balance_usd"], granted);
        let statement = gtm.cli(&["credit", "show", &tenant.organization]);
        assert_eq!(statement["reserved_usd"], 12.5);
        assert_eq!(statement["spendable_usd"], granted - 12.5);
        let tier = &usage["budgets"][0];
        assert_eq!(
            (&tier["scope"], &tier["limit_usd"], &tier["reserved_usd"]),
            (
                &Value::from("usage_tier"),
                &Value::from(100.0),
                &Value::from(12.5)
            )
        );
        Some(Self {
            world,
            tenant,
            model,
            ids,
        })
    }

    async fn end(self) {
        let (gtm, client) = (&self.world.gtm, self.tenant.client(&self.world.gtm));
        self.model.set_latency(Duration::ZERO);
        let mut charged = 0.0;
        for id in &self.ids {
            let job = client.wait(id, Duration::from_secs(240)).await;
            assert_eq!(job["status"], "succeeded", "{job}");
            charged += job["usage"]["cost_usd"].as_f64().unwrap();
        }
        let statement = gtm.cli(&["credit", "show", &self.tenant.organization]);
        assert_eq!(statement["reserved_usd"], 0.0);
        assert!((statement["charged_usd"].as_f64().unwrap() - charged).abs() < 1e-6);
        assert_eq!(gtm.cli(&["ledger", "verify"])["balanced"], true);
        // The cost of such a job is known now, so the next one reserves about as much.
        self.model.set_latency(Duration::from_secs(30));
        let next = client.create_playbook(&request()).await;
        let shown = gtm.cli(&["job", "show", next["id"].as_str().unwrap()]);
        let (reserved, each) = (shown["reserved_usd"].as_f64().unwrap(), charged / 50.0);
        let about = each / 2.0..each * 2.0;
        assert!(about.contains(&reserved), "{reserved} for {each}");
    }
}

async fn with_25_dollars(kind: Database, test: &str) {
    if let Some(day) = WorkingDay::begin(kind, test, "25").await {
        day.end().await;
    }
}
async fn in_tier_1(kind: Database, test: &str) {
    WorkingDay::begin(kind, test, "1000").await;
}
on_both_engines!(fifty_open_jobs_with_25_dollars, super::with_25_dollars);
on_both_engines!(fifty_open_jobs_in_tier_1, super::in_tier_1);

/// A job whose next call exceeds a limit ends with that limit's name, and is charged for its earlier calls.
async fn a_call_that_does_not_fit(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    model.write_with(write_from_schema);
    let hosts = [model.address.to_string()];
    let Some(world) = World::start_with(kind, test, sample_site().await, &hosts, "").await else {
        return;
    };
    let gtm = &world.gtm;
    world.tenant.bind_model(gtm, &model);
    let project = &world.tenant.project;
    gtm.cli(&["budget", "set", "--project", project, "0.000100"]);
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["status"], "failed", "{job}");
    let error = &job["error"];
    assert_eq!(error["code"], "budget_exceeded", "{error}");
    assert_eq!(error["details"]["scope"], "project");
    assert!(error["details"]["resets_at"].is_string());
    assert!(
        error["details"]["call_usd"].as_f64().unwrap() > 0.0001,
        "{error}"
    );
    assert!(model.requests().is_empty(), "the call was not made");
    gtm.cli(&["budget", "clear", "--project", project]);

    // A job reserves the expected cost that its binding states.
    let bind = [
        "binding",
        "create",
        "--project",
        project,
        "--capability",
        "playbooks",
        "--backend",
        "playbook",
        "--settings-json",
        r#"{"max_pages":8,"allow_evidence_only":true}"#,
        "--expected-cost-usd",
    ];
    let bound = gtm.cli(&[&bind[..], &["0.08"]].concat());
    assert_eq!(bound["expected_cost_usd"], 0.08);
    let negative = gtm.cli_output(&[&bind[..], &["-0.08"]].concat(), &[]);
    assert_eq!(negative.status.code(), Some(2));
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    let shown = gtm.cli(&["job", "show", job["id"].as_str().unwrap()]);
    assert_eq!(shown["reserved_usd"], 0.08);
    model.forget();

    let poor = Tenant::without_credit(gtm, "Poor");
    poor.bind_web(gtm);
    poor.bind_backend(gtm, "playbook", &backend_settings(&world.site));
    poor.bind_model(gtm, &model);
    gtm.cli(&["credit", "grant", &poor.organization, "0.000100"]);
    let job = poor.client(gtm).playbook(&request()).await;
    assert_eq!(job["error"]["code"], "insufficient_credits", "{job}");
    assert!(model.requests().is_empty(), "the call was not made");
    assert_eq!(gtm.cli(&["ledger", "verify"])["balanced"], true);
}
on_both_engines!(a_call_over_the_limit, super::a_call_that_does_not_fit);
