//! Tests of jobs that end without success.

use std::time::Duration;

use gtm_domain::{Failure, FailureKind, JobStatus};
use gtm_engine::Workers;
use gtm_runtime::{CapabilityCall, PluginError};
use serde_json::json;

use crate::harness::{Harness, code};
use crate::scripted::{
    ScriptedConnectors, answers, ask, failed, fetch, page, pages, script, small_draft,
};

const A: &str = "https://acme.example/a";

/// A connector that answers only when it is cut off.
fn stuck() -> std::sync::Arc<ScriptedConnectors> {
    ScriptedConnectors::new(answers(|call| async move {
        call.cancel.cancelled().await;
        failed(
            Failure::new(FailureKind::Canceled, "canceled", "cut off"),
            None,
        )
    }))
}

#[tokio::test]
async fn a_canceled_job_is_cut_off_after_its_grace() {
    let harness = Harness::new(stuck()).await;
    let engine = harness.engine(script(|host, _| async move {
        ask(&host, vec![fetch(A)]).await?;
        Ok(small_draft())
    }));
    let id = harness.create(&engine).await;
    let workers = Workers::start(&engine);
    harness.connectors.asked_for(A, 1).await;
    harness.store.operator().cancel_job(id).await.unwrap();
    let job = harness.ended(id).await;
    assert_eq!((job.status, job.error), (JobStatus::Canceled, None));
    workers.shutdown(Duration::from_secs(1)).await;
}

#[tokio::test]
async fn a_canceled_backend_is_told_and_makes_no_further_call() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let engine = harness.engine(script(|host, _| async move {
        ask(&host, vec![fetch(A)]).await?;
        // Nothing wakes a backend; it has to poll.
        while !host.canceled() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        ask(&host, vec![fetch("https://acme.example/b")]).await?;
        Ok(small_draft())
    }));
    let id = harness.create(&engine).await;
    let workers = Workers::start(&engine);
    harness.connectors.asked_for(A, 1).await;
    harness.store.operator().cancel_job(id).await.unwrap();
    assert_eq!(harness.ended(id).await.status, JobStatus::Canceled);
    assert_eq!(harness.connectors.total(), 1);
    workers.shutdown(Duration::from_secs(1)).await;
}

#[tokio::test]
async fn the_deadline_holds() {
    let mut harness = Harness::new(stuck()).await;
    harness.config.job_deadline = Duration::from_millis(400);
    let job = harness
        .run(script(|host, _| async move {
            ask(&host, vec![fetch(A)]).await?;
            Ok(small_draft())
        }))
        .await;
    assert_eq!(code(&job), "deadline_exceeded");
}

#[tokio::test]
async fn a_panic_is_tried_again_and_then_given_up() {
    let mut harness = Harness::new(ScriptedConnectors::new(pages())).await;
    harness.config.max_panics = 2;
    let job = harness
        .run(script(|_, _| async {
            panic!("a fault of the host, for the test")
        }))
        .await;
    assert_eq!(code(&job), "internal_error");
    assert_eq!(job.attempts, 2);
}

#[tokio::test]
async fn refusals_are_failures_that_a_backend_can_handle() {
    let mut harness = Harness::new(ScriptedConnectors::new(pages())).await;
    harness.requires.push(("news.search".into(), true));
    let job = harness
        .run(script(|host, _| async move {
            let call = |name: &str| CapabilityCall {
                capability: name.into(),
                input: json!({}),
            };
            let answers = ask(
                &host,
                vec![call("web.search"), call("news.search"), fetch(A)],
            )
            .await?;
            let codes: Vec<_> = answers
                .iter()
                .map(|a| a.as_ref().err().map(|f| f.code.as_str()))
                .collect();
            assert_eq!(
                codes,
                [
                    Some("capability_not_declared"),
                    Some("capability_not_bound"),
                    None
                ]
            );
            Ok(small_draft())
        }))
        .await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
}

#[tokio::test]
async fn too_many_calls_end_the_job() {
    let mut harness = Harness::new(ScriptedConnectors::new(pages())).await;
    harness.config.max_calls = 5;
    let job = harness
        .run(script(|host, _| async move {
            for n in 0.. {
                ask(&host, vec![fetch(&format!("https://acme.example/{n}"))]).await?;
            }
            Ok(small_draft())
        }))
        .await;
    assert_eq!(code(&job), "plugin_limit_exceeded");
    assert_eq!(job.error.unwrap().details.unwrap()["limit"], "calls");
    assert_eq!(harness.connectors.total(), 5);
}

#[tokio::test]
async fn a_missing_connector_and_a_disabled_connection_say_so() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let once = || {
        script(|host, _| async move {
            ask(&host, vec![fetch(A)]).await?;
            Ok(small_draft())
        })
    };
    harness
        .bind_connection("web.fetch", "gone", json!({}))
        .await;
    assert_eq!(code(&harness.run(once()).await), "plugin_unavailable");

    let connection = harness
        .bind_connection("web.fetch", "web.fetch", json!({}))
        .await;
    let engine = harness.engine(once());
    let id = harness.create(&engine).await;
    harness
        .store
        .operator()
        .disable_connection(connection)
        .await
        .unwrap();
    let workers = Workers::start(&engine);
    assert_eq!(code(&harness.ended(id).await), "connector_not_configured");
    workers.shutdown(Duration::from_secs(1)).await;
}

#[tokio::test]
async fn a_backends_failure_is_the_jobs_error() {
    let harness = Harness::new(ScriptedConnectors::new(answers(|call| async move {
        page(call.input["url"].as_str().unwrap(), "<p>little</p>")
    })))
    .await;
    let job = harness
        .run(script(|_, _| async {
            Err(PluginError::Failure(Failure::new(
                FailureKind::NotFound,
                "insufficient_evidence",
                "Too little was found.",
            )))
        }))
        .await;
    assert_eq!(code(&job), "insufficient_evidence");
    let job = harness
        .run(script(|_, _| async {
            Err(PluginError::Trapped("unreachable".into()))
        }))
        .await;
    assert_eq!(code(&job), "plugin_trapped");
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_a_canceled_job_leaves_open_are_closed_and_its_spend_is_charged() {
    use crate::harness::Victim;
    use crate::scripted::{complete, completion};

    let harness = Harness::new(ScriptedConnectors::new(answers(|call| async move {
        if call.input["url"] == "second" {
            std::future::pending::<()>().await;
        }
        completion("x", 50, 95)
    })))
    .await;
    let prices = json!({"prices": {"input_per_million_usd": 1.0, "output_per_million_usd": 10.0}});
    harness
        .bind_connection("model.complete", "model.complete", prices)
        .await;
    let engine = harness.engine(script(|host, _| async move {
        ask(&host, vec![complete("first", 100)]).await?;
        ask(&host, vec![complete("second", 100)]).await?;
        Ok(small_draft())
    }));
    let id = harness.create(&engine).await;
    let victim = Victim::start(engine.clone());
    harness.connectors.asked_for("second", 1).await;
    victim.kill();
    harness.store.operator().cancel_job(id).await.unwrap();
    let workers = Workers::start(&engine);
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(job.status, JobStatus::Canceled);
    assert_eq!(
        (job.usage.cost.micros(), job.usage.tokens.input),
        (1000, 50)
    );
    let steps = harness.store.operator().job_steps(id).await.unwrap();
    let open = steps[1].outcome.as_ref().unwrap().as_ref().unwrap_err();
    assert_eq!(open.code, "provider_outcome_unknown");
    assert_eq!(harness.connectors.total(), 2);
    assert!(harness.store.verify_ledger().await.unwrap().is_sound());
}

/// Free calls are cut off first, so that a call that its provider charges for can still report its cost.
#[tokio::test]
async fn a_call_that_may_cost_outlives_the_cancel_of_one_that_does_not() {
    use crate::scripted::{complete, completion};

    let page_was_cut = std::sync::Arc::new(tokio::sync::Notify::new());
    let connectors = ScriptedConnectors::new(answers(move |call| {
        let page_was_cut = std::sync::Arc::clone(&page_was_cut);
        async move {
            let cut_off = || Failure::new(FailureKind::Canceled, "canceled", "cut off");
            if call.input["url"] == A {
                call.cancel.cancelled().await;
                page_was_cut.notify_one();
                return failed(cut_off(), None);
            }
            tokio::select! {
                biased;
                () = call.cancel.cancelled() => failed(cut_off(), None),
                () = page_was_cut.notified() => completion("x", 50, 95),
            }
        }
    }));
    let mut harness = Harness::new(connectors).await;
    harness.config.paid_call_grace = Duration::from_secs(60);
    let prices = json!({"prices": {"input_per_million_usd": 1.0, "output_per_million_usd": 10.0}});
    harness
        .bind_connection("model.complete", "model.complete", prices)
        .await;
    let engine = harness.engine(script(|host, _| async move {
        ask(&host, vec![fetch(A), complete("slow", 100)]).await?;
        Ok(small_draft())
    }));
    let id = harness.create(&engine).await;
    let workers = Workers::start(&engine);
    harness.connectors.asked(2).await;
    harness.store.operator().cancel_job(id).await.unwrap();
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!((job.status, job.error), (JobStatus::Canceled, None));
    assert_eq!(job.usage.cost.micros(), 1000, "what it answered is charged");
    assert!(harness.store.verify_ledger().await.unwrap().is_sound());
}
