//! Tests of brands jobs: from a draft to stored revisions of a guideline.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gtm_domain::BrandId;
use gtm_domain::brand::{BrandCreate, ResearchStatus};
use gtm_domain::guideline::Guideline;
use gtm_domain::guideline::fields::{FIELDS, Form};
use gtm_domain::job::Job;
use gtm_engine::{CreateOutcome, Engine, GuidelineLookup, Workers};
use serde_json::{Value, json};

use crate::harness::{Harness, answer, code};
use crate::replays::reader;
use crate::scripted::{Script, ScriptedConnectors, answers, ask, fetch, page, script};

const URL: &str = "https://acme.example/";
const HTML: &str = "<html lang=en><title>Acme</title><p>We make meters that everyone can read.</p>\
    <p>We bill every flat by what it used.</p>";

async fn harness() -> Harness {
    let served = answers(|call| async move { page(call.input["url"].as_str().unwrap(), HTML) });
    let harness = Harness::new(ScriptedConnectors::new(served)).await;
    harness.bind_backend_for("brands", "playbook").await;
    harness
}

/// A draft with one quoted mission.
pub fn draft(mission: &str, quote: &str, receipt: &Value) -> Value {
    let mut guideline = json!({});
    for field in FIELDS.iter().filter(|f| f.form != Form::Host) {
        let mut place = &mut guideline;
        for part in field.pointer[1..].split('/') {
            if place.is_null() {
                *place = json!({});
            }
            place = &mut place[part];
        }
        *place = if field.form == Form::Claims {
            json!([])
        } else {
            Value::Null
        };
    }
    guideline["foundations"]["mission"] = json!(mission);
    json!({
        "language": null, "guideline": guideline, "unknowns": [], "conflicts": [],
        "sources": [{"receipt_id": receipt, "kind": "first_party", "publisher": null, "title": null, "language": null, "published_at": null}],
        "basis": [{"pointer": "/foundations/mission", "basis": "stated", "reasoning": null,
                   "excerpts": [{"receipt_id": receipt, "text": quote}], "receipt_ids": []}],
    })
}

/// A backend that uses the next of these sentences in each run.
fn backend(sentences: &'static [&'static str]) -> Script {
    let runs = Arc::new(AtomicUsize::new(0));
    script(move |host, request| {
        let run = runs.fetch_add(1, Ordering::SeqCst);
        async move {
            assert_eq!(request.task, "brands");
            assert_eq!(
                request.input["brand"]["website_url"],
                URL.trim_end_matches('/')
            );
            let answer = ask(&host, vec![fetch(URL)]).await?.remove(0).unwrap();
            let sentence = sentences[run.min(sentences.len() - 1)];
            Ok(draft(sentence, sentence, &answer["receipt_id"]))
        }
    })
}

async fn create(harness: &Harness, engine: &Engine) -> (BrandId, Job) {
    let request = BrandCreate {
        company_name: Some("Acme".into()),
        website: Some(URL.parse().unwrap()),
        is_default: true,
    };
    let made = engine
        .create_brand(&harness.scope, request, None, |_| answer("{}"))
        .await
        .unwrap();
    let CreateOutcome::Created { resource: job, .. } = made else {
        panic!("replayed")
    };
    let id = job.input["brand_profile_id"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    (id, ended(harness, engine, &job).await)
}

async fn refresh(harness: &Harness, engine: &Engine, brand: BrandId) -> Job {
    let made = engine
        .research_brand(
            &harness.scope,
            brand,
            None,
            |_| answer("{}"),
            |_| answer(""),
        )
        .await
        .unwrap();
    let CreateOutcome::Created { resource: job, .. } = made else {
        panic!("no new job: {made:?}")
    };
    ended(harness, engine, &job).await
}

async fn ended(harness: &Harness, engine: &Engine, job: &Job) -> Job {
    let workers = Workers::start(engine);
    let job = harness.ended(job.id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    job
}

async fn guideline(harness: &Harness, engine: &Engine, brand: BrandId) -> Guideline {
    match engine.guideline(&harness.scope, brand, None).await.unwrap() {
        GuidelineLookup::Found(stored) => Guideline::read(&stored.document).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_brand_gets_its_guideline_and_the_next_revision_says_what_changed() {
    let harness = harness().await;
    let first = "We make meters that everyone can read.";
    let engine = harness.engine(backend(&[
        "We make meters that everyone can read.",
        "We make meters that everyone can read.",
        "We bill every flat by what it used.",
    ]));
    let (brand, job) = create(&harness, &engine).await;
    let result = job.result.clone().unwrap();
    assert_eq!(result["brand_profile_id"], json!(brand));
    assert_eq!(
        (&result["revision"], &result["source_count"]),
        (&json!(1), &json!(1))
    );
    let stored = guideline(&harness, &engine, brand).await;
    assert_eq!(stored.foundations.mission.value.as_deref(), Some(first));
    assert_eq!(result["guideline_hash"], json!(stored.guideline_hash));
    assert_eq!(
        (stored.job_id, stored.identity.domain.as_deref()),
        (job.id, Some("acme.example"))
    );

    let same = refresh(&harness, &engine, brand).await;
    assert_eq!(same.result.as_ref().unwrap()["revision"], 2);
    let changed = refresh(&harness, &engine, brand).await;
    let latest = guideline(&harness, &engine, brand).await;
    let log = latest.governance.change_log;
    assert_eq!(log[1].changed_pointers, Vec::<String>::new());
    assert_eq!(log[2].changed_pointers, ["/foundations/mission"]);
    assert_eq!((log[2].revision, log[2].job_id), (3, changed.id));

    // Each job replays to the same result, regardless of later revisions.
    for (job, sentence) in [(job, 0), (same, 0), (changed, 2)] {
        const SENTENCES: [&[&str]; 3] = [
            &["We make meters that everyone can read."],
            &[],
            &["We bill every flat by what it used."],
        ];
        let calls = harness.connectors.total();
        let engine = harness.engine(backend(SENTENCES[sentence]));
        let report = engine
            .replay(job.clone(), reader(&harness, &job))
            .await
            .unwrap();
        assert!(report.is_same(), "{report:?}");
        assert_eq!(harness.connectors.total(), calls);
    }
}

#[tokio::test]
async fn a_refresh_that_only_lies_leaves_the_last_guideline() {
    let harness = harness().await;
    let engine = harness.engine(backend(&[
        "We make meters that everyone can read.",
        "We are the undisputed leader of the market.",
    ]));
    let (brand, _) = create(&harness, &engine).await;
    let failed = refresh(&harness, &engine, brand).await;
    assert_eq!(code(&failed), "insufficient_evidence");
    assert_eq!(guideline(&harness, &engine, brand).await.revision, 1);
    let found = harness.store.get_brand(&harness.scope, brand).await;
    let row = found.unwrap().unwrap();
    assert_eq!(row.research_status, ResearchStatus::Failed);
    assert_eq!((row.guideline_revision, row.source_count), (Some(1), 1));
}

#[tokio::test]
async fn a_draft_against_the_contract_fails_the_job() {
    let harness = harness().await;
    let engine = harness.engine(script(|_, _| async {
        let mut bad = draft("x", "x", &json!("rcp_none"));
        bad["guideline"]["identity"]["website_url"] = json!("https://evil.example/");
        Ok(bad)
    }));
    let (_, job) = create(&harness, &engine).await;
    assert_eq!(code(&job), "plugin_contract_violation");
    let told = job.error.unwrap();
    assert!(told.message.contains("not a valid draft"), "{told:?}");
    assert!(!json!(told).to_string().contains("evil.example"));
}
