//! Templates of documents: the newest is in use, a project's before its organization's, and nobody else sees them.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::Digest;
use gtm_domain::document::{DocumentFormat, DocumentTemplate};
use gtm_store::{AuditRange, StoreError};

use crate::audit_log::entries_in;
use crate::world::{Tenant, World};

on_both_engines!(
    a_template_is_registered_replaced_and_removed,
    a_project_has_its_own_and_no_other_sees_it,
    templates_stay_as_they_are,
    a_removed_template_stays_as_long_as_jobs_may_need_it,
);

async fn add(world: &World, of: &Tenant, is_own: bool, file: &'static str) -> DocumentTemplate {
    let project = is_own.then_some(of.scope.project());
    let operator = world.store.operator();
    let made = operator.add_template(
        of.organization,
        project,
        DocumentFormat::Pptx,
        "House",
        Bytes::from_static(file.as_bytes()),
    );
    made.await.unwrap()
}

async fn used(world: &World, tenant: &Tenant) -> Vec<DocumentTemplate> {
    world.store.templates_in_use(&tenant.scope).await.unwrap()
}

/// The file that a job bound to the template would get.
async fn file_of(
    world: &World,
    tenant: &Tenant,
    template: &DocumentTemplate,
) -> Result<Option<Bytes>, StoreError> {
    let bound = template.binding();
    world.store.bound_template(&tenant.scope, &bound).await
}

async fn a_template_is_registered_replaced_and_removed(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let first = add(&world, &tenant, false, "one").await;
    assert_eq!(first.digest, Digest::of(b"one"));
    assert_eq!(used(&world, &tenant).await, std::slice::from_ref(&first));
    assert_eq!(
        add(&world, &tenant, false, "one").await,
        first,
        "nothing new"
    );
    let second = add(&world, &tenant, false, "two").await;
    assert_eq!(used(&world, &tenant).await, std::slice::from_ref(&second));
    // A job that is bound to the first one has it still.
    let bytes = file_of(&world, &tenant, &first).await;
    assert_eq!(bytes.unwrap().as_deref(), Some(b"one".as_slice()));
    let mut other = first.binding();
    other.digest = Digest::of(b"other");
    let none = world.store.bound_template(&tenant.scope, &other).await;
    assert_eq!(none.unwrap(), None, "another file than the bound one");

    let removed = operator.remove_template(second.id).await.unwrap();
    assert_eq!(removed.removed_at, Some(world.now()));
    assert_eq!(
        operator.remove_template(second.id).await.unwrap(),
        removed,
        "twice"
    );
    assert!(used(&world, &tenant).await.is_empty());
    let listed = async |removed| {
        let rows = operator.list_templates(Some(tenant.organization), removed);
        rows.await.unwrap().len()
    };
    assert_eq!((listed(false).await, listed(true).await), (0, 2));
    assert_eq!(
        operator.show_template(second.id).await.unwrap(),
        Some(removed)
    );

    let entries = entries_in(&world.store, AuditRange::default()).await;
    let actions: Vec<_> = entries
        .iter()
        .filter(|entry| entry.action.as_str().starts_with("document_template."))
        .map(|entry| (entry.action.as_str(), entry.before_hash, entry.after_hash))
        .collect();
    let digest = |file: &str| Some(Digest::of(file.as_bytes()));
    assert_eq!(
        actions,
        [
            ("document_template.added", None, digest("one")),
            ("document_template.added", digest("one"), digest("two")),
            ("document_template.removed", digest("two"), None),
        ]
    );
}

async fn a_project_has_its_own_and_no_other_sees_it(world: World) {
    let tenant = world.tenant().await;
    let sibling = world.tenant_in(tenant.organization).await;
    let stranger = world.tenant().await;
    let all = add(&world, &tenant, false, "all").await;
    let own = add(&world, &tenant, true, "own").await;
    assert_eq!(used(&world, &tenant).await, std::slice::from_ref(&own));
    assert_eq!(used(&world, &sibling).await, std::slice::from_ref(&all));
    assert!(used(&world, &stranger).await.is_empty());
    let bytes = file_of(&world, &stranger, &all).await;
    assert_eq!(bytes.unwrap(), None);
    if world.is_postgres() {
        // The database itself keeps a project's template from the others.
        let bytes = file_of(&world, &sibling, &own).await;
        assert_eq!(bytes.unwrap(), None);
    }
    let operator = world.store.operator();
    operator
        .archive_organization(stranger.organization)
        .await
        .unwrap();
    let late = operator.add_template(
        stranger.organization,
        None,
        DocumentFormat::Docx,
        "Late",
        Bytes::from_static(b"late"),
    );
    assert!(matches!(late.await, Err(StoreError::Conflict(_))));
}

/// Also for whoever writes to the database himself.
async fn templates_stay_as_they_are(world: World) {
    let tenant = world.tenant().await;
    let made = add(&world, &tenant, false, "one").await;
    for sql in [
        "UPDATE document_templates SET digest = 'sha256:0'",
        "UPDATE document_templates SET format = 'docx'",
        "UPDATE document_templates SET name = 'Other'",
    ] {
        assert!(world.raw(sql).await.is_err(), "{sql}");
    }
    world
        .store
        .operator()
        .remove_template(made.id)
        .await
        .unwrap();
    let sql = "UPDATE document_templates SET removed_at = NULL";
    assert!(world.raw(sql).await.is_err(), "{sql}");
}

async fn a_removed_template_stays_as_long_as_jobs_may_need_it(world: World) {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let tenant = world.tenant().await;
    let made = add(&world, &tenant, false, "one").await;
    let read = async || file_of(&world, &tenant, &made).await;
    world.clock.advance(DAY * 40);
    world.store.sweep().await.unwrap();
    assert!(read().await.unwrap().is_some(), "in use");
    world
        .store
        .operator()
        .remove_template(made.id)
        .await
        .unwrap();
    world.clock.advance(DAY * 29);
    world.store.sweep().await.unwrap();
    assert!(read().await.unwrap().is_some(), "a job may be bound to it");
    world.clock.advance(DAY * 2);
    assert_eq!(world.store.sweep().await.unwrap().blobs, 1);
    assert!(read().await.is_err());
}
