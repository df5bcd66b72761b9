//! What closes between a message's run and its end keeps its text from being stored.

use std::time::Duration;

use gtm_domain::job::{Finish, Job, Product};
use gtm_domain::message::prospect_message::PolicyReference;
use gtm_domain::outcome_ledger::{OutcomeKind, ReportedOutcome, Subject};
use gtm_domain::prospecting::Decision;
use gtm_domain::{Digest, JobStatus, JobType, ProspectId, Usage};
use gtm_store::{ClaimedJob, NewJob, StoreError};
use serde_json::{Value, json};

use crate::prospecting::{candidates, imported};
use crate::world::{Tenant, World};

on_both_engines!(
    what_nobody_closed_is_stored,
    what_closed_since_the_run_looked_keeps_the_text_out,
    a_text_without_readable_terms_is_not_stored,
    who_expired_since_the_run_looked_gets_no_text,
    a_preview_shows_nobody_who_objected_or_was_turned_down,
);

const ADDRESS: &str = "sam@acme.example";

fn policy() -> PolicyReference {
    PolicyReference {
        policy_ref: "gb-corporate-outreach".to_owned(),
        policy_version: "2026-01".to_owned(),
    }
}

async fn allow(world: &World) -> Digest {
    let operator = world.store.operator();
    let component = Digest::of(b"component");
    let allowed = operator.allow_policy(policy(), "policy-gb", "0.1.0", component);
    allowed.await.unwrap().policy_hash().unwrap()
}

/// A result with a text, written under the policy of this hash.
fn drafted(prospect: ProspectId, status: &str, policy_hash: Digest) -> Value {
    json!({
        "operation": "prospect_message", "status": status, "prospect_id": prospect,
        "subject": "Metering", "body": "Hello Sam,", "html": "<p>Hello Sam,</p>",
        "compliance_verification": {"policy": {
            "policy_ref": policy().policy_ref, "policy_version": policy().policy_version, "policy_hash": policy_hash,
        }},
    })
}

async fn claimed(world: &World, tenant: &Tenant) -> ClaimedJob {
    let new = NewJob {
        job_type: JobType::MessageTemplates,
        ..world.new_job()
    };
    let created = world.store.create_job(&tenant.scope, new, None).await;
    created.unwrap();
    world.claim_one().await
}

async fn finish(world: &World, job: &ClaimedJob, result: &Value) -> Result<Job, StoreError> {
    let finish = Finish::Succeeded {
        result: result.clone(),
        product: Product::None,
    };
    let usage = Usage::default();
    world.store.finish(&job.lease, finish, usage).await
}

async fn object(world: &World, tenant: &Tenant, subject: Subject) {
    let outcome = ReportedOutcome {
        kind: OutcomeKind::Objection,
        subject,
        occurred_at: world.now(),
        source: "reply".to_owned(),
    };
    let operator = world.store.operator();
    let recorded = operator.record_outcomes(tenant.project, vec![outcome]);
    recorded.await.unwrap();
}

/// Refuses the end, and leaves the job as it is.
async fn refused(world: &World, tenant: &Tenant, job: &ClaimedJob, result: &Value) {
    let ended = finish(world, job, result).await;
    assert!(
        matches!(ended, Err(StoreError::ClosedSince(_))),
        "{ended:?}"
    );
    let left = world.store.get_job(&tenant.scope, job.lease.job()).await;
    let left = left.unwrap().unwrap();
    assert_eq!((left.status, left.result), (JobStatus::Running, None));
}

async fn what_nobody_closed_is_stored(world: World) {
    let tenant = world.tenant().await;
    let import = imported(&world, &tenant, &[ADDRESS, "ada@other.example"]).await;
    let sam = candidates(&world, &tenant, import.id).await[0].id;
    let hash = allow(&world).await;
    // Somebody else objected, and a bounce is no objection.
    let ada = Subject::Address("ada@other.example".parse().unwrap());
    object(&world, &tenant, ada).await;
    for status in ["DRAFT_READY", "DEMONSTRATION_ONLY"] {
        let job = claimed(&world, &tenant).await;
        let result = drafted(sam, status, hash);
        let ended = finish(&world, &job, &result).await.unwrap();
        assert_eq!(ended.result, Some(result));
    }
}

async fn what_closed_since_the_run_looked_keeps_the_text_out(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let import = imported(&world, &tenant, &[ADDRESS]).await;
    let sam = candidates(&world, &tenant, import.id).await[0].id;
    let hash = allow(&world).await;
    let result = drafted(sam, "DRAFT_READY", hash);
    let job = claimed(&world, &tenant).await;

    operator.revoke_policy(policy()).await.unwrap();
    refused(&world, &tenant, &job, &result).await;
    // Another component answers for the same name.
    let other = Digest::of(b"other");
    world.clock.advance(Duration::from_millis(1));
    let allowed = operator.allow_policy(policy(), "policy-gb", "0.1.1", other);
    allowed.await.unwrap();
    refused(&world, &tenant, &job, &result).await;
    operator.revoke_policy(policy()).await.unwrap();
    world.clock.advance(Duration::from_millis(1));
    assert_eq!(allow(&world).await, hash);

    let decide = async |decision| {
        operator
            .qualify_prospect(import.id, sam, decision, Some("asked by phone"))
            .await
    };
    decide(Decision::Rejected).await.unwrap();
    refused(&world, &tenant, &job, &result).await;
    decide(Decision::Accepted).await.unwrap();

    object(&world, &tenant, Subject::Address(ADDRESS.parse().unwrap())).await;
    refused(&world, &tenant, &job, &result).await;

    // Words that a failed check quotes are words for the same person.
    let mut quoting = result.clone();
    quoting["status"] = json!("NEEDS_INPUT");
    for text in ["subject", "body", "html"] {
        quoting[text] = Value::Null;
    }
    quoting["compliance_verification"]["content_checks"] = json!([{"found": ["Hello Sam"]}]);
    refused(&world, &tenant, &job, &quoting).await;

    // What has no text names nobody, and ends.
    let mut blocked = result;
    blocked["status"] = json!("BLOCKED");
    for text in ["subject", "body", "html"] {
        blocked[text] = Value::Null;
    }
    let ended = finish(&world, &job, &blocked).await.unwrap();
    assert_eq!(ended.result, Some(blocked));
}

async fn a_text_without_readable_terms_is_not_stored(world: World) {
    let tenant = world.tenant().await;
    let import = imported(&world, &tenant, &[ADDRESS]).await;
    let sam = candidates(&world, &tenant, import.id).await[0].id;
    let hash = allow(&world).await;
    let job = claimed(&world, &tenant).await;
    let mut result = drafted(sam, "DRAFT_READY", hash);
    result["compliance_verification"] = json!({});
    let ended = finish(&world, &job, &result).await;
    assert!(matches!(ended, Err(StoreError::Conflict(_))), "{ended:?}");
}

async fn who_expired_since_the_run_looked_gets_no_text(world: World) {
    let tenant = world.tenant().await;
    let import = imported(&world, &tenant, &[ADDRESS]).await;
    let sam = candidates(&world, &tenant, import.id).await[0].clone();
    let hash = allow(&world).await;
    let left = sam.expires_at.millis() - world.now().millis();
    world
        .clock
        .advance(Duration::from_millis(u64::try_from(left).unwrap()));
    let job = claimed(&world, &tenant).await;
    refused(&world, &tenant, &job, &drafted(sam.id, "DRAFT_READY", hash)).await;
}

async fn a_preview_shows_nobody_who_objected_or_was_turned_down(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let import = imported(&world, &tenant, &[ADDRESS, "ada@other.example"]).await;
    let found = candidates(&world, &tenant, import.id).await;
    let hash = Digest::of(b"no policy is needed");
    let job = claimed(&world, &tenant).await;
    let (sam, ada) = (found[0].id, found[1].id);
    let decided = operator.qualify_prospect(import.id, sam, Decision::Rejected, None);
    decided.await.unwrap();
    refused(
        &world,
        &tenant,
        &job,
        &drafted(sam, "DEMONSTRATION_ONLY", hash),
    )
    .await;
    object(
        &world,
        &tenant,
        Subject::Domain("other.example".parse().unwrap()),
    )
    .await;
    refused(
        &world,
        &tenant,
        &job,
        &drafted(ada, "DEMONSTRATION_ONLY", hash),
    )
    .await;
}
