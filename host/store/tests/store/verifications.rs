//! The state of a connection: the last check of its credentials, and whether they open.

use std::collections::BTreeMap;

use gtm_domain::connection::{
    Connection, ConnectionState, NewVerification, VerificationMethod, VerificationResult,
};
use gtm_store::{ConnectionChange, StoreError};
use secrecy::SecretString;
use serde_json::json;

use crate::bindings::new_connection;
use crate::world::{Tenant, World};

on_both_engines!(
    a_check_is_remembered_until_what_it_checked_changes,
    a_check_that_decides_nothing_takes_nothing_back,
    only_what_was_taken_before_is_revoked,
    connections_are_of_their_project,
    a_check_of_nothing_is_refused,
);

async fn connection(world: &World, tenant: &Tenant) -> Connection {
    world
        .store
        .operator()
        .create_connection(tenant.project, new_connection("s3cret"))
        .await
        .unwrap()
}

fn check(row: &Connection, result: VerificationResult) -> NewVerification {
    NewVerification {
        checked: row.clone(),
        method: VerificationMethod::LiveProbe,
        result,
        network_request_made: true,
        detail: Some("as the provider said".to_owned()),
    }
}

async fn only_state(world: &World, tenant: &Tenant) -> ConnectionState {
    let mut states = world.store.connections(&tenant.scope).await.unwrap();
    assert_eq!(states.len(), 1);
    states.remove(0)
}

async fn a_check_is_remembered_until_what_it_checked_changes(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let row = connection(&world, &tenant).await;
    let state = only_state(&world, &tenant).await;
    assert!(state.verification.is_none() && !state.verification_is_current && state.secrets_open);
    operator
        .record_verification(check(&row, VerificationResult::Verified))
        .await
        .unwrap();
    let state = only_state(&world, &tenant).await;
    let known = state.verification.unwrap();
    assert_eq!(
        (known.result, known.network_request_made, known.at),
        (VerificationResult::Verified, true, world.now())
    );
    assert!(state.verification_is_current);
    assert!(!format!("{:?}", state.connection).contains("s3cret"));

    // A new name does not affect the result of the check.
    let named = ConnectionChange {
        name: Some("renamed".to_owned()),
        ..ConnectionChange::default()
    };
    operator.update_connection(row.id, named).await.unwrap();
    assert!(only_state(&world, &tenant).await.verification_is_current);
    let changes = [
        ConnectionChange {
            settings: Some(json!({"base_url": "https://elsewhere.example"})),
            ..ConnectionChange::default()
        },
        ConnectionChange {
            manifest_version: Some("0.2.0".to_owned()),
            ..ConnectionChange::default()
        },
        ConnectionChange {
            credentials: BTreeMap::from([("api_key".to_owned(), SecretString::from("other"))]),
            ..ConnectionChange::default()
        },
    ];
    for change in changes {
        let row = operator.update_connection(row.id, change).await.unwrap();
        assert!(!only_state(&world, &tenant).await.verification_is_current);
        operator
            .record_verification(check(&row, VerificationResult::Verified))
            .await
            .unwrap();
        assert!(only_state(&world, &tenant).await.verification_is_current);
    }
    // A check that was under way while the credentials changed concerns the old ones.
    operator
        .record_verification(check(&row, VerificationResult::Failed))
        .await
        .unwrap();
    assert!(!only_state(&world, &tenant).await.verification_is_current);
}

async fn a_check_that_decides_nothing_takes_nothing_back(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let row = connection(&world, &tenant).await;
    let record = async |result| {
        let known = operator.record_verification(check(&row, result)).await;
        known.unwrap().result
    };
    use VerificationResult::{Failed, Pending, Verified};
    assert_eq!(record(Pending).await, Pending);
    for verdict in [Verified, Failed] {
        assert_eq!(record(verdict).await, verdict);
        assert_eq!(record(Pending).await, verdict);
        let known = only_state(&world, &tenant).await.verification.unwrap();
        assert_eq!(known.result, verdict);
    }
}

async fn only_what_was_taken_before_is_revoked(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let row = connection(&world, &tenant).await;
    let revoked = async |row: &Connection, result| {
        let known = operator.record_verification(check(row, result)).await;
        known.unwrap().revoked
    };
    use VerificationResult::{Failed, Verified};
    assert!(!revoked(&row, Failed).await, "never taken");
    assert!(!revoked(&row, Verified).await);
    assert!(revoked(&row, Failed).await);
    assert!(revoked(&row, Failed).await, "still");
    let change = ConnectionChange {
        credentials: BTreeMap::from([("api_key".to_owned(), SecretString::from("other"))]),
        ..ConnectionChange::default()
    };
    let row = operator.update_connection(row.id, change).await.unwrap();
    assert!(!revoked(&row, Failed).await, "other credentials");
}

async fn connections_are_of_their_project(world: World) {
    let (owner, stranger) = (world.tenant().await, world.tenant().await);
    let neighbour = world.tenant_in(owner.organization).await;
    let row = connection(&world, &owner).await;
    let new = check(&row, VerificationResult::Verified);
    world
        .store
        .operator()
        .record_verification(new)
        .await
        .unwrap();
    for other in [&stranger, &neighbour] {
        let seen = world.store.connections(&other.scope).await.unwrap();
        assert!(seen.is_empty());
    }
    let all = world
        .store
        .operator()
        .connection_states(None)
        .await
        .unwrap();
    assert_eq!(all, [only_state(&world, &owner).await]);
}

async fn a_check_of_nothing_is_refused(world: World) {
    let tenant = world.tenant().await;
    let mut row = connection(&world, &tenant).await;
    row.id = gtm_domain::ConnectionId::from_uuid(uuid::Uuid::from_u128(7));
    let new = check(&row, VerificationResult::Verified);
    let refused = world.store.operator().record_verification(new).await;
    assert!(
        matches!(refused, Err(StoreError::Absent { .. })),
        "{refused:?}"
    );
}
