//! `POST /v1/message-template-revisions/generate`: what is accepted becomes a job that sends nothing, and what is not is
//! told by its status.

use gtm_domain::OfferId;
use gtm_domain::offer::{OfferContent, OfferText};
use serde_json::{Value, json};

use crate::brands::{post, read};
use crate::jobs::check;
use crate::world::{Answer, World};

const PATH: &str = "/v1/message-template-revisions/generate";

/// The example of the description, which has a summary in place of an offer.
fn body() -> Value {
    gtm_api::openapi()["components"]["schemas"]["MessageTemplateGenerate"]["examples"][0].clone()
}

/// The example with an offer in place of the summary.
pub fn selling(offer: &str) -> Value {
    let mut body = body();
    body.as_object_mut().unwrap().shift_remove("offer_summary");
    body["offer"] = json!(offer);
    body
}

async fn generate(world: &World, body: &Value) -> Answer {
    post(world, PATH, &[], &body.to_string()).await
}

async fn offer(world: &World, key: &str) -> OfferId {
    let content = OfferContent {
        name: "Metering".to_owned(),
        value_propositions: vec![OfferText {
            key: "vp-1".to_owned(),
            text: "One bill per flat from day one.".to_owned(),
        }],
        ..OfferContent::default()
    };
    let operator = world.store.operator();
    let made = operator.create_offer(world.organization, key.parse().unwrap(), content);
    made.await.unwrap().offer.id
}

pub async fn approved(world: &World, key: &str) -> OfferId {
    let id = offer(world, key).await;
    let operator = world.store.operator();
    operator.approve_offer(id, Some(1), "Ada").await.unwrap();
    id
}

/// Pointers and rules of a 422.
fn violations(answer: &Answer) -> Vec<(String, String)> {
    assert_eq!(answer.error(), (422, "invalid_request".to_owned()));
    let body = answer.json();
    let violations = body["error"]["details"]["violations"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    violations
        .iter()
        .map(|it| (text(&it["pointer"]), text(&it["rule"])))
        .collect()
}

async fn jobs(world: &World) -> usize {
    let listed = world.get("/v1/jobs").await.json();
    listed["jobs"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_request_becomes_a_job_that_sends_nothing() {
    let world = World::start().await;
    let answer = generate(&world, &body()).await;
    let made = answer.json();
    assert_eq!(answer.status, 202, "{made}");
    check("MessageTemplateJobResponse", &made);
    assert_eq!(
        (&made["type"], &made["status"]),
        (&json!("message_templates"), &json!("queued"))
    );
    assert_eq!(
        (&made["messages_enqueued"], &made["messages_sent"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(made["usage"]["candidates"], Value::Null);
    assert_eq!(made["result"], Value::Null);
    assert_eq!(made["input"]["operation"], "generate");
    assert_eq!(made["input"]["offer"], Value::Null);
    for member in [
        "template_key",
        "audience",
        "offer_summary",
        "desired_next_step",
    ] {
        assert_eq!(made["input"][member], body()[member], "{member}");
    }
    let place = answer.header("location").unwrap();
    assert_eq!(place, format!("/v1/jobs/{}", made["id"].as_str().unwrap()));
    let shown = world.get(place).await.json();
    assert_eq!(shown, made);
    check("JobList", &world.get("/v1/jobs").await.json());
    // It has made nothing yet.
    let revisions = world.get("/v1/message-template-revisions").await.json();
    assert_eq!(revisions["message_template_revisions"], json!([]));

    // What is missing or blank is the job's to say, and not a reason to refuse it.
    let least = json!({"template_key": "a", "name": "A", "language": "en", "audience": " "});
    let answer = generate(&world, &least).await;
    let made = answer.json();
    assert_eq!(answer.status, 202, "{made}");
    check("MessageTemplateJobResponse", &made);
    assert_eq!(made["input"]["audience"], Value::Null);
}

#[tokio::test]
async fn a_repeated_request_makes_one_job() {
    let world = World::start().await;
    let id = approved(&world, "meters").await;
    let request = selling("meters").to_string();
    let key = [("idempotency-key", "order-1")];
    let first = post(&world, PATH, &key, &request).await;
    assert_eq!(first.status, 202, "{}", first.json());
    assert_eq!(first.header("idempotency-replayed"), None);
    // A replay is the first answer, whatever has become of the offer.
    world.store.operator().archive_offer(id).await.unwrap();
    let again = post(&world, PATH, &key, &request).await;
    assert_eq!((again.status.as_u16(), &again.body), (202, &first.body));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.header("location"), first.header("location"));
    let other = post(&world, PATH, &key, &body().to_string()).await;
    assert_eq!(other.error(), (409, "idempotency_key_reused".to_owned()));
    assert_eq!(jobs(&world).await, 1);
}

#[tokio::test]
async fn an_offer_that_cannot_be_sold_is_refused_before_there_is_a_job() {
    let world = World::start().await;
    let draft = offer(&world, "draft").await;
    let gone = approved(&world, "gone").await;
    world.store.operator().archive_offer(gone).await.unwrap();
    let stranger = World::start().await;
    let theirs = approved(&stranger, "theirs").await;
    for (name, refusal) in [
        ("unknown".to_owned(), (404, "offer_not_found")),
        ("theirs".to_owned(), (404, "offer_not_found")),
        (theirs.to_string(), (404, "offer_not_found")),
        ("gone".to_owned(), (409, "offer_archived")),
        (gone.to_string(), (409, "offer_archived")),
        ("draft".to_owned(), (409, "not_ready")),
        (draft.to_string(), (409, "not_ready")),
    ] {
        let answer = generate(&world, &selling(&name)).await;
        let (status, code) = refusal;
        assert_eq!(answer.error(), (status, code.to_owned()), "{name}");
    }
    assert_eq!(jobs(&world).await, 0);
    world
        .store
        .operator()
        .approve_offer(draft, Some(1), "Ada")
        .await
        .unwrap();
    for name in ["draft".to_owned(), draft.to_string()] {
        let answer = generate(&world, &selling(&name)).await;
        assert_eq!(answer.status, 202, "{}", answer.json());
        assert_eq!(answer.json()["input"]["offer"], json!(name));
    }
}

#[tokio::test]
async fn what_breaks_a_rule_is_told_where_it_stands() {
    let world = World::start().await;
    approved(&world, "meters").await;
    let mut both = body();
    both["offer"] = json!("meters");
    let answer = generate(&world, &both).await;
    let one = |pointer: &str, rule: &str| vec![(pointer.to_owned(), rule.to_owned())];
    assert_eq!(
        violations(&answer),
        one("/offer_summary", "offer_or_summary")
    );
    for member in ["template_key", "name", "language"] {
        let mut request = body();
        request.as_object_mut().unwrap().shift_remove(member);
        let found = violations(&generate(&world, &request).await);
        assert!(
            found.iter().any(|(_, broken)| broken == "required"),
            "{member}: {found:?}"
        );
    }
    for member in ["approved", "structure", "rubric"] {
        let mut request = body();
        request[member] = json!(true);
        let answer = generate(&world, &request).await;
        assert_eq!(answer.status, 422, "{member}");
    }
    assert_eq!(jobs(&world).await, 0);
}

#[tokio::test]
async fn only_a_key_with_the_permission_generates() {
    let mut world = World::start().await;
    world.key = world
        .new_key("message_templates:read,jobs:read", None)
        .await;
    let answer = generate(&world, &body()).await;
    assert_eq!(answer.error(), (403, "forbidden".to_owned()));
    assert_eq!(jobs(&world).await, 0);
    world.key = world
        .new_key("message_templates:write,jobs:read", None)
        .await;
    let answer = generate(&world, &body()).await;
    assert_eq!(answer.status, 202, "{}", answer.json());
    // Another project does not see the job.
    let place = answer.header("location").unwrap().to_owned();
    world.key = world.stranger().await;
    let shown = read(&world, &place, &[]).await;
    assert_eq!(shown.error(), (404, "not_found".to_owned()));
}
