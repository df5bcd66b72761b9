//! Messages to prospects, and the candidates of prospecting jobs.

use std::time::Duration;

use gtm_domain::idempotency::{Create, StoredAnswer};
use gtm_domain::message::revision::template_hash;
use gtm_domain::message::{
    Block, BlockKind, Inline, NewRevision, RevisionOrigin, Structure, TemplateOffer,
    TemplateOptions,
};
use gtm_domain::prospecting::import::{ImportTerms, read_json};
use gtm_domain::{ApiKeySecret, Digest, JobType, MessageTemplateRevisionId, MicroUsd};
use gtm_store::{NewJob, NewMessageTemplateRevision, ProspectImport, uuid_v7};
use serde_json::{Value, json};

use crate::brands::{post, read};
use crate::jobs::check;
use crate::world::{Answer, World};

const SUMMARY: &str = "Meters before handover.";

fn nothing() -> StoredAnswer {
    StoredAnswer {
        head: String::new(),
        body: bytes::Bytes::new(),
    }
}

/// A revision that says nothing: only creating messages is tested here.
pub async fn revision(world: &World) -> (String, Digest) {
    let structure = Structure {
        subject: vec![Inline::Text { v: "Hello".into() }],
        preview_text: Vec::new(),
        blocks: vec![Block {
            id: "b1".into(),
            kind: BlockKind::OptOut,
            inlines: vec![Inline::Var {
                name: "compliance.opt_out".into(),
            }],
            optional: false,
            fallback: Vec::new(),
        }],
    };
    let options = TemplateOptions {
        tone: "direct".into(),
        locale: "en".into(),
        max_words: 120,
        max_links: 1,
        forbidden_claims: Vec::new(),
    };
    let hash = template_hash("en", &options, &structure, &[], "1").unwrap();
    let content = NewRevision {
        template_key: "handover".into(),
        name: "Handover".into(),
        origin: RevisionOrigin::Reviewed,
        language: "en".into(),
        audience: "Landlords".into(),
        objective: "A call".into(),
        offer: TemplateOffer {
            offer_id: None,
            summary: Some(SUMMARY.into()),
            offer_hash: Digest::of(SUMMARY.as_bytes()),
        },
        desired_next_step: "Ask for a call.".into(),
        options,
        reason: None,
        structure,
        variables: Vec::new(),
        rubric: None,
        template_hash: hash,
        review: None,
        placeholder_catalog_version: "1".into(),
    };
    let now = world.clock_now();
    let new = NewMessageTemplateRevision {
        id: MessageTemplateRevisionId::from_uuid(uuid_v7(now)),
        content,
        created_at: now,
    };
    let scope = scope(world).await;
    let made = world
        .store
        .create_message_template_revision(&scope, new, None, |_| nothing())
        .await;
    let Create::Created(made) = made.unwrap() else {
        panic!("replayed")
    };
    (made.id.to_string(), hash)
}

async fn scope(world: &World) -> gtm_engine::ProjectScope {
    let secret = ApiKeySecret::parse(&world.key).unwrap();
    world.store.authenticate(&secret, None).await.unwrap()
}

fn candidate(first_name: &str) -> Value {
    let at = "2026-03-01T12:00:00Z";
    json!({
        "synthetic": true,
        "qualification": {"status": "accepted", "reason": null, "decided_at": at},
        "person": {"first_name": first_name, "full_name": format!("{first_name} Okafor"), "role": null},
        "company": {"name": "Acme Estates", "domain": "acme-estates.example", "country": "GB",
            "legal_form": null, "industry": null, "location": null},
        "address": format!("{first_name}@acme-estates.example"),
        "evidence": [{
            "kind": "address_provenance", "url": "https://acme-estates.example/team",
            "source_label": "Team", "retrieved_at": at, "content": "Sam Okafor", "excerpt": "Sam Okafor",
            "address_source_class": "published_by_company",
        }],
    })
}

/// A prospecting job with candidates.
pub async fn prospects(world: &World, names: &[&str]) -> String {
    let now = world.clock_now();
    let later = now.plus(Duration::from_secs(20 * 86_400));
    let terms = ImportTerms {
        synthetic: None,
        now,
        expires_at: later,
        job_expires_at: later,
        quotes: gtm_engine::quotation,
    };
    let candidates: Vec<Value> = names.iter().map(|name| candidate(name)).collect();
    let file = json!({ "candidates": candidates });
    let import = ProspectImport {
        candidates: read_json(&file, &terms).unwrap(),
        format: "json",
        file: Digest::of(b"file"),
    };
    let operator = world.store.operator();
    let job = operator.import_prospects(world.project, None, import).await;
    job.unwrap().id.to_string()
}

/// A prospecting job that nothing has run.
async fn queued(world: &World) -> String {
    job_of(world, JobType::Prospecting).await
}

/// A job of this type that nothing has run.
async fn job_of(world: &World, job_type: JobType) -> String {
    let now = world.clock_now();
    let id = gtm_domain::JobId::from_uuid(uuid_v7(now));
    let new = NewJob {
        id,
        job_type,
        created_at: now,
        input: json!({}),
        pins: json!({}),
        seed: [0; 32],
        backend: None,
        stages: None,
        external_ref: None,
        expected_cost: MicroUsd::ZERO,
        cost_cap: MicroUsd::ZERO,
        response: nothing(),
    };
    let scope = scope(world).await;
    world.store.create_job(&scope, new, None).await.unwrap();
    id.to_string()
}

async fn candidates(world: &World, job: &str) -> Vec<Value> {
    let answer = read(world, &format!("/v1/jobs/{job}/candidates"), &[]).await;
    assert_eq!(answer.status, 200, "{}", answer.json());
    check("CandidateList", &answer.json());
    answer.json()["candidates"].as_array().unwrap().clone()
}

/// A request for a message to the first candidate of a job.
pub async fn body(world: &World, job: &str) -> Value {
    let prospect = candidates(world, job).await.remove(0);
    let evidence = &prospect["evidence"][0]["id"];
    json!({
        "prospecting_job_id": job,
        "prospect_id": prospect["id"],
        "purpose": "demonstration",
        "sender": {"full_name": "Ada Byrne", "role": "Lead", "organization": "Northwind", "email": "ada@northwind.example"},
        "reply": {"email": "ada@northwind.example", "monitored": true},
        "postal_identity": {"organization": "Northwind", "address_lines": ["1 Quay Street"],
            "locality": "Bristol", "postal_code": "BS1 4DJ", "country": "GB"},
        "evidence": {"basis_evidence_id": evidence, "address_provenance_id": evidence,
            "personalization_evidence_ids": [evidence]},
        "policy": {"policy_ref": "gb-corporate-outreach", "policy_version": "2026-01"},
        "offer": {"offer_summary": SUMMARY},
        "next_step": {"ask": "Shall we talk?"},
    })
}

pub fn path(revision: &str) -> String {
    format!("/v1/message-template-revisions/{revision}/prospect-message")
}

async fn send(world: &World, revision: &str, body: &Value) -> Answer {
    post(world, &path(revision), &[], &body.to_string()).await
}

async fn world() -> (World, String) {
    let mut world = World::start().await;
    world.key = world.new_key("full", None).await;
    let (revision, _) = revision(&world).await;
    (world, revision)
}

/// The first broken rule: where and which.
fn rule(answer: &Answer) -> (String, String) {
    assert_eq!(answer.error(), (422, "invalid_request".to_owned()));
    let violation = answer.json()["error"]["details"]["violations"][0].clone();
    let text = |member: &str| violation[member].as_str().unwrap().to_owned();
    (text("pointer"), text("rule"))
}

#[tokio::test]
async fn a_request_becomes_a_job_that_sends_nothing() {
    let (world, revision) = world().await;
    let job = prospects(&world, &["sam"]).await;
    let body = body(&world, &job).await.to_string();
    let key = [("idempotency-key", "order-1")];
    let first = post(&world, &path(&revision), &key, &body).await;
    let made = first.json();
    assert_eq!(first.status, 202, "{made}");
    check("ProspectMessageJobResponse", &made);
    assert_eq!(made["type"], "message_templates");
    assert_eq!(made["input"]["operation"], "prospect_message");
    assert_eq!(made["input"]["revision_id"], json!(revision));
    assert_eq!(made["input"]["privacy_notice"], Value::Null);
    assert_eq!(
        (&made["messages_enqueued"], &made["messages_sent"]),
        (&json!(0), &json!(0))
    );
    let again = post(&world, &path(&revision), &key, &body).await;
    assert_eq!((again.status.as_u16(), &again.body), (202, &first.body));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let place = first.header("location").unwrap().to_owned();
    let shown = read(&world, &place, &[]).await.json();
    assert_eq!(shown["messages_sent"], 0);
    // Other jobs have nothing to say about messages.
    let prospecting = read(&world, &format!("/v1/jobs/{job}"), &[]).await.json();
    assert_eq!(prospecting.get("messages_sent"), None);
    assert_eq!(prospecting["usage"]["candidates"], 1);
    let listed = read(&world, "/v1/jobs", &[]).await.json();
    check("JobList", &listed);
}

#[tokio::test]
async fn what_is_absent_or_not_ready_is_told_by_its_status() {
    let (world, revision) = world().await;
    let job = prospects(&world, &["sam"]).await;
    let good = body(&world, &job).await;
    let with = |member: &str, value: Value| {
        let mut body = good.clone();
        body[member] = value;
        body
    };
    let not_found = (404, "not_found".to_owned());
    for absent in ["mtr_01m7z9a0b1c2d3e4f5g6h7j8k9", "none"] {
        assert_eq!(send(&world, absent, &good).await.error(), not_found);
    }
    let id = "job_01m7z9bm98ebdsbmgmvb1g024g";
    let body = with("prospecting_job_id", json!(id));
    assert_eq!(send(&world, &revision, &body).await.error(), not_found);
    let id = "prs_01m7z9bm98ebdsbmgmvb1g024g";
    let body = with("prospect_id", json!(id));
    assert_eq!(send(&world, &revision, &body).await.error(), not_found);
    let offer = json!({"offer_id": "offr_01m7z9bm98ebdsbmgmvb1g024g"});
    let answer = send(&world, &revision, &with("offer", offer)).await;
    assert_eq!(answer.error(), (404, "offer_not_found".to_owned()));
    let body = with("prospecting_job_id", json!(queued(&world).await));
    let answer = send(&world, &revision, &body).await;
    assert_eq!(answer.error(), (409, "not_ready".to_owned()));
    let hash = json!(Digest::of(b"other"));
    let answer = send(&world, &revision, &with("expected_template_hash", hash)).await;
    let pointer = "/expected_template_hash".to_owned();
    assert_eq!(
        rule(&answer),
        (pointer, "template_hash_mismatch".to_owned())
    );
    let other = job_of(&world, JobType::Playbooks).await;
    world.clock.advance(Duration::from_secs(31 * 86_400));
    let answer = send(&world, &revision, &good).await;
    assert_eq!(answer.error(), (410, "job_expired".to_owned()));
    // An expired job of another type never had the prospect.
    let body = with("prospecting_job_id", json!(other));
    assert_eq!(send(&world, &revision, &body).await.error(), not_found);
    let gone = read(&world, &format!("/v1/jobs/{job}/candidates"), &[]).await;
    assert_eq!(gone.error(), (410, "job_expired".to_owned()));
}

#[tokio::test]
async fn nobody_declares_an_approval() {
    let (world, revision) = world().await;
    let job = prospects(&world, &["sam"]).await;
    for member in ["policy_approved", "suppressed", "address_source_class"] {
        let mut body = body(&world, &job).await;
        body[member] = json!(false);
        let answer = send(&world, &revision, &body).await;
        assert_eq!(answer.status, 422);
        let violations = answer.json()["error"]["details"]["violations"].clone();
        let declared = |violation: &Value| {
            violation["rule"] == "caller_may_not_declare"
                && violation["pointer"] == json!(format!("/{member}"))
        };
        assert!(
            violations.as_array().unwrap().iter().any(declared),
            "{violations}"
        );
    }
}

#[tokio::test]
async fn only_a_key_with_the_permission_writes_to_prospects() {
    let (mut world, revision) = world().await;
    let job = prospects(&world, &["sam"]).await;
    let body = body(&world, &job).await;
    world.key = world
        .new_key("jobs:read,message_templates:write", None)
        .await;
    let answer = send(&world, &revision, &body).await;
    assert_eq!(answer.error(), (403, "forbidden".to_owned()));
    world.key = world.new_key("prospect_messages:write", None).await;
    assert_eq!(send(&world, &revision, &body).await.status, 202);
    // Another project has neither the revision nor the prospects.
    world.key = world.stranger().await;
    let answer = send(&world, &revision, &body).await;
    assert_eq!(answer.error(), (404, "not_found".to_owned()));
    let path = format!("/v1/jobs/{job}/candidates");
    let answer = read(&world, &path, &[]).await;
    assert_eq!(answer.error(), (404, "not_found".to_owned()));
}

#[tokio::test]
async fn candidates_are_listed_without_their_addresses() {
    let (world, _) = world().await;
    let job = prospects(&world, &["sam", "kim", "ada"]).await;
    let path = format!("/v1/jobs/{job}/candidates");
    let first = read(&world, &format!("{path}?limit=2"), &[]).await;
    let text = String::from_utf8(first.body.clone()).unwrap();
    assert!(
        !text.contains("sam@") && text.contains("s***@acme-estates.example"),
        "{text}"
    );
    let first = first.json();
    assert_eq!(first["has_more"], true);
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = read(&world, &format!("{path}?limit=2&cursor={cursor}"), &[]).await;
    let second = second.json();
    assert_eq!(second["has_more"], false);
    let names: Vec<&str> = [&first, &second]
        .into_iter()
        .flat_map(|page| page["candidates"].as_array().unwrap())
        .map(|candidate| candidate["person"]["first_name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["sam", "kim", "ada"]);
    let waiting = queued(&world).await;
    let early = read(&world, &format!("/v1/jobs/{waiting}/candidates"), &[]).await;
    assert_eq!(early.error(), (409, "not_ready".to_owned()));
    let playbook = world.post(r#"{"target_company":"Acme"}"#, &[]).await.json();
    let other = playbook["id"].as_str().unwrap();
    let other = read(&world, &format!("/v1/jobs/{other}/candidates"), &[]).await;
    assert_eq!(other.error(), (404, "not_found".to_owned()));
}
