//! Tests of brands in the engine: created with their research, and bound by playbooks.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use gtm_domain::brand::{ActiveResearch, BrandBinding, BrandCreate, NewGuideline};
use gtm_domain::guideline::guideline_hash;
use gtm_domain::guideline::review::Review;
use gtm_domain::guideline::words::ReviewStatus;
use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::job::{Finish, Product};
use gtm_domain::{BrandId, JobId, JobStatus, JobType, Usage, WorkerId};
use gtm_engine::{
    BrandProblem, CreateError, CreateOutcome, DefaultProblem, Engine, GuidelineLookup, Idempotency,
    Workers,
};
use gtm_store::uuid_v7;
use serde_json::{Value, json};

use crate::harness::{Harness, answer, code, input};
use crate::replays::reader;
use crate::scripted::{Script, ScriptedConnectors, empty_draft, pages, script, small_draft};

fn render(job: &gtm_domain::job::Job) -> StoredAnswer {
    answer(job.id.to_string())
}

fn render_running(active: &ActiveResearch) -> StoredAnswer {
    answer(match active {
        ActiveResearch::Own(job) => format!("running {}", job.id),
        ActiveResearch::Shared(job) => format!("shared {}", job.id),
    })
}

fn wanted(name: &str, is_default: bool) -> BrandCreate {
    BrandCreate {
        company_name: Some(name.to_owned()),
        website: Some("northwind.example".parse().unwrap()),
        is_default,
    }
}

/// Creates a brand with its research job.
async fn create(harness: &Harness, engine: &Engine, is_default: bool) -> (BrandId, JobId) {
    let made = engine
        .create_brand(
            &harness.scope,
            wanted("Northwind", is_default),
            None,
            render,
        )
        .await
        .unwrap();
    let CreateOutcome::Created { resource: job, .. } = made else {
        panic!("{made:?}")
    };
    assert_eq!(job.job_type, JobType::Brands);
    let id = job.input["brand_profile_id"].as_str().unwrap();
    (id.parse().unwrap(), job.id)
}

fn claim(value: Value) -> Value {
    json!({"value": value, "confidence": "high", "basis": "stated", "source_ids": ["src_01"], "excerpt_ids": ["ex_01"]})
}

fn document(brand: BrandId, job: JobId, revision: u64) -> Value {
    let mut document = json!({
        "schema_version": "1.0", "brand_profile_id": brand, "revision": revision, "job_id": job,
        "identity": {"brand_name": claim(json!("Northwind"))},
        "positioning": {"proof_points": [claim(json!({"key": "pp-1", "kind": "metric", "text": "18,000 flats are billed monthly"}))]},
        "messaging": {"claims_restricted": [claim(json!({"text": "Savings of 40 percent", "reason": null}))]},
        "governance": {"review": {"status": "unreviewed"}, "change_log": []},
    });
    document["guideline_hash"] = json!(guideline_hash(&document));
    document
}

/// Completes the queued research of a brand, with the test acting as the worker.
async fn publish(harness: &Harness, brand: BrandId, revision: u64) -> Value {
    let worker = WorkerId::from_uuid(uuid_v7(gtm_domain::Clock::now(&*harness.clock)));
    let claimed = harness
        .store
        .claim_jobs(worker, 1, 10, Duration::from_secs(60))
        .await
        .unwrap()
        .jobs
        .remove(0);
    let document = document(brand, claimed.job.id, revision);
    let finish = Finish::Succeeded {
        result: json!({}),
        product: Product::Guideline(NewGuideline {
            brand,
            revision,
            hash: guideline_hash(&document),
            schema_version: "1.0".to_owned(),
            generated_at: claimed.started_at,
            source_count: 1,
            changed_pointers: vec![],
            document: document.clone(),
        }),
    };
    harness
        .store
        .finish(&claimed.lease, finish, Usage::default())
        .await
        .unwrap();
    document
}

/// A backend that records the brand it receives and cites four proofs: the brand's own, the caller's, one
/// that the brand must not claim, and an invented one.
fn proving(seen: Arc<Mutex<Vec<Value>>>) -> Script {
    script(move |_, request| {
        seen.lock().unwrap().push(request.input["brand"].clone());
        async {
            let proof = |text: &str, origin: &str| json!({"text": text, "origin": origin});
            let basis = |index: usize| {
                json!({"pointer": format!("/proof_points/{index}"), "basis": "provided", "reasoning": null,
                    "excerpts": [], "receipt_ids": []})
            };
            let mut draft = empty_draft();
            draft["result"]["proof_points"] = json!([
                proof("18,000 flats are billed monthly", "offer"),
                proof("Meters that read themselves", "brand"),
                proof("Savings of 40 percent", "brand"),
                proof("Everybody loves it", "brand"),
            ]);
            draft["basis"] = (0..4).map(basis).collect();
            Ok(draft)
        }
    })
}

async fn playbook(
    harness: &Harness,
    engine: &Engine,
    brand: Option<BrandId>,
) -> Result<JobId, CreateError> {
    let mut wanted = input();
    wanted.brand_profile_id = brand.map(|id| id.to_string());
    wanted.product_info = Some("Meters that read themselves.".to_owned());
    let made = engine
        .create_for_brand(&harness.scope, wanted, None, render)
        .await?;
    match made {
        CreateOutcome::Created { resource: job, .. } => Ok(job.id),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_playbook_speaks_for_the_brand_of_its_creation() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let engine = harness.engine(proving(seen.clone()));
    let (brand, _) = create(&harness, &engine, false).await;
    let early = playbook(&harness, &engine, Some(brand)).await;
    assert!(matches!(
        early,
        Err(CreateError::Brand(BrandProblem::NotReady {
            rejected: false
        }))
    ));
    let first = publish(&harness, brand, 1).await;
    let id = playbook(&harness, &engine, Some(brand)).await.unwrap();
    // A new revision before the job starts changes nothing.
    engine
        .research_brand(&harness.scope, brand, None, render, render_running)
        .await
        .unwrap();
    // Jobs are claimed in the order of creation: hold the playbook back until the research has ended.
    let worker = WorkerId::from_uuid(uuid_v7(gtm_domain::Clock::now(&*harness.clock)));
    let held = harness
        .store
        .claim_jobs(worker, 1, 10, Duration::from_secs(60))
        .await
        .unwrap()
        .jobs
        .remove(0);
    assert_eq!(held.job.id, id);
    publish(&harness, brand, 2).await;
    harness.store.release(&held.lease).await.unwrap();
    let workers = Workers::start(&engine);
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{job:?}");
    let result = job.result.clone().unwrap();
    let binding = BrandBinding {
        brand_profile_id: brand,
        revision: 1,
        guideline_hash: guideline_hash(&first),
    };
    assert_eq!(result["brand"], json!(binding));
    assert_eq!(*seen.lock().unwrap(), std::slice::from_ref(&first));
    // Text in the brand's words counts as the brand's; text found nowhere is dropped.
    assert_eq!(
        result["proof_points"],
        json!([
            {"text": "18,000 flats are billed monthly", "origin": "brand"},
            {"text": "Meters that read themselves", "origin": "offer"},
        ])
    );
    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert!(report.is_same(), "{report:?}");
    // Also if the brand has been archived since.
    harness.store.operator().archive_brand(brand).await.unwrap();
    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert!(report.is_same(), "{report:?}");
}

#[tokio::test]
async fn the_default_brand_speaks_where_none_is_named() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let engine = harness.engine(script(|_, _| async { Ok(small_draft()) }));
    let bound = async || {
        let id = playbook(&harness, &engine, None).await.unwrap();
        harness.job(id).await.pins["brand"].clone()
    };
    assert_eq!(bound().await, Value::Null, "no brand at all");
    let (brand, _) = create(&harness, &engine, true).await;
    assert_eq!(bound().await, Value::Null, "a brand that is no default yet");
    for job in harness
        .store
        .list_jobs(&harness.scope, &Default::default())
        .await
        .unwrap()
    {
        if job.job_type == JobType::Playbooks && !job.status.is_terminal() {
            harness.store.operator().cancel_job(job.id).await.unwrap();
        }
    }
    let document = publish(&harness, brand, 1).await;
    assert_eq!(
        bound().await,
        json!({"brand_profile_id": brand, "revision": 1, "guideline_hash": document["guideline_hash"]})
    );
    // An unusable default brand is an error; nothing is silently written without a brand.
    let operator = harness.store.operator();
    let refused = async |reason: DefaultProblem| {
        let refused = playbook(&harness, &engine, None).await;
        let Err(CreateError::Brand(problem)) = refused else {
            panic!("{reason:?}: {refused:?}")
        };
        assert_eq!(problem, BrandProblem::UnusableDefault { brand, reason });
    };
    operator.archive_brand(brand).await.unwrap();
    refused(DefaultProblem::Archived).await;
    operator.unarchive_brand(brand).await.unwrap();
    assert_eq!(bound().await["revision"], 1);
    let review = Review {
        status: ReviewStatus::Rejected,
        reviewed_by: "Ada".to_owned(),
        note: None,
    };
    operator.review_brand(brand, review).await.unwrap();
    refused(DefaultProblem::GuidelineRejected).await;
    operator.clear_default_brand(brand).await.unwrap();
    assert_eq!(bound().await, Value::Null);
}

#[tokio::test]
async fn a_brand_archived_before_the_job_began_fails_it() {
    let connectors = ScriptedConnectors::new(pages());
    let harness = Harness::new(connectors.clone()).await;
    let engine = harness.engine(script(|_, _| async { Ok(small_draft()) }));
    let (brand, _) = create(&harness, &engine, false).await;
    publish(&harness, brand, 1).await;
    let id = playbook(&harness, &engine, Some(brand)).await.unwrap();
    harness.store.operator().archive_brand(brand).await.unwrap();
    let workers = Workers::start(&engine);
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(code(&job), "guideline_unavailable");
    assert!(job.usage.cost == gtm_domain::MicroUsd::ZERO && connectors.total() == 0);
    let details = job.error.unwrap().details.unwrap();
    assert_eq!(details["brand_profile_id"], json!(brand));
    let archived = playbook(&harness, &engine, Some(brand)).await;
    assert!(matches!(
        archived,
        Err(CreateError::Brand(BrandProblem::Archived))
    ));
}

#[tokio::test]
async fn a_repeated_request_gets_its_answer_whatever_became_of_the_brand() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let engine = harness.engine(script(|_, _| async { Ok(small_draft()) }));
    let (brand, _) = create(&harness, &engine, false).await;
    publish(&harness, brand, 1).await;
    let ask = async || {
        let mut wanted = input();
        wanted.brand_profile_id = Some(brand.to_string());
        let key = Idempotency {
            key: "k".to_owned(),
            fingerprint: gtm_domain::Digest::of(b"same"),
        };
        engine
            .create_for_brand(&harness.scope, wanted, Some(key), render)
            .await
            .unwrap()
    };
    let CreateOutcome::Created { answer: first, .. } = ask().await else {
        panic!("replayed")
    };
    harness.store.operator().archive_brand(brand).await.unwrap();
    assert_eq!(ask().await, CreateOutcome::Replayed(first));
}

#[tokio::test]
async fn research_is_shared_and_guidelines_are_looked_up() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let engine = harness.engine(script(|_, _| async { Ok(small_draft()) }));
    let (brand, job) = create(&harness, &engine, false).await;
    let ask = async |id| {
        engine
            .research_brand(&harness.scope, id, None, render, render_running)
            .await
    };
    let CreateOutcome::Reused(answer) = ask(brand).await.unwrap() else {
        panic!("a second job")
    };
    assert_eq!(answer.body, format!("running {job}"));
    let look = async |id, revision| {
        let found = engine.guideline(&harness.scope, id, revision).await;
        found.unwrap()
    };
    assert_eq!(look(brand, None).await, GuidelineLookup::NotReady);
    publish(&harness, brand, 1).await;
    assert!(
        matches!(look(brand, Some(1)).await, GuidelineLookup::Found(g) if g.revision.job == job)
    );
    assert_eq!(look(brand, Some(2)).await, GuidelineLookup::Absent);
    let none = BrandId::from_uuid(uuid_v7(gtm_domain::Clock::now(&*harness.clock)));
    assert_eq!(look(none, None).await, GuidelineLookup::Absent);
    assert!(matches!(
        ask(none).await,
        Err(CreateError::Brand(BrandProblem::Unknown))
    ));
    assert!(matches!(
        ask(brand).await.unwrap(),
        CreateOutcome::Created { .. }
    ));
}
