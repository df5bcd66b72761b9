//! Tests of the possible cost of calls with a lost answer: neither their job nor another one spends it
//! again.

use std::time::Duration;

use gtm_domain::money::{LimitMetric, LimitOwner};
use gtm_domain::{ConnectionId, Failure, FailureKind, JobStatus, MicroUsd};
use gtm_engine::Workers;
use serde_json::json;

use crate::harness::{Harness, Victim, code};
use crate::scripted::{
    ScriptedConnectors, answers, ask, complete, completion, facts, script, small_draft,
};
use crate::unsettled::{marked, priced, sound};

/// A project whose model never answers, so that its charges are unknown.
async fn never_answering() -> (Harness, ConnectionId) {
    priced(|| {
        let mut outcome = completion("hi", 100, 10);
        outcome.result = Err(Failure::new(FailureKind::Timeout, "timeout", "no answer"));
        outcome.meters.tokens = None;
        outcome
    })
    .await
}

#[tokio::test]
async fn a_lost_answer_keeps_its_ceiling_within_the_jobs_budget() {
    let (mut harness, _) = never_answering().await;
    harness.config.job_cost_cap = MicroUsd::from_micros(5_000);
    let job = harness
        .run(script(|host, _| async move {
            for n in 0..100 {
                ask(&host, vec![complete(&format!("call {n}"), 100)])
                    .await?
                    .remove(0)
                    .unwrap_err();
            }
            Ok(small_draft())
        }))
        .await;
    assert_eq!(code(&job), "budget_exceeded");
    let details = job.error.unwrap().details.unwrap();
    assert_eq!(details["scope"], "job");
    assert_eq!(details["settled_usd"], 0.0);
    let held: MicroUsd = marked(&harness)
        .await
        .iter()
        .map(|call| call.ceiling.unwrap())
        .sum();
    assert!(
        held > MicroUsd::ZERO && held <= MicroUsd::from_micros(5_000),
        "{held}"
    );
    assert_eq!(details["reserved_usd"], held.usd());
    assert_eq!(job.usage.cost, MicroUsd::ZERO);
    sound(&harness).await;
}

#[tokio::test]
async fn a_resumed_job_still_holds_what_lost_answers_may_cost() {
    let (mut harness, _) = never_answering().await;
    harness.config.lease = Duration::from_secs(2);
    // Room for one such call, but not for two.
    harness.config.job_cost_cap = MicroUsd::from_micros(1_600);
    let job = harness
        .run(script(|host, _| async move {
            ask(&host, vec![complete("first", 100)])
                .await?
                .remove(0)
                .unwrap_err();
            if FIRST_RUN.swap(false, std::sync::atomic::Ordering::SeqCst) {
                panic!("a fault of the host, for the test");
            }
            ask(&host, vec![complete("second", 100)]).await?;
            Ok(small_draft())
        }))
        .await;
    assert_eq!((code(&job), job.attempts), ("budget_exceeded", 2));
    sound(&harness).await;
}

#[tokio::test]
async fn what_lost_answers_may_have_cost_is_not_spent_again_by_other_jobs() {
    let (harness, _) = never_answering().await;
    let operator = harness.store.operator();
    // Room for two such calls, but not for three.
    let (owner, metric) = (
        LimitOwner::Project(harness.project),
        LimitMetric::MonthlyBudget,
    );
    operator.set_limit(owner, metric, 3_000).await.unwrap();
    let one_lost = || {
        script(|host, _| async move {
            ask(&host, vec![complete("one", 100)])
                .await?
                .remove(0)
                .unwrap_err();
            Ok(small_draft())
        })
    };
    for _ in 0..2 {
        let job = harness.run(one_lost()).await;
        assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    }
    let refused = harness.run(one_lost()).await;
    assert_eq!(code(&refused), "budget_exceeded");
    assert_eq!(harness.connectors.total(), 2);
    let calls = marked(&harness).await;
    let held: MicroUsd = calls.iter().map(|call| call.held).sum();
    assert_eq!(
        calls
            .iter()
            .map(|call| call.ceiling.unwrap())
            .sum::<MicroUsd>(),
        held
    );
    let error = refused.error.unwrap();
    let details = error.details.unwrap();
    assert_eq!(
        (&details["scope"], &details["settled_usd"]),
        (&json!("project"), &json!(0.0))
    );
    assert_eq!(details["awaiting_usd"], held.usd());
    assert!(
        error.message.contains("calls in doubt"),
        "{}",
        error.message
    );
    sound(&harness).await;
    // An operator with the invoice frees what the provider did not charge.
    for call in calls {
        let settled = operator.reconcile_call(call.id, MicroUsd::from_micros(10), None);
        settled.await.unwrap();
    }
    let job = harness.run(one_lost()).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    sound(&harness).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_time_that_a_call_is_made_again_counts_against_the_jobs_cap() {
    let connectors = ScriptedConnectors::new(answers(|_| std::future::pending()));
    let mut harness = Harness::new(connectors).await;
    let known = facts(true, false, true);
    let all = &harness.connectors.facts;
    all.lock().unwrap().insert("model.complete".into(), known);
    let prices = json!({"prices": {"input_per_million_usd": 1.0, "output_per_million_usd": 10.0}});
    harness
        .bind_connection("model.complete", "model.complete", prices)
        .await;
    // Room for two attempts, but not for three.
    harness.config.job_cost_cap = MicroUsd::from_micros(3_000);
    harness.config.lease = Duration::from_secs(1);
    let ask_once = || {
        script(|host, _| async move {
            ask(&host, vec![complete("first", 100)]).await?;
            Ok(small_draft())
        })
    };
    let id = harness.create(&harness.engine(ask_once())).await;
    for times in 1..=2 {
        let victim = Victim::start(harness.engine(ask_once()));
        let connectors = harness.connectors.clone();
        connectors.asked(times).await;
        victim.kill();
    }
    let workers = Workers::start(&harness.engine(ask_once()));
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!((code(&job), job.attempts), ("budget_exceeded", 3));
    assert_eq!(harness.connectors.total(), 2);
    let calls = marked(&harness).await;
    let ceiling = calls[0].ceiling.unwrap();
    assert_eq!((calls.len(), calls[0].held), (1, ceiling + ceiling));
    let details = job.error.unwrap().details.unwrap();
    assert_eq!(
        (&details["scope"], &details["reserved_usd"]),
        (&json!("job"), &json!(calls[0].held.usd()))
    );
    sound(&harness).await;
}

static FIRST_RUN: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(true);
