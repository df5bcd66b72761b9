//! Attacks of a guest on the host itself: each ends as a specific failure of that one call.

use std::time::{Duration, Instant};

use gtm_domain::{Failure, FailureKind};
use gtm_runtime::LogLevel;
use serde_json::json;

use crate::fixtures::{NOW, connector_call, misbehave, runtime};

fn limit(failure: &Failure) -> &str {
    assert_eq!(failure.code, "plugin_limit_exceeded", "{failure:?}");
    failure.detail.as_ref().unwrap()["limit"].as_str().unwrap()
}

#[tokio::test]
async fn an_endless_loop_ends_with_its_cpu_time() {
    let outcome = misbehave(&runtime().await, "loop", 0).await;
    assert_eq!(limit(&outcome.result.unwrap_err()), "cpu");
    assert!(
        outcome.resources.cpu_ms >= 300 && outcome.resources.cpu_ms < 2000,
        "{:?}",
        outcome.resources
    );
}

#[tokio::test]
async fn an_endless_loop_ends_with_the_callers_deadline() {
    let runtime = runtime().await;
    let mut call = connector_call(
        &runtime,
        "misbehaving-connector",
        "fault",
        json!({ "fault": "loop" }),
    );
    call.deadline = Duration::from_millis(60);
    let failure = runtime.call_connector(call).await.result.unwrap_err();
    assert_eq!(limit(&failure), "time");
    assert_eq!(failure.kind, FailureKind::Timeout);
}

#[tokio::test]
async fn a_canceled_call_ends_at_once() {
    let runtime = runtime().await;
    let call = connector_call(
        &runtime,
        "misbehaving-connector",
        "fault",
        json!({ "fault": "loop" }),
    );
    let cancel = call.cancel.clone();
    let (outcome, ()) = tokio::join!(runtime.call_connector(call), async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    });
    assert_eq!(outcome.result.unwrap_err().kind, FailureKind::Canceled);
    // It ended long before its CPU time was used up.
    assert!(outcome.resources.cpu_ms < 300, "{:?}", outcome.resources);
}

#[tokio::test]
async fn a_loop_does_not_keep_others_from_running() {
    // A single thread: the guest's loop must yield it long before the loop ends.
    let runtime = runtime().await;
    let looping = async {
        let outcome = misbehave(&runtime, "loop", 0).await;
        (outcome, Instant::now())
    };
    let other = async {
        let outcome = misbehave(&runtime, "none", 1).await;
        (outcome, Instant::now())
    };
    let ((looped, loop_end), (answered, other_end)) = tokio::join!(looping, other);
    assert!(looped.result.is_err() && answered.result.is_ok());
    assert!(other_end < loop_end);
}

#[tokio::test]
async fn a_memory_bomb_stays_within_its_memory() {
    let outcome = misbehave(&runtime().await, "memory", 0).await;
    assert_eq!(limit(&outcome.result.unwrap_err()), "memory");
    assert!(
        outcome.resources.peak_memory_bytes <= 16 << 20,
        "{:?}",
        outcome.resources
    );
    assert!(
        outcome.resources.peak_memory_bytes > 8 << 20,
        "{:?}",
        outcome.resources
    );
}

#[tokio::test]
async fn deep_recursion_and_a_panic_are_traps() {
    let runtime = runtime().await;
    for fault in ["recursion", "trap"] {
        let outcome = misbehave(&runtime, fault, 0).await;
        assert_eq!(
            outcome.result.unwrap_err().code,
            "plugin_trapped",
            "{fault}"
        );
    }
    // The runtime works as before.
    assert_eq!(
        misbehave(&runtime, "none", 5).await.result.unwrap()["value"],
        5
    );
}

#[tokio::test]
async fn output_is_bounded() {
    let failure = misbehave(&runtime().await, "huge_output", 1 << 20)
        .await
        .result
        .unwrap_err();
    assert_eq!(limit(&failure), "output");
}

#[tokio::test]
async fn output_that_is_no_json_or_no_text_or_breaks_the_schema_is_refused() {
    let runtime = runtime().await;
    for (fault, amount) in [
        ("invalid_json", 0),
        ("invalid_utf8", 0),
        ("deep_json", 20_000),
        ("deep_json", 110),
        ("wrong_schema", 0),
        ("other", 0),
    ] {
        let failure = misbehave(&runtime, fault, amount).await.result.unwrap_err();
        assert_eq!(
            failure.code, "plugin_contract_violation",
            "{fault}: {failure:?}"
        );
    }
}

#[tokio::test]
async fn a_log_flood_is_cut() {
    let outcome = misbehave(&runtime().await, "log_flood", 500).await;
    assert!(outcome.result.is_ok(), "{:?}", outcome.result);
    assert_eq!(outcome.logs.len(), 21);
    assert!(
        outcome
            .logs
            .iter()
            .all(|line| line.message.len() <= 4096 && !line.message.contains(['\n', '\u{1b}']))
    );
    assert_eq!(outcome.logs[20].level, LogLevel::Warn);
    assert!(outcome.logs[20].message.starts_with("480 more lines"));
}

#[tokio::test]
async fn no_state_survives_a_call() {
    let runtime = runtime().await;
    for _ in 0..3 {
        assert_eq!(
            misbehave(&runtime, "kept_state", 0).await.result.unwrap()["value"],
            1
        );
    }
}

#[tokio::test]
async fn the_clock_is_the_hosts() {
    let outcome = misbehave(&runtime().await, "clock", 0).await;
    assert_eq!(outcome.result.unwrap()["value"], NOW.millis());
}

#[tokio::test]
async fn a_failure_of_a_guest_is_mended() {
    let failure = misbehave(&runtime().await, "odd_failure", 0)
        .await
        .result
        .unwrap_err();
    assert_eq!(
        (failure.kind, failure.code.as_str()),
        (FailureKind::Upstream, "plugin_failure")
    );
    assert!(failure.message.len() <= 500 && !failure.message.contains('\n'));
    assert_eq!(failure.detail, None);
}

#[tokio::test]
async fn refusals_are_answers_and_are_written_down() {
    let outcome = misbehave(&runtime().await, "many_requests", 5).await;
    assert_eq!(outcome.result.unwrap()["value"], 5);
    assert!(
        !outcome.denied.is_empty()
            && outcome
                .denied
                .iter()
                .all(|denial| denial.interface == "http")
    );
    assert!(
        outcome
            .exchanges
            .iter()
            .all(|exchange| exchange.receipt.decision != "allowed")
    );
}

#[tokio::test]
async fn refusals_cannot_be_collected_without_end() {
    let outcome = misbehave(&runtime().await, "many_requests", 2000).await;
    assert_eq!(outcome.result.unwrap()["value"], 2000);
    assert_eq!(outcome.exchanges.len(), 65);
}

#[tokio::test]
async fn bad_input_never_reaches_the_guest() {
    let runtime = runtime().await;
    for (input, code) in [
        (json!({ "fault": 7 }), "invalid_input"),
        (json!({ "fault": "none", "more": 1 }), "invalid_input"),
        (json!(null), "invalid_input"),
        (deep(200), "input_too_deep"),
    ] {
        let call = connector_call(&runtime, "misbehaving-connector", "fault", input);
        let outcome = runtime.call_connector(call).await;
        let failure = outcome.result.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (FailureKind::InvalidInput, code)
        );
        assert_eq!(outcome.resources.peak_memory_bytes, 0);
    }
    let call = connector_call(&runtime, "misbehaving-connector", "other", json!({}));
    assert_eq!(
        runtime.call_connector(call).await.result.unwrap_err().code,
        "unknown_operation"
    );
    let mut call = connector_call(
        &runtime,
        "misbehaving-connector",
        "fault",
        json!({ "fault": "none" }),
    );
    call.settings = json!({ "unknown": true });
    assert_eq!(
        runtime.call_connector(call).await.result.unwrap_err().code,
        "invalid_settings"
    );
}

fn deep(levels: usize) -> serde_json::Value {
    (0..levels).fold(json!(1), |inner, _| json!([inner]))
}
