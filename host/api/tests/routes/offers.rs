//! `/v1/offers`: what callers read of what operators approved.

use gtm_domain::binding::{BindingScope, BindingTarget, BindingTerms};
use gtm_domain::offer::{OfferContent, OfferInput};
use gtm_domain::{OfferId, canonical_digest};
use serde_json::{Value, json};

use crate::jobs::check;
use crate::world::World;

const PATH: &str = "/v1/offers";

fn content(name: &str) -> OfferContent {
    let description = gtm_api::openapi();
    let example = &description["components"]["schemas"]["Offer"]["examples"][0];
    let members = [
        "summary",
        "url",
        "facts",
        "value_propositions",
        "proof_points",
        "pricing",
        "icp",
        "stage_fit",
        "allowed_link_hosts",
        "forbidden_claims",
    ];
    let mut written = json!({ "name": name });
    for member in members {
        written[member] = example[member].clone();
    }
    OfferInput::read(&written).unwrap().content
}

async fn create(world: &World, key: &str, approved: bool) -> OfferId {
    let operator = world.store.operator();
    let made = operator.create_offer(world.organization, key.parse().unwrap(), content(key));
    let id = made.await.unwrap().offer.id;
    if approved {
        operator.approve_offer(id, Some(1), "Ada").await.unwrap();
    }
    id
}

#[tokio::test]
async fn an_approved_offer_is_read_with_its_hash() {
    let world = World::start().await;
    let id = create(&world, "meters", true).await;
    let path = format!("{PATH}/{id}");
    let answer = world.get(&path).await;
    let shown = answer.json();
    assert_eq!(answer.status, 200, "{shown}");
    check("Offer", &shown);
    assert_eq!(
        (
            &shown["status"],
            &shown["revision"],
            &shown["approved"]["by"]
        ),
        (&json!("active"), &json!(1), &json!("Ada"))
    );
    // What the description says that the hash covers.
    let mut hashed = shown.clone();
    for member in [
        "offer_hash",
        "status",
        "approved",
        "created_at",
        "updated_at",
        "archived_at",
    ] {
        hashed.as_object_mut().unwrap().remove(member).unwrap();
    }
    assert_eq!(
        shown["offer_hash"],
        json!(canonical_digest(&hashed).unwrap())
    );
    // A revision that nobody approved is not shown.
    let operator = world.store.operator();
    operator
        .revise_offer(id, None, content("New"))
        .await
        .unwrap();
    let after = world.get(&path).await.json();
    assert_eq!(after["offer_hash"], shown["offer_hash"]);
    operator.approve_offer(id, None, "Bob").await.unwrap();
    let after = world.get(&path).await.json();
    assert_eq!(
        (&after["name"], &after["revision"]),
        (&json!("New"), &json!(2))
    );
    operator.archive_offer(id).await.unwrap();
    let after = world.get(&path).await.json();
    check("Offer", &after);
    assert_eq!(after["status"], "archived");
    assert!(after["archived_at"].is_string());
}

#[tokio::test]
async fn a_list_holds_active_offers() {
    let world = World::start().await;
    let mut ids = Vec::new();
    for number in 0..3 {
        ids.push(
            create(&world, &format!("offer-{number}"), true)
                .await
                .to_string(),
        );
        world.clock.advance(std::time::Duration::from_millis(2));
    }
    create(&world, "draft", false).await;
    let gone = create(&world, "gone", true).await;
    world.store.operator().archive_offer(gone).await.unwrap();
    ids.reverse();
    let first = world.get(&format!("{PATH}?limit=2")).await.json();
    check("OfferList", &first);
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = world
        .get(&format!("{PATH}?limit=2&cursor={cursor}"))
        .await
        .json();
    check("OfferList", &rest);
    assert_eq!(rest["has_more"], false);
    let listed = |page: &Value| -> Vec<String> {
        let rows = page["offers"].as_array().unwrap().iter();
        rows.map(|row| row["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!([listed(&first), listed(&rest)].concat(), ids);
    let refused = world.get(&format!("{PATH}?limit=0")).await;
    assert_eq!(refused.error(), (422, "invalid_request".to_owned()));
}

#[tokio::test]
async fn drafts_and_other_organizations_offers_are_absent() {
    let world = World::start().await;
    let draft = create(&world, "draft", false).await;
    let active = create(&world, "active", true).await;
    let stranger = world.stranger().await;
    let nobodys = "offr_01jz8r0a1b2c3d4e5f6g7h8j9k".to_owned();
    let absent = (404, "not_found".to_owned());
    for (id, key) in [
        (draft.to_string(), &world.key),
        (nobodys, &world.key),
        ("active".to_owned(), &world.key),
        (active.to_string(), &stranger),
    ] {
        let answer = world.get_as(&format!("{PATH}/{id}"), key).await;
        assert_eq!(answer.error(), absent, "{id}");
    }
    let theirs = world.get_as(PATH, &stranger).await.json();
    assert_eq!(theirs["offers"], json!([]));
    let reader = world.new_key("offers:read", None).await;
    assert_eq!(
        world
            .get_as(&format!("{PATH}/{active}"), &reader)
            .await
            .status,
        200
    );
    let other = world.new_key("brands:read", None).await;
    for path in [PATH.to_owned(), format!("{PATH}/{active}")] {
        let refused = world.get_as(&path, &other).await;
        assert_eq!(refused.error(), (403, "forbidden".to_owned()));
    }
}

#[tokio::test]
async fn a_playbook_s_offer_is_the_operator_s_choice() {
    let world = World::start().await;
    let id = create(&world, "meters", true).await;
    let operator = world.store.operator();
    let target = BindingTarget::Backend {
        key: "playbook".to_owned(),
        version: None,
    };
    let terms = BindingTerms {
        offer: Some(id),
        ..BindingTerms::default()
    };
    let scope = BindingScope::Organization(world.organization);
    let bound = operator.set_binding_on(scope, "playbooks", target, json!({}), terms);
    bound.await.unwrap();
    let body = r#"{"target_company":"Acme"}"#;
    let keyed = [("idempotency-key", "one")];
    assert_eq!(world.post(body, &keyed).await.status, 202);
    operator.archive_offer(id).await.unwrap();
    let refused = world.post(body, &[]).await;
    assert_eq!(refused.error(), (409, "offer_archived".to_owned()));
    assert_eq!(
        refused.json()["error"]["details"],
        json!({ "offer_id": id })
    );
    // A repeated request gets its first answer, whatever has changed since.
    assert_eq!(world.post(body, &keyed).await.status, 202);
    // The request itself names none: its form is the specification's.
    let named = world
        .post(r#"{"target_company":"Acme","offer":"meters"}"#, &[])
        .await;
    assert_eq!(named.error(), (422, "invalid_request".to_owned()));
}
