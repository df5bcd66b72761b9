//! The operator's list of policies: exactly this reference, version and component, until it is revoked.

use std::time::Duration;

use gtm_domain::Digest;
use gtm_domain::message::prospect_message::PolicyReference;
use gtm_store::{AuditRange, StoreError};

use crate::audit_log::entries_in;
use crate::world::World;

on_both_engines!(
    a_policy_is_allowed_and_revoked,
    an_allowed_policy_stays_as_it_is
);

fn policy(version: &str) -> PolicyReference {
    PolicyReference {
        policy_ref: "gb-corporate-outreach".to_owned(),
        policy_version: version.to_owned(),
    }
}

async fn a_policy_is_allowed_and_revoked(world: World) {
    let operator = world.store.operator_named("Ada");
    let (one, two) = (Digest::of(b"one"), Digest::of(b"two"));
    assert_eq!(
        world.store.allowed_policy(&policy("1")).await.unwrap(),
        None
    );
    let allowed = operator
        .allow_policy(policy("1"), "policy-gb", "0.1.0", one)
        .await
        .unwrap();
    assert_eq!(
        (
            allowed.allowed_by.as_str(),
            allowed.component,
            allowed.revoked_at
        ),
        ("Ada", one, None)
    );
    let found = world.store.allowed_policy(&policy("1")).await.unwrap();
    assert_eq!(found.as_ref(), Some(&allowed));
    assert_eq!(
        world.store.allowed_policy(&policy("2")).await.unwrap(),
        None
    );
    world.clock.advance(Duration::from_secs(1));
    let again = operator.allow_policy(policy("1"), "policy-gb", "0.1.0", one);
    assert_eq!(again.await.unwrap(), allowed, "twice");
    let other = operator.allow_policy(policy("1"), "policy-gb", "0.1.0", two);
    match other.await.unwrap_err() {
        StoreError::Conflict(text) => assert!(text.contains("revoke it first"), "{text}"),
        other => panic!("{other}"),
    }
    assert_eq!(
        world.store.policy_entry(&policy("2")).await.unwrap(),
        None,
        "it was never on the list"
    );
    let revoked = operator.revoke_policy(policy("1")).await.unwrap();
    assert_eq!(revoked.revoked_at, Some(world.now()));
    let entry = world.store.policy_entry(&policy("1")).await.unwrap();
    assert_eq!(entry.as_ref(), Some(&revoked));
    assert_eq!(
        world.store.allowed_policy(&policy("1")).await.unwrap(),
        None
    );
    assert!(matches!(
        operator.revoke_policy(policy("1")).await,
        Err(StoreError::Absent { .. })
    ));
    world.clock.advance(Duration::from_secs(1));
    operator
        .allow_policy(policy("1"), "policy-gb", "0.2.0", two)
        .await
        .unwrap();
    let found = world.store.allowed_policy(&policy("1")).await.unwrap();
    assert_eq!(found.unwrap().component, two);
    let entry = world.store.policy_entry(&policy("1")).await.unwrap();
    assert_eq!(
        entry.map(|entry| (entry.component, entry.revoked_at)),
        Some((two, None)),
        "the one in use comes before the revoked one"
    );
    let list = operator.list_policies().await.unwrap();
    let told: Vec<(&str, bool)> = list
        .iter()
        .map(|one| (one.evaluator_version.as_str(), one.revoked_at.is_some()))
        .collect();
    assert_eq!(told, [("0.2.0", false), ("0.1.0", true)]);
    let audited = entries_in(&world.store, AuditRange::default()).await;
    let actions: Vec<&str> = audited
        .iter()
        .map(|entry| entry.action.as_str())
        .filter(|action| action.starts_with("policy."))
        .collect();
    assert_eq!(
        actions,
        ["policy.allowed", "policy.revoked", "policy.allowed"]
    );
}

async fn an_allowed_policy_stays_as_it_is(world: World) {
    let operator = world.store.operator();
    let one = Digest::of(b"one");
    operator
        .allow_policy(policy("1"), "policy-gb", "0.1.0", one)
        .await
        .unwrap();
    for sql in [
        "UPDATE policy_allow_list SET component = 'sha256:x'",
        "UPDATE policy_allow_list SET policy_version = '2'",
        "DELETE FROM policy_allow_list",
    ] {
        let error = world.raw(sql).await.unwrap_err().to_string();
        assert!(error.contains("only ever revoked"), "{sql}: {error}");
    }
    if world.is_postgres() {
        let emptied = world.raw("TRUNCATE policy_allow_list").await;
        let told = emptied.unwrap_err().to_string();
        assert!(told.contains("append-only"), "{told}");
    }
    operator.revoke_policy(policy("1")).await.unwrap();
    let back = "UPDATE policy_allow_list SET revoked_at = NULL";
    assert!(world.raw(back).await.is_err());
}
