//! Caps hold before calls; what was used is charged.

use gtm_domain::{Failure, FailureKind, JobStatus, MicroUsd};
use serde_json::{Value, json};

use crate::harness::{Harness, code};
use crate::scripted::{
    ScriptedConnectors, answers, ask, complete, completion, empty_draft, failed, script,
};

fn prices() -> Value {
    json!({"prices": {"input_per_million_usd": 1.0, "output_per_million_usd": 10.0}})
}

async fn priced(settings: Value, cap: i64) -> (Harness, std::sync::Arc<ScriptedConnectors>) {
    let connectors = ScriptedConnectors::new(answers(|_| async { completion("hi", 100, 10) }));
    let mut harness = Harness::new(connectors.clone()).await;
    harness
        .bind_connection("model.complete", "model.complete", settings)
        .await;
    harness.config.job_cost_cap = MicroUsd::from_micros(cap);
    (harness, connectors)
}

fn two_calls(list: bool) -> crate::scripted::Script {
    script(move |host, _| async move {
        let (a, b) = (complete("first", 100), complete("second", 100));
        if list {
            ask(&host, vec![a, b]).await?;
        } else {
            ask(&host, vec![a]).await?;
            ask(&host, vec![b]).await?;
        }
        Ok(empty_draft())
    })
}

#[tokio::test]
async fn calls_are_charged_by_the_price_table() {
    let (harness, connectors) = priced(prices(), 5_000_000).await;
    let job = harness.run(two_calls(true)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(
        job.usage.cost,
        MicroUsd::from_micros(400),
        "twice 100 input and 10 output tokens"
    );
    assert_eq!(
        (
            job.usage.tokens.input,
            job.usage.tokens.output,
            job.usage.backend_requests
        ),
        (200, 20, 2)
    );
    assert_eq!(connectors.total(), 2);
    let report = harness.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(report.charged, MicroUsd::from_micros(400));
}

#[tokio::test]
async fn a_call_that_the_cap_cannot_hold_is_not_made() {
    // The ceiling of one call is about 1,100 micro-dollars: one fits, two do not.
    let (harness, connectors) = priced(prices(), 1500).await;
    let job = harness.run(two_calls(true)).await;
    assert_eq!(code(&job), "budget_exceeded");
    assert_eq!(connectors.total(), 1);
    assert_eq!(
        job.usage.cost,
        MicroUsd::from_micros(200),
        "the call that was made is charged"
    );

    // One after the other, the first call's real cost leaves room for the second.
    let (harness, connectors) = priced(prices(), 1500).await;
    assert_eq!(
        harness.run(two_calls(false)).await.status,
        JobStatus::Succeeded
    );
    assert_eq!(connectors.total(), 2);

    let (harness, connectors) = priced(prices(), 100).await;
    assert_eq!(
        code(&harness.run(two_calls(false)).await),
        "budget_exceeded"
    );
    assert_eq!(connectors.total(), 0);
}

#[tokio::test]
async fn a_call_without_a_price_is_not_made() {
    let (harness, connectors) = priced(json!({}), 5_000_000).await;
    let job = harness.run(two_calls(false)).await;
    assert_eq!(code(&job), "budget_exceeded");
    assert_eq!(
        job.error.unwrap().details.unwrap()["reason"],
        "price_unknown"
    );
    assert_eq!(connectors.total(), 0);
}

#[tokio::test]
async fn a_failed_call_that_used_tokens_is_charged() {
    let (harness, connectors) = priced(prices(), 5_000_000).await;
    *connectors.answer.lock().unwrap() = answers(|_| async {
        failed(
            Failure::new(FailureKind::Upstream, "invalid_model_output", "no JSON"),
            Some((100, 10)),
        )
    });
    let job = harness
        .run(script(|host, _| async move {
            let failure = ask(&host, vec![complete("first", 100)])
                .await?
                .remove(0)
                .unwrap_err();
            Err(gtm_runtime::PluginError::Failure(failure))
        }))
        .await;
    assert_eq!(code(&job), "backend_invalid_response");
    assert_eq!(job.usage.cost, MicroUsd::from_micros(200));
}
