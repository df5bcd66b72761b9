//! Tests from a backend's draft to a result, with bytes from the store.

use gtm_domain::JobStatus;
use serde_json::json;

use crate::harness::{Harness, code};
use crate::scripted::{
    ScriptedConnectors, and_small_claim, answers, ask, complete, completion, draft, empty_draft,
    fetch, page, pages, script, small_draft,
};

const URL: &str = "https://acme.example/";

#[tokio::test]
async fn a_supported_claim_reaches_the_result_with_its_source() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let job = harness
        .run(script(|host, request| async move {
            assert_eq!(request.task, "playbooks");
            assert_eq!(request.input["sections"].as_array().unwrap().len(), 15);
            assert_eq!(request.input["now"], json!(request.started_at));
            assert!(host.bound("web.fetch") && !host.bound("web.search"));
            let answer = ask(&host, vec![fetch(URL)]).await?.remove(0).unwrap();
            Ok(draft(
                "The page at acme.example.",
                &answer["receipt_id"],
                "the page at https://acme.example/ and",
            ))
        }))
        .await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(job.progress, 100);
    let result = job.result.unwrap();
    assert_eq!(result["business_summary"], "The page at acme.example.");
    assert_eq!(result["basis"][0]["confidence"], "high");
    assert_eq!(result["sources"][0]["kind"], "first_party");
    assert_eq!(result["sources"][0]["connector"]["key"], "web.fetch");
    assert_eq!(result["sources"][0]["excerpts"][0]["verified"], true);
    assert_eq!(
        result["target"],
        json!({"company": "Acme", "domain": "acme.example"})
    );
    assert_eq!(
        (job.usage.connector_requests, job.usage.backend_requests),
        (1, 0)
    );
}

#[tokio::test]
async fn a_lying_backend_loses_its_claim() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let job = harness
        .run(script(|host, _| async move {
            let answer = ask(&host, vec![fetch(URL)]).await?.remove(0).unwrap();
            Ok(and_small_claim(draft(
                "Acme leads the market.",
                &answer["receipt_id"],
                "Acme leads the whole market",
            )))
        }))
        .await;
    assert_eq!(job.status, JobStatus::Succeeded);
    let result = job.result.unwrap();
    assert_eq!(result["business_summary"], json!(null));
    assert_eq!(result["risks"][0]["kind"], "unknown");
    assert!(result["sources"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn a_models_words_are_no_evidence() {
    let harness = Harness::new(ScriptedConnectors::new(answers(|_| async {
        completion("Acme leads the market", 1, 1)
    })))
    .await;
    let job = harness
        .run(script(|host, _| async move {
            let answer = ask(&host, vec![complete("p", 10)])
                .await?
                .remove(0)
                .unwrap();
            Ok(and_small_claim(draft(
                "Acme leads the market.",
                &answer["receipt_id"],
                "Acme leads the market",
            )))
        }))
        .await;
    assert_eq!(job.result.unwrap()["business_summary"], json!(null));
    assert_eq!(job.usage.backend_requests, 1);
}

#[tokio::test]
async fn another_jobs_receipt_is_no_evidence() {
    let harness = Harness::new(ScriptedConnectors::new(answers(|call| async move {
        page(
            call.input["url"].as_str().unwrap(),
            "<p>Acme leads the whole market.</p>",
        )
    })))
    .await;
    let first = harness
        .run(script(|host, _| async move {
            let answer = ask(&host, vec![fetch(URL)]).await?.remove(0).unwrap();
            Ok(draft(
                "x",
                &answer["receipt_id"],
                "Acme leads the whole market",
            ))
        }))
        .await;
    let foreign = first.result.unwrap()["sources"][0]["receipt_id"].clone();
    let job = harness
        .run(script(move |host, _| {
            let foreign = foreign.clone();
            async move {
                ask(&host, vec![fetch(URL)]).await?;
                Ok(and_small_claim(draft(
                    "Acme leads.",
                    &foreign,
                    "Acme leads the whole market",
                )))
            }
        }))
        .await;
    assert_eq!(job.result.unwrap()["business_summary"], json!(null));
}

#[tokio::test]
async fn an_output_that_is_no_draft_fails_the_job() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let job = harness
        .run(script(|_, _| async {
            Ok(json!({"business_summary": "x"}))
        }))
        .await;
    assert_eq!(code(&job), "plugin_contract_violation");
    let job = harness
        .run(script(|_, _| async { Ok(small_draft()) }))
        .await;
    assert_eq!(job.status, JobStatus::Succeeded);
}

/// Whoever wrote the backend, a result without any supported claim is never sold.
#[tokio::test]
async fn a_playbook_in_which_nothing_stands_fails() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let job = harness
        .run(script(|host, _| async move {
            let answer = ask(&host, vec![fetch(URL)]).await?.remove(0).unwrap();
            Ok(draft(
                "Acme leads.",
                &answer["receipt_id"],
                "Acme leads the whole market",
            ))
        }))
        .await;
    assert_eq!(code(&job), "insufficient_evidence");
    assert!(job.result.is_none());
    let job = harness
        .run(script(|_, _| async { Ok(empty_draft()) }))
        .await;
    assert_eq!(code(&job), "insufficient_evidence");
}
