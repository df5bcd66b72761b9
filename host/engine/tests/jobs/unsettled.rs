//! Tests of what a job is charged that fails or whose provider cannot be believed, and of the end of a job
//! that cannot be settled at all.

use std::time::Duration;

use futures::future::BoxFuture;
use gtm_domain::money::MarkedCall;
use gtm_domain::{ConnectionId, Failure, FailureKind, JobErrorCode, JobStatus, MicroUsd};
use gtm_engine::Workers;
use gtm_runtime::{ConnectorOutcome, PluginError, RawTokens};
use gtm_store::MarkedCallFilter;
use serde_json::{Value, json};

use crate::harness::{Harness, code};
use crate::scripted::{
    ScriptedConnectors, answers, ask, complete, completion, script, small_draft,
};
use crate::what_is_held::{Change, made};

/// Settings under which a call of `completion("hi", 100, 10)` costs 200 micro-dollars.
pub fn by_tokens() -> Value {
    json!({"prices": {"input_per_million_usd": 1.0, "output_per_million_usd": 10.0}})
}

/// A project whose model is priced [`by_tokens`].
pub async fn priced(
    answer: impl Fn() -> ConnectorOutcome + Send + Sync + 'static,
) -> (Harness, ConnectionId) {
    priced_by(by_tokens(), answer).await
}

/// A project whose model has these settings.
pub async fn priced_by(
    prices: Value,
    answer: impl Fn() -> ConnectorOutcome + Send + Sync + 'static,
) -> (Harness, ConnectionId) {
    let connectors = ScriptedConnectors::new(answers(move |_| {
        let outcome = answer();
        async move { outcome }
    }));
    let harness = Harness::new(connectors).await;
    let connection = harness
        .bind_connection("model.complete", "model.complete", prices)
        .await;
    (harness, connection)
}

pub async fn marked(harness: &Harness) -> Vec<MarkedCall> {
    let filter = MarkedCallFilter {
        limit: 100,
        ..MarkedCallFilter::default()
    };
    harness
        .store
        .operator()
        .marked_calls(&filter)
        .await
        .unwrap()
}

pub async fn sound(harness: &Harness) {
    let report = harness.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
}

#[tokio::test]
async fn what_cannot_be_true_is_not_charged_and_awaits_an_operator() {
    type Lie = (Option<u64>, Option<f64>, bool, Result<Value, Failure>);
    let ok = || Ok(json!({"content": "hi"}));
    let missing = || {
        Err(Failure::new(
            FailureKind::Upstream,
            "usage_meter_missing",
            "no figures",
        ))
    };
    let lies: [(Lie, bool, bool); 7] = [
        // More tokens than the call can have used, and a cost that it cannot have.
        ((Some(1 << 40), None, false, ok()), true, true),
        ((Some(u64::MAX), None, false, ok()), true, true),
        ((Some(10), Some(1e12), false, ok()), true, true),
        // A figure that was already discarded: charged by the others.
        ((Some(10), None, true, ok()), true, false),
        // An answer without its required figures is a failure, and not charged.
        ((None, None, true, missing()), true, false),
        ((None, None, false, missing()), true, false),
        ((Some(10), Some(-0.0), false, ok()), false, false),
    ];
    for (lie, awaits, told) in lies {
        let shown = format!("{lie:?}");
        let (harness, _) = priced(move || {
            let (output, cost_usd, implausible, result) = lie.clone();
            let mut outcome = completion("hi", 100, 10);
            outcome.result = result;
            outcome.meters.tokens = output.map(|output| RawTokens {
                input: Some(100),
                output: Some(output),
                ..RawTokens::default()
            });
            outcome.meters.cost_usd = cost_usd;
            outcome.meters.implausible = implausible;
            outcome
        })
        .await;
        let job = harness
            .run(script(|host, _| async move {
                ask(&host, vec![complete("first", 100), complete("second", 100)]).await?;
                Ok(small_draft())
            }))
            .await;
        assert_eq!(job.status, JobStatus::Succeeded, "{shown}: {:?}", job.error);
        let calls = marked(&harness).await;
        assert_eq!(calls.len(), if awaits { 2 } else { 0 }, "{shown}");
        for call in &calls {
            assert!(call.charged <= call.ceiling.unwrap(), "{shown}");
            assert_eq!(call.reported.is_some(), told, "{shown}");
            if let Some(reported) = call.reported {
                assert_eq!(Some(call.charged), call.ceiling, "{shown}");
                assert!(reported > call.charged, "{shown}");
            }
        }
        assert!(job.usage.cost < MicroUsd::from_micros(5_000), "{shown}");
        sound(&harness).await;
        harness
            .run(script(|_, _| async { Ok(small_draft()) }))
            .await;
    }
}

#[tokio::test]
async fn what_was_used_and_not_counted_awaits_an_operator() {
    fn fail(outcome: &mut ConnectorOutcome) {
        outcome.result = Err(Failure::new(FailureKind::Upstream, "of_its_own", "x"));
    }
    fn tokens(outcome: &mut ConnectorOutcome, input: u64, output: u64, total: Option<u64>) {
        outcome.meters.tokens = Some(RawTokens {
            input: Some(input),
            output: Some(output),
            total,
            ..RawTokens::default()
        });
    }
    let cases: [(&str, Change, usize); 10] = [
        ("an answer as it should be", |_| {}, 0),
        ("a failure that was counted", fail, 0),
        (
            "an answer whose figures the connector did not read",
            |outcome| {
                fail(outcome);
                outcome.meters.tokens = None;
            },
            1,
        ),
        (
            "the same with figures of nothing",
            |outcome| {
                fail(outcome);
                tokens(outcome, 0, 0, None);
            },
            1,
        ),
        (
            "a refusal of the provider",
            |outcome| {
                fail(outcome);
                outcome.meters.tokens = None;
                outcome.exchanges[0].receipt.status = Some(503);
            },
            0,
        ),
        (
            "a second exchange without an answer",
            |outcome| {
                fail(outcome);
                let mut second = completion("more", 100, 10).exchanges.remove(0);
                second.receipt.status = None;
                outcome.exchanges.push(second);
                (outcome.sendings.sent, outcome.sendings.lost) = (2, 1);
            },
            1,
        ),
        (
            "a second answer without figures",
            |outcome| outcome.meters.partial = true,
            1,
        ),
        (
            "no tokens at all, charged by the ceiling",
            |outcome| tokens(outcome, 0, 0, None),
            0,
        ),
        (
            "nothing but a total",
            |outcome| tokens(outcome, 0, 0, Some(50)),
            1,
        ),
        (
            "a total over its parts",
            |outcome| tokens(outcome, 100, 10, Some(111)),
            1,
        ),
    ];
    for (shown, change, awaiting) in cases {
        let (harness, cost) = made(shown, by_tokens(), change).await;
        let calls = marked(&harness).await;
        assert_eq!(calls.len(), awaiting, "{shown}: {calls:?}");
        let cost = cost.micros();
        match shown {
            "no tokens at all, charged by the ceiling" => assert!(cost > 1_000, "{cost}"),
            "nothing but a total" => assert_eq!(cost, 500),
            "a total over its parts" => assert_eq!(cost, 210),
            _ => assert!([0, 200].contains(&cost), "{shown}: {cost}"),
        }
        sound(&harness).await;
    }
}

/// Breaks something that ends a job after its first call was settled.
type Breaker = fn(&Harness, ConnectionId) -> BoxFuture<'static, ()>;

fn published(code: &str) -> &'static str {
    let code = JobErrorCode::ALL.iter().find(|one| one.as_str() == code);
    code.unwrap().published().billed.as_str()
}

#[tokio::test]
async fn a_failed_job_is_charged_what_its_code_says() {
    type End = Box<dyn Fn() -> Result<(), PluginError> + Send + Sync>;

    let failure = |kind, code: &'static str| {
        move || -> Result<(), PluginError> {
            Err(PluginError::Failure(Failure::new(kind, code, "x")))
        }
    };
    let nothing: Breaker = |_, _| Box::pin(async {});
    let cases: Vec<(&str, Breaker, Option<End>)> = vec![
        (
            "connector_not_configured",
            |harness, connection| {
                let operator = harness.store.operator();
                Box::pin(async move {
                    operator.disable_connection(connection).await.unwrap();
                })
            },
            None,
        ),
        (
            "plugin_unavailable",
            |harness, _| {
                let connectors = harness.connectors.clone();
                Box::pin(async move {
                    connectors.facts.lock().unwrap().remove("model.complete");
                })
            },
            None,
        ),
        (
            "connector_credentials_rejected",
            nothing,
            Some(Box::new(failure(FailureKind::Unauthorized, "http_401"))),
        ),
        (
            "source_not_allowed",
            nothing,
            Some(Box::new(failure(FailureKind::Denied, "private_address"))),
        ),
        (
            "internal_error",
            nothing,
            Some(Box::new(|| panic!("a fault of the host, for the test"))),
        ),
        (
            "backend_refused",
            nothing,
            Some(Box::new(failure(FailureKind::Upstream, "backend_refused"))),
        ),
    ];
    for (wanted, breaker, end) in cases {
        let (mut harness, connection) = priced(|| completion("hi", 100, 10)).await;
        harness.config.max_panics = 1;
        let broken = std::sync::Mutex::new(Some(breaker(&harness, connection)));
        let (broken, end) = (std::sync::Arc::new(broken), std::sync::Arc::new(end));
        let job = harness
            .run(script(move |host, _| {
                let (broken, end) = (broken.clone(), end.clone());
                async move {
                    ask(&host, vec![complete("first", 100)]).await?;
                    let breaking = broken.lock().unwrap().take();
                    if let Some(breaking) = breaking {
                        breaking.await;
                    }
                    if let Some(end) = end.as_ref() {
                        end()?;
                    }
                    ask(&host, vec![complete("second", 100)]).await?;
                    Ok(small_draft())
                }
            }))
            .await;
        assert_eq!(code(&job), wanted);
        assert_eq!(job.usage.cost, MicroUsd::from_micros(200), "{wanted}");
        assert_eq!(published(wanted), "actual", "{wanted}");
        sound(&harness).await;
    }

    // Without a backend there is no call and no charge.
    let harness = Harness::bare(ScriptedConnectors::new(answers(|_| async {
        completion("hi", 100, 10)
    })))
    .await;
    let job = harness
        .run(script(|_, _| async { Ok(small_draft()) }))
        .await;
    assert_eq!(code(&job), "backend_not_configured");
    assert_eq!(job.usage.cost, MicroUsd::ZERO);
    assert_eq!(published("backend_not_configured"), "nothing");
}

#[tokio::test]
async fn a_job_that_cannot_be_settled_is_given_up() {
    let (mut harness, _) = priced(|| completion(&"long ".repeat(8_000), 100, 10)).await;
    harness.config.lease = Duration::from_secs(2);
    (harness.config.max_panics, harness.config.max_claims) = (2, 3);
    let blobs = harness.blobs();
    // The first run settles a call and dies; from then on its journal is unreadable.
    let job = harness
        .run(script(move |host, _| {
            let blobs = blobs.clone();
            async move {
                ask(&host, vec![complete("first", 100)]).await?;
                std::fs::remove_dir_all(&blobs).unwrap();
                panic!("a fault of the host, for the test")
            }
        }))
        .await;
    assert_eq!(code(&job), "settlement_failed");
    assert_eq!(
        published("settlement_failed"),
        "nothing until an operator settles its calls"
    );
    assert_eq!(job.attempts, 4, "one after the last claim that may run it");
    assert_eq!(job.usage.cost, MicroUsd::ZERO);
    sound(&harness).await;
    let calls = marked(&harness).await;
    let told: Vec<_> = calls
        .iter()
        .map(|call| (call.charged, call.reported))
        .collect();
    assert_eq!(told, [(MicroUsd::ZERO, Some(MicroUsd::from_micros(200)))]);
    let operator = harness.store.operator();
    let credit = operator
        .credit_statement(harness.scope.organization())
        .await
        .unwrap();
    assert_eq!(
        (credit.reserved, credit.charged),
        (MicroUsd::ZERO, MicroUsd::ZERO)
    );
    operator
        .reconcile_call(calls[0].id, MicroUsd::from_micros(200), None)
        .await
        .unwrap();
    sound(&harness).await;
    // The organization keeps working.
    let next = harness
        .run(script(|host, _| async move {
            ask(&host, vec![complete("next", 100)]).await?;
            Ok(small_draft())
        }))
        .await;
    assert_eq!(next.status, JobStatus::Succeeded, "{:?}", next.error);
}

#[tokio::test]
async fn a_job_whose_end_a_rule_of_the_database_refuses_is_given_up_soon() {
    let (mut harness, _) = priced(|| completion("hi", 100, 10)).await;
    harness.config.lease = Duration::from_secs(2);
    (harness.config.max_panics, harness.config.max_claims) = (2, 1_000);
    harness
        .raw("CREATE TRIGGER refuse BEFORE INSERT ON usage_rows BEGIN SELECT RAISE(ABORT, 'no more rows'); END")
        .await;
    let paid = || {
        script(|host, _| async move {
            ask(&host, vec![complete("first", 100)]).await?;
            Ok(small_draft())
        })
    };
    let job = harness.run(paid()).await;
    assert_eq!(code(&job), "settlement_failed");
    assert_eq!(job.attempts, 2, "no wait heals a rule");
    sound(&harness).await;
    assert_eq!(marked(&harness).await.len(), 1);
    // The organization keeps creating and running jobs, and its next job succeeds once the rule is gone.
    harness.raw("DROP TRIGGER refuse").await;
    let next = harness.run(paid()).await;
    assert_eq!(next.status, JobStatus::Succeeded, "{:?}", next.error);
    sound(&harness).await;
}

#[tokio::test]
async fn a_job_that_cannot_be_read_is_given_up_and_keeps_no_other_waiting() {
    let (mut harness, _) = priced(|| completion("hi", 100, 10)).await;
    harness.config.lease = Duration::from_secs(1);
    (harness.config.max_panics, harness.config.max_claims) = (1, 2);
    let paid = || {
        script(|host, _| async move {
            ask(&host, vec![complete("first", 100)]).await?;
            Ok(small_draft())
        })
    };
    harness.create(&harness.engine(paid())).await;
    harness.raw("UPDATE jobs SET pins = 'nonsense'").await;
    let next = harness.run(paid()).await;
    assert_eq!(next.status, JobStatus::Succeeded, "{:?}", next.error);
    let workers = Workers::start(&harness.engine(paid()));
    let operator = harness.store.operator();
    let organization = harness.scope.organization();
    // The job is unreadable, so its end shows only in the credit, and nothing announces that.
    let given_up = async {
        loop {
            let credit = operator.credit_statement(organization).await.unwrap();
            if credit.reserved == MicroUsd::ZERO {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let given_up = tokio::time::timeout(Duration::from_secs(120), given_up).await;
    given_up.expect("its reservation is not kept for ever");
    workers.shutdown(Duration::from_secs(1)).await;
    sound(&harness).await;
}
