//! Searches that fail, whose answer proves nothing, or that are not created.

use bytes::Bytes;
use gtm_domain::{Failure, FailureKind, MicroUsd};
use gtm_engine::PeopleSearchError;
use gtm_runtime::Exchange;
use serde_json::json;

use super::{
    PEOPLE, PRICE, URL, candidates, create, finds, people, record, searched, unasked, with,
};
use crate::harness::{Harness, code};
use crate::scripted::{ScriptedConnectors, answers, outcome, receipt};

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_search_has_no_candidates_and_says_what_failed() {
    use FailureKind as Kind;
    for (kind, failure, want, told) in [
        (
            Kind::Unauthorized,
            "http_401",
            "connector_credentials_rejected",
            "http_401",
        ),
        (
            Kind::Quota,
            "provider_credit_exhausted",
            "quota_exceeded",
            "provider_credit_exhausted",
        ),
        (
            Kind::RateLimited,
            "http_429",
            "connector_unavailable",
            "http_429",
        ),
        (
            Kind::Upstream,
            "http_500",
            "connector_unavailable",
            "http_500",
        ),
        (
            Kind::Upstream,
            "invalid_provider_response",
            "connector_invalid_response",
            "invalid_provider_response",
        ),
    ] {
        let answer = answers(move |_| async move {
            let failure = Failure::new(kind, failure, "sam@acme.example");
            outcome(Err(failure), vec![], None)
        });
        let harness = Harness::bare(with(ScriptedConnectors::new(answer))).await;
        let job = searched(&harness).await;
        assert_eq!(code(&job), want);
        let error = serde_json::to_value(&job.error).unwrap();
        assert_eq!(error["details"]["failure_code"], told);
        assert!(!error.to_string().contains("sam@"), "{error}");
        assert_eq!(job.usage.cost, MicroUsd::ZERO);
        assert_eq!(job.result, None);
        assert_eq!(candidates(&harness, &job).await, []);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_nobody_can_count_awaits_an_operator() {
    let answer = answers(|_| async {
        let body = Bytes::from_static(b"{\"hits\": [");
        let receipt = receipt(URL, &body, "application/json");
        let body = body.into();
        let failure = Failure::new(FailureKind::Upstream, "invalid_provider_response", "cut");
        outcome(Err(failure), vec![Exchange { receipt, body }], None)
    });
    let harness = Harness::bare(with(ScriptedConnectors::new(answer))).await;
    let job = searched(&harness).await;
    assert_eq!(code(&job), "connector_invalid_response");
    assert_eq!(job.usage.cost, MicroUsd::ZERO);
    let receipts = harness.store.job_receipts(&harness.scope, job.id).await;
    assert!(receipts.unwrap().unwrap()[0].reconciliation.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_of_another_call_proves_nothing() {
    let answer = answers(|_| async {
        let mut made = people(&[record("Sam")]);
        let Ok(output) = &mut made.result else {
            unreachable!("it has people")
        };
        output["receipt_id"] = json!("rcp_01jz8q7c1d2e3f4g5h6j7k8m9n");
        made
    });
    let harness = Harness::bare(with(ScriptedConnectors::new(answer))).await;
    let job = searched(&harness).await;
    assert_eq!(code(&job), "connector_invalid_response");
    assert_eq!(job.usage.cost, PRICE, "the provider answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exchange_that_failed_or_was_refused_proves_nothing() {
    for (status, decision) in [
        (Some(404), "allowed"),
        (Some(302), "allowed"),
        (Some(199), "allowed"),
        (None, "allowed"),
        (Some(200), "host_not_allowed"),
    ] {
        let answer = answers(move |_| async move {
            let mut made = people(&[record("Sam")]);
            let receipt = &mut made.exchanges[0].receipt;
            receipt.status = status;
            decision.clone_into(&mut receipt.decision);
            made
        });
        let harness = Harness::bare(with(ScriptedConnectors::new(answer))).await;
        let job = searched(&harness).await;
        assert_eq!(
            code(&job),
            "connector_invalid_response",
            "{status:?} {decision}"
        );
        assert_eq!(candidates(&harness, &job).await, []);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_would_fail_for_certain_is_not_created() {
    use PeopleSearchError as Error;
    let harness = Harness::bare(finds(&["Sam"])).await;
    let engine = harness.engine(unasked());
    let refused = async || create(&harness, &engine).await.unwrap_err();
    assert!(matches!(refused().await, Error::NotBound));
    harness.bind_connection(PEOPLE, PEOPLE, json!({})).await;
    assert!(matches!(refused().await, Error::NoPrice(_)));
    let of_requests = json!({"prices": {"per_request_usd": 0.1}});
    harness.bind_connection(PEOPLE, PEOPLE, of_requests).await;
    assert!(matches!(refused().await, Error::NoPrice(_)));
    let dear = json!({"prices": {"per_record_usd": 1000}});
    harness.bind_connection(PEOPLE, PEOPLE, dear).await;
    assert!(matches!(refused().await, Error::OverCap { .. }));
    harness
        .bind_connection(PEOPLE, "gone", json!({"free": true}))
        .await;
    assert!(matches!(refused().await, Error::Unusable { .. }));
    let free = harness
        .bind_connection(PEOPLE, PEOPLE, json!({"free": true}))
        .await;
    let operator = harness.store.operator();
    operator.disable_connection(free).await.unwrap();
    assert!(matches!(
        refused().await,
        Error::NotBound | Error::Unusable { .. }
    ));
    let filter = gtm_store::JobFilter::default();
    assert!(operator.list_jobs(None, &filter).await.unwrap().is_empty());
    assert_eq!(harness.connectors.total(), 0);
}
