//! Credit and budgets from the outside: refused, topped up or raised by the operator, accepted.

use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::client::Answer;
use gtm_e2e::fake_model::FakeModel;
use gtm_e2e::tenant::Tenant;
use serde_json::Value;

use crate::playbooks::write_from_schema;
use crate::{World, backend_settings, on_both_engines, request, sample_site};

/// A refused create: its status, code and details, and no `Retry-After`.
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
    // The refused create left nothing behind: the same key makes the job now.
    let accepted = create("first").await;
    assert_eq!(accepted.status, 202);
    let id = accepted.json()["id"].as_str().unwrap().to_owned();
    let job = client.wait(&id, Duration::from_secs(60)).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    let cost = job["usage"]["cost_usd"].as_f64().unwrap();
    assert!(cost > 0.0);
    let statement = gtm.cli(&["credit", "show", &tenant.organization]);
    assert_eq!(statement["charged_usd"], cost);
    assert_eq!(statement["reserved_usd"], 0.0);

    // A budget of one micro-dollar is used up in the middle of the month.
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
