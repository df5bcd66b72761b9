//! A repeated request is answered as it was the first time, whatever has become of what it needs: on every operation that
//! creates something.

use gtm_domain::BrandId;
use gtm_domain::money::{LimitMetric, LimitOwner};
use serde_json::{Value, json};

use crate::brands::{self, post, succeed};
use crate::{dossiers, message_generation, message_templates, prospect_messages};

/// The paths of the operations that take an idempotency key.
fn described() -> Vec<String> {
    let description = gtm_api::openapi();
    let takes_a_key = |operations: &Value| {
        let parameters = operations["post"]["parameters"].as_array();
        let mut parameters = parameters.into_iter().flatten();
        parameters.any(|parameter| parameter["name"] == "Idempotency-Key")
    };
    let paths = description["paths"].as_object().unwrap().iter();
    let mut found: Vec<String> = paths
        .filter(|path| takes_a_key(path.1))
        .map(|(path, _)| path.clone())
        .collect();
    found.sort();
    found
}

#[tokio::test]
async fn a_known_key_is_answered_whatever_has_gone() {
    let (mut world, connectors) = dossiers::start().await;
    world.key = world.new_key("full", None).await;
    let brand = brands::create(&world, r#"{"company_name":"Northwind"}"#).await;
    succeed(&world, &brand, 1).await;
    let offer = message_generation::approved(&world, "meters").await;
    let (revision, _) = prospect_messages::revision(&world).await;
    let prospects = prospect_messages::prospects(&world, &["sam"]).await;
    let message = prospect_messages::body(&world, &prospects).await;
    let mut template = message_templates::body();
    let members = template.as_object_mut().unwrap();
    members.shift_remove("offer_summary");
    members.insert("offer".to_owned(), json!("meters"));

    let same = |path: &'static str, body: Value| (path, path.to_owned(), body.to_string());
    let cases = [
        same(
            "/v1/playbooks",
            json!({"target_company": "Acme", "brand_profile_key": "northwind"}),
        ),
        (
            brands::PATH,
            brands::PATH.to_owned(),
            brands::BODY.to_owned(),
        ),
        same(
            "/v1/documents",
            json!({"brief": "A deck.", "brand": "northwind", "offer": "meters"}),
        ),
        same("/v1/company-dossier-specifications", dossiers::body()),
        same("/v1/message-template-revisions", template),
        same(
            "/v1/message-template-revisions/generate",
            message_generation::selling("meters"),
        ),
        (
            "/v1/message-template-revisions/{revision_id}/prospect-message",
            prospect_messages::path(&revision),
            message.to_string(),
        ),
        // Last, because it lets the brand be researched.
        (
            "/v1/brands/{brand_id}/research",
            format!("{brand}/research"),
            String::new(),
        ),
    ];
    let mut covered: Vec<String> = cases.iter().map(|(path, ..)| (*path).to_owned()).collect();
    covered.sort();
    assert_eq!(covered, described());

    let mut first = Vec::new();
    for (path, real, body) in &cases {
        let answer = post(&world, real, &[("idempotency-key", *path)], body).await;
        assert!(answer.status.is_success(), "{path}: {}", answer.json());
        first.push(answer);
    }

    let operator = world.store.operator();
    let brand: BrandId = brand.rsplit('/').next().unwrap().parse().unwrap();
    operator.archive_brand(brand).await.unwrap();
    operator.archive_offer(offer).await.unwrap();
    connectors.remove();
    let organization = LimitOwner::Organization(world.organization);
    operator
        .set_limit(organization, LimitMetric::MonthlyJobs, 0)
        .await
        .unwrap();

    for ((path, real, body), first) in cases.iter().zip(first) {
        let again = post(&world, real, &[("idempotency-key", *path)], body).await;
        assert_eq!(again.header("idempotency-replayed"), Some("true"), "{path}");
        assert_eq!(again.header("location"), first.header("location"), "{path}");
        assert_eq!(
            (again.status, again.body),
            (first.status, first.body),
            "{path}"
        );
        let anew = post(&world, real, &[], body).await;
        assert!(anew.status.is_client_error(), "{path}: {}", anew.json());
    }
}
