//! What operators decide about candidates.

use std::time::Duration;

use gtm_domain::ProspectId;
use gtm_domain::prospecting::{Decision, QualificationStatus};
use gtm_store::{StoreError, Unread, uuid_v7};

use crate::prospecting::{candidates, conflict, first, import, imported, recorded};
use crate::world::World;

on_both_engines!(a_decision_holds_and_is_recorded);

async fn a_decision_holds_and_is_recorded(world: World) {
    let (tenant, other) = (world.tenant().await, world.tenant().await);
    let mut file = import(&["sam@acme.example", "ada@acme.example"], world.now());
    for candidate in &mut file.candidates {
        candidate.qualification.status = QualificationStatus::Pending;
        candidate.qualification.decided_at = None;
    }
    let operator = world.store.operator();
    let job = operator
        .import_prospects(tenant.project, None, file)
        .await
        .unwrap();
    let all = candidates(&world, &tenant, job.id).await;
    let sam = all[0].id;
    let decide = async |job, id, decision, reason| {
        operator.qualify_prospect(job, id, decision, reason).await
    };
    let decided = decide(job.id, sam, Decision::Accepted, Some("ICP match")).await;
    let decided = decided.unwrap();
    assert_eq!(decided.qualification.status, QualificationStatus::Accepted);
    assert_eq!(decided.qualification.reason.as_deref(), Some("ICP match"));
    assert_eq!(decided.evidence, all[0].evidence, "nothing else changes");
    let read = candidates(&world, &tenant, job.id).await;
    assert_eq!((&read[0], &read[1]), (&decided, &all[1]));
    assert_eq!(first(&world, &tenant, &job).await.candidate, decided);
    world.clock.advance(Duration::from_secs(60));
    let again = decide(job.id, sam, Decision::Rejected, None).await.unwrap();
    assert_eq!(again.qualification.status, QualificationStatus::Rejected);
    assert_eq!(candidates(&world, &tenant, job.id).await[0], again);
    let unfounded = decide(job.id, sam, Decision::Accepted, None).await;
    conflict(unfounded, "give a reason to accept it");
    assert_eq!(candidates(&world, &tenant, job.id).await[0], again);
    let entries = recorded(&world, "prospect.qualified").await;
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0].resource.id, sam.to_string());
    assert_eq!(entries[0].after_hash, entries[1].before_hash);

    let elsewhere = imported(&world, &other, &["eve@acme.example"]).await;
    let nobody = ProspectId::from_uuid(uuid_v7(world.now()));
    for (job, id) in [(elsewhere.id, sam), (job.id, nobody)] {
        let refused = decide(job, id, Decision::Accepted, None).await;
        assert!(matches!(refused, Err(StoreError::Absent { .. })));
    }
    let address = decide(
        job.id,
        sam,
        Decision::Accepted,
        Some("ask ada@acme.example"),
    );
    conflict(address.await, "anybody's address");
    let changed = world
        .raw("UPDATE prospect_decisions SET qualification = '{}'")
        .await;
    assert!(changed.unwrap_err().to_string().contains("immutable"));
    operator
        .erase_prospects(&"sam@acme.example".parse().unwrap(), Unread::Keep)
        .await
        .unwrap();
    let rows = world
        .number("SELECT COUNT(*) FROM prospect_decisions")
        .await;
    assert_eq!(rows, 0);
}
