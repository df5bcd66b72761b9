//! Bindings and connections: the nearest binding wins, and nobody reaches another project's connection
//! without one.

use std::collections::BTreeMap;

use gtm_domain::binding::{BindingScope, BindingTarget};
use gtm_domain::connection::{Connection, ConnectionStatus};
use gtm_store::{ConnectionChange, NewConnection, StoreError};
use secrecy::SecretString;
use serde_json::{Value, json};

use crate::world::{Tenant, World};

on_both_engines!(
    the_nearest_binding_wins,
    a_disabled_connection_does_not_resolve,
    foreign_connections_cannot_be_bound,
    an_organization_shares_what_it_binds,
    binding_again_replaces,
    a_binding_without_a_version_gets_one_once,
    each_kind_of_plugin_is_bound_as_what_it_is,
    a_connection_of_a_plugins_kind_is_no_binding,
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

async fn connection(world: &World, tenant: &Tenant) -> Connection {
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

async fn a_binding_without_a_version_gets_one_once(world: World) {
    let operator = world.store.operator();
    let bind = |capability: &'static str, version: Option<&str>| {
        let target = BindingTarget::Backend {
            key: "playbook".to_owned(),
            version: version.map(str::to_owned),
        };
        operator.set_binding(BindingScope::Platform, capability, target, json!({}))
    };
    let old = bind("playbooks", None).await.unwrap();
    let exact = bind("brands", Some("0.1.0")).await.unwrap();
    let versions = [(old.id, "0.2.0".to_owned()), (exact.id, "0.2.0".to_owned())];
    let pinned = operator.pin_bindings(&versions).await.unwrap();
    assert_eq!(pinned.len(), 1);
    let target = BindingTarget::Backend {
        key: "playbook".to_owned(),
        version: Some("0.2.0".to_owned()),
    };
    let shown = async |id| operator.show_binding(id).await.unwrap().unwrap();
    assert_eq!(shown(old.id).await.target, target);
    assert_eq!(shown(exact.id).await, exact);
    let later = [(old.id, "0.3.0".to_owned())];
    assert_eq!(operator.pin_bindings(&later).await.unwrap(), []);
    assert_eq!(shown(old.id).await.target, target);
}

async fn each_kind_of_plugin_is_bound_as_what_it_is(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let (key, version) = ("p".to_owned(), Some("1.0.0".to_owned()));
    let renderer = BindingTarget::Renderer {
        key: key.clone(),
        version: version.clone(),
    };
    let evaluator = BindingTarget::Evaluator {
        key: key.clone(),
        version: version.clone(),
    };
    let backend = BindingTarget::Backend { key, version };
    let scope = BindingScope::Project(tenant.project);
    for target in [backend.clone(), renderer, evaluator, backend] {
        let row = operator
            .set_binding(scope, "x", target.clone(), json!({}))
            .await
            .unwrap();
        assert_eq!(row.target, target);
        let bindings = world.store.resolve_bindings(&tenant.scope).await.unwrap();
        assert_eq!(bindings.get("x").unwrap().binding.target, target);
    }
    // A node of an older version stores bindings without a kind.
    world
        .raw("UPDATE bindings SET plugin_kind = NULL")
        .await
        .unwrap();
    let bindings = world.store.resolve_bindings(&tenant.scope).await.unwrap();
    assert_eq!(bindings.get("x").unwrap().binding.target.kind(), "backend");
    let unknown = world.raw("UPDATE bindings SET plugin_kind = 'connector'");
    assert!(unknown.await.is_err());
}

async fn a_connection_of_a_plugins_kind_is_no_binding(world: World) {
    let tenant = world.tenant().await;
    let row = connection(&world, &tenant).await;
    let target = BindingTarget::Connection { connection: row.id };
    let scope = BindingScope::Project(tenant.project);
    let operator = world.store.operator();
    let bound = operator.set_binding(scope, "web.fetch", target, json!({}));
    let id = bound.await.unwrap().id;
    for kind in ["generation_backend", "document_renderer", "evaluator"] {
        let sql = format!("UPDATE bindings SET plugin_kind = '{kind}'");
        world.raw(&sql).await.unwrap();
        let shown = operator.show_binding(id).await;
        assert!(
            matches!(&shown, Err(StoreError::Corrupt(what)) if what.contains(&id.to_string())),
            "{shown:?}"
        );
        let resolved = world.store.resolve_bindings(&tenant.scope).await;
        assert!(matches!(resolved, Err(StoreError::Corrupt(_))));
    }
}
