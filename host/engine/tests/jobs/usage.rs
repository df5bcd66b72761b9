//! Tests of the usage recorded for a job, whatever its end: the time of its calls, and calls whose answer
//! was lost.

use std::sync::Arc;
use std::time::Duration;

use gtm_domain::job::Job;
use gtm_domain::{Failure, FailureKind, JobStatus, MicroUsd};
use gtm_engine::Workers;
use gtm_engine::plugins::OperationFacts;
use gtm_runtime::egress::Sendings;
use gtm_runtime::{ConnectorOutcome, PluginError};
use gtm_store::MarkedCallFilter;
use serde_json::json;
use tokio::sync::Barrier;

use crate::harness::{Harness, TestClock, Victim, code};
use crate::scripted::{
    Answer, Script, ScriptedConnectors, answers, ask, complete, completion, facts, fetch, page,
    script, small_draft,
};
use crate::unsettled::{marked, sound};

/// How long each call takes in these tests, by a clock that nothing else moves.
const CALL: Duration = Duration::from_millis(300);

/// Three calls run concurrently and end together; every further call runs alone.
fn slow(clock: &Arc<TestClock>) -> Answer {
    let clock = Arc::clone(clock);
    let (begun, ended) = (Arc::new(Barrier::new(3)), Arc::new(Barrier::new(3)));
    answers(move |call| {
        let (clock, begun, ended) = (clock.clone(), begun.clone(), ended.clone());
        async move {
            let url = call.input["url"].as_str().unwrap().to_owned();
            if url.ends_with("/d") {
                clock.advance(CALL);
            } else {
                if begun.wait().await.is_leader() {
                    clock.advance(CALL);
                }
                ended.wait().await;
            }
            let mut outcome: ConnectorOutcome = page(&url, "<p>A</p>");
            outcome.resources.wall_ms = 300;
            outcome
        }
    })
}

/// Makes three concurrent calls, then one more, and then ends as given.
fn four_calls(fails: bool) -> Script {
    script(move |host, _| async move {
        let list = ["a", "b", "c"].map(|name| fetch(&format!("https://acme.example/{name}")));
        ask(&host, list.to_vec()).await?;
        ask(&host, vec![fetch("https://acme.example/d")]).await?;
        if fails {
            let failure = Failure::new(FailureKind::NotFound, "insufficient_evidence", "No.");
            Err(PluginError::Failure(failure))
        } else {
            Ok(small_draft())
        }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_at_once_take_their_time_once_whatever_the_end() {
    for (fails, status) in [(false, JobStatus::Succeeded), (true, JobStatus::Failed)] {
        let clock = TestClock::standing_still();
        let connectors = ScriptedConnectors::new(slow(&clock));
        let harness = Harness::at(clock, connectors).await;
        let job = harness.run(four_calls(fails)).await;
        assert_eq!(job.status, status, "{:?}", job.error);
        // And one millisecond of the backend's own.
        assert_eq!(job.usage.backend_runtime_ms, 601, "{status:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_canceled_job_counts_its_time_by_the_same_rule() {
    let clock = TestClock::standing_still();
    let connectors = ScriptedConnectors::new(slow(&clock));
    let harness = Harness::at(clock, connectors).await;
    let engine = harness.engine(script(|host, _| async move {
        let list = ["a", "b", "c"].map(|name| fetch(&format!("https://acme.example/{name}")));
        ask(&host, list.to_vec()).await?;
        std::future::pending().await
    }));
    let id = harness.create(&engine).await;
    let workers = Workers::start(&engine);
    harness.settled(id, 3).await;
    harness.store.operator().cancel_job(id).await.unwrap();
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(job.status, JobStatus::Canceled);
    // And one millisecond of the backend's own.
    assert_eq!(job.usage.backend_runtime_ms, 301);
}

/// Kills the host during a model call, and lets another host end the job.
async fn killed_while_asking(known: OperationFacts, canceled: bool) -> (Harness, Job) {
    killed_and_answered(known, canceled, || completion("hi", 100, 10)).await
}

/// Like [`killed_while_asking`], with this answer to a repeated call.
async fn killed_and_answered(
    known: OperationFacts,
    canceled: bool,
    answer: fn() -> ConnectorOutcome,
) -> (Harness, Job) {
    let hangs = answers(move |call| async move {
        if call.nth == 1 {
            std::future::pending::<()>().await;
        }
        answer()
    });
    let harness = Harness::new(ScriptedConnectors::new(hangs)).await;
    let all = &harness.connectors.facts;
    all.lock().unwrap().insert("model.complete".into(), known);
    let prices = json!({"prices": {"input_per_million_usd": 1.0, "output_per_million_usd": 10.0}});
    harness
        .bind_connection("model.complete", "model.complete", prices)
        .await;
    let ask_once = || {
        script(|host, _| async move {
            ask(&host, vec![complete("first", 100)]).await?;
            Ok(small_draft())
        })
    };
    let engine = harness.engine(ask_once());
    let id = harness.create(&engine).await;
    let victim = Victim::start(engine);
    let connectors = harness.connectors.clone();
    connectors.asked(1).await;
    victim.kill();
    if canceled {
        // Nobody resumes the job: an operator cancels it first.
        harness.store.operator().cancel_job(id).await.unwrap();
    }
    let workers = Workers::start(&harness.engine(ask_once()));
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    (harness, job)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_with_a_lost_answer_counts_as_sent_and_awaits_reconciliation() {
    for takes_idempotency_key in [false, true] {
        let known = facts(false, takes_idempotency_key, true);
        let (harness, job) = killed_while_asking(known, takes_idempotency_key).await;
        if takes_idempotency_key {
            assert_eq!(job.status, JobStatus::Canceled);
        } else {
            assert_eq!(code(&job), "provider_outcome_unknown");
        }
        assert_eq!(harness.connectors.total(), 1, "it was not made twice");
        let usage = &job.usage;
        assert_eq!(
            (usage.connector_requests, usage.backend_requests, usage.cost),
            (1, 1, MicroUsd::ZERO)
        );
        let filter = MarkedCallFilter {
            limit: 10,
            ..MarkedCallFilter::default()
        };
        let operator = harness.store.operator();
        let marked = operator.marked_calls(&filter).await.unwrap();
        assert_eq!(marked.len(), 1, "{marked:?}");
        assert_eq!((marked[0].id.job, marked[0].id.step), (job.id, 0));
        assert!(marked[0].ceiling.is_some_and(MicroUsd::is_positive));
        operator
            .reconcile_call(marked[0].id, MicroUsd::from_micros(210), None)
            .await
            .unwrap();
        let report = harness.store.verify_ledger().await.unwrap();
        assert!(report.is_sound(), "{report:?}");
        assert_eq!(report.charged, MicroUsd::from_micros(210));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_maybe_made_twice_awaits_reconciliation() {
    for (takes_idempotency_key, awaiting) in [(false, 1), (true, 0)] {
        let known = facts(true, takes_idempotency_key, true);
        let (harness, job) = killed_while_asking(known, false).await;
        assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
        assert_eq!(harness.connectors.total(), 2, "it may be repeated");
        assert_eq!(job.usage.cost, MicroUsd::from_micros(200));
        let filter = MarkedCallFilter {
            limit: 10,
            ..MarkedCallFilter::default()
        };
        let marked = harness.store.operator().marked_calls(&filter).await;
        let marked = marked.unwrap();
        assert_eq!(marked.len(), awaiting, "{marked:?}");
        // The first attempt may have cost as much as the second was allowed to.
        let held: Vec<_> = marked.iter().map(|call| Some(call.held)).collect();
        let ceilings: Vec<_> = marked.iter().map(|call| call.ceiling).collect();
        assert_eq!(held, ceilings);
        let report = harness.store.verify_ledger().await.unwrap();
        assert!(report.is_sound(), "{report:?}");
    }
}

/// The failure of a repeated call.
fn fails(code: &str) -> ConnectorOutcome {
    let mut outcome = completion("hi", 100, 10);
    outcome.result = Err(Failure::new(FailureKind::Upstream, code, "x"));
    outcome.meters.tokens = None;
    outcome
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_says_nothing_of_the_first_time_if_the_repeat_fails() {
    let never_reached = || {
        let mut outcome = fails("connect_failed");
        outcome.exchanges.clear();
        outcome.sendings = Sendings::default();
        outcome
    };
    let refused = || {
        let mut outcome = fails("http_409");
        outcome.exchanges[0].receipt.status = Some(409);
        outcome
    };
    let lost_again = || {
        let mut outcome = fails("timeout");
        outcome.exchanges[0].receipt.status = None;
        outcome.sendings = Sendings { sent: 1, lost: 1 };
        outcome
    };
    let repeats: [fn() -> ConnectorOutcome; 3] = [never_reached, refused, lost_again];
    for (n, repeat) in repeats.into_iter().enumerate() {
        let (harness, job) = killed_and_answered(facts(true, true, true), false, repeat).await;
        assert_eq!(job.status, JobStatus::Succeeded, "{n}: {:?}", job.error);
        assert_eq!(harness.connectors.total(), 2, "{n}: it may be repeated");
        assert_eq!(job.usage.cost, MicroUsd::ZERO, "{n}");
        let calls = marked(&harness).await;
        assert_eq!(calls.len(), 1, "{n}: {calls:?}");
        // The provider recognizes both attempts by the key, so it charges for only one.
        assert_eq!(Some(calls[0].held), calls[0].ceiling, "{n}");
        sound(&harness).await;
    }
}
