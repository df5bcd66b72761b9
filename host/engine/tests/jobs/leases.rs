//! Tests of leases: handed back at a shutdown, fenced when lost.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use gtm_domain::step::StepState;
use gtm_domain::{Failure, FailureKind, JobStatus};
use gtm_engine::Workers;
use gtm_runtime::egress::Sendings;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::harness::{Harness, Victim};
use crate::scripted::{
    Script, ScriptedConnectors, answers, ask, complete, completion, facts, failed, fetch, page,
    pages, script, small_draft,
};
use crate::unsettled::{marked, sound};

const A: &str = "https://acme.example/a";
const B: &str = "https://acme.example/b";

fn a_then_b() -> Script {
    script(|host, _| async move {
        ask(&host, vec![fetch(A)]).await?.remove(0).unwrap();
        ask(&host, vec![fetch(B)]).await?.remove(0).unwrap();
        Ok(small_draft())
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_settles_the_call_under_way_and_hands_the_job_back() {
    let go_on = Arc::new(Semaphore::new(0));
    let waits = Arc::clone(&go_on);
    let slow = ScriptedConnectors::new(answers(move |call| {
        let waits = Arc::clone(&waits);
        async move {
            let _turn = waits.acquire().await.unwrap();
            page(call.input["url"].as_str().unwrap(), "<p>text</p>")
        }
    }));
    let mut harness = Harness::new(slow.clone()).await;
    harness.config.lease = Duration::from_secs(60);
    let engine = harness.engine(a_then_b());
    let id = harness.create(&engine).await;
    let workers = Workers::start(&engine);
    slow.asked_for(A, 1).await;
    // The answer arrives after the shutdown has begun.
    tokio::join!(workers.shutdown(Duration::from_secs(60)), async {
        go_on.add_permits(1);
    });
    assert_eq!(harness.job(id).await.status, JobStatus::Running);
    assert_eq!((slow.count(A), slow.count(B)), (1, 0));
    // The lease would last for a minute; once handed back, it is free at once.
    let workers = Workers::start(&harness.engine(a_then_b()));
    assert_eq!(harness.ended(id).await.status, JobStatus::Succeeded);
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!((slow.count(A), slow.count(B)), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_cut_off_by_a_shutdown_is_in_doubt_and_not_failed() {
    let stuck = ScriptedConnectors::new(answers(|call| async move {
        if call.nth == 1 {
            call.cancel.cancelled().await;
            let failure = Failure::new(FailureKind::Canceled, "canceled", "cut");
            let mut outcome = failed(failure, None);
            outcome.sendings = Sendings { sent: 1, lost: 1 };
            return outcome;
        }
        page(call.input["url"].as_str().unwrap(), "<p>text</p>")
    }));
    let harness = Harness::new(stuck.clone()).await;
    let only_a = || {
        script(|host, _| async move {
            ask(&host, vec![fetch(A)])
                .await?
                .remove(0)
                .expect("the cut must not be told to the backend");
            Ok(small_draft())
        })
    };
    let engine = harness.engine(only_a());
    let id = harness.create(&engine).await;
    let workers = Workers::start(&engine);
    stuck.asked_for(A, 1).await;
    workers.shutdown(Duration::from_millis(100)).await;
    let steps = harness.store.operator().job_steps(id).await.unwrap();
    assert_eq!(steps[0].state, StepState::Started);
    let workers = Workers::start(&harness.engine(only_a()));
    assert_eq!(harness.ended(id).await.status, JobStatus::Succeeded);
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(stuck.count(A), 2);
}

/// The connector is cut off before anything was sent, so no provider may charge for the call.
#[tokio::test(flavor = "multi_thread")]
async fn a_paid_call_that_never_went_out_is_made_after_the_shutdown() {
    for replay_safe in [false, true] {
        let stuck = ScriptedConnectors::new(answers(|call| async move {
            if call.nth == 1 {
                call.cancel.cancelled().await;
                let failure = Failure::new(FailureKind::Canceled, "canceled", "cut");
                return failed(failure, None);
            }
            completion("hi", 100, 10)
        }));
        let harness = Harness::new(stuck.clone()).await;
        let known = facts(replay_safe, false, true);
        let all = &harness.connectors.facts;
        all.lock().unwrap().insert("model.complete".into(), known);
        let prices =
            json!({"prices": {"input_per_million_usd": 1.0, "output_per_million_usd": 10.0}});
        harness
            .bind_connection("model.complete", "model.complete", prices)
            .await;
        let ask_once = || {
            script(|host, _| async move {
                ask(&host, vec![complete("first", 100)])
                    .await?
                    .remove(0)
                    .expect("the cut must not be told to the backend");
                Ok(small_draft())
            })
        };
        let engine = harness.engine(ask_once());
        let id = harness.create(&engine).await;
        let workers = Workers::start(&engine);
        stuck.asked(1).await;
        workers.shutdown(Duration::from_millis(100)).await;
        let operator = harness.store.operator();
        assert!(operator.job_steps(id).await.unwrap().is_empty());
        sound(&harness).await;
        let workers = Workers::start(&harness.engine(ask_once()));
        let job = harness.ended(id).await;
        workers.shutdown(Duration::from_secs(1)).await;
        assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
        assert_eq!(stuck.total(), 2);
        assert_eq!(marked(&harness).await, [], "replay safe: {replay_safe}");
        sound(&harness).await;
    }
}

/// A worker that freezes past its lease wakes up, and none of its writes take effect.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_that_lost_its_lease_changes_nothing() {
    let (thaw, frozen_until) = std::sync::mpsc::channel::<()>();
    let frozen_until = Arc::new(Mutex::new(frozen_until));
    let freezing = ScriptedConnectors::new(answers(move |call| {
        let frozen_until = Arc::clone(&frozen_until);
        async move {
            let url = call.input["url"].as_str().unwrap().to_owned();
            if call.nth == 1 {
                // Blocks the thread, as no worker ever should.
                let _ = frozen_until.lock().unwrap().recv();
                return page(&url, "<p>late</p>");
            }
            page(&url, "<p>in time</p>")
        }
    }));
    let mut harness = Harness::new(freezing.clone()).await;
    harness.config.lease = Duration::from_millis(300);
    let only_a = || {
        script(|host, _| async move {
            let answer = ask(&host, vec![fetch(A)]).await?.remove(0).unwrap();
            Ok(crate::scripted::draft(
                "In time.",
                &answer["receipt_id"],
                "in time",
            ))
        })
    };
    let engine = harness.engine(only_a());
    let id = harness.create(&engine).await;
    let frozen = Victim::start_frozen_by_blocking_calls(engine);
    freezing.asked_for(A, 1).await;
    let workers = Workers::start(&harness.engine(only_a()));
    let job = harness.ended(id).await;
    assert_eq!(job.result.as_ref().unwrap()["business_summary"], "In time.");
    thaw.send(()).unwrap();
    // The late worker either tries to settle its answer or finds out first that its lease is lost; when it is drained, it has
    // done all that it is going to do.
    frozen.drained().await;
    assert_eq!(
        harness.job(id).await,
        job,
        "the late worker changed something"
    );
    assert_eq!(job.usage.connector_requests, 1);
    workers.shutdown(Duration::from_secs(1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_jobs_on_two_nodes_end_once_each() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let script = || {
        script(|host, request| async move {
            let url = format!("https://acme.example/{}", request.labels.job.unwrap());
            ask(&host, vec![fetch(&url)]).await?;
            Ok(small_draft())
        })
    };
    let (one, two) = (harness.engine(script()), harness.engine(script()));
    let mut jobs = Vec::new();
    for _ in 0..20 {
        jobs.push(harness.create(&one).await);
    }
    let (first, second) = (Workers::start(&one), Workers::start(&two));
    for id in &jobs {
        assert_eq!(harness.ended(*id).await.status, JobStatus::Succeeded);
        assert_eq!(
            harness
                .connectors
                .count(&format!("https://acme.example/{id}")),
            1
        );
    }
    first.shutdown(Duration::from_secs(1)).await;
    second.shutdown(Duration::from_secs(1)).await;
}
