//! What requests leave in the audit log: each create leaves an entry, and nothing else leaves one.

use gtm_domain::audit::AuditEntry;
use gtm_store::AuditFilter;

use crate::world::World;

const BODY: &str = r#"{"target_company_domain": "example.com"}"#;

async fn entries_of_keys(world: &World) -> Vec<AuditEntry> {
    let filter = AuditFilter {
        limit: 100,
        ..AuditFilter::default()
    };
    let operator = world.store.operator();
    let mut entries = operator.newest_audit_entries(&filter).await.unwrap();
    entries.retain(|entry| entry.actor.kind == "key");
    entries
}

#[tokio::test]
async fn a_create_is_recorded_with_its_request_and_a_replay_is_not() {
    let world = World::start().await;
    let headers = [
        ("x-request-id", "from-a-client-7"),
        ("idempotency-key", "k-1"),
    ];
    let created = world.post(BODY, &headers).await;
    assert_eq!(created.status, 202);
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let entries = entries_of_keys(&world).await;
    assert_eq!(entries.len(), 1, "{entries:?}");
    let entry = &entries[0];
    assert_eq!(
        (entry.action.as_str(), &entry.resource.id),
        ("job.created", &id)
    );
    assert_eq!(entry.resource.kind, "job");
    assert_eq!(entry.request_id.as_deref(), Some("from-a-client-7"));
    assert_eq!(entry.project_id, Some(world.project));
    assert!(entry.actor.id.starts_with("key_") && entry.after_hash.is_some());
    // These requests arrive without a connection, so no address is known.
    assert_eq!(entry.ip_hash, None);

    world.post(BODY, &headers).await;
    world.get(&format!("/v1/jobs/{id}")).await;
    world.get("/v1/jobs/job_00000000000000000000000000").await;
    world.post("{}", &[]).await;
    let reused = world
        .post(r#"{"target_company_domain": "other.example"}"#, &headers)
        .await;
    assert_eq!(reused.status, 409);
    assert_eq!(entries_of_keys(&world).await, entries);
}
