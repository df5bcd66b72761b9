//! What an authenticated key grants: its organization's usage tier, its rate limit and the capabilities;
//! and how one key replaces another.

use std::sync::Arc;
use std::time::Duration;

use gtm_domain::Capability;
use gtm_domain::key_record::{KeyStatus, KeyTerms};
use gtm_domain::money::{LimitMetric, LimitOwner, LimitScope, MoneyPosition};
use gtm_domain::{CidrList, MicroUsd, Permissions, TierTable, UsageTier};
use gtm_store::{AuthError, KeyRing, Store, StoreError};

use crate::world::{Tenant, World};

on_both_engines!(
    the_tier_follows_what_was_paid_and_the_age,
    the_lower_of_both_limits_holds,
    an_archived_project_still_tells_the_limit,
    a_capability_is_switched_for_one_organization,
    a_rotated_key_works_beside_its_successor_until_the_overlap_ends,
    an_overlap_never_lengthens_a_life,
    a_rotation_without_overlap_ends_the_old_key_at_once,
    only_an_active_key_is_rotated,
    a_key_is_used_from_its_addresses_alone,
    the_addresses_of_a_key_are_changed_and_recorded,
    what_an_operator_does_is_recorded,
    a_thousand_requests_cost_a_handful_of_writes,
    a_scope_from_a_job_asks_for_nothing,
);

const DAY: Duration = Duration::from_secs(86_400);

fn terms(requests_per_minute: Option<u32>) -> KeyTerms {
    KeyTerms {
        name: "worker".to_owned(),
        permissions: Permissions::parse("read_only").unwrap(),
        expires_at: None,
        requests_per_minute,
        allowed_cidrs: CidrList::default(),
    }
}

async fn tier_of(world: &World, tenant: &Tenant) -> (String, u32) {
    let scope = world
        .store
        .authenticate(&tenant.secret, None)
        .await
        .unwrap();
    let tier = scope.usage_tier().unwrap().key.clone();
    (tier, scope.rate_limit_per_minute())
}

async fn the_tier_follows_what_was_paid_and_the_age(world: World) {
    let tenant = world.new_tenant().await;
    assert_eq!(tier_of(&world, &tenant).await, ("tier_1".to_owned(), 120));
    world
        .raw("UPDATE organizations SET paid_total = 60000000")
        .await
        .unwrap();
    assert_eq!(tier_of(&world, &tenant).await.0, "tier_1", "too young");
    world.clock.advance(DAY * 7);
    assert_eq!(tier_of(&world, &tenant).await, ("tier_2".to_owned(), 240));
    world
        .raw("UPDATE organizations SET tier = 'tier_5'")
        .await
        .unwrap();
    assert_eq!(tier_of(&world, &tenant).await, ("tier_5".to_owned(), 3000));

    // Another deployment's table on the same database.
    let mut config = world.config.clone();
    config.tiers = TierTable::new(vec![UsageTier {
        key: "only".to_owned(),
        name: "Only".to_owned(),
        rank: 1,
        rate_limit_per_minute: 7,
        monthly_cost_cap: MicroUsd::from_micros(1),
        from_paid: MicroUsd::ZERO,
        from_age_days: 0,
    }])
    .unwrap();
    let keys = KeyRing::from_dir(world.dir.path()).unwrap();
    let other = Store::connect(&config, keys, Arc::clone(&world.clock) as _)
        .await
        .unwrap();
    let scope = other.authenticate(&tenant.secret, None).await.unwrap();
    assert_eq!(
        (
            scope.usage_tier().unwrap().key.as_str(),
            scope.rate_limit_per_minute()
        ),
        ("only", 7)
    );
}

async fn the_lower_of_both_limits_holds(world: World) {
    let tenant = world.new_tenant().await;
    let operator = world.store.operator();
    for (own, want) in [(None, 120), (Some(3), 3), (Some(5000), 120)] {
        let (record, secret) = operator
            .issue_key(tenant.project, terms(own))
            .await
            .unwrap();
        assert_eq!(record.requests_per_minute, own);
        let scope = world.store.authenticate(&secret, None).await.unwrap();
        assert_eq!(scope.rate_limit_per_minute(), want);
    }
}

async fn an_archived_project_still_tells_the_limit(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let (record, secret) = operator
        .issue_key(tenant.project, terms(Some(9)))
        .await
        .unwrap();
    operator.archive_project(tenant.project).await.unwrap();
    match world.store.authenticate(&secret, None).await {
        Err(AuthError::ProjectArchived {
            key,
            project,
            rate_limit_per_minute,
        }) => assert_eq!(
            (key, project, rate_limit_per_minute),
            (record.id, tenant.project, 9)
        ),
        other => panic!("{other:?}"),
    }
}

async fn a_capability_is_switched_for_one_organization(world: World) {
    let (tenant, other) = (world.tenant().await, world.tenant().await);
    let operator = world.store.operator();
    let capability = Capability::DOCUMENTS;
    for enabled in [false, false, true, false] {
        let shown = operator
            .set_capability(tenant.organization, capability, enabled)
            .await
            .unwrap();
        assert_eq!(
            shown,
            operator
                .organization_capabilities(tenant.organization)
                .await
                .unwrap()
        );
        let scope = world
            .store
            .authenticate(&tenant.secret, None)
            .await
            .unwrap();
        for switch in shown {
            let want = enabled || switch.capability != capability;
            assert_eq!(
                (switch.enabled, scope.capability_enabled(switch.capability)),
                (want, want)
            );
        }
    }
    operator
        .set_capability(tenant.organization, Capability::BRANDS, false)
        .await
        .unwrap();
    let scope = world
        .store
        .authenticate(&tenant.secret, None)
        .await
        .unwrap();
    assert!(!scope.capability_enabled(capability));
    assert!(!scope.capability_enabled(Capability::BRANDS));
    assert!(scope.capability_enabled(Capability::PLAYBOOKS));
    let scope = world.store.authenticate(&other.secret, None).await.unwrap();
    assert!(scope.capability_enabled(capability));
    let shown = operator
        .organization_capabilities(other.organization)
        .await
        .unwrap();
    assert!(shown.iter().all(|switch| switch.enabled), "{shown:?}");
    let nowhere = gtm_domain::OrganizationId::from_uuid(tenant.project.uuid());
    assert!(matches!(
        operator.set_capability(nowhere, capability, false).await,
        Err(StoreError::Absent { .. })
    ));
}

async fn a_rotated_key_works_beside_its_successor_until_the_overlap_ends(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let (first, old_secret) = operator
        .issue_key(tenant.project, terms(Some(11)))
        .await
        .unwrap();
    operator
        .set_limit(LimitOwner::Key(first.id), LimitMetric::MonthlyJobs, 1)
        .await
        .unwrap();
    let ends = world.now().plus(DAY * 30);
    let (rotation, new_secret) = operator
        .rotate_key(first.id, DAY, Some(ends))
        .await
        .unwrap();
    assert_eq!(rotation.old.expires_at, Some(world.now().plus(DAY)));
    let new = &rotation.new;
    assert_eq!(
        (new.rotates_from, new.project, new.name.as_str()),
        (Some(first.id), tenant.project, "worker")
    );
    assert_eq!(
        (&new.permissions, new.requests_per_minute, new.expires_at),
        (&first.permissions, Some(11), Some(ends))
    );
    assert_ne!(new.public_id, first.public_id);
    assert_eq!(operator.show_key(new.id).await.unwrap().as_ref(), Some(new));
    world.clock.advance(DAY - Duration::from_micros(1));
    for secret in [&old_secret, &new_secret] {
        assert!(world.store.authenticate(secret, None).await.is_ok());
    }
    world.clock.advance(Duration::from_micros(1));
    assert!(matches!(
        world.store.authenticate(&old_secret, None).await,
        Err(AuthError::Expired)
    ));
    let scope = world.store.authenticate(&new_secret, None).await.unwrap();
    assert_eq!((scope.key(), scope.rate_limit_per_minute()), (new.id, 11));
    let quota = |p: MoneyPosition| {
        p.quotas
            .iter()
            .map(|q| (q.scope, q.limit))
            .collect::<Vec<_>>()
    };
    let position = world.position(&scope).await;
    assert_eq!(
        quota(position),
        [(LimitScope::Key, 1)],
        "limits are handed on"
    );
}

async fn an_overlap_never_lengthens_a_life(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let soon = world.now().plus(Duration::from_secs(60));
    let short = KeyTerms {
        expires_at: Some(soon),
        ..terms(None)
    };
    let (first, _) = operator.issue_key(tenant.project, short).await.unwrap();
    world.clock.advance(Duration::from_secs(10));
    let (rotation, _) = operator.rotate_key(first.id, DAY, None).await.unwrap();
    assert_eq!(rotation.old.expires_at, Some(soon));
    assert_eq!(
        rotation.new.expires_at,
        Some(world.now().plus(Duration::from_secs(60))),
        "as long a life as the old one's"
    );
}

async fn a_rotation_without_overlap_ends_the_old_key_at_once(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let (rotation, secret) = operator
        .rotate_key(tenant.key, Duration::ZERO, None)
        .await
        .unwrap();
    assert_eq!(rotation.old.status(world.now()), KeyStatus::Expired);
    assert!(matches!(
        world.store.authenticate(&tenant.secret, None).await,
        Err(AuthError::Expired)
    ));
    assert!(world.store.authenticate(&secret, None).await.is_ok());
}

async fn only_an_active_key_is_rotated(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let refused = |outcome: Result<_, StoreError>, word: &str| match outcome {
        Err(StoreError::Conflict(message)) => assert!(message.contains(word), "{message}"),
        other => panic!("{:?}", other.map(|(rotation, _)| rotation)),
    };
    let (revoked, _) = operator
        .issue_key(tenant.project, terms(None))
        .await
        .unwrap();
    operator.revoke_key(revoked.id).await.unwrap();
    refused(
        operator.rotate_key(revoked.id, DAY, None).await,
        "is revoked",
    );
    operator
        .rotate_key(tenant.key, Duration::ZERO, None)
        .await
        .unwrap();
    refused(
        operator.rotate_key(tenant.key, DAY, None).await,
        "is expired",
    );
    let nothing = gtm_domain::KeyRecordId::from_uuid(tenant.project.uuid());
    assert!(matches!(
        operator.rotate_key(nothing, DAY, None).await,
        Err(StoreError::Absent { .. })
    ));
    let (active, _) = operator
        .issue_key(tenant.project, terms(None))
        .await
        .unwrap();
    operator.archive_project(tenant.project).await.unwrap();
    refused(operator.rotate_key(active.id, DAY, None).await, "archived");
    let keys = operator.list_keys(Some(tenant.project)).await.unwrap();
    assert_eq!(keys.len(), 4, "a refusal makes no key");
}

fn from(ranges: &[&str]) -> KeyTerms {
    let ranges: Vec<_> = ranges.iter().map(|text| text.parse().unwrap()).collect();
    KeyTerms {
        allowed_cidrs: ranges.into(),
        ..terms(Some(7))
    }
}

async fn a_key_is_used_from_its_addresses_alone(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let ranges = ["10.0.0.0/8", "2001:db8::/32"];
    let (key, secret) = operator
        .issue_key(tenant.project, from(&ranges))
        .await
        .unwrap();
    let authenticate = async |secret: &gtm_domain::ApiKeySecret, address: &str| {
        let address = (!address.is_empty()).then(|| address.parse().unwrap());
        world.store.authenticate(secret, address).await
    };
    for inside in ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::1"] {
        assert!(authenticate(&secret, inside).await.is_ok(), "{inside}");
    }
    for outside in ["11.0.0.1", "2001:db9::1", "127.0.0.1", ""] {
        match authenticate(&secret, outside).await {
            Err(AuthError::AddressNotAllowed {
                key: refused,
                project,
                rate_limit_per_minute,
            }) => assert_eq!(
                (refused, project, rate_limit_per_minute),
                (key.id, tenant.project, 7)
            ),
            other => panic!("{outside}: {other:?}"),
        }
        assert!(authenticate(&tenant.secret, outside).await.is_ok());
    }
    let (rotation, successor) = operator.rotate_key(key.id, DAY, None).await.unwrap();
    assert_eq!(rotation.new.allowed_cidrs, key.allowed_cidrs);
    assert!(authenticate(&successor, "10.1.2.3").await.is_ok());
    assert!(authenticate(&successor, "11.0.0.1").await.is_err());
    // Only a caller with the correct secret learns about the addresses.
    operator.revoke_key(key.id).await.unwrap();
    assert!(matches!(
        authenticate(&secret, "11.0.0.1").await,
        Err(AuthError::Invalid)
    ));
}

async fn the_addresses_of_a_key_are_changed_and_recorded(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let ranges = from(&["192.0.2.7", "10.0.0.0/8"]).allowed_cidrs;
    for _ in 0..2 {
        let key = operator
            .set_key_addresses(tenant.key, ranges.clone())
            .await
            .unwrap();
        assert_eq!(key.allowed_cidrs, ranges);
    }
    let shown = operator.show_key(tenant.key).await.unwrap().unwrap();
    assert_eq!(shown.allowed_cidrs, ranges);
    let nowhere = world.store.authenticate(&tenant.secret, None).await;
    assert!(matches!(nowhere, Err(AuthError::AddressNotAllowed { .. })));
    operator
        .set_key_addresses(tenant.key, CidrList::default())
        .await
        .unwrap();
    assert!(world.store.authenticate(&tenant.secret, None).await.is_ok());
    let sql = format!(
        "SELECT COUNT(*) FROM audit_log WHERE action = 'api_key.updated' AND resource_id = '{}' \
         AND organization_id = '{}' AND before_hash <> after_hash",
        tenant.key, tenant.organization
    );
    assert_eq!(
        world.number(&sql).await,
        2,
        "what changes nothing is no change"
    );
    operator.revoke_key(tenant.key).await.unwrap();
    assert!(matches!(
        operator.set_key_addresses(tenant.key, ranges).await,
        Err(StoreError::Conflict(_))
    ));
}

async fn what_an_operator_does_is_recorded(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let (key, _) = operator
        .issue_key(tenant.project, terms(None))
        .await
        .unwrap();
    operator.rotate_key(key.id, DAY, None).await.unwrap();
    operator
        .set_capability(tenant.organization, Capability::BRANDS, false)
        .await
        .unwrap();
    for (action, resource) in [
        ("api_key.rotated", key.id.to_string()),
        (
            "organization.capability_disabled",
            tenant.organization.to_string(),
        ),
    ] {
        let sql = format!(
            "SELECT COUNT(*) FROM audit_log WHERE action = '{action}' AND resource_id = '{resource}' \
             AND organization_id = '{}' AND before_hash <> after_hash",
            tenant.organization
        );
        assert_eq!(world.number(&sql).await, 1, "{action}");
    }
    // The tenant's own key, the one above and its successor.
    let sql =
        "SELECT COUNT(*) FROM audit_log WHERE action = 'api_key.created' AND before_hash IS NULL";
    assert_eq!(world.number(sql).await, 3);
}

async fn a_thousand_requests_cost_a_handful_of_writes(world: World) {
    let mut world = world;
    let tenant = world.tenant().await;
    // A trigger counts writes behind the store's back.
    world
        .raw("CREATE TABLE key_writes (at TEXT)")
        .await
        .unwrap();
    let count = "INSERT INTO key_writes VALUES ('x')";
    if world.is_postgres() {
        world
            .raw(&format!(
                "CREATE FUNCTION note_key_write() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN {count}; RETURN NEW; END $$"
            ))
            .await
            .unwrap();
        world
            .raw(
                "CREATE TRIGGER key_written AFTER UPDATE ON api_keys \
                 FOR EACH ROW EXECUTE FUNCTION note_key_write()",
            )
            .await
            .unwrap();
    } else {
        world
            .raw(&format!(
                "CREATE TRIGGER key_written AFTER UPDATE ON api_keys BEGIN {count}; END"
            ))
            .await
            .unwrap();
    }
    // A hundred seconds with ten requests each.
    for _ in 0..1000 {
        world.clock.advance(Duration::from_millis(100));
        world
            .store
            .authenticate(&tenant.secret, None)
            .await
            .unwrap();
    }
    let last = world.now();
    world.reopen().await;
    let writes = world.number("SELECT COUNT(*) FROM key_writes").await;
    assert!((1..=4).contains(&writes), "{writes} writes");
    let shown = world.store.operator().show_key(tenant.key).await.unwrap();
    assert_eq!(shown.unwrap().last_used_at, Some(last));
}

async fn a_scope_from_a_job_asks_for_nothing(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    let scope = job.lease.scope();
    assert_eq!(scope.usage_tier(), None);
    assert_eq!(scope.rate_limit_per_minute(), 0);
    assert!(!scope.capability_enabled(Capability::PLAYBOOKS));
}
