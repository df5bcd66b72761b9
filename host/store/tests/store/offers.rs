//! Offers: revisions follow each other and stay, only approved ones are in use, and another organization sees none.

use std::time::Duration;

use gtm_domain::binding::{BindingScope, BindingTarget, BindingTerms};
use gtm_domain::offer::{
    Approval, OfferBinding, OfferContent, OfferSelection, OfferStatus, RevisedOffer,
};
use gtm_domain::{Digest, OfferId, OrganizationId};
use gtm_store::{AuditRange, OfferPage, StoreError};
use serde_json::json;

use crate::audit_log::entries_in;
use crate::world::World;

on_both_engines!(
    an_offer_is_made_revised_approved_and_archived,
    another_organization_s_offer_is_absent,
    pages_hold_active_offers_only,
    revisions_stay_as_they_are,
    a_binding_sells_only_what_it_may,
);

fn content(name: &str) -> OfferContent {
    OfferContent {
        name: name.to_owned(),
        forbidden_claims: vec!["guaranteed savings".to_owned()],
        ..OfferContent::default()
    }
}

async fn create(world: &World, organization: OrganizationId, key: &str) -> RevisedOffer {
    let operator = world.store.operator();
    let made = operator.create_offer(organization, key.parse().unwrap(), content(key));
    made.await.unwrap()
}

async fn create_active(world: &World, organization: OrganizationId, key: &str) -> RevisedOffer {
    let made = create(world, organization, key).await;
    let operator = world.store.operator();
    operator
        .approve_offer(made.offer.id, Some(1), "Ada")
        .await
        .unwrap()
}

fn refused<T: std::fmt::Debug>(result: Result<T, StoreError>, told: &str) {
    match result.unwrap_err() {
        StoreError::Conflict(text) => assert!(text.contains(told), "{text}"),
        other => panic!("{other}"),
    }
}

async fn an_offer_is_made_revised_approved_and_archived(world: World) {
    let tenant = world.tenant().await;
    let (operator, store) = (world.store.operator(), &world.store);
    let made = create(&world, tenant.organization, "meters").await;
    let id = made.offer.id;
    assert_eq!(
        (made.offer.status(), made.revision.revision),
        (OfferStatus::Draft, 1)
    );
    assert_eq!(
        operator.show_offer(id, None).await.unwrap(),
        Some(made.clone())
    );
    // Callers do not see a draft; who selects it learns that it has nothing to bind.
    assert_eq!(store.get_offer(&tenant.scope, id).await.unwrap(), None);
    let select = async |by: OfferSelection| {
        let found = store.select_offer(&tenant.scope, by).await.unwrap();
        found.map(|found| found.binding)
    };
    assert_eq!(select(OfferSelection::Id(id)).await, Some(None));
    let again = operator.create_offer(tenant.organization, "meters".parse().unwrap(), content("x"));
    refused(again.await, "has an offer meters already");

    world.clock.advance(Duration::from_secs(1));
    let approved = operator.approve_offer(id, Some(1), "Ada").await.unwrap();
    let approval = Approval {
        by: "Ada".to_owned(),
        at: world.now(),
    };
    assert_eq!(approved.revision.approval, Some(approval.clone()));
    assert_eq!(approved.offer.status(), OfferStatus::Active);
    world.clock.advance(Duration::from_secs(1));
    assert_eq!(
        operator.approve_offer(id, None, "Bob").await.unwrap(),
        approved,
        "twice"
    );
    let first = OfferBinding {
        offer_id: id,
        revision: 1,
        offer_hash: made.revision.hash,
    };
    assert_eq!(
        select("meters".parse().unwrap()).await,
        Some(Some(first.clone()))
    );

    let same = operator
        .revise_offer(id, None, content("meters"))
        .await
        .unwrap();
    assert_eq!(same, approved, "nothing new");
    let other_key = operator.revise_offer(id, Some("m".parse().unwrap()), content("y"));
    refused(other_key.await, "never changes");
    let revised = operator
        .revise_offer(id, None, content("Meters and more"))
        .await
        .unwrap();
    assert_eq!(
        (revised.revision.revision, &revised.revision.approval),
        (2, &None)
    );
    assert_ne!(revised.revision.hash, made.revision.hash);
    // Until it is approved, the first one stays in use.
    assert_eq!(
        select(OfferSelection::Id(id)).await,
        Some(Some(first.clone()))
    );
    let shown = store.get_offer(&tenant.scope, id).await.unwrap().unwrap();
    assert_eq!(shown.revision.content.name, "meters");
    refused(
        operator.approve_offer(id, Some(1), "Ada").await,
        "not the newest",
    );
    operator.approve_offer(id, Some(2), "Bob").await.unwrap();
    let second = select(OfferSelection::Id(id)).await.unwrap().unwrap();
    assert_eq!(
        (second.revision, second.offer_hash),
        (2, revised.revision.hash)
    );
    // What was bound before still says what it said.
    let bound = store.bound_offer(&tenant.scope, &first).await.unwrap();
    assert_eq!(bound, Some(content("meters")));
    let forged = OfferBinding {
        offer_hash: Digest::of(b"other"),
        ..first.clone()
    };
    assert_eq!(
        store.bound_offer(&tenant.scope, &forged).await.unwrap(),
        None
    );

    let archived = operator.archive_offer(id).await.unwrap();
    assert_eq!(archived.offer.status(), OfferStatus::Archived);
    world.clock.advance(Duration::from_secs(1));
    assert_eq!(operator.archive_offer(id).await.unwrap(), archived, "twice");
    refused(
        operator.revise_offer(id, None, content("z")).await,
        "archived",
    );
    refused(operator.approve_offer(id, None, "Ada").await, "archived");
    assert!(store.get_offer(&tenant.scope, id).await.unwrap().is_some());
    assert!(
        store
            .bound_offer(&tenant.scope, &first)
            .await
            .unwrap()
            .is_some()
    );

    let entries = entries_in(&world.store, AuditRange::default()).await;
    let of_offer: Vec<(&str, bool, bool)> = entries
        .iter()
        .filter(|entry| entry.resource.id == id.to_string())
        .map(|entry| {
            let (before, after) = (entry.before_hash, entry.after_hash);
            (entry.action.as_str(), before.is_some(), after.is_some())
        })
        .collect();
    let told = [
        ("offer.created", false, true),
        ("offer.approved", false, true),
        ("offer.revised", true, true),
        ("offer.approved", true, true),
        ("offer.archived", true, true),
    ];
    assert_eq!(of_offer, told);
}

async fn another_organization_s_offer_is_absent(world: World) {
    let (owner, stranger) = (world.tenant().await, world.tenant().await);
    let sibling = world.tenant_in(owner.organization).await;
    let made = create_active(&world, owner.organization, "meters").await;
    let id = made.offer.id;
    let bound = OfferBinding {
        offer_id: id,
        revision: 1,
        offer_hash: made.revision.hash,
    };
    for (scope, sees) in [
        (&owner.scope, true),
        (&sibling.scope, true),
        (&stranger.scope, false),
    ] {
        let store = &world.store;
        assert_eq!(store.get_offer(scope, id).await.unwrap().is_some(), sees);
        assert_eq!(
            store.bound_offer(scope, &bound).await.unwrap().is_some(),
            sees
        );
        for by in [OfferSelection::Id(id), "meters".parse().unwrap()] {
            assert_eq!(store.select_offer(scope, by).await.unwrap().is_some(), sees);
        }
        let page = OfferPage {
            before: None,
            limit: 10,
        };
        assert_eq!(
            store.list_offers(scope, page).await.unwrap().len(),
            usize::from(sees)
        );
    }
    // Each organization has keys of its own.
    create(&world, stranger.organization, "meters").await;
}

async fn pages_hold_active_offers_only(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let mut active = Vec::new();
    for number in 0..5 {
        world.clock.advance(Duration::from_millis(2));
        let made = create_active(&world, tenant.organization, &format!("offer-{number}")).await;
        active.push(made.offer.id);
        world.clock.advance(Duration::from_millis(2));
        create(&world, tenant.organization, &format!("draft-{number}")).await;
    }
    operator.archive_offer(active.remove(2)).await.unwrap();
    active.reverse();
    let list = async |before: Option<OfferId>| {
        let page = OfferPage { before, limit: 3 };
        let rows = world.store.list_offers(&tenant.scope, page).await.unwrap();
        rows.into_iter().map(|row| row.offer.id).collect::<Vec<_>>()
    };
    let first = list(None).await;
    let rest = list(first.last().copied()).await;
    assert_eq!([first, rest].concat(), active);
    let all = async |organization, archived| {
        operator
            .list_offers(organization, archived)
            .await
            .unwrap()
            .len()
    };
    assert_eq!(all(Some(tenant.organization), false).await, 9);
    assert_eq!(all(None, true).await, 1);
    let other = world.tenant().await.organization;
    assert_eq!(all(Some(other), false).await, 0);
}

/// Also for whoever writes to the database himself.
async fn revisions_stay_as_they_are(world: World) {
    let tenant = world.tenant().await;
    let id = create_active(&world, tenant.organization, "meters")
        .await
        .offer
        .id;
    for sql in [
        "UPDATE offer_revisions SET content = '{}'",
        "UPDATE offer_revisions SET approved_by = 'Mallory'",
        "UPDATE offers SET key = 'other'",
        "UPDATE offers SET revision = 3",
        "UPDATE offers SET approved_revision = NULL",
        "UPDATE offers SET approved_revision = 2",
    ] {
        assert!(world.raw(sql).await.is_err(), "{sql}");
    }
    world.store.operator().archive_offer(id).await.unwrap();
    let sql = "UPDATE offers SET archived_at = NULL";
    assert!(world.raw(sql).await.is_err(), "{sql}");
}

async fn a_binding_sells_only_what_it_may(world: World) {
    let (tenant, other) = (world.tenant().await, world.tenant().await);
    let operator = world.store.operator();
    let active = create_active(&world, tenant.organization, "meters")
        .await
        .offer
        .id;
    let draft = create(&world, tenant.organization, "later").await.offer.id;
    let bind = async |scope, capability, offer| {
        let target = BindingTarget::Backend {
            key: "playbook".to_owned(),
            version: None,
        };
        let terms = BindingTerms {
            offer: Some(offer),
            ..BindingTerms::default()
        };
        operator
            .set_binding_on(scope, capability, target, json!({}), terms)
            .await
    };
    let own = BindingScope::Project(tenant.project);
    let bound = bind(own, "playbooks", active).await.unwrap();
    assert_eq!(bound.offer, Some(active));
    let effective = world.store.resolve_bindings(&tenant.scope).await.unwrap();
    assert_eq!(
        effective.get("playbooks").unwrap().binding.offer,
        Some(active)
    );
    let organization = BindingScope::Organization(tenant.organization);
    assert!(bind(organization, "playbooks", active).await.is_ok());
    refused(bind(own, "playbooks", draft).await, "approved");
    refused(bind(own, "brands", active).await, "sell");
    refused(
        bind(BindingScope::Platform, "playbooks", active).await,
        "organization",
    );
    let foreign = BindingScope::Project(other.project);
    refused(bind(foreign, "playbooks", active).await, "organization");
    operator.archive_offer(active).await.unwrap();
    refused(bind(own, "playbooks", active).await, "archived");
    // Bound again without one, it sells none.
    let target = BindingTarget::Backend {
        key: "playbook".to_owned(),
        version: None,
    };
    let without = operator
        .set_binding(own, "playbooks", target, json!({}))
        .await
        .unwrap();
    assert_eq!((without.id, without.offer), (bound.id, None));
}
