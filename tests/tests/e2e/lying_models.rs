//! Models that report impossible usage: every job ends, none is charged more than its calls may cost, the
//! ledger balances, a report that is not believed awaits an operator, and the organization keeps working.

use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::fake_model::FakeModel;
use serde_json::{Value, json};

use crate::playbooks::write_from_schema;
use crate::{World, on_both_engines, request, sample_site};

/// Figures that no provider can mean, or that can only mean zero.
fn figures() -> Vec<Value> {
    vec![
        json!(9_007_199_254_740_992_u64),
        json!(1e18),
        json!(1e300),
        json!(-0.0),
        json!(-5),
        json!("1e300"),
        json!("a few"),
    ]
}

/// The usage report of an honest model, with one figure replaced.
fn usage(member: &str, figure: Value) -> Value {
    let mut usage = json!({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110});
    usage[member] = figure;
    usage
}

async fn no_figure_keeps_a_job(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    model.write_with(write_from_schema);
    let hosts = [model.address.to_string()];
    let started = World::start_with(kind, test, sample_site().await, &hosts, "").await;
    let Some(world) = started else {
        return;
    };
    world.tenant.bind_model(&world.gtm, &model);
    let calls = || {
        let listed = world
            .gtm
            .cli(&["ledger", "reconcile", "list", "--limit", "10000"]);
        listed["calls"].as_array().unwrap().clone()
    };
    let mut charged = 0.0;
    for member in ["prompt_tokens", "completion_tokens", "cost"] {
        for figure in figures() {
            let shown = format!("{member}: {figure}");
            let before = calls().len();
            model.report_usage(Some(usage(member, figure.clone())));
            let created = world.client.create_playbook(&request()).await;
            let id = created["id"].as_str().unwrap();
            let job = world.client.wait(id, Duration::from_secs(60)).await;
            let cost = job["usage"]["cost_usd"].as_f64().unwrap();
            assert!((0.0..=5.0).contains(&cost), "{shown}: {job}");
            charged += cost;
            let marked = calls().split_off(before);
            // A total of 110 tokens with a zero count of one kind is not believed either.
            let plain = figure == json!(-0.0) && member == "cost";
            assert_eq!(marked.is_empty(), plain, "{shown}: {marked:?}");
            for call in &marked {
                assert_eq!(call["job"], id, "{shown}");
                let [ceiling, charged] =
                    ["ceiling_usd", "charged_usd"].map(|of| call[of].as_f64().unwrap());
                assert!(charged <= ceiling, "{shown}: {call}");
            }
            let verified = world.gtm.cli(&["ledger", "verify"]);
            assert_eq!(verified["balanced"], true, "{shown}: {verified}");
        }
    }
    // A cost that fits the ledger, although no call costs a billion.
    let before = calls().len();
    model.report_usage(Some(usage("cost", json!(1e9))));
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    charged += job["usage"]["cost_usd"].as_f64().unwrap();
    let marked = calls().split_off(before);
    assert!(!marked.is_empty());
    for call in &marked {
        assert_eq!(call["reported_usd"], 1e9, "{call}");
        assert_eq!(call["charged_usd"], call["ceiling_usd"], "{call}");
    }
    // Honest reports again: the same organization runs another job, and all charges add up.
    model.report_usage(None);
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    charged += job["usage"]["cost_usd"].as_f64().unwrap();
    let statement = world
        .gtm
        .cli(&["credit", "show", &world.tenant.organization]);
    let told = statement["charged_usd"].as_f64().unwrap();
    assert!((told - charged).abs() < 1e-6, "{told}, not {charged}");
    // No job runs any more: the remaining reservation is what the in-doubt calls may still cost.
    let held: f64 = calls()
        .iter()
        .map(|call| call["held_usd"].as_f64().unwrap())
        .sum();
    let verified = world.gtm.cli(&["ledger", "verify"]);
    assert_eq!(verified["balanced"], true, "{verified}");
    let usage = world.client.get("/v1/usage").await.json();
    for told in [
        &statement["reserved_usd"],
        &statement["awaiting_usd"],
        &verified["awaiting_usd"],
        &usage["credits"]["awaiting_usd"],
        &usage["budgets"][0]["awaiting_usd"],
    ] {
        assert!(
            (told.as_f64().unwrap() - held).abs() < 1e-6,
            "{told}, not {held}"
        );
    }
    assert_eq!(verified["awaiting_reconciliation"], calls().len());
}
on_both_engines!(every_job_ends, super::no_figure_keeps_a_job);
