//! Bindings and connections: the nearest wins, and nobody reaches a foreign connection.

use std::collections::BTreeMap;

use gtm_store::{
    BindingScope, BindingTarget, ConnectionChange, ConnectionRow, ConnectionStatus, NewConnection,
    StoreError,
};
use secrecy::SecretString;
use serde_json::{Value, json};

use crate::world::{Tenant, World};

on_both_engines!(
    the_nearest_binding_wins,
    a_disabled_connection_does_not_resolve,
    foreign_connections_cannot_be_bound,
    an_organization_shares_what_it_binds,
    binding_again_replaces,
    plugins_are_remembered,
);

pub fn new_connection(secret: &str) -> NewConnection {
    NewConnection {
        provider_key: "openai-compatible".to_owned(),
        manifest_version: "0.1.0".to_owned(),
        name: "model".to_owned(),
        settings: json!({"base_url": "https://models.example"}),
        credentials: BTreeMap::from([("api_key".to_owned(), SecretString::from(secret))]),
    }
}

async fn connection(world: &World, tenant: &Tenant) -> ConnectionRow {
    world
        .store
        .operator()
        .create_connection(tenant.project, new_connection("s"))
        .await
        .unwrap()
}

fn backend(key: &str) -> BindingTarget {
    BindingTarget::Backend {
        key: key.to_owned(),
        version: None,
    }
}

async fn the_nearest_binding_wins(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let bound = async || {
        let bindings = world.store.resolve_bindings(&tenant.scope).await.unwrap();
        bindings.get("playbooks").map(|b| b.binding.target.clone())
    };
    assert_eq!(bound().await, None);
    let scopes = [
        BindingScope::Platform,
        BindingScope::Organization(tenant.organization),
        BindingScope::Project(tenant.project),
    ];
    let mut made = Vec::new();
    for scope in scopes {
        let row = operator
            .set_binding(scope, "playbooks", backend(scope.level()), json!({}))
            .await
            .unwrap();
        assert_eq!(bound().await, Some(backend(scope.level())));
        made.push(row.id);
    }
    for (id, left) in made
        .into_iter()
        .rev()
        .zip([Some("organization"), Some("platform"), None])
    {
        assert!(operator.remove_binding(id).await.unwrap());
        assert_eq!(bound().await, left.map(backend));
    }
    let other = BindingScope::Project(world.tenant().await.project);
    operator
        .set_binding(other, "playbooks", backend("foreign"), json!({}))
        .await
        .unwrap();
    assert_eq!(bound().await, None);
}

async fn a_disabled_connection_does_not_resolve(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let row = connection(&world, &tenant).await;
    let scope = BindingScope::Project(tenant.project);
    let target = BindingTarget::Connection { connection: row.id };
    operator
        .set_binding(scope, "model.complete", target, json!({"x": 1}))
        .await
        .unwrap();
    let bindings = world.store.resolve_bindings(&tenant.scope).await.unwrap();
    let found = bindings.get("model.complete").unwrap();
    assert_eq!(
        (found.connection.as_ref(), &found.binding.settings),
        (Some(&row), &json!({"x": 1}))
    );
    operator.disable_connection(row.id).await.unwrap();
    assert!(
        world
            .store
            .resolve_bindings(&tenant.scope)
            .await
            .unwrap()
            .get("model.complete")
            .is_none()
    );
    let on = ConnectionChange {
        status: Some(ConnectionStatus::Configured),
        ..ConnectionChange::default()
    };
    operator.update_connection(row.id, on).await.unwrap();
    assert_eq!(
        world
            .store
            .resolve_bindings(&tenant.scope)
            .await
            .unwrap()
            .iter()
            .count(),
        1
    );
}

async fn foreign_connections_cannot_be_bound(world: World) {
    let (owner, stranger) = (world.tenant().await, world.tenant().await);
    let neighbour = world.tenant_in(owner.organization).await;
    let row = connection(&world, &owner).await;
    let target = || BindingTarget::Connection { connection: row.id };
    let operator = world.store.operator();
    let foreign = [
        BindingScope::Project(stranger.project),
        BindingScope::Project(neighbour.project),
        BindingScope::Organization(stranger.organization),
    ];
    for scope in foreign {
        let result = operator
            .set_binding(scope, "web.fetch", target(), Value::Null)
            .await;
        assert!(matches!(result, Err(StoreError::Conflict(_))), "{result:?}");
    }
    let job = world.running(&stranger).await;
    assert!(
        world
            .store
            .connection_for_job(&job.lease, row.id)
            .await
            .unwrap()
            .is_none()
    );
}

async fn an_organization_shares_what_it_binds(world: World) {
    let owner = world.tenant().await;
    let neighbour = world.tenant_in(owner.organization).await;
    let row = connection(&world, &owner).await;
    let job = world.running(&neighbour).await;
    assert!(
        world
            .store
            .connection_for_job(&job.lease, row.id)
            .await
            .unwrap()
            .is_none()
    );
    let scope = BindingScope::Organization(owner.organization);
    let target = BindingTarget::Connection { connection: row.id };
    world
        .store
        .operator()
        .set_binding(scope, "web.fetch", target, json!({}))
        .await
        .unwrap();
    assert!(
        world
            .store
            .resolve_bindings(&neighbour.scope)
            .await
            .unwrap()
            .get("web.fetch")
            .is_some()
    );
    assert_eq!(
        world
            .store
            .connection_for_job(&job.lease, row.id)
            .await
            .unwrap()
            .unwrap()
            .connection,
        row
    );
}

async fn binding_again_replaces(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let scope = BindingScope::Project(tenant.project);
    let first = operator
        .set_binding(scope, "playbooks", backend("a"), json!({}))
        .await
        .unwrap();
    let second = operator
        .set_binding(scope, "playbooks", backend("b"), json!({}))
        .await
        .unwrap();
    assert_eq!(first.id, second.id);
    assert_eq!(
        operator.list_bindings().await.unwrap(),
        std::slice::from_ref(&second)
    );
    assert_eq!(operator.show_binding(first.id).await.unwrap(), Some(second));
    assert!(operator.remove_binding(first.id).await.unwrap());
    assert!(!operator.remove_binding(first.id).await.unwrap());
}

async fn plugins_are_remembered(world: World) {
    let operator = world.store.operator();
    let package = gtm_store::PluginPackage {
        digest: gtm_domain::Digest::of(b"component"),
        kind: "connector".to_owned(),
        key: "web-fetch".to_owned(),
        version: "0.1.0".to_owned(),
        manifest: json!({"key": "web-fetch"}),
    };
    operator
        .record_plugins(std::slice::from_ref(&package))
        .await
        .unwrap();
    let first = world.now();
    world.clock.advance(std::time::Duration::from_secs(60));
    operator
        .record_plugins(std::slice::from_ref(&package))
        .await
        .unwrap();
    let known = operator.plugin_records().await.unwrap();
    assert_eq!(known.len(), 1);
    assert_eq!(
        (known[0].first_seen_at, known[0].last_seen_at),
        (first, world.now())
    );
    assert_eq!(known[0].manifest, package.manifest);
}
