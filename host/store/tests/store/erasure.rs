//! What an erasure takes out of jobs that wrote to the person, and that nothing else changes a result.

use std::time::Duration;

use gtm_domain::job::{Finish, JOB_RETENTION, Product};
use gtm_domain::outcome_ledger::MailAddress;
use gtm_domain::{Digest, JobId, JobType, ProspectId, Usage};
use gtm_store::{ClaimedJob, NewJob, Unread};
use serde_json::{Value, json};
use sqlx::Connection as _;

use crate::prospecting::{candidates, imported};
use crate::world::{Tenant, World};

on_both_engines!(
    an_erasure_takes_the_text_of_results_and_leaves_the_decision,
    a_job_that_ends_after_an_erasure_leaves_no_text,
    an_erasure_finds_what_was_written_to_an_expired_candidate,
    an_erasure_finds_an_expired_candidate_by_both_forms_of_a_tagged_address,
    an_erasure_finds_a_message_that_ended_while_its_candidate_expired,
    no_other_change_of_a_result_is_an_erasure,
    nothing_that_could_name_the_person_is_left_with_a_job,
    a_job_that_ended_without_a_text_keeps_nothing_of_the_person_either,
    only_a_message_with_words_is_told_as_erased,
    a_message_that_is_written_during_an_erasure_keeps_no_text,
    an_erasure_waits_for_a_sweep_and_leaves_what_it_swept,
);

/// What a job says that wrote to this prospect.
pub fn written_to(prospect: ProspectId) -> Value {
    json!({
        "operation": "prospect_message", "status": "DEMONSTRATION_ONLY", "prospect_id": prospect,
        "subject": "For Sam Okafor", "body": "Hello Sam,", "html": "<p>Hello Sam,</p>",
        "message_hash": Digest::of(b"message"), "approval_hash": Digest::of(b"approval"), "external_ref": "crm-sam",
        "compliance_verification": {
            "policy": {"policy_ref": "gb", "policy_version": "1", "policy_hash": null},
            "gates": [{"gate": "identity", "outcome": "passed"}],
            "content_checks": [{"check": "word_limit", "outcome": "passed", "spans": [{"start": 0, "end": 5}]}],
            "address_provenance": {"verified": true, "content_digest": Digest::of(b"Sam Okafor, sam@acme.example")},
            "anchors": [{"start": 6, "end": 9, "kind": "approved_value", "ref": "recipient.first_name"}],
        },
    })
}

async fn writing(world: &World, tenant: &Tenant) -> ClaimedJob {
    writing_of(world, tenant, json!({})).await
}

/// A job that writes on this request, under an idempotency key.
pub async fn writing_of(world: &World, tenant: &Tenant, input: Value) -> ClaimedJob {
    let mut new = NewJob {
        job_type: JobType::MessageTemplates,
        external_ref: Some("crm-sam".to_owned()),
        pins: json!({"observed": {"candidate": Digest::of(b"Sam Okafor")}, "plugins": {}}),
        input,
        ..world.new_job()
    };
    new.response.body = new.input.to_string().into();
    let key = world.idempotency(&tenant.scope, &new.id.to_string(), "a request");
    let created = world.store.create_job(&tenant.scope, new, Some(key)).await;
    created.unwrap();
    world.claim_one().await
}

/// A request for a message to this prospect.
pub fn request(prospect: ProspectId) -> Value {
    json!({
        "operation": "prospect_message", "prospect_id": prospect, "external_ref": "crm-sam",
        "next_step": {"ask": "Shall we talk, Sam?", "url": "https://cal.example/sam-okafor"},
        "purpose": "real_recipient",
    })
}

/// Everything that is stored of jobs and of the requests for them, as text.
async fn stored_of_jobs(world: &World) -> String {
    let mut texts = Vec::new();
    for column in [
        "input",
        "pins",
        "COALESCE(result, '')",
        "COALESCE(external_ref, '')",
    ] {
        let sql = format!("SELECT {column} FROM jobs WHERE type = 'message_templates'");
        texts.extend(world.texts(&sql).await);
    }
    let answers = if world.is_postgres() {
        "SELECT convert_from(body, 'UTF8') FROM idempotency"
    } else {
        "SELECT CAST(body AS TEXT) FROM idempotency"
    };
    texts.extend(world.texts(answers).await);
    texts.join("\n")
}

/// Fails if a text or a hash of a text is left that could say who the person is. Ids may have the letters of a short name by
/// chance, and stay.
async fn names_nobody(world: &World) {
    let stored = stored_of_jobs(world).await;
    for named in ["Sam", "sam@", "-sam", "Okafor", "okafor", "sha256:"] {
        assert!(!stored.contains(named), "{named} in {stored}");
    }
}

async fn erase_sam(world: &World) -> u64 {
    let address: MailAddress = "sam@acme.example".parse().unwrap();
    let erased = world
        .store
        .operator()
        .erase_prospects(&address, Unread::Keep)
        .await;
    erased.unwrap().candidates
}

pub async fn ended(world: &World, tenant: &Tenant, job: &ClaimedJob, result: Value) -> Value {
    let finish = Finish::Succeeded {
        result,
        product: Product::None,
    };
    let usage = Usage::default();
    world.store.finish(&job.lease, finish, usage).await.unwrap();
    result_of(world, tenant, job).await
}

async fn result_of(world: &World, tenant: &Tenant, job: &ClaimedJob) -> Value {
    let job = world.store.get_job(&tenant.scope, job.lease.job()).await;
    job.unwrap().unwrap().result.unwrap()
}

fn bare(mut result: Value, world: &World) -> Value {
    for text in [
        "subject",
        "body",
        "html",
        "external_ref",
        "message_hash",
        "approval_hash",
    ] {
        result[text] = Value::Null;
    }
    result["compliance_verification"]["address_provenance"]["content_digest"] = Value::Null;
    result["erased_at"] = json!(world.now());
    result["compliance_verification"]["anchors"] = json!([]);
    for words in ["spans", "found"] {
        result["compliance_verification"]["content_checks"][0][words] = json!([]);
    }
    result
}

async fn an_erasure_takes_the_text_of_results_and_leaves_the_decision(world: World) {
    let tenant = world.tenant().await;
    let both = ["sam@acme.example", "ada@acme.example"];
    let import = imported(&world, &tenant, &both).await;
    let found = candidates(&world, &tenant, import.id).await;
    let (sam, ada) = (found[0].id, found[1].id);
    let mut jobs = Vec::new();
    for of_job in [
        written_to(sam),
        written_to(ada),
        // Names the prospect and wrote nothing to it.
        json!({"operation": "generate", "body": sam}),
    ] {
        let job = writing(&world, &tenant).await;
        assert_eq!(ended(&world, &tenant, &job, of_job.clone()).await, of_job);
        jobs.push((job, of_job));
    }
    let operator = world.store.operator();
    let address: MailAddress = "sam@acme.example".parse().unwrap();
    let erased = operator
        .erase_prospects(&address, Unread::Keep)
        .await
        .unwrap();
    assert_eq!((erased.candidates, erased.messages), (1, 1));
    let results = [&jobs[0], &jobs[1], &jobs[2]].map(|(job, _)| result_of(&world, &tenant, job));
    let [of_sam, of_ada, other] = results;
    assert_eq!(of_sam.await, bare(jobs[0].1.clone(), &world));
    assert_eq!(of_ada.await, jobs[1].1);
    assert_eq!(other.await, jobs[2].1);
    let left = "SELECT COUNT(*) FROM jobs WHERE result LIKE '%Okafor%'";
    assert_eq!(world.number(left).await, 1, "that of the other candidate");
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

async fn a_job_that_ends_after_an_erasure_leaves_no_text(world: World) {
    let tenant = world.tenant().await;
    let import = imported(&world, &tenant, &["sam@acme.example"]).await;
    let sam = candidates(&world, &tenant, import.id).await[0].id;
    let job = writing(&world, &tenant).await;
    let operator = world.store.operator();
    let address: MailAddress = "sam@acme.example".parse().unwrap();
    let erased = operator
        .erase_prospects(&address, Unread::Keep)
        .await
        .unwrap();
    assert_eq!(erased.candidates, 1);
    let of_job = written_to(sam);
    let result = ended(&world, &tenant, &job, of_job.clone()).await;
    assert_eq!(result, bare(of_job, &world));
}

async fn an_erasure_finds_what_was_written_to_an_expired_candidate(world: World) {
    let tenant = world.tenant().await;
    let both = ["sam@acme.example", "ada@acme.example"];
    let import = imported(&world, &tenant, &both).await;
    let found = candidates(&world, &tenant, import.id).await;
    let (sam, ada) = (found[0].id, found[1].id);
    // The message is kept for longer than the candidate's job.
    let expires = world.now().plus(JOB_RETENTION + Duration::from_secs(3600));
    world.clock.advance(Duration::from_secs(2 * 3600));
    let mut jobs = Vec::new();
    for prospect in [sam, ada] {
        let job = writing_of(&world, &tenant, request(prospect)).await;
        ended(&world, &tenant, &job, written_to(prospect)).await;
        jobs.push((job, written_to(prospect)));
    }
    world.clock.set(expires);
    world.store.sweep().await.unwrap();
    assert!(candidates(&world, &tenant, import.id).await.is_empty());
    assert_eq!(result_of(&world, &tenant, &jobs[0].0).await, jobs[0].1);
    let operator = world.store.operator();
    let address: MailAddress = "sam@acme.example".parse().unwrap();
    for messages in [1, 0] {
        let erased = operator.erase_prospects(&address, Unread::Keep).await;
        let erased = erased.unwrap();
        assert_eq!((erased.candidates, erased.messages), (0, messages));
    }
    let [of_sam, of_ada] = [&jobs[0], &jobs[1]].map(|(job, _)| result_of(&world, &tenant, job));
    assert_eq!(of_sam.await, bare(jobs[0].1.clone(), &world));
    assert_eq!(of_ada.await, jobs[1].1);
    let left = "SELECT COUNT(*) FROM jobs WHERE input LIKE '%Sam?%' OR pins LIKE '%addressee%'";
    assert_eq!(world.number(left).await, 1, "that of the other candidate");
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

async fn an_erasure_finds_an_expired_candidate_by_both_forms_of_a_tagged_address(world: World) {
    let tenant = world.tenant().await;
    let both = ["sam+news@acme.example", "ada+news@acme.example"];
    let import = imported(&world, &tenant, &both).await;
    let expires = world.now().plus(JOB_RETENTION + Duration::from_secs(3600));
    world.clock.advance(Duration::from_secs(2 * 3600));
    for candidate in candidates(&world, &tenant, import.id).await {
        let job = writing_of(&world, &tenant, request(candidate.id)).await;
        ended(&world, &tenant, &job, written_to(candidate.id)).await;
    }
    world.clock.set(expires);
    world.store.sweep().await.unwrap();
    let operator = world.store.operator();
    for (address, messages) in [
        ("sam@acme.example", 1),
        ("ada+other@acme.example", 0),
        ("ada+news@acme.example", 1),
    ] {
        let address: MailAddress = address.parse().unwrap();
        let erased = operator.erase_prospects(&address, Unread::Keep).await;
        assert_eq!(erased.unwrap().messages, messages, "{address:?}");
    }
}

/// A message that is ending holds its candidate; a sweep waits for it, and must not have looked for messages before.
async fn an_erasure_finds_a_message_that_ended_while_its_candidate_expired(world: World) {
    // SQLite has one writer at a time.
    if !world.is_postgres() {
        return;
    }
    let tenant = world.tenant().await;
    let import = imported(&world, &tenant, &["sam@acme.example"]).await;
    let sam = candidates(&world, &tenant, import.id).await[0].id;
    // The message is kept for longer than the candidate's job.
    let expires = world.now().plus(JOB_RETENTION + Duration::from_secs(3600));
    world.clock.advance(Duration::from_secs(2 * 3600));
    let job = writing_of(&world, &tenant, request(sam)).await;
    ended(&world, &tenant, &job, written_to(sam)).await;
    let ending: JobId = world.new_job().id;
    world.clock.set(expires);
    let mut c = sqlx::PgConnection::connect(&world.config.database_url)
        .await
        .unwrap();
    let all = "SELECT set_config('gtm.project', '*', false)";
    sqlx::query(all).execute(&mut c).await.unwrap();
    // No job begins ended, so the trigger that says so must not look.
    sqlx::raw_sql("ALTER TABLE jobs DISABLE TRIGGER jobs_begin_queued")
        .execute(&mut c)
        .await
        .unwrap();
    let mut ends = c.begin().await.unwrap();
    let hold = format!("SELECT 1 FROM prospects WHERE id = '{sam}' FOR UPDATE");
    sqlx::raw_sql(sqlx::AssertSqlSafe(hold))
        .execute(&mut *ends)
        .await
        .unwrap();
    let copy = format!(
        "INSERT INTO jobs SELECT (jsonb_populate_record(j, '{{\"id\": \"{ending}\"}}')).* FROM jobs j WHERE j.id = '{}'",
        job.lease.job()
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(copy))
        .execute(&mut *ends)
        .await
        .unwrap();
    let wait = Duration::from_millis(700);
    let (swept, ()) = tokio::join!(world.store.sweep(), async {
        tokio::time::sleep(wait).await;
        ends.commit().await.unwrap();
    });
    swept.unwrap();
    assert!(candidates(&world, &tenant, import.id).await.is_empty());
    let address: MailAddress = "sam@acme.example".parse().unwrap();
    let operator = world.store.operator();
    let erased = operator.erase_prospects(&address, Unread::Keep).await;
    assert_eq!(erased.unwrap().messages, 2);
    let left = "SELECT COUNT(*) FROM jobs WHERE result LIKE '%Okafor%' OR input LIKE '%Sam?%'";
    assert_eq!(world.number(left).await, 0);
}

async fn no_other_change_of_a_result_is_an_erasure(world: World) {
    let tenant = world.tenant().await;
    let import = imported(&world, &tenant, &["sam@acme.example"]).await;
    let sam = candidates(&world, &tenant, import.id).await[0].id;
    let job = writing(&world, &tenant).await;
    let id = job.lease.job();
    let change = async |what: &str, id: JobId| {
        let sql = format!("UPDATE jobs SET {what} WHERE id = '{id}'");
        world.raw(&sql).await.map_err(|error| error.to_string())
    };
    let told = change("erased_at = created_at", id).await.unwrap_err();
    assert!(told.contains("erased once"), "{told}");
    ended(&world, &tenant, &job, written_to(sam)).await;
    for what in [
        "result = '{}'",
        "result = NULL, erased_at = created_at",
        "usage = '{}', erased_at = created_at",
    ] {
        let told = change(what, id).await.unwrap_err();
        assert!(told.contains("final"), "{what}: {told}");
    }
    // Results of other jobs name nobody.
    let told = change("result = '{}', erased_at = created_at", import.id).await;
    assert!(told.unwrap_err().contains("final"));
    change("result = '{}', erased_at = created_at", id)
        .await
        .unwrap();
    for what in [
        "result = '1'",
        "erased_at = NULL",
        "result = '1', erased_at = expires_at",
    ] {
        assert!(change(what, id).await.is_err(), "{what}");
    }
}

/// Neither a text of the caller's nor a hash of a text that somebody could try out.
async fn nothing_that_could_name_the_person_is_left_with_a_job(world: World) {
    let tenant = world.tenant().await;
    let import = imported(&world, &tenant, &["sam@acme.example"]).await;
    let sam = candidates(&world, &tenant, import.id).await[0].id;
    let before = writing_of(&world, &tenant, request(sam)).await;
    ended(&world, &tenant, &before, written_to(sam)).await;
    let running = writing_of(&world, &tenant, request(sam)).await;
    assert_eq!(erase_sam(&world).await, 1);
    ended(&world, &tenant, &running, written_to(sam)).await;
    names_nobody(&world).await;
    for job in [&before, &running] {
        let job = world.store.get_job(&tenant.scope, job.lease.job()).await;
        let job = job.unwrap().unwrap();
        let mut left = request(sam);
        left["external_ref"] = Value::Null;
        left["next_step"] = json!({"ask": "", "url": null});
        assert_eq!(job.input, left, "the rest of the request stays");
        assert_eq!(job.pins, json!({"plugins": {}}));
        assert_eq!(job.result.unwrap()["status"], "DEMONSTRATION_ONLY");
    }
}

async fn a_job_that_ended_without_a_text_keeps_nothing_of_the_person_either(world: World) {
    let tenant = world.tenant().await;
    let import = imported(&world, &tenant, &["sam@acme.example"]).await;
    let sam = candidates(&world, &tenant, import.id).await[0].id;
    let usage = Usage::default();
    let before = writing_of(&world, &tenant, request(sam)).await;
    let canceled = world
        .store
        .finish(&before.lease, Finish::Canceled, usage)
        .await;
    canceled.unwrap();
    let running = writing_of(&world, &tenant, request(sam)).await;
    assert_eq!(erase_sam(&world).await, 1);
    let canceled = world
        .store
        .finish(&running.lease, Finish::Canceled, usage)
        .await;
    canceled.unwrap();
    names_nobody(&world).await;
}

/// A job that lacked something, and one that was canceled, had no text; both are cleaned all the same.
async fn only_a_message_with_words_is_told_as_erased(world: World) {
    let address: MailAddress = "sam@acme.example".parse().unwrap();
    let operator = world.store.operator();
    let told = "SELECT COUNT(*) FROM audit_log WHERE action = 'prospect_message.erased'";
    let tenant = world.tenant().await;
    for with_words in [false, true] {
        let import = imported(&world, &tenant, &["sam@acme.example"]).await;
        let sam = candidates(&world, &tenant, import.id).await[0].id;
        let canceled = writing_of(&world, &tenant, request(sam)).await;
        let finished = world
            .store
            .finish(&canceled.lease, Finish::Canceled, Usage::default())
            .await;
        finished.unwrap();
        let mut result = written_to(sam);
        if !with_words {
            result["status"] = json!("NEEDS_INPUT");
            for text in ["subject", "body", "html"] {
                result[text] = Value::Null;
            }
        }
        let job = writing_of(&world, &tenant, request(sam)).await;
        ended(&world, &tenant, &job, result).await;
        let erased = operator.erase_prospects(&address, Unread::Keep).await;
        let erased = erased.unwrap();
        let messages = u64::from(with_words);
        assert_eq!((erased.candidates, erased.messages), (1, messages));
        assert_eq!(world.number(told).await, i64::from(with_words));
        names_nobody(&world).await;
    }
}

/// Whichever of the two is first.
async fn a_message_that_is_written_during_an_erasure_keeps_no_text(world: World) {
    let tenant = world.tenant().await;
    for _ in 0..8 {
        let import = imported(&world, &tenant, &["sam@acme.example"]).await;
        let sam = candidates(&world, &tenant, import.id).await[0].id;
        let job = writing_of(&world, &tenant, request(sam)).await;
        let result = written_to(sam);
        let (erased, _) = tokio::join!(erase_sam(&world), ended(&world, &tenant, &job, result));
        assert_eq!(erased, 1);
    }
    names_nobody(&world).await;
}

async fn an_erasure_waits_for_a_sweep_and_leaves_what_it_swept(world: World) {
    const SWEEP: &str = "UPDATE jobs SET result = NULL, input = 'null', pins = 'null', external_ref = NULL, \
        swept_at = expires_at WHERE type = 'message_templates'";
    let tenant = world.tenant().await;
    let import = imported(&world, &tenant, &["sam@acme.example"]).await;
    let sam = candidates(&world, &tenant, import.id).await[0].id;
    let job = writing_of(&world, &tenant, request(sam)).await;
    ended(&world, &tenant, &job, written_to(sam)).await;
    let url = world.config.database_url.clone();
    let erasing = async || {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        erase_sam(&world).await
    };
    // The sweep has changed the row when the erasure comes to it, and commits while the erasure waits.
    let wait = std::time::Duration::from_millis(700);
    let (erased, ()) = if world.is_postgres() {
        let mut c = sqlx::PgConnection::connect(&url).await.unwrap();
        let all = "SELECT set_config('gtm.project', '*', false)";
        sqlx::query(all).execute(&mut c).await.unwrap();
        let mut sweep = c.begin().await.unwrap();
        sqlx::query(SWEEP).execute(&mut *sweep).await.unwrap();
        tokio::join!(erasing(), async {
            tokio::time::sleep(wait).await;
            sweep.commit().await.unwrap();
        })
    } else {
        let mut c = sqlx::SqliteConnection::connect(&url).await.unwrap();
        let mut sweep = c.begin_with("BEGIN IMMEDIATE").await.unwrap();
        sqlx::query(SWEEP).execute(&mut *sweep).await.unwrap();
        tokio::join!(erasing(), async {
            tokio::time::sleep(wait).await;
            sweep.commit().await.unwrap();
        })
    };
    assert_eq!(erased, 1);
    let left = "SELECT COUNT(*) FROM jobs WHERE type = 'message_templates' AND result IS NOT NULL";
    assert_eq!(world.number(left).await, 0);
}
