//! What a search for people leaves, and what an erasure takes of it: answers in which the person stands, whether their
//! job has ended or runs.

use bytes::Bytes;
use gtm_domain::job::{Finish, Job, Product};
use gtm_domain::outcome_ledger::{MailAddress, OutcomeKind, ReportedOutcome, Subject};
use gtm_domain::{JobStatus, JobType, Timestamp};
use gtm_store::{ClaimedJob, Erased, StoreError, Unread};
use serde_json::json;

use crate::prospecting::{candidates, import, recorded};
use crate::world::{Tenant, World, new_step, settlement};

on_both_engines!(
    what_a_worker_finds_is_stored_with_its_jobs_end,
    an_erasure_takes_what_a_search_received,
    an_address_is_found_however_an_answer_writes_it,
    every_answer_of_a_search_is_read,
    what_a_running_search_received_goes_when_it_ends,
    a_running_search_does_not_store_an_erased_person,
    a_search_that_is_answered_after_an_erasure_keeps_nothing_of_it,
    a_running_search_in_which_nobody_was_found_keeps_its_answers,
    what_a_connector_made_of_an_answer_is_read_as_well,
    a_search_does_not_store_whom_the_ledger_names_by_then,
    a_search_that_ends_during_an_erasure_is_erased,
    nothing_is_erased_while_answers_cannot_be_read,
);

/// A search that a worker runs, and whose provider has answered with this.
pub async fn answered(world: &World, tenant: &Tenant, body: &str) -> ClaimedJob {
    let claimed = searching(world, tenant).await;
    answer(world, &claimed, body).await;
    claimed
}

/// A search that a worker runs.
pub async fn searching(world: &World, tenant: &Tenant) -> ClaimedJob {
    let operator = world.store.operator();
    let scope = operator.charged_scope(tenant.project, None).await.unwrap();
    let mut new = world.new_job();
    new.job_type = JobType::Prospecting;
    new.input = json!({"operation": "search"});
    let made = operator.create_prospecting_job(&scope, new).await.unwrap();
    assert_eq!((made.status, made.key), (JobStatus::Queued, tenant.key));
    let claimed = world.claim(1).await.remove(0);
    assert_eq!(claimed.job.id, made.id);
    claimed
}

/// The provider answers the search's one call with this.
async fn answer(world: &World, search: &ClaimedJob, body: &str) {
    let (store, lease) = (&world.store, &search.lease);
    store.start_step(lease, new_step(0)).await.unwrap();
    let bytes = Bytes::from(body.to_owned());
    let mut answered = settlement(0);
    answered.exchanges = vec![(world.receipt(&bytes), bytes.into())];
    store.settle_step(lease, 0, answered).await.unwrap();
}

/// The worker stores these candidates.
pub async fn finish(
    world: &World,
    search: &ClaimedJob,
    addresses: &[&str],
) -> Result<Job, StoreError> {
    let found = import(addresses, world.now()).candidates;
    let finish = Finish::Succeeded {
        result: json!({"candidates": found.len()}),
        product: Product::Candidates(found),
    };
    let usage = gtm_domain::Usage::default();
    world.store.finish(&search.lease, finish, usage).await
}

/// A search whose worker has stored an answer with this body and then these candidates.
async fn searched(world: &World, tenant: &Tenant, body: &str, addresses: &[&str]) -> Job {
    let search = answered(world, tenant, body).await;
    finish(world, &search, addresses).await.unwrap()
}

async fn what_a_worker_finds_is_stored_with_its_jobs_end(world: World) {
    let tenant = world.tenant().await;
    let job = searched(
        &world,
        &tenant,
        "{}",
        &["sam@acme.example", "ada@acme.example"],
    )
    .await;
    assert_eq!(job.status, JobStatus::Succeeded);
    let found = candidates(&world, &tenant, job.id).await;
    let masked: Vec<&str> = found.iter().map(|it| it.address.masked.as_str()).collect();
    assert_eq!(masked, ["s***@acme.example", "a***@acme.example"]);
    let operator = world.store.operator();
    let clear = operator.read_address(found[1].id).await.unwrap();
    assert_eq!(clear.in_clear(), "ada@acme.example");
    let created = recorded(&world, "job.created").await;
    assert_eq!(created[0].actor.kind, "operator");
    assert!(world.store.verify_ledger().await.unwrap().is_sound());

    // A job of this type does not end without saying what it found, and no other ends with candidates.
    let playbook = world.create(&tenant.scope).await;
    let claimed = world.claim(1).await.remove(0);
    assert_eq!(claimed.job.id, playbook.id);
    let finish = Finish::Succeeded {
        result: json!({}),
        product: Product::Candidates(import(&["eve@acme.example"], world.now()).candidates),
    };
    let refused = world
        .store
        .finish(&claimed.lease, finish, gtm_domain::Usage::default())
        .await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))));
    let rows = world.number("SELECT COUNT(*) FROM prospects").await;
    assert_eq!(rows, 2);
}

async fn an_erasure_takes_what_a_search_received(world: World) {
    let tenant = world.tenant().await;
    // Ada is no candidate, but the answer tells of her.
    let body = "{\"data\": [\"Sam@acme.example\", \"\\u0041da@acme.example\"]}";
    let told = searched(&world, &tenant, body, &["sam@acme.example"]).await;
    let untold = searched(&world, &tenant, "{\"data\": []}", &["eve@acme.example"]).await;
    let operator = world.store.operator();
    let erase = async |address: &str| {
        let address: MailAddress = address.parse().unwrap();
        let erased = operator
            .erase_prospects(&address, Unread::Keep)
            .await
            .unwrap();
        assert_eq!(erased.searches_under_way, 0);
        (erased.candidates, erased.answers)
    };
    let receipts = async |job: &Job| operator.job_receipts(job.id).await.unwrap().len();
    assert_eq!((receipts(&told).await, receipts(&untold).await), (1, 1));
    assert_eq!(erase("ada@acme.example").await, (0, 1));
    assert_eq!((receipts(&told).await, receipts(&untold).await), (0, 1));
    assert_eq!(operator.job_steps(told.id).await.unwrap(), []);
    assert_eq!(candidates(&world, &tenant, told.id).await.len(), 1);
    let entries = recorded(&world, "prospecting_job.answer_erased").await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].resource.id, told.id.to_string());
    assert_eq!(erase("sam@acme.example").await, (1, 0));
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

async fn an_address_is_found_however_an_answer_writes_it(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let deep = format!(
        "{}\"\\u0041da@acme.example\"{}",
        "[".repeat(200),
        "]".repeat(200)
    );
    for body in [
        // A member's name is a text like any other.
        r#"{"\u0041da@acme.example": {"name": "Ada"}}"#,
        // A document within a document.
        r#"{"body": "{\"mail\": \"\\u0041da@acme.example\"}"}"#,
        // The last of two members with one name is not the only one that stands there.
        r#"{"mail": "\u0041da@acme.example", "mail": null}"#,
        // Not one document: a line for each, one that was cut, and one that nobody reads to its end.
        "{}\n{\"mail\": \"\\u0041da@acme.example\"}\n",
        r#"{"mail": "\u0041da@acme.example", "tel"#,
        deep.as_str(),
        "mailto:ada%40acme.example",
    ] {
        let job = searched(&world, &tenant, body, &[]).await;
        let ada = "ada@acme.example".parse().unwrap();
        operator.erase_prospects(&ada, Unread::Keep).await.unwrap();
        let left = operator.job_receipts(job.id).await.unwrap();
        assert_eq!(left.len(), 0, "{body}");
    }
}

/// They are read some at a time, since all of them may be more than fits into memory.
async fn every_answer_of_a_search_is_read(world: World) {
    const ANSWERS: usize = 120;
    let tenant = world.tenant().await;
    let mut searches = Vec::new();
    for last in ["ada@acme.example", "eve@acme.example"] {
        let search = searching(&world, &tenant).await;
        let (store, lease) = (&world.store, &search.lease);
        store.start_step(lease, new_step(0)).await.unwrap();
        let mut bodies = vec![Bytes::from("{}"); ANSWERS];
        bodies.push(Bytes::from(format!("{{\"mail\": \"{last}\"}}")));
        let mut settled = settlement(0);
        let exchanges = bodies.into_iter();
        let exchanges = exchanges.map(|bytes| (world.receipt(&bytes), bytes.into()));
        settled.exchanges = exchanges.collect();
        store.settle_step(lease, 0, settled).await.unwrap();
        searches.push(finish(&world, &search, &[]).await.unwrap().id);
    }
    let operator = world.store.operator();
    let ada = "ada@acme.example".parse().unwrap();
    operator.erase_prospects(&ada, Unread::Keep).await.unwrap();
    let left = async |job| operator.job_receipts(job).await.unwrap().len();
    assert_eq!(left(searches[0]).await, 0);
    assert_eq!(left(searches[1]).await, ANSWERS + 1);
}

/// An erasure that keeps what cannot be read.
pub async fn erase(world: &World, address: &str) -> Erased {
    let address: MailAddress = address.parse().unwrap();
    let erased = world
        .store
        .operator()
        .erase_prospects(&address, Unread::Keep)
        .await;
    erased.unwrap()
}

/// How many answers the search still has.
pub async fn kept(world: &World, search: &ClaimedJob) -> usize {
    let receipts = world.store.operator().job_receipts(search.job.id).await;
    receipts.unwrap().len()
}

fn refused(ended: Result<Job, StoreError>) {
    assert!(matches!(ended, Err(StoreError::NamedSince)), "{ended:?}");
}

/// How many marks erasures have set.
pub async fn marks(world: &World) -> i64 {
    let marks = "SELECT COUNT(*) FROM erasures_under_way";
    world.number(marks).await
}

async fn what_a_running_search_received_goes_when_it_ends(world: World) {
    let tenant = world.tenant().await;
    let body = "{\"data\": [\"sam@acme.example\", \"ada@acme.example\"]}";
    let usage = gtm_domain::Usage::default();
    for canceled in [false, true] {
        let search = answered(&world, &tenant, body).await;
        let under_way = Erased {
            searches_under_way: 1,
            ..Erased::default()
        };
        assert_eq!(erase(&world, "ada@acme.example").await, under_way);
        // A second one finds the first one's mark.
        assert_eq!(erase(&world, "ada@acme.example").await, under_way);
        assert_eq!(kept(&world, &search).await, 1, "its run needs the answer");
        let ended = if canceled {
            world
                .store
                .finish(&search.lease, Finish::Canceled, usage)
                .await
        } else {
            finish(&world, &search, &["sam@acme.example"]).await
        };
        ended.unwrap();
        assert_eq!(kept(&world, &search).await, 0);
        assert_eq!(marks(&world).await, 0);
    }
    let entries = recorded(&world, "prospecting_job.answer_erased").await;
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0].actor.id, "erasure");
    assert_eq!(erase(&world, "ada@acme.example").await, Erased::default());
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

async fn a_running_search_does_not_store_an_erased_person(world: World) {
    let tenant = world.tenant().await;
    let body = "{\"data\": [\"sam@acme.example\", \"ada@acme.example\"]}";
    let search = answered(&world, &tenant, body).await;
    let both = ["sam@acme.example", "ada@acme.example"];
    assert_eq!(erase(&world, "SAM@acme.example").await.candidates, 0);
    refused(finish(&world, &search, &both).await);
    assert_eq!(kept(&world, &search).await, 1, "nothing was written");
    let job = finish(&world, &search, &both[1..]).await.unwrap();
    let found = candidates(&world, &tenant, job.id).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].address.masked, "a***@acme.example");
    assert_eq!(kept(&world, &search).await, 0);
}

async fn a_search_that_is_answered_after_an_erasure_keeps_nothing_of_it(world: World) {
    let tenant = world.tenant().await;
    let search = searching(&world, &tenant).await;
    assert_eq!(
        erase(&world, "sam@acme.example").await.searches_under_way,
        1
    );
    answer(&world, &search, "{\"mail\": \"sam@acme.example\"}").await;
    refused(finish(&world, &search, &["sam@acme.example"]).await);
    finish(&world, &search, &[]).await.unwrap();
    assert_eq!(kept(&world, &search).await, 0);
    assert_eq!(marks(&world).await, 0);
}

async fn a_running_search_in_which_nobody_was_found_keeps_its_answers(world: World) {
    let tenant = world.tenant().await;
    let search = answered(&world, &tenant, "{\"mail\": \"eve@acme.example\"}").await;
    assert_eq!(
        erase(&world, "sam@acme.example").await.searches_under_way,
        1
    );
    let job = finish(&world, &search, &["eve@acme.example"])
        .await
        .unwrap();
    assert_eq!(kept(&world, &search).await, 1);
    assert_eq!(candidates(&world, &tenant, job.id).await.len(), 1);
    assert_eq!(marks(&world).await, 0);
}

/// A connector may read what no text shows, such as bytes that are packed.
async fn what_a_connector_made_of_an_answer_is_read_as_well(world: World) {
    let tenant = world.tenant().await;
    let search = searching(&world, &tenant).await;
    let (store, lease) = (&world.store, &search.lease);
    store.start_step(lease, new_step(0)).await.unwrap();
    let bytes = Bytes::from_static(b"packed");
    let mut settled = settlement(0);
    settled.outcome = Ok(json!({"people": [{"email": "sam@acme.example"}]}));
    settled.exchanges = vec![(world.receipt(&bytes), bytes.into())];
    store.settle_step(lease, 0, settled).await.unwrap();
    finish(&world, &search, &[]).await.unwrap();
    assert_eq!(erase(&world, "sam@acme.example").await.answers, 1);
    assert_eq!(
        world
            .store
            .operator()
            .job_steps(search.job.id)
            .await
            .unwrap(),
        []
    );
}

async fn a_search_does_not_store_whom_the_ledger_names_by_then(world: World) {
    let tenant = world.tenant().await;
    let search = answered(&world, &tenant, "{}").await;
    let outcome = ReportedOutcome {
        kind: OutcomeKind::Objection,
        subject: Subject::Address("sam@acme.example".parse().unwrap()),
        occurred_at: Timestamp::from_millis(world.now().millis()),
        source: "a letter".into(),
    };
    let operator = world.store.operator();
    let entered = operator.record_outcomes(tenant.project, vec![outcome]);
    entered.await.unwrap();
    refused(finish(&world, &search, &["sam@acme.example"]).await);
    finish(&world, &search, &["eve@acme.example"])
        .await
        .unwrap();
    assert_eq!(kept(&world, &search).await, 1);
}

/// Whichever of the two is first.
async fn a_search_that_ends_during_an_erasure_is_erased(world: World) {
    let tenant = world.tenant().await;
    for _ in 0..8 {
        let search = answered(&world, &tenant, "{\"mail\": \"sam@acme.example\"}").await;
        let sam = ["sam@acme.example"];
        let (erased, ended) = tokio::join!(erase(&world, sam[0]), finish(&world, &search, &sam));
        match ended {
            Ok(_) => assert_eq!((erased.candidates, erased.answers), (1, 1)),
            Err(error) => {
                refused(Err(error));
                assert_eq!(erased.searches_under_way, 1);
                finish(&world, &search, &[]).await.unwrap();
            }
        }
        assert_eq!(kept(&world, &search).await, 0);
        assert!(candidates(&world, &tenant, search.job.id).await.is_empty());
    }
    assert_eq!(marks(&world).await, 0);
}

async fn nothing_is_erased_while_answers_cannot_be_read(world: World) {
    let tenant = world.tenant().await;
    // Long enough to be kept beside the database.
    let body = format!("{} of somebody else", "x".repeat(100_000));
    searched(&world, &tenant, &body, &["ada@acme.example"]).await;
    let silent = format!("{} of nobody", "y".repeat(100_000));
    let told = searched(&world, &tenant, &silent, &[]).await;
    let operator = world.store.operator();
    let address: MailAddress = "ada@acme.example".parse().unwrap();
    let folder = world.config.blob_dir.join("blobs");
    let away = world.config.blob_dir.join("away");
    std::fs::rename(&folder, &away).unwrap();
    // The candidate goes, and what cannot be read stays: another folder, or a file in its place, holds none of it.
    let erased = operator.erase_prospects(&address, Unread::Keep).await;
    let unread = Erased {
        candidates: 1,
        searches_unread: 2,
        ..Erased::default()
    };
    assert_eq!(erased.unwrap(), unread);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::write(&folder, b"").unwrap();
    let erased = operator.erase_prospects(&address, Unread::Keep).await;
    let unread = Erased {
        candidates: 0,
        ..unread
    };
    assert_eq!(erased.unwrap(), unread);
    std::fs::remove_file(&folder).unwrap();
    std::fs::rename(&away, &folder).unwrap();
    let erased = operator.erase_prospects(&address, Unread::Keep).await;
    assert_eq!(erased.unwrap(), Erased::default());
    let receipts = async |job: &Job| operator.job_receipts(job.id).await.unwrap().len();
    assert_eq!(receipts(&told).await, 1);
    // Lost for good.
    std::fs::remove_dir_all(&folder).unwrap();
    let erased = operator.erase_prospects(&address, Unread::Erase).await;
    let lost = Erased {
        answers: 2,
        ..Erased::default()
    };
    assert_eq!(erased.unwrap(), lost);
    assert_eq!(receipts(&told).await, 0);
}
