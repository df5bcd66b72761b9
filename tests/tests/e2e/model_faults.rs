//! Models that refuse, stall, or answer nonsense: the job ends with a specific error, what was consumed is
//! charged, and nothing is made up.

use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::fake_model::{FakeModel, Reply};
use serde_json::{Value, json};

use crate::playbooks::write_from_schema;
use crate::{World, request, sample_site};

async fn run(replies: Vec<Reply>) -> (Value, FakeModel, World) {
    let model = FakeModel::start().await;
    model.write_with(write_from_schema);
    model.next(replies);
    let world = World::start_with(
        Database::Sqlite,
        "model_faults",
        sample_site().await,
        &[model.address.to_string()],
        "",
    )
    .await
    .unwrap();
    world.tenant.bind_model(&world.gtm, &model);
    let job = world.client.playbook(&request()).await;
    (job, model, world)
}

fn failed_with(job: &Value, code: &str) {
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["result"], Value::Null);
    assert_eq!(job["error"]["code"], code, "{job}");
}

/// The parts of a playbook are requested at the same time, each at most once.
fn never_twice(model: &FakeModel) {
    let mut bodies: Vec<String> = model.requests().iter().map(Value::to_string).collect();
    assert!(!bodies.is_empty());
    let all = bodies.len();
    bodies.sort();
    bodies.dedup();
    assert_eq!(bodies.len(), all, "a request was sent twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_is_refused() {
    let body = json!({"error": {"message": "Incorrect API key", "type": "invalid_request_error", "code": "invalid_api_key"}});
    let (job, model, _world) = run(vec![Reply::Status(401, vec![], body.to_string()); 4]).await;
    failed_with(&job, "connector_credentials_rejected");
    never_twice(&model);
    assert_eq!(job["usage"]["cost_usd"], json!(0.0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_busy_model_is_asked_again_by_the_host() {
    let busy = Reply::Status(
        429,
        vec![("retry-after", "1".to_owned())],
        json!({"error": {"message": "slow down"}}).to_string(),
    );
    let (job, model, _world) = run(vec![busy]).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    assert!(model.requests().len() >= 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_stays_broken() {
    let (job, model, _world) = run(vec![Reply::Status(500, vec![], "oops".to_owned()); 40]).await;
    failed_with(&job, "backend_unavailable");
    assert!(
        (1..=10).contains(&model.requests().len()),
        "bounded retries: {}",
        model.requests().len()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_json() {
    let (job, _model, _world) = run(vec![Reply::HalfJson; 40]).await;
    failed_with(&job, "backend_invalid_response");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_wrong_schema_is_repaired_once_and_then_refused() {
    let wrong = Reply::Text(json!({"poem": "roses"}).to_string());
    let (job, model, _world) = run(vec![wrong; 40]).await;
    failed_with(&job, "backend_invalid_response");
    let parts = usize::try_from(job["usage"]["backend_requests"].as_u64().unwrap()).unwrap();
    assert_eq!(model.requests().len(), parts);
    let is_first = |r: &&Value| r["messages"].as_array().unwrap().len() == 2;
    let firsts = model.requests().iter().filter(is_first).count();
    assert_eq!(parts, 2 * firsts, "one repair of each part, no more");
    assert!(
        job["usage"]["cost_usd"].as_f64().unwrap() > 0.0,
        "what was consumed is charged: {job}"
    );
    assert!(job["usage"]["tokens"].as_i64().unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_bad_answer_is_repaired() {
    let (job, model, _world) = run(vec![Reply::Text("Sure! Here is your JSON:".to_owned())]).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    assert!(model.requests().len() >= 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_at_all() {
    let (job, model, _world) = run(vec![Reply::Nothing; 40]).await;
    // The provider may have processed the request, so it is never sent again silently.
    failed_with(&job, "backend_unavailable");
    never_twice(&model);
}

/// Nobody knows the cost of such a call until the provider's invoice arrives: the operator sees the call and
/// settles it, and the caller sees both.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_lost_answer_cost_is_settled_with_the_invoice() {
    let (job, _model, world) = run(vec![Reply::Nothing; 40]).await;
    let id = job["id"].as_str().unwrap();
    let told = async || {
        let receipts = world
            .client
            .get(&format!("/v1/jobs/{id}/receipts?limit=100"))
            .await;
        let receipts = receipts.json()["receipts"].as_array().unwrap().clone();
        let marked = receipts
            .into_iter()
            .map(|receipt| receipt["reconciliation"].clone());
        marked.filter(|state| !state.is_null()).collect::<Vec<_>>()
    };
    let listed = world.gtm.cli(&["ledger", "reconcile", "list"]);
    let calls = listed["calls"].as_array().unwrap();
    assert!(!calls.is_empty(), "{job}");
    let told_first = told().await;
    assert!(
        !told_first.is_empty() && told_first.iter().all(|state| state == "awaiting"),
        "{told_first:?}"
    );
    let charged = job["usage"]["cost_usd"].as_f64().unwrap();
    for call in calls {
        assert_eq!(call["job"], id);
        assert!(call["ceiling_usd"].as_f64().unwrap() > 0.0, "{call}");
        let call = call["id"].as_str().unwrap();
        let settle = [
            "ledger",
            "reconcile",
            "settle",
            call,
            "--cost-usd",
            "0.0125",
        ];
        for _ in 0..2 {
            let settled = world.gtm.cli(&settle);
            assert_eq!(
                (&settled["reconciliation"], &settled["cost_usd"]),
                (&json!("settled"), &json!(0.0125))
            );
        }
        let other = ["ledger", "reconcile", "settle", call, "--cost-usd", "1"];
        assert_eq!(world.gtm.cli_output(&other, &[]).status.code(), Some(1));
    }
    assert!(told().await.iter().all(|state| state == "settled"));
    let shown = world.gtm.cli(&["job", "show", id]);
    assert_eq!(
        shown["calls_to_reconcile"].as_array().unwrap().len(),
        calls.len()
    );
    let verified = world.gtm.cli(&["ledger", "verify"]);
    assert_eq!(
        (&verified["balanced"], &verified["awaiting_reconciliation"]),
        (&json!(true), &json!(0))
    );
    let usage = world.client.get("/v1/usage").await.json();
    let total = usage["totals"]["cost_usd"].as_f64().unwrap();
    #[expect(clippy::cast_precision_loss, reason = "a handful")]
    let wanted = charged + 0.0125 * calls.len() as f64;
    assert!((total - wanted).abs() < 1e-9, "{total}, not {wanted}");

    // After an outage without cost, one command settles all calls, of one job or of the connection.
    let connection = calls[0]["connection"].as_str().unwrap();
    for by_job in [true, false] {
        let job = world.client.playbook(&request()).await;
        let id = job["id"].as_str().unwrap();
        let of: [&str; 2] = if by_job {
            ["--job", id]
        } else {
            ["--connection", connection]
        };
        let settle = ["ledger", "reconcile", "settle", "--cost-usd", "0"];
        let settle = [&settle[..], &of[..]].concat();
        let settled = world.gtm.cli(&settle);
        let settled_calls = settled["calls"].as_array().unwrap();
        assert!(!settled_calls.is_empty(), "{settled}");
        assert!(settled_calls.iter().all(|call| call["job"] == id));
        assert_eq!(settled["left"], json!([]));
        let left = world.gtm.cli(&["ledger", "reconcile", "list"]);
        assert_eq!(left["calls"], json!([]));
        assert_eq!(world.gtm.cli_output(&settle, &[]).status.code(), Some(1));
        let log = ["audit", "list", "--action", "provider_call.reconciled"];
        let entries = world.gtm.cli(&log);
        let told = entries["entries"].as_array().unwrap().iter();
        let of_job = told.filter(|entry| entry.to_string().contains(id));
        assert_eq!(of_job.count(), settled_calls.len(), "{entries}");
    }
    let again = world.client.get(&format!("/v1/jobs/{id}")).await.json();
    assert_eq!(again["usage"], job["usage"], "an ended job stays as it was");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn usage_that_is_missing_is_not_zero() {
    let (job, _model, _world) = run(vec![Reply::NoUsage("{}".to_owned()); 40]).await;
    failed_with(&job, "backend_invalid_response");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spend_is_capped_before_it_happens() {
    let model = FakeModel::start().await;
    model.write_with(write_from_schema);
    let toml = "[engine]\njob_cost_cap_usd = 0.01\n";
    let world = World::start_with(
        Database::Sqlite,
        "budget",
        sample_site().await,
        &[model.address.to_string()],
        toml,
    )
    .await
    .unwrap();
    // At a thousand dollars per million tokens, not even one call fits under a cent.
    let settings = json!({"base_url": model.base_url(), "model": "fake-1",
        "prices": {"input_per_million_usd": 1000.0, "output_per_million_usd": 1000.0}});
    world.tenant.bind_model_with(&world.gtm, settings);
    let job = world.client.playbook(&request()).await;
    failed_with(&job, "budget_exceeded");
    assert!(
        model.requests().is_empty(),
        "the call was made although the cap forbids it"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_model_does_not_block_other_jobs() {
    let (job, model, world) = run(vec![]).await;
    assert_eq!(job["status"], "succeeded");
    // Longer than the other tenant can take on a busy machine; no test waits for it.
    model.set_latency(Duration::from_secs(120));
    let slow = world.client.create_playbook(&request()).await;
    let other = gtm_e2e::tenant::Tenant::create(&world.gtm, "Other");
    other.bind_web(&world.gtm);
    other.bind_backend(
        &world.gtm,
        "playbook",
        &crate::backend_settings(&world.site),
    );
    let quick = other.client(&world.gtm).playbook(&request()).await;
    assert_eq!(quick["status"], "succeeded");
    let slow = world
        .client
        .get(&format!("/v1/jobs/{}", slow["id"].as_str().unwrap()))
        .await
        .json();
    assert!(
        slow["status"] == "running" || slow["status"] == "queued",
        "{slow}"
    );
}
