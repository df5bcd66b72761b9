//! Tests of money: caps hold before calls, and what was used is charged.

use std::sync::Arc;

use gtm_domain::{Failure, FailureKind, JobStatus, MicroUsd};
use gtm_runtime::{BackendHost, PluginError};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::harness::{Harness, code};
use crate::scripted::{
    ScriptedConnectors, answers, ask, complete, completion, empty_draft, failed, script,
    small_draft,
};

fn prices() -> Value {
    json!({"prices": {"input_per_million_usd": 1.0, "output_per_million_usd": 10.0}})
}

async fn priced(settings: Value, cap: i64) -> (Harness, Arc<ScriptedConnectors>) {
    let connectors = ScriptedConnectors::new(answers(|_| async { completion("hi", 100, 10) }));
    let mut harness = Harness::new(connectors.clone()).await;
    harness
        .bind_connection("model.complete", "model.complete", settings)
        .await;
    harness.config.job_cost_cap = MicroUsd::from_micros(cap);
    (harness, connectors)
}

#[tokio::test]
async fn a_playbook_in_which_nothing_stands_is_charged_what_it_cost() {
    let (harness, _) = priced(prices(), 5_000_000).await;
    let wrote = script(|host, _| async move {
        ask(&host, vec![complete("first", 100)]).await?;
        Ok(empty_draft())
    });
    let job = harness.run(wrote).await;
    assert_eq!(code(&job), "insufficient_evidence");
    assert_eq!(job.usage.cost, MicroUsd::from_micros(200));
    let report = harness.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(report.charged, MicroUsd::from_micros(200));
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
        Ok(small_draft())
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
    // The ceiling of one call is about 1,100 micro-dollars and its charge 200: one call fits, but a second
    // one fits neither concurrently nor afterwards.
    let (harness, connectors) = priced(prices(), 1_200).await;
    let job = harness.run(two_calls(true)).await;
    assert_eq!(code(&job), "budget_exceeded");
    assert_eq!(connectors.total(), 1);
    assert_eq!(
        job.usage.cost,
        MicroUsd::from_micros(200),
        "the call that was made is charged"
    );
    // The error reports the final cost of the other call, even if that was still under way at the refusal.
    let error = job.error.unwrap();
    let details = error.details.unwrap();
    assert_eq!(
        (&details["scope"], &details["limit_usd"]),
        (&json!("job"), &json!(0.0012))
    );
    assert_eq!(details["settled_usd"], 0.0002);
    // Whether the first call is still under way when the second is requested depends on the machine.
    let (taken, reserved) = (&details["taken_usd"], &details["reserved_usd"]);
    assert!(
        taken == reserved || (reserved == 0.0 && taken == 0.0002),
        "{details}"
    );
    assert_eq!(details["setting"], "engine.job_cost_cap_usd");
    let call = MicroUsd::from_usd(details["call_usd"].as_f64().unwrap()).unwrap();
    for words in [
        "cost cap of $0.001200",
        "spent $0.000200",
        "engine.job_cost_cap_usd",
        &call.to_string(),
    ] {
        assert!(error.message.contains(words), "{words}: {}", error.message);
    }

    // In sequence, the actual cost of the first call leaves room for the second.
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
    assert_eq!(code(&job), "connector_not_configured");
    assert_eq!(
        job.error.unwrap().details.unwrap(),
        json!({
            "reason": "price_unknown", "capability": "model.complete", "connector": "model.complete",
            "missing_settings": ["prices"]
        })
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

/// Runs two calls in sequence, with `between` executed while the first is under way.
async fn interrupted(
    change: impl Fn(
        gtm_store::Operator,
        gtm_domain::OrganizationId,
        gtm_domain::ProjectId,
    ) -> futures::future::BoxFuture<'static, ()>
    + Send
    + Sync
    + 'static,
) -> (gtm_domain::job::Job, usize) {
    let (harness, connectors) = priced(prices(), 5_000_000).await;
    let (operator, organization, project) = (
        harness.store.operator(),
        harness.scope.organization(),
        harness.project,
    );
    let change = std::sync::Arc::new(change);
    *connectors.answer.lock().unwrap() = answers(move |_| {
        let change = change(operator.clone(), organization, project);
        async move {
            change.await;
            completion("hi", 100, 10)
        }
    });
    let job = harness.run(two_calls(false)).await;
    let report = harness.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    (job, connectors.total())
}

#[tokio::test]
async fn a_budget_lowered_meanwhile_stops_the_next_call() {
    let (job, calls) = interrupted(|operator, _, project| {
        Box::pin(async move {
            let owner = gtm_domain::money::LimitOwner::Project(project);
            let metric = gtm_domain::money::LimitMetric::MonthlyBudget;
            operator.set_limit(owner, metric, 250).await.unwrap();
        })
    })
    .await;
    assert_eq!((code(&job), calls), ("budget_exceeded", 1));
    assert_eq!(
        job.usage.cost,
        MicroUsd::from_micros(200),
        "the call that was made is charged"
    );
    let details = job.error.unwrap().details.unwrap();
    assert_eq!(details["scope"], "project");
    assert!(details["resets_at"].is_string());
}

#[tokio::test]
async fn credit_taken_back_meanwhile_stops_the_next_call() {
    let (job, calls) = interrupted(|operator, organization, _| {
        Box::pin(async move {
            let left = operator.credit_statement(organization).await.unwrap();
            let all = left.balance + left.reserved;
            operator
                .revoke_credit(organization, all, None)
                .await
                .unwrap();
        })
    })
    .await;
    assert_eq!((code(&job), calls), ("insufficient_credits", 1));
    assert_eq!(job.usage.cost, MicroUsd::from_micros(200));
}

/// Makes one call, and signals if it is refused.
async fn ask_or_tell(
    host: &Arc<dyn BackendHost>,
    prompt: &str,
    refused: &Notify,
) -> Result<(), PluginError> {
    let outcome = ask(host, vec![complete(prompt, 100)]).await;
    if outcome.is_err() {
        refused.notify_one();
    }
    outcome.map(|_| ())
}

/// Runs two concurrent calls where `limit` leaves room for only one: the permitted call ends once the other
/// has been refused. Returns the job's code and details.
async fn narrowed(limit: impl AsyncFnOnce(&Harness)) -> (String, Value, gtm_domain::job::Job) {
    let refused = Arc::new(Notify::new());
    let told = refused.clone();
    let (harness, connectors) = priced(prices(), 5_000_000).await;
    *connectors.answer.lock().unwrap() = answers(move |_| {
        let told = told.clone();
        async move {
            told.notified().await;
            completion("hi", 100, 10)
        }
    });
    limit(&harness).await;
    let at_once = script(move |host, _| {
        let refused = refused.clone();
        async move {
            let calls = (
                ask_or_tell(&host, "first", &refused),
                ask_or_tell(&host, "second", &refused),
            );
            let (first, second) = tokio::join!(calls.0, calls.1);
            first.and(second)?;
            Ok(small_draft())
        }
    });
    let job = harness.run(at_once).await;
    assert_eq!(
        connectors.total(),
        1,
        "the ceilings of two calls are over it"
    );
    assert_eq!(job.usage.cost, MicroUsd::from_micros(200));
    let error = job.error.clone().unwrap();
    (error.code, error.details.unwrap(), job)
}

#[tokio::test]
async fn a_limit_that_holds_no_further_call_is_told_as_that_limit() {
    use gtm_domain::money::{LimitMetric, LimitOwner};

    type OwnerOf = fn(&Harness) -> LimitOwner;
    let owners: [(&str, OwnerOf); 3] = [
        ("key", |h| LimitOwner::Key(h.scope.key())),
        ("project", |h| LimitOwner::Project(h.project)),
        ("organization", |h| {
            LimitOwner::Organization(h.scope.organization())
        }),
    ];
    for (scope, owner) in owners {
        let (code, details, job) = narrowed(async |harness: &Harness| {
            let operator = harness.store.operator();
            operator
                .set_limit(owner(harness), LimitMetric::MonthlyBudget, 1_200)
                .await
                .unwrap();
        })
        .await;
        assert_eq!(job.reserved, MicroUsd::from_micros(1_200), "what was left");
        assert_eq!(
            (code.as_str(), &details["scope"]),
            ("budget_exceeded", &json!(scope))
        );
        let resets_at = job.created_at.next_month_start();
        assert_eq!(details["resets_at"], json!(resets_at));
        assert_eq!(details["limit_usd"], 0.0012);
        assert_eq!(details["settled_usd"], 0.0);
        assert!(
            details["reserved_usd"].as_f64().unwrap() > 0.001,
            "the other call"
        );
        assert!(details["call_usd"].as_f64().unwrap() > 0.001);
    }

    let (code, details, _) = narrowed(async |harness: &Harness| {
        let operator = harness.store.operator();
        let organization = harness.scope.organization();
        let credit = operator
            .credit_statement(organization)
            .await
            .unwrap()
            .balance;
        let all_but = credit - MicroUsd::from_micros(1_200);
        operator
            .revoke_credit(organization, all_but, None)
            .await
            .unwrap();
    })
    .await;
    assert_eq!(
        (code.as_str(), &details["scope"]),
        ("insufficient_credits", &json!("credit"))
    );
    assert!(
        details.get("resets_at").is_none(),
        "no month gives credit back"
    );
}

#[tokio::test]
async fn a_job_reserves_what_is_expected_of_it() {
    let (mut harness, _) = priced(prices(), 5_000_000).await;
    let reserved = async |harness: &Harness| harness.run(two_calls(true)).await.reserved.micros();
    assert_eq!(reserved(&harness).await, 250_000, "nothing is known yet");
    assert_eq!(reserved(&harness).await, 400, "what the first cost");
    harness.config.job_cost_cap = MicroUsd::from_micros(300);
    assert_eq!(
        reserved(&harness).await,
        300,
        "no job costs more than its cap"
    );
    harness.config.job_cost_cap = MicroUsd::from_micros(5_000_000);
    let expecting = async |harness: &Harness, micros| {
        let target = gtm_domain::binding::BindingTarget::Backend {
            key: "playbook".into(),
            version: Some("1.0.0".into()),
        };
        let scope = gtm_domain::binding::BindingScope::Project(harness.project);
        let settings = json!({});
        let terms = gtm_domain::binding::BindingTerms {
            expected_cost: Some(MicroUsd::from_micros(micros)),
            ..Default::default()
        };
        let operator = harness.store.operator();
        let bound = operator.set_binding_on(scope, "playbooks", target, settings, terms);
        bound.await.unwrap();
    };
    expecting(&harness, 7_000).await;
    assert_eq!(reserved(&harness).await, 7_000, "the binding says so");
    expecting(&harness, 0).await;
    assert_eq!(
        reserved(&harness).await,
        1,
        "a job that may cost is never free"
    );
    expecting(&harness, 6_000_000).await;
    assert_eq!(reserved(&harness).await, 5_000_000);
}

#[tokio::test]
async fn a_jobs_own_cap_is_told_as_its_own() {
    let (harness, _) = priced(prices(), 1_200).await;
    let details = harness.run(two_calls(true)).await.error.unwrap().details;
    let details = details.unwrap();
    assert_eq!(details["scope"], "job");
    assert!(details.get("resets_at").is_none());
}
