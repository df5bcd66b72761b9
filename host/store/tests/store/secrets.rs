//! Credentials at rest: sealed, bound to their place, and unreadable only with the wrong ring.

use std::collections::BTreeMap;

use gtm_store::{ConnectionChange, KeyRing, Store, StoreError};
use secrecy::{ExposeSecret, SecretString};

use crate::bindings::new_connection;
use crate::world::World;

on_both_engines!(
    a_credential_survives_and_is_not_in_the_clear,
    changing_credentials_raises_their_version,
    a_moved_secret_does_not_open,
    secrets_do_not_follow_a_connection_to_another_project,
    a_wrong_master_key_refuses_the_start,
    a_wrong_pepper_refuses_the_start,
    a_rotated_ring_opens_old_secrets_and_reseals_them,
);

const SECRET: &str = "sk-very-secret-value-0123456789";

async fn a_credential_survives_and_is_not_in_the_clear(world: World) {
    let tenant = world.tenant().await;
    let row = world
        .store
        .operator()
        .create_connection(tenant.project, new_connection(SECRET))
        .await
        .unwrap();
    assert_eq!(
        (row.configured_fields.as_slice(), row.credentials_version),
        (["api_key".to_owned()].as_slice(), 1)
    );
    let job = world.running(&tenant).await;
    let opened = world
        .store
        .connection_for_job(&job.lease, row.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(opened.credentials["api_key"].expose_secret(), SECRET);
    assert!(!format!("{opened:?}").contains(SECRET));
    world.store.close().await;
    for entry in std::fs::read_dir(world.dir.path()).unwrap().flatten() {
        if entry.path().is_file() {
            let bytes = std::fs::read(entry.path()).unwrap();
            assert!(
                !bytes.windows(SECRET.len()).any(|w| w == SECRET.as_bytes()),
                "{:?}",
                entry.path()
            );
        }
    }
}

async fn changing_credentials_raises_their_version(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let row = operator
        .create_connection(tenant.project, new_connection(SECRET))
        .await
        .unwrap();
    let named = ConnectionChange {
        name: Some("other".to_owned()),
        ..ConnectionChange::default()
    };
    assert_eq!(
        operator
            .update_connection(row.id, named)
            .await
            .unwrap()
            .credentials_version,
        1
    );
    let added = ConnectionChange {
        credentials: BTreeMap::from([("token".to_owned(), SecretString::from("t"))]),
        ..ConnectionChange::default()
    };
    let changed = operator.update_connection(row.id, added).await.unwrap();
    assert_eq!(
        (
            changed.credentials_version,
            changed.configured_fields.join(",")
        ),
        (2, "api_key,token".to_owned())
    );
    let job = world.running(&tenant).await;
    let opened = world
        .store
        .connection_for_job(&job.lease, row.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(opened.credentials["api_key"].expose_secret(), SECRET);
    assert_eq!(opened.credentials["token"].expose_secret(), "t");
    let removed = ConnectionChange {
        remove_credentials: vec!["api_key".to_owned()],
        ..ConnectionChange::default()
    };
    let changed = operator.update_connection(row.id, removed).await.unwrap();
    assert_eq!(
        (
            changed.credentials_version,
            changed.configured_fields.join(",")
        ),
        (3, "token".to_owned())
    );
    assert_eq!(
        operator.show_connection(row.id).await.unwrap(),
        Some(changed)
    );
}

async fn a_moved_secret_does_not_open(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let good = operator
        .create_connection(tenant.project, new_connection("other"))
        .await
        .unwrap();
    let bad = operator
        .create_connection(tenant.project, new_connection(SECRET))
        .await
        .unwrap();
    // The value of one connection, copied over another's.
    let moved = format!(
        "UPDATE connection_secrets SET sealed = (SELECT s.sealed FROM connection_secrets s WHERE s.connection_id = '{}') \
         WHERE connection_id = '{}'",
        good.id, bad.id
    );
    assert_eq!(world.raw(&moved).await.unwrap(), 1);
    let job = world.running(&tenant).await;
    let read = world.store.connection_for_job(&job.lease, bad.id).await;
    assert!(
        matches!(&read, Err(StoreError::Unreadable { connection, field })
        if *connection == bad.id.to_string() && field == "api_key"),
        "{read:?}"
    );
    assert!(
        world
            .store
            .connection_for_job(&job.lease, good.id)
            .await
            .unwrap()
            .is_some()
    );
}

/// A secret is sealed for the project that its own row names, so whoever has the connection could open it.
/// The connection's project must therefore be the same as the secret's.
async fn secrets_do_not_follow_a_connection_to_another_project(world: World) {
    let owner = world.tenant().await;
    let stranger = world.tenant_in(owner.organization).await;
    let operator = world.store.operator();
    let row = operator
        .create_connection(owner.project, new_connection(SECRET))
        .await
        .unwrap();
    let job = world.running(&stranger).await;
    let read = async || {
        let for_job = world.store.connection_for_job(&job.lease, row.id).await;
        let for_operator = operator.connection_secrets(row.id).await;
        (for_job.unwrap(), for_operator.unwrap().unwrap())
    };
    let (for_job, for_operator) = read().await;
    assert!(for_job.is_none());
    assert_eq!(for_operator.credentials.len(), 1);
    let moved = format!(
        "UPDATE connections SET project_id = '{}' WHERE id = '{}'",
        stranger.project, row.id
    );
    assert_eq!(world.raw(&moved).await.unwrap(), 1);
    let (for_job, for_operator) = read().await;
    assert!(for_job.unwrap().credentials.is_empty());
    assert!(for_operator.credentials.is_empty());
}

fn lines(world: &World) -> (String, String) {
    let text = std::fs::read_to_string(world.dir.path().join("master.key")).unwrap();
    let line = |kind| {
        text.lines()
            .find_map(|l| l.strip_prefix(kind))
            .unwrap()
            .trim()
            .to_owned()
    };
    (line("master "), line("pepper "))
}

const OTHER: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

async fn a_wrong_master_key_refuses_the_start(world: World) {
    let (_, pepper) = lines(&world);
    world.store.close().await;
    let ring = KeyRing::from_base64(OTHER, Some(&pepper)).unwrap();
    let refused = Store::connect(&world.config, ring, world.clock.clone()).await;
    let message = refused.as_ref().unwrap_err().to_string();
    assert!(matches!(refused, Err(StoreError::WrongMasterKey)));
    assert!(message.contains("wrong master key"), "{message}");
    world.another_node().await.ping().await.unwrap();
}

async fn a_wrong_pepper_refuses_the_start(world: World) {
    let (master, _) = lines(&world);
    world.store.close().await;
    let ring = KeyRing::from_base64(&master, Some(OTHER)).unwrap();
    let refused = Store::connect(&world.config, ring, world.clock.clone()).await;
    assert!(matches!(refused, Err(StoreError::WrongPepper)));
}

async fn a_rotated_ring_opens_old_secrets_and_reseals_them(world: World) {
    let tenant = world.tenant().await;
    let row = world
        .store
        .operator()
        .create_connection(tenant.project, new_connection(SECRET))
        .await
        .unwrap();
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let job = world.running(&tenant).await;
    let (master, pepper) = lines(&world);
    world.store.close().await;
    let both = |first: &str, second: &str| format!("{first},{second}");
    let ring = KeyRing::from_base64(&both(OTHER, &master), Some(&both(OTHER, &pepper))).unwrap();
    let rotated = Store::connect(&world.config, ring, world.clock.clone())
        .await
        .unwrap();
    assert!(
        rotated.authenticate(&tenant.secret, None).await.is_ok(),
        "keys made with the old pepper are accepted"
    );
    assert_eq!(
        rotated.idempotency_hmac(&tenant.scope, "k"),
        claim.key_hmac,
        "replays survive a rotation"
    );
    let opened = rotated
        .connection_for_job(&job.lease, row.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(opened.credentials["api_key"].expose_secret(), SECRET);
    assert_eq!(rotated.operator().reseal_credentials().await.unwrap(), 1);
    assert_eq!(rotated.operator().reseal_credentials().await.unwrap(), 0);
    let filter = gtm_store::AuditFilter {
        resource: Some("key_ring".to_owned()),
        limit: 10,
        ..gtm_store::AuditFilter::default()
    };
    let mut recorded: Vec<_> = rotated
        .operator()
        .newest_audit_entries(&filter)
        .await
        .unwrap()
        .into_iter()
        .map(|entry| (entry.action, entry.actor.kind))
        .collect();
    recorded.sort();
    let entry = |action: &str, actor: &str| (action.to_owned(), actor.to_owned());
    assert_eq!(
        recorded,
        [
            entry("key_ring.resealed", "operator"),
            entry("key_ring.rotated", "system"),
            entry("key_ring.rotated", "system"),
        ],
        "a new master key, a new pepper, and one resealing that moved something"
    );
    rotated.close().await;
    // Now the old master key can be removed.
    let ring = KeyRing::from_base64(OTHER, Some(&both(OTHER, &pepper))).unwrap();
    let without = Store::connect(&world.config, ring, world.clock.clone())
        .await
        .unwrap();
    let opened = without
        .operator()
        .connection_secrets(row.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(opened.credentials["api_key"].expose_secret(), SECRET);
}
