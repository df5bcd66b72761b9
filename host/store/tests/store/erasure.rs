//! What an erasure takes out of the results of jobs, and that nothing else changes one.

use gtm_domain::job::{Finish, Product};
use gtm_domain::outcome_ledger::MailAddress;
use gtm_domain::{Digest, JobId, JobType, ProspectId, Usage};
use gtm_store::{ClaimedJob, NewJob};
use serde_json::{Value, json};

use crate::prospecting::{candidates, imported};
use crate::world::{Tenant, World};

on_both_engines!(
    an_erasure_takes_the_text_of_results_and_leaves_the_decision,
    a_job_that_ends_after_an_erasure_leaves_no_text,
    no_other_change_of_a_result_is_an_erasure,
);

/// What a job says that wrote to this prospect.
fn written_to(prospect: ProspectId) -> Value {
    json!({
        "operation": "prospect_message", "status": "DRAFT_READY", "prospect_id": prospect,
        "subject": "For Sam Okafor", "body": "Hello Sam,", "html": "<p>Hello Sam,</p>",
        "message_hash": Digest::of(b"message"),
        "compliance_verification": {
            "gates": [{"gate": "identity", "outcome": "passed"}],
            "content_checks": [{"check": "word_limit", "outcome": "passed", "spans": [{"start": 0, "end": 5}]}],
            "anchors": [{"start": 6, "end": 9, "kind": "approved_value", "ref": "recipient.first_name"}],
        },
    })
}

async fn writing(world: &World, tenant: &Tenant) -> ClaimedJob {
    let new = NewJob {
        job_type: JobType::MessageTemplates,
        ..world.new_job()
    };
    world
        .store
        .create_job(&tenant.scope, new, None)
        .await
        .unwrap();
    world.claim_one().await
}

async fn ended(world: &World, tenant: &Tenant, job: &ClaimedJob, result: Value) -> Value {
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
    for text in ["subject", "body", "html"] {
        result[text] = Value::Null;
    }
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
    let erased = operator.erase_prospects(&address).await.unwrap();
    assert_eq!(erased.candidates, 1);
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
    let erased = operator.erase_prospects(&address).await.unwrap();
    assert_eq!(erased.candidates, 1);
    let of_job = written_to(sam);
    let result = ended(&world, &tenant, &job, of_job.clone()).await;
    assert_eq!(result, bare(of_job, &world));
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
