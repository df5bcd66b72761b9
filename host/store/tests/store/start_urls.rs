//! Start URLs of bindings: changed one by one, read by the projects that the binding is in effect for.

use gtm_domain::binding::{BindingScope, BindingTarget};
use gtm_domain::domain_name::DomainName;
use gtm_domain::start_url::{MAX_START_URLS, StartUrl, StartUrls};
use gtm_domain::{BindingId, OrganizationId};
use gtm_store::{StartUrlChange, StoreError};
use serde_json::json;

use crate::bindings::new_connection;
use crate::world::{Tenant, World};

on_both_engines!(
    they_are_changed_one_by_one,
    they_hold_for_whom_the_binding_holds,
    a_thousand_domains_are_no_matter,
    they_belong_to_backends,
    changes_at_once_lose_nothing,
);

fn backend() -> BindingTarget {
    BindingTarget::Backend {
        key: "playbook".to_owned(),
        version: None,
    }
}

async fn bind(world: &World, scope: BindingScope) -> BindingId {
    let operator = world.store.operator();
    let bound = operator
        .set_binding(scope, "playbooks", backend(), json!({}))
        .await;
    bound.unwrap().id
}

fn url(domain: &str, url: &str) -> StartUrl {
    StartUrl::new(domain, url).unwrap()
}

fn add(domain: &str, to: &str) -> StartUrlChange {
    StartUrlChange::Add(vec![url(domain, to)])
}

async fn read(world: &World, tenant: &Tenant, binding: BindingId, of: Option<&str>) -> StartUrls {
    let domain: Option<DomainName> = of.map(|text| text.parse().unwrap());
    let found = world
        .store
        .start_urls(&tenant.scope, binding, domain.as_ref())
        .await;
    found.unwrap()
}

async fn they_are_changed_one_by_one(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let binding = bind(&world, BindingScope::Project(tenant.project)).await;
    let change = async |change| operator.change_start_urls(binding, change).await.unwrap();
    change(add("acme.example", "http://one/")).await;
    change(add("b.example", "http://b/")).await;
    let held = change(add("acme.example", "http://two/")).await;
    assert_eq!(
        (held.len(), held.get("acme.example")),
        (2, Some("http://two/"))
    );
    let held = change(StartUrlChange::Remove("b.example".parse().unwrap())).await;
    assert_eq!(held.len(), 1);
    // A new binding changes the backend's settings, but not the start URLs.
    assert_eq!(
        bind(&world, BindingScope::Project(tenant.project)).await,
        binding
    );
    assert_eq!(operator.binding_start_urls(binding).await.unwrap(), held);
    let all = vec![url("c.example", "http://c/"), url("d.example", "http://d/")];
    let held = change(StartUrlChange::Replace(all)).await;
    let names: Vec<&str> = held.iter().map(|(domain, _)| domain).collect();
    assert_eq!(names, ["c.example", "d.example"]);
    assert_eq!(
        operator.start_url_counts().await.unwrap(),
        [(binding, 2)].into()
    );
    let said = "SELECT COUNT(*) FROM audit_log WHERE action = 'binding.start_urls_changed'";
    assert_eq!(world.number(said).await, 5);
    assert!(operator.remove_binding(binding).await.unwrap());
    assert_eq!(
        world
            .number("SELECT COUNT(*) FROM binding_start_urls")
            .await,
        0
    );
    let gone = operator
        .change_start_urls(binding, add("a.example", "http://a/"))
        .await;
    assert!(matches!(gone, Err(StoreError::Absent { .. })), "{gone:?}");
}

async fn they_hold_for_whom_the_binding_holds(world: World) {
    let tenant = world.tenant().await;
    let sister = world.tenant_in(tenant.organization).await;
    let stranger = world.tenant().await;
    let organization: OrganizationId = tenant.organization;
    for (scope, sees) in [
        (BindingScope::Project(tenant.project), [true, false, false]),
        (
            BindingScope::Organization(organization),
            [true, true, false],
        ),
        (BindingScope::Platform, [true, true, true]),
    ] {
        let binding = bind(&world, scope).await;
        let operator = world.store.operator();
        let change = add("acme.example", "http://one/");
        operator.change_start_urls(binding, change).await.unwrap();
        for (who, sees) in [&tenant, &sister, &stranger].into_iter().zip(sees) {
            let found = read(&world, who, binding, None).await;
            assert_eq!(!found.is_empty(), sees, "{scope:?}");
        }
    }
}

async fn a_thousand_domains_are_no_matter(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let binding = bind(&world, BindingScope::Project(tenant.project)).await;
    let many = |count: usize| -> Vec<StartUrl> {
        (0..count)
            .map(|n| {
                url(
                    &format!("company-{n}.example"),
                    &format!("http://127.0.0.1:8080/{n}"),
                )
            })
            .collect()
    };
    // Of two for one domain, the last is taken.
    let mut all = many(MAX_START_URLS);
    all.insert(
        0,
        url("company-77.example", "http://127.0.0.1:8080/earlier"),
    );
    let held = operator
        .change_start_urls(binding, StartUrlChange::Add(all))
        .await
        .unwrap();
    assert_eq!(held.len(), MAX_START_URLS);
    assert_eq!(read(&world, &tenant, binding, None).await, held);
    let one = read(&world, &tenant, binding, Some("www.company-77.example")).await;
    assert_eq!(
        one.iter().collect::<Vec<_>>(),
        [("company-77.example", "http://127.0.0.1:8080/77")]
    );
    // One too many changes nothing.
    let more = add("one-more.example", "http://more/");
    let refused = operator.change_start_urls(binding, more).await;
    assert!(matches!(refused, Err(StoreError::Conflict(why)) if why.contains("5000 are the most")));
    assert_eq!(operator.binding_start_urls(binding).await.unwrap(), held);
}

async fn they_belong_to_backends(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let made = operator
        .create_connection(tenant.project, new_connection("s"))
        .await;
    let target = BindingTarget::Connection {
        connection: made.unwrap().id,
    };
    let scope = BindingScope::Project(tenant.project);
    let bound = operator
        .set_binding(scope, "model.complete", target, json!({}))
        .await;
    let change = add("acme.example", "http://one/");
    let refused = operator.change_start_urls(bound.unwrap().id, change).await;
    assert!(matches!(refused, Err(StoreError::Conflict(why)) if why.contains("connection")));
}

async fn changes_at_once_lose_nothing(world: World) {
    let tenant = world.tenant().await;
    let binding = bind(&world, BindingScope::Project(tenant.project)).await;
    let other = world.another_node().await;
    let mut tasks = Vec::new();
    for n in 0..24 {
        let store = [&world.store, &other][n % 2].clone();
        tasks.push(tokio::spawn(async move {
            let change = add(&format!("company-{n}.example"), "http://one/");
            let changed = store.operator().change_start_urls(binding, change).await;
            changed.unwrap();
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let held = world.store.operator().binding_start_urls(binding).await;
    assert_eq!(held.unwrap().len(), 24);
    assert!(world.store.verify_audit(&[]).await.unwrap().is_sound());
}
