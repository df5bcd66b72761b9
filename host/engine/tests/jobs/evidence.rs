//! Tests from a backend's draft to a result, with bytes from the store.

use std::time::{Duration, Instant};

use gtm_domain::JobStatus;
use gtm_engine::Workers;
use serde_json::{Value, json};

use crate::harness::{Harness, code};
use crate::scripted::{
    Script, ScriptedConnectors, and_small_claim, answers, ask, complete, completion, draft,
    empty_draft, fetch, page, pages, script, small_draft,
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
    assert_eq!(result["risks"], json!([]), "it is no risk of the sale");
    assert!(
        result["unknowns"]
            .as_array()
            .unwrap()
            .contains(&json!({"pointer": "/business_summary", "reason": "unverified"}))
    );
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

/// A draft whose summary has this many excerpts in each of so many basis entries.
fn with_excerpts(receipt: &Value, claims: usize, excerpts: usize) -> Value {
    let basis = (0..claims).map(|claim| {
        let text = |n: usize| format!("words {claim} {n} that no page has");
        let excerpt = |n| json!({"receipt_id": receipt, "text": text(n)});
        json!({"pointer": format!("/sales_angles/{claim}"), "basis": "stated", "reasoning": null,
            "excerpts": (0..excerpts).map(excerpt).collect::<Vec<_>>(), "receipt_ids": []})
    });
    json!({"result": {"language": "en", "sales_angles": vec!["An angle."; claims]},
        "basis": basis.collect::<Vec<_>>(), "sources": []})
}

#[tokio::test]
async fn a_draft_with_too_many_excerpts_is_refused() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    for (claims, excerpts, told) in [
        (1, 51, "50 excerpts for one claim"),
        (101, 50, "5000 excerpts in all"),
    ] {
        let job = harness
            .run(script(move |host, _| async move {
                let answer = ask(&host, vec![fetch(URL)]).await?.remove(0).unwrap();
                let draft = with_excerpts(&answer["receipt_id"], claims, excerpts);
                Ok(and_small_claim(draft))
            }))
            .await;
        assert_eq!(code(&job), "backend_invalid_response");
        let error = job.error.unwrap();
        assert!(error.message.contains(told), "{}", error.message);
    }
}

/// A page of a few megabytes and a draft that quotes it thousands of times: minutes of work.
async fn hard_to_check() -> (Harness, Script) {
    let large = answers(|call| async move {
        let words = "words that a page has ".repeat(130_000);
        page(call.input["url"].as_str().unwrap(), &words)
    });
    let harness = Harness::new(ScriptedConnectors::new(large)).await;
    let script = script(|host, _| async move {
        let answer = ask(&host, vec![fetch(URL)]).await?.remove(0).unwrap();
        let draft = with_excerpts(&answer["receipt_id"], 100, 50);
        Ok(and_small_claim(draft))
    });
    (harness, script)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_ends_the_check() {
    let (mut harness, script) = hard_to_check().await;
    harness.config.job_deadline = Duration::from_secs(4);
    let began = Instant::now();
    let job = harness.run(script).await;
    assert_eq!(code(&job), "deadline_exceeded");
    assert!(began.elapsed() < Duration::from_secs(30), "{began:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_ends_the_check() {
    let (harness, script) = hard_to_check().await;
    let engine = harness.engine(script);
    let id = harness.create(&engine).await;
    let workers = Workers::start(&engine);
    harness.settled(id, 1).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let began = Instant::now();
    harness.store.operator().cancel_job(id).await.unwrap();
    let job = harness.ended(id).await;
    assert_eq!(job.status, JobStatus::Canceled);
    assert!(began.elapsed() < Duration::from_secs(30), "{began:?}");
    workers.shutdown(Duration::from_secs(1)).await;
}

/// All cited answers are in memory at the same time.
#[tokio::test]
async fn what_a_draft_cites_beyond_the_bound_supports_nothing() {
    let large = answers(|call| async move {
        let url = call.input["url"].as_str().unwrap().to_owned();
        let padding = " ".repeat(12 * 1024 * 1024);
        page(&url, &format!("<p>This is the page at {url}.</p>{padding}"))
    });
    let harness = Harness::new(ScriptedConnectors::new(large)).await;
    let job = harness
        .run(script(|host, _| async move {
            let urls = [1, 2, 3].map(|n| format!("{URL}{n}"));
            let calls = urls.iter().map(|url| fetch(url)).collect();
            let answers = ask(&host, calls).await?.into_iter().map(Result::unwrap);
            let basis = answers.zip(&urls).enumerate().map(|(n, (answer, url))| {
                let quote = format!("This is the page at {url}.");
                json!({"pointer": format!("/sales_angles/{n}"), "basis": "stated", "reasoning": null,
                    "excerpts": [{"receipt_id": answer["receipt_id"], "text": quote}], "receipt_ids": []})
            });
            Ok(json!({"result": {"language": "en", "sales_angles": ["A", "B", "C"]},
                "basis": basis.collect::<Vec<_>>(), "sources": []}))
        }))
        .await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let result = job.result.unwrap();
    assert_eq!(result["sales_angles"], json!(["A", "B"]));
    assert_eq!(result["unknowns"][0]["reason"], "unverified");
}
