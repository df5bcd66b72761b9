//! Reading the audit log: in pages, by filter, newest first.

use std::time::Duration;

use gtm_domain::audit::AuditEntry;
use gtm_store::{AuditFilter, AuditRange};

use crate::audit_log::entries_in;
use crate::world::World;

on_both_engines!(
    a_long_log_is_read_in_pages,
    what_looks_simultaneous_is_listed_by_sequence,
);

async fn a_long_log_is_read_in_pages(world: World) {
    let (tenant, other) = (
        world.unaudited_tenant().await,
        world.unaudited_tenant().await,
    );
    for _ in 0..30 {
        let creates = (0..20).map(|_| world.store.create_job(&tenant.scope, world.new_job(), None));
        for outcome in futures::future::join_all(creates).await {
            outcome.unwrap();
        }
    }
    let all = entries_in(&world.store, AuditRange::default()).await;
    assert_eq!(all.len(), 607);
    let ordered = all
        .windows(2)
        .all(|w| (&w[0].chain, w[0].seq) < (&w[1].chain, w[1].seq));
    assert!(ordered, "chain by chain, each in its order");
    let own = AuditRange {
        organization: Some(other.organization),
        ..AuditRange::default()
    };
    assert_eq!(entries_in(&world.store, own).await.len(), 3);
    world.clock.advance(Duration::from_secs(60));
    let later = world.now();
    world.create(&tenant.scope).await;
    let since = AuditRange {
        since: Some(later),
        ..AuditRange::default()
    };
    assert_eq!(entries_in(&world.store, since).await.len(), 1);
    let until = AuditRange {
        until: Some(later),
        ..AuditRange::default()
    };
    assert_eq!(entries_in(&world.store, until).await, all);
    let report = world.store.verify_audit(&[]).await.unwrap();
    assert_eq!((report.entries, report.is_sound()), (608, true));

    let operator = world.store.operator();
    let filter = AuditFilter {
        organization: Some(tenant.organization),
        action: Some("api_key.created".to_owned()),
        resource: Some(tenant.key.to_string()),
        limit: 10,
    };
    let found = operator.newest_audit_entries(&filter).await.unwrap();
    assert_eq!(found.len(), 1);
    let filter = AuditFilter {
        resource: Some("job".to_owned()),
        limit: 5,
        ..AuditFilter::default()
    };
    let found = operator.newest_audit_entries(&filter).await.unwrap();
    assert_eq!((found.len(), found[0].at), (5, later), "newest first");
}

async fn what_looks_simultaneous_is_listed_by_sequence(world: World) {
    let operator = world.store.operator();
    let mut organizations = Vec::new();
    for name in ["Acme", "Other"] {
        let made = operator.create_organization(name).await.unwrap();
        organizations.push(made.id);
    }
    for name in ["a", "b", "c", "d", "e", "f"] {
        for organization in &organizations {
            operator.create_project(*organization, name).await.unwrap();
        }
        // All within the millisecond in which the world was created.
        world.clock.advance(Duration::from_micros(100));
    }
    let places = async |organization, limit| {
        let filter = AuditFilter {
            organization,
            limit,
            ..AuditFilter::default()
        };
        let found = operator.newest_audit_entries(&filter).await.unwrap();
        let place = |e: AuditEntry| (e.chain, e.seq);
        found.into_iter().map(place).collect::<Vec<_>>()
    };
    for organization in &organizations {
        let one = places(Some(*organization), 4).await;
        let chain = organization.to_string();
        let newest = [7, 6, 5, 4].map(|seq| (chain.clone(), seq));
        assert_eq!(one, newest, "the newest four, and nobody else's");
    }
    let all = places(None, 100).await;
    for organization in organizations {
        let chain = all.iter().filter(|(c, _)| *c == organization.to_string());
        let seqs: Vec<_> = chain.map(|(_, seq)| *seq).collect();
        assert_eq!(seqs, [7, 6, 5, 4, 3, 2, 1]);
    }
}
