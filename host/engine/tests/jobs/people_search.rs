//! Tests of prospecting jobs in which a connector searches for people: what becomes of its answer, what it costs, and
//! that it is asked once however often the worker dies.

mod failures;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use gtm_domain::job::Job;
use gtm_domain::outcome_ledger::{OutcomeKind, ReportedOutcome, Subject};
use gtm_domain::prospecting::search::SearchInput;
use gtm_domain::prospecting::{Candidate, EvidenceKind, QualificationStatus};
use gtm_domain::{Clock, Digest, JobId, JobStatus, JobType, MicroUsd, Timestamp};
use gtm_engine::{Engine, PeopleSearchError, Workers, search_country};
use gtm_runtime::{ConnectorOutcome, Exchange};
use gtm_store::{CandidatePage, Unread};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::harness::{Harness, Victim, code};
use crate::replays::Served;
use crate::scripted::{
    BODIES, Script, ScriptedConnectors, answers, facts, outcome, receipt, script,
};

const PEOPLE: &str = "people.search";
const URL: &str = "https://api.people.example/v5/person/search";
/// What a record costs.
const PRICE: MicroUsd = MicroUsd::from_micros(100_000);

fn record(first: &str) -> Value {
    json!({
        "name": format!("{first} Okafor"), "title": "Head of operations", "tel": "+44 20 7946 0000",
        "mail": format!("{}@acme.example", first.to_lowercase()), "works_at": "Acme", "country": "United Kingdom",
    })
}

/// An answer with these records, as a connector tells it.
fn people(records: &[Value]) -> ConnectorOutcome {
    let body = Bytes::from(json!({ "hits": records }).to_string());
    let receipt = receipt(URL, &body, "application/json");
    BODIES.lock().unwrap().insert(receipt.id, body.clone());
    let told = (0..).zip(records).map(|(index, record): (usize, _)| {
        json!({
            "record": format!("/hits/{index}"),
            "full_name": record["name"], "first_name": null, "role": record["title"],
            "company": {
                "name": record["works_at"], "domain": null, "country": record["country"], "industry": null,
                "locality": null,
            },
            "email": record["mail"], "email_origin": "licensed",
        })
    });
    let output = json!({
        "receipt_id": receipt.id, "publisher": "People of a test", "people": told.collect::<Vec<_>>(),
    });
    let body = body.into();
    let mut made = outcome(Ok(output), vec![Exchange { receipt, body }], None);
    made.meters.credits = u32::try_from(records.len()).ok().map(f64::from);
    made
}

/// A connector that answers with these people and charges for each.
fn finds(first_names: &'static [&'static str]) -> Arc<ScriptedConnectors> {
    with(ScriptedConnectors::new(answers(move |_| async move {
        let records: Vec<Value> = first_names.iter().map(|name| record(name)).collect();
        people(&records)
    })))
}

/// A search is charged for and must not be repeated.
fn with(connectors: Arc<ScriptedConnectors>) -> Arc<ScriptedConnectors> {
    let facts = facts(false, false, true);
    let known = connectors.facts.lock();
    known.unwrap().insert(PEOPLE.to_owned(), facts);
    connectors
}

/// A backend that nobody may ask.
fn unasked() -> Script {
    script(|_, _| async move { panic!("a search for people asks no backend") })
}

fn search() -> SearchInput {
    let roles = ["Head of operations".to_owned()];
    let countries = [search_country("gb").unwrap()];
    SearchInput::new(&roles, &[], &countries, 5, Some(7)).unwrap()
}

async fn bound(harness: &Harness) {
    let settings = json!({"prices": {"per_record_usd": 0.1}});
    harness.bind_connection(PEOPLE, PEOPLE, settings).await;
}

async fn create(harness: &Harness, engine: &Engine) -> Result<Job, PeopleSearchError> {
    let operator = harness.store.operator_named("ops");
    let search = search();
    engine
        .create_people_search(&operator, harness.project, None, &search)
        .await
}

async fn searched(harness: &Harness) -> Job {
    bound(harness).await;
    let engine = harness.engine(unasked());
    let id = create(harness, &engine).await.unwrap().id;
    let workers = Workers::start(&engine);
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    job
}

async fn candidates(harness: &Harness, job: &Job) -> Vec<Candidate> {
    let page = CandidatePage {
        after: None,
        limit: 100,
    };
    let found = harness.store.candidates(&harness.scope, job.id, page).await;
    found.unwrap().unwrap()
}

macro_rules! on_both_engines {
    ($($name:ident: $connectors:expr),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::Harness::bare($connectors).await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                let test = concat!(module_path!(), "::", stringify!($name));
                if let Some(harness) = super::Harness::postgres(test, $connectors).await {
                    super::$name(harness).await;
                }
            })*
        }
    };
}

on_both_engines!(
    people_become_pending_candidates: super::finds(&["Sam", "Ada"]),
    nobody_found_is_a_job_that_succeeded: super::finds(&[]),
    whom_the_ledger_names_is_left_out: super::finds(&["Sam", "Ada"]),
);

async fn people_become_pending_candidates(harness: Harness) {
    bound(&harness).await;
    let engine = harness.engine(unasked());
    let made = create(&harness, &engine).await.unwrap();
    assert_eq!(made.job_type, JobType::Prospecting);
    assert_eq!(made.status, JobStatus::Queued);
    let ceiling = MicroUsd::from_micros(500_000);
    assert_eq!(made.reserved, ceiling, "five records at most");
    let workers = Workers::start(&engine);
    let job = harness.ended(made.id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(
        job.result,
        Some(json!({
            "candidates": 2, "accepted": 0, "rejected": 0, "pending": 2, "synthetic": 0, "found": 2,
            "left_out": {"no_address": 0, "not_in_answer": 0, "unfit": 0, "repeated": 0, "suppressed": 0},
        }))
    );
    assert_eq!(job.usage.cost, PRICE + PRICE, "two records");
    assert_eq!(job.usage.connector_requests, 1);
    assert_eq!(job.usage.backend_requests, 0);
    assert!(harness.store.verify_ledger().await.unwrap().is_sound());
    let asked = harness.connectors.calls.borrow()[0].1.clone();
    assert_eq!(
        asked,
        json!({
            "roles": ["Head of operations"], "countries": [{"code": "GB", "name": "United Kingdom"}],
            "limit": 5, "require_email": true,
        })
    );
    let found = candidates(&harness, &job).await;
    let masked: Vec<&str> = found.iter().map(|it| it.address.masked.as_str()).collect();
    assert_eq!(masked, ["s***@acme.example", "a***@acme.example"]);
    let sam = &found[0];
    assert_eq!(sam.qualification.status, QualificationStatus::Pending);
    assert_eq!(sam.company.country.as_deref(), Some("GB"));
    assert!(!sam.synthetic);
    let lasts = sam.expires_at.since(job.started_at.unwrap());
    let week = Duration::from_secs(7 * 86_400);
    assert!(lasts <= week && lasts > week - Duration::from_millis(2));
    let provenance = &sam.evidence[0];
    assert_eq!(provenance.kind, EvidenceKind::AddressProvenance);
    assert_eq!(provenance.url.as_deref(), Some(URL));
    let receipts = harness.store.job_receipts(&harness.scope, job.id).await;
    let receipt = receipts.unwrap().unwrap().remove(0).receipt;
    assert_eq!(Some(provenance.content_digest), receipt.response_digest);
    let bytes = harness
        .store
        .receipt_body(&harness.scope, job.id, receipt.id)
        .await;
    let (_, bytes) = bytes.unwrap().unwrap();
    assert_eq!(Digest::of(&bytes), provenance.content_digest);
    let shown = serde_json::to_string(&found).unwrap().to_lowercase();
    for hidden in ["sam@", "ada@", "7946"] {
        assert!(!shown.contains(hidden), "{shown}");
    }
    let operator = harness.store.operator();
    let clear = operator.read_address(sam.id).await.unwrap();
    assert_eq!(clear.in_clear(), "sam@acme.example");
    // A replay makes the same of the same bytes.
    let reader = Arc::new(Served::of(harness.store.clone(), job.id));
    let replayed = engine.replay(job, reader).await.unwrap();
    assert!(replayed.is_same(), "{replayed:?}");
    assert_eq!(harness.connectors.total(), 1);
}

async fn nobody_found_is_a_job_that_succeeded(harness: Harness) {
    let job = searched(&harness).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(job.result.as_ref().unwrap()["candidates"], 0);
    assert_eq!(job.usage.cost, MicroUsd::ZERO);
    assert_eq!(candidates(&harness, &job).await, []);
}

async fn whom_the_ledger_names_is_left_out(harness: Harness) {
    let outcome = ReportedOutcome {
        kind: OutcomeKind::Objection,
        subject: Subject::Address("ADA@acme.example".parse().unwrap()),
        occurred_at: Timestamp::from_millis(harness.clock.now().millis()),
        source: "a letter".into(),
    };
    let operator = harness.store.operator();
    let entered = operator.record_outcomes(harness.project, vec![outcome]);
    entered.await.unwrap();
    let job = searched(&harness).await;
    let result = job.result.clone().unwrap();
    assert_eq!(result["candidates"], 1);
    assert_eq!(result["left_out"]["suppressed"], 1);
    let found = candidates(&harness, &job).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].address.masked, "s***@acme.example");
    assert_eq!(job.usage.cost, PRICE + PRICE, "she was paid for");
    let reader = Arc::new(Served::of(harness.store.clone(), job.id));
    let engine = harness.engine(unasked());
    assert!(engine.replay(job, reader).await.unwrap().is_same());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fixtures_people_are_made_up() {
    let connectors = finds(&["Sam"]);
    connectors
        .facts
        .lock()
        .unwrap()
        .get_mut(PEOPLE)
        .unwrap()
        .synthetic = true;
    let harness = Harness::bare(connectors).await;
    let job = searched(&harness).await;
    assert_eq!(job.result.as_ref().unwrap()["synthetic"], 1);
    let found = candidates(&harness, &job).await;
    assert!(found[0].synthetic && found[0].evidence.iter().all(|it| it.synthetic));
}

/// A search whose worker has asked the provider, and the worker, which is to die.
async fn asking(harness: &Harness) -> (JobId, Victim) {
    bound(harness).await;
    let created = create(harness, &harness.engine(unasked())).await;
    let victim = Victim::start(harness.engine(unasked()));
    harness.connectors.asked(1).await;
    (created.unwrap().id, victim)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_whose_answer_was_lost_is_not_made_again() {
    let connectors = with(ScriptedConnectors::new(answers(|_| async {
        std::future::pending().await
    })));
    let harness = Harness::bare(connectors).await;
    let (id, victim) = asking(&harness).await;
    victim.kill();
    let workers = Workers::start(&harness.engine(unasked()));
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(code(&job), "provider_outcome_unknown");
    assert_eq!(harness.connectors.total(), 1);
    assert_eq!(job.usage.cost, MicroUsd::ZERO);
    assert_eq!(candidates(&harness, &job).await, []);
    assert!(harness.store.verify_ledger().await.unwrap().is_sound());
}

#[tokio::test(flavor = "multi_thread")]
#[expect(
    clippy::await_holding_lock,
    reason = "whoever waits for it is a thread of the victim"
)]
async fn a_search_that_was_answered_is_not_made_again() {
    let go_on = Arc::new(Notify::new());
    let wait = Arc::clone(&go_on);
    let connectors = with(ScriptedConnectors::new(answers(move |_| {
        let wait = Arc::clone(&wait);
        async move {
            wait.notified().await;
            people(&[record("Sam")])
        }
    })));
    let harness = Harness::bare(connectors).await;
    let (id, victim) = asking(&harness).await;
    // The first thing that a run does with a settled answer is to look the connector up.
    let facts = harness.connectors.facts.lock().unwrap();
    go_on.notify_one();
    harness.settled(id, 1).await;
    victim.kill();
    drop(facts);
    let workers = Workers::start(&harness.engine(unasked()));
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(job.attempts, 2);
    assert_eq!(harness.connectors.total(), 1);
    assert_eq!(job.usage.cost, PRICE);
    assert_eq!(candidates(&harness, &job).await.len(), 1);
    assert!(harness.store.verify_ledger().await.unwrap().is_sound());
}

/// The person is erased after the provider has answered and before the run has looked whom it must not store.
#[tokio::test(flavor = "multi_thread")]
#[expect(
    clippy::await_holding_lock,
    reason = "whoever waits for it is a thread of the worker"
)]
async fn whoever_is_erased_while_a_search_runs_is_left_out() {
    let go_on = Arc::new(Notify::new());
    let told = Arc::clone(&go_on);
    let connectors = with(ScriptedConnectors::new(answers(move |_| {
        let told = Arc::clone(&told);
        async move {
            told.notified().await;
            people(&["Sam", "Ada"].map(record))
        }
    })));
    let harness = Harness::bare(connectors).await;
    bound(&harness).await;
    let engine = harness.engine(unasked());
    let id = create(&harness, &engine).await.unwrap().id;
    let workers = Workers::start(&engine);
    harness.connectors.asked(1).await;
    // The first thing that a run does with a settled answer is to look the connector up, as it did before the call.
    let facts = harness.connectors.facts.lock().unwrap();
    go_on.notify_one();
    harness.settled(id, 1).await;
    let operator = harness.store.operator();
    let ada = "ada@acme.example".parse().unwrap();
    let erased = operator.erase_prospects(&ada, Unread::Keep);
    assert_eq!(erased.await.unwrap().searches_under_way, 1);
    drop(facts);
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let result = job.result.as_ref().unwrap();
    assert_eq!(result["candidates"], 1);
    assert_eq!(result["left_out"]["suppressed"], 1);
    assert_eq!(candidates(&harness, &job).await.len(), 1);
    let receipts = harness.store.job_receipts(&harness.scope, job.id).await;
    assert_eq!(receipts.unwrap().unwrap().len(), 0);
    assert_eq!(harness.connectors.total(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_never_went_out_is_made_by_the_next_worker() {
    let harness = Harness::bare(finds(&["Sam"])).await;
    bound(&harness).await;
    let engine = harness.engine(unasked());
    let id = create(&harness, &engine).await.unwrap().id;
    // A worker that has claimed the job and dies before anything else.
    let worker = gtm_domain::WorkerId::from_uuid(gtm_store::uuid_v7(harness.clock.now()));
    let lease = Duration::from_millis(50);
    let claims = harness.store.claim_jobs(worker, 1, 1, lease).await.unwrap();
    assert_eq!(claims.jobs.len(), 1);
    let workers = Workers::start(&engine);
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!((job.attempts, harness.connectors.total()), (2, 1));
}
