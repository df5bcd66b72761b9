//! `/v1/message-template-revisions`: storing what a person has read, listing, reading and filling it.

use std::time::Duration;

use axum::body::Body;
use gtm_domain::offer::{OfferContent, OfferText};
use gtm_domain::{Capability, Digest, OfferId, canonical_digest};
use http::Request;
use serde_json::{Value, json};

use crate::jobs::check;
use crate::world::{Answer, World};

const PATH: &str = "/v1/message-template-revisions";

fn example(schema: &str) -> Value {
    gtm_api::openapi()["components"]["schemas"][schema]["examples"][0].clone()
}

pub fn body() -> Value {
    example("MessageTemplateRevisionCreate")
}

fn values() -> Value {
    example("MessageTemplateRender")
}

async fn post_as(
    world: &World,
    path: &str,
    body: &Value,
    key: &str,
    idempotency: Option<&str>,
) -> Answer {
    let mut request = Request::builder()
        .method("POST")
        .uri(path)
        .header("authorization", format!("Bearer {key}"))
        .header("content-type", "application/json");
    if let Some(idempotency) = idempotency {
        request = request.header("idempotency-key", idempotency);
    }
    let request = request.body(Body::from(body.to_string()));
    world.send(request.unwrap()).await
}

async fn create(world: &World, body: &Value) -> Value {
    let answer = post_as(world, PATH, body, &world.key, None).await;
    let made = answer.json();
    assert_eq!(answer.status, 201, "{made}");
    made
}

async fn render(world: &World, revision: &Value, body: &Value) -> Answer {
    let path = format!("{PATH}/{}/render", revision["id"].as_str().unwrap());
    post_as(world, &path, body, &world.key, None).await
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

fn one(pointer: &str, rule: &str) -> Vec<(String, String)> {
    vec![(pointer.to_owned(), rule.to_owned())]
}

async fn offer(world: &World, key: &str, approved: bool) -> OfferId {
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
    let id = made.await.unwrap().offer.id;
    if approved {
        operator.approve_offer(id, Some(1), "Ada").await.unwrap();
    }
    id
}

#[tokio::test]
async fn a_reviewed_structure_becomes_the_next_revision() {
    let world = World::start().await;
    let answer = post_as(&world, PATH, &body(), &world.key, None).await;
    let first = answer.json();
    assert_eq!(answer.status, 201, "{first}");
    check("MessageTemplateRevision", &first);
    let path = format!("{PATH}/{}", first["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), Some(path.as_str()));
    assert_eq!(
        (
            &first["revision"],
            &first["previous_revision_id"],
            &first["origin"],
            &first["status"]
        ),
        (
            &json!(1),
            &Value::Null,
            &json!("reviewed"),
            &json!("DRAFT_READY")
        )
    );
    assert_eq!(
        (&first["rubric"], &first["job_id"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        (&first["messages_enqueued"], &first["messages_sent"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(
        first["options"],
        json!({"tone": "direct", "locale": "en-GB", "max_words": 110, "max_links": 1, "forbidden_claims": []})
    );
    let summary = body()["offer_summary"].as_str().unwrap().to_owned();
    assert_eq!(
        first["offer"],
        json!({"offer_id": null, "offer_hash": Digest::of(summary.as_bytes()), "summary": summary})
    );
    // A caller can compute both hashes from what it received.
    let hashed = json!({
        "language": first["language"],
        "options": first["options"],
        "structure": first["structure"],
        "variables": first["variables"],
        "placeholder_catalog_version": "1",
    });
    assert_eq!(
        first["template_hash"],
        json!(canonical_digest(&hashed).unwrap())
    );
    let mut review = first["review"].clone();
    let review_hash = review
        .as_object_mut()
        .unwrap()
        .remove("review_hash")
        .unwrap();
    review["template_hash"] = first["template_hash"].clone();
    assert_eq!(review_hash, json!(canonical_digest(&review).unwrap()));

    let read = world.get(&path).await;
    assert_eq!((read.status.as_u16(), &read.body), (200, &answer.body));
    let second = create(&world, &body()).await;
    assert_eq!(
        (&second["revision"], &second["previous_revision_id"]),
        (&json!(2), &first["id"])
    );
    assert_eq!(second["template_hash"], first["template_hash"]);
    let jobs = world.get("/v1/jobs").await.json();
    assert_eq!(jobs["jobs"], json!([]), "no job comes of it");
}

#[tokio::test]
async fn what_breaks_a_rule_of_the_structure_is_told_where_it_stands() {
    let world = World::start().await;
    #[rustfmt::skip]
    let cases = [
        ("/structure/subject/0", json!({"t": "text", "v": "{{x}}"}), "/structure/subject/0/v", "token_in_text"),
        ("/structure/subject/1", json!({"t": "var", "name": "recipient.email"}), "/structure/subject/1/name", "placeholder_not_allowed"),
        ("/structure/blocks/2/inlines", json!([{"t": "link", "href": {"https": "http://a.example"}, "label": "a"}]), "/structure/blocks/2/inlines/0/href/https", "link_not_https"),
        ("/structure/blocks/0/fallback", json!([]), "/structure/blocks/0/inlines/1/name", "variable_without_fallback"),
        ("/structure/blocks/2/inlines", json!(vec![json!({"t": "text", "v": "a.b."}); 41]), "/structure/blocks/2/inlines", "too_many_pieces"),
        ("/structure/blocks/7/inlines", json!([{"t": "text", "v": "Bye"}]), "/structure/blocks/7/inlines", "opt_out_content"),
        ("/structure/blocks/1/kind", json!("cta"), "/structure/blocks/3/kind", "block_repeated"),
        ("/structure/blocks/1/kind", json!("footer"), "/structure/blocks/1/kind", "enum"),
        ("/audience", json!(" "), "/audience", "pattern"),
        ("/review/reviewed_at", json!("2030-01-01T00:00:00Z"), "/review/reviewed_at", "in_the_past"),
    ];
    for (place, value, pointer, rule) in cases {
        let mut body = body();
        *body.pointer_mut(place).unwrap() = value;
        let answer = post_as(&world, PATH, &body, &world.key, Some("k")).await;
        assert_eq!(violations(&answer), one(pointer, rule), "{place}");
    }
    // Nothing was stored, and the idempotency key is free.
    let list = world.get(PATH).await.json();
    assert_eq!(list["message_template_revisions"], json!([]));
    let answer = post_as(&world, PATH, &body(), &world.key, Some("k")).await;
    assert_eq!(answer.json()["revision"], 1);
}

/// No list of words finds anything in a language that is not its own, nor behind a blank that only fonts show.
#[tokio::test]
async fn a_text_is_in_the_language_that_it_names() {
    let world = World::start().await;
    let mut other = body();
    other["language"] = json!("pl");
    let words = " You rent furnished rooms and sublet them to your apprentices, from the first month on with heating and \
        without a deposit.";
    other["structure"]["blocks"][2]["inlines"] = json!([
        {"t": "var", "name": "offer.value_proposition"},
        {"t": "text", "v": words},
    ]);
    let answer = post_as(&world, PATH, &other, &world.key, Some("k")).await;
    assert_eq!(
        violations(&answer),
        one("/structure/blocks", "wrong_language")
    );
    let mut reply = body();
    reply["structure"]["subject"][0]["v"] = json!("Re\u{2800}: metering at ");
    let answer = post_as(&world, PATH, &reply, &world.key, Some("k")).await;
    assert_eq!(
        violations(&answer),
        one("/structure/subject/0", "false_prefix")
    );
}

#[tokio::test]
async fn control_characters_are_removed_and_not_refused() {
    let world = World::start().await;
    let mut body = body();
    body["structure"]["subject"][0]["v"] = json!("Meter\u{202e}ing\r\n\u{1}at ");
    let made = create(&world, &body).await;
    assert_eq!(made["structure"]["subject"][0]["v"], "Metering at ");
}

#[tokio::test]
async fn one_of_offer_and_summary_is_needed_and_the_offer_must_be_approved() {
    let world = World::start().await;
    let both = offer(&world, "meters", true).await;
    let draft = offer(&world, "draft", false).await;
    let gone = offer(&world, "gone", true).await;
    world.store.operator().archive_offer(gone).await.unwrap();
    let stranger = World::start().await;
    let theirs = offer(&stranger, "theirs", true).await;

    let mut named = body();
    named["offer"] = json!("meters");
    let answer = post_as(&world, PATH, &named, &world.key, None).await;
    assert_eq!(
        violations(&answer),
        one("/offer_summary", "offer_or_summary")
    );
    let members = named.as_object_mut().unwrap();
    members.shift_remove("offer_summary");
    for name in ["meters".to_owned(), both.to_string()] {
        named["offer"] = json!(name);
        let made = create(&world, &named).await;
        assert_eq!(made["offer"]["offer_id"], json!(both));
        assert_eq!(made["offer"]["summary"], Value::Null);
        let shown = world.get(&format!("/v1/offers/{both}")).await.json();
        assert_eq!(made["offer"]["offer_hash"], shown["offer_hash"]);
    }
    for (name, refusal) in [
        ("unknown".to_owned(), (404, "offer_not_found")),
        ("Not a key!".to_owned(), (422, "invalid_request")),
        (theirs.to_string(), (404, "offer_not_found")),
        (gone.to_string(), (409, "offer_archived")),
        (draft.to_string(), (409, "not_ready")),
    ] {
        named["offer"] = json!(name);
        let answer = post_as(&world, PATH, &named, &world.key, None).await;
        let (status, code) = refusal;
        assert_eq!(answer.error(), (status, code.to_owned()), "{name}");
    }
    named["offer"] = Value::Null;
    let answer = post_as(&world, PATH, &named, &world.key, None).await;
    assert_eq!(
        violations(&answer),
        one("/offer_summary", "offer_or_summary")
    );
}

#[tokio::test]
async fn a_repeated_request_gets_the_same_answer() {
    let world = World::start().await;
    let mut named = body();
    named.as_object_mut().unwrap().shift_remove("offer_summary");
    named["offer"] = json!("meters");
    let id = offer(&world, "meters", true).await;
    let first = post_as(&world, PATH, &named, &world.key, Some("one")).await;
    assert_eq!(
        (first.status.as_u16(), first.header("idempotency-replayed")),
        (201, None)
    );
    world.store.operator().archive_offer(id).await.unwrap();
    let again = post_as(&world, PATH, &named, &world.key, Some("\"one\"")).await;
    assert_eq!(
        (again.status.as_u16(), again.header("idempotency-replayed")),
        (201, Some("true"))
    );
    assert_eq!(again.body, first.body);
    assert_eq!(again.header("location"), first.header("location"));
    named["name"] = json!("Other");
    let reused = post_as(&world, PATH, &named, &world.key, Some("one")).await;
    assert_eq!(reused.error(), (409, "idempotency_key_reused".to_owned()));
    let next = create(&world, &body()).await;
    assert_eq!(next["revision"], 2, "a replay uses up no number");
}

#[tokio::test]
async fn lists_go_from_new_to_old_without_structures() {
    let world = World::start().await;
    let mut ids = Vec::new();
    for (key, language) in [("a", "en-GB"), ("b", "de"), ("a", "de"), ("a", "en-GB")] {
        let mut body = body();
        body["template_key"] = json!(key);
        body["language"] = json!(language);
        ids.push(create(&world, &body).await["id"].clone());
        world.clock.advance(Duration::from_millis(2));
    }
    ids.reverse();
    let listed = |page: &Value| -> Vec<Value> {
        let rows = page["message_template_revisions"]
            .as_array()
            .unwrap()
            .iter();
        rows.map(|row| row["id"].clone()).collect()
    };
    let first = world.get(&format!("{PATH}?limit=3")).await.json();
    check("MessageTemplateRevisionList", &first);
    for name in ["messages_enqueued", "messages_sent"] {
        assert_eq!(first[name], 0);
        assert_eq!(first["message_template_revisions"][0][name], 0);
    }
    assert_eq!(
        first["message_template_revisions"][0].get("structure"),
        None
    );
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = world.get(&format!("{PATH}?limit=3&cursor={cursor}")).await;
    let rest = rest.json();
    assert_eq!(rest["has_more"], false);
    assert_eq!([listed(&first), listed(&rest)].concat(), ids);

    for (query, want) in [
        ("template_key=a", vec![0, 1, 3]),
        ("language=DE", vec![1, 2]),
        ("template_key=a&language=en-GB", vec![0, 3]),
        ("template_key=c", vec![]),
    ] {
        let page = world.get(&format!("{PATH}?{query}")).await.json();
        let want: Vec<Value> = want
            .into_iter()
            .map(|index: usize| ids[index].clone())
            .collect();
        assert_eq!(listed(&page), want, "{query}");
    }
    let other = world
        .get(&format!("{PATH}?limit=3&language=de&cursor={cursor}"))
        .await;
    assert_eq!(other.error(), (400, "invalid_cursor".to_owned()));
    let long = format!("template_key={}", "a".repeat(101));
    for query in [
        "language=english!",
        "template_key=",
        "template_key=%00",
        "template_key=a%20b",
        "template_key=-a",
        "template_key=%C3%A4",
        &long,
    ] {
        let refused = world.get(&format!("{PATH}?{query}")).await;
        assert_eq!(refused.error().0, 422, "{query}");
    }
}

#[tokio::test]
async fn a_revision_is_filled_exactly() {
    let world = World::start().await;
    let revision = create(&world, &body()).await;
    let answer = render(&world, &revision, &values()).await;
    let filled = answer.json();
    assert_eq!(answer.status, 200, "{filled}");
    check("RenderedMessageTemplate", &filled);
    assert_eq!(filled["subject"], "Metering at Acme Estates");
    assert_eq!(filled["preview_text"], Value::Null);
    let text = filled["text"].as_str().unwrap();
    assert!(
        text.starts_with("Hello,\r\n\r\nYour March notice says"),
        "{text}"
    );
    assert!(text.ends_with("Reply \"stop\" and we will not write to you again."));
    let html = filled["html"].as_str().unwrap();
    assert!(html.starts_with("<!DOCTYPE html>\n<html lang=\"en-GB\" dir=\"ltr\">"));
    assert!(html.contains("Reply &quot;stop&quot; and"));
    assert_eq!(filled["dropped_blocks"], json!(["b7"]));
    assert_eq!(filled["used_fallbacks"], json!(["b1"]));
    assert_eq!(
        (&filled["messages_enqueued"], &filled["messages_sent"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(filled["template_hash"], revision["template_hash"]);
    let of_values = canonical_digest(&values()["values"]).unwrap();
    assert_eq!(filled["values_hash"], json!(of_values));
    let again = render(&world, &revision, &values()).await;
    assert_eq!(again.body, answer.body);
    // Nothing is created, so a key protects nothing.
    let path = format!("{PATH}/{}/render", revision["id"].as_str().unwrap());
    let mut other = values();
    for name in ["Acme Estates", "Other Estates"] {
        other["values"]["company.name"] = json!(name);
        let answer = post_as(&world, &path, &other, &world.key, Some("k")).await;
        assert_eq!(answer.json()["subject"], format!("Metering at {name}"));
        assert_eq!(answer.header("idempotency-replayed"), None);
    }
}

#[tokio::test]
async fn values_that_do_not_fill_it_are_told_by_name() {
    let world = World::start().await;
    let revision = create(&world, &body()).await;
    let long = "x".repeat(121);
    for (name, value, rule) in [
        ("company.name", "", "required_value_missing"),
        ("company.name", " \r\n", "required_value_missing"),
        ("company.name", long.as_str(), "value_too_long"),
        ("offer.url", "https://a.example", "placeholder_not_declared"),
        ("recipient.email", "a@b.example", "placeholder_not_allowed"),
    ] {
        let mut body = values();
        body["values"][name] = json!(value);
        let answer = render(&world, &revision, &body).await;
        assert_eq!(violations(&answer), one(&format!("/values/{name}"), rule));
    }
    let mut body = values();
    body["values"]["company.name"] = json!(5);
    let answer = render(&world, &revision, &body).await;
    assert_eq!(violations(&answer), one("/values/company.name", "type"));
    let mut body = values();
    body["expected_template_hash"] = json!(Digest::of(b"another"));
    let answer = render(&world, &revision, &body).await;
    assert_eq!(
        violations(&answer),
        one("/expected_template_hash", "template_hash_mismatch")
    );
    body["expected_template_hash"] = revision["template_hash"].clone();
    assert_eq!(render(&world, &revision, &body).await.status, 200);
}

#[tokio::test]
async fn foreign_and_absent_ones_look_alike_and_permissions_are_asked_for() {
    let world = World::start().await;
    let revision = create(&world, &body()).await;
    let id = revision["id"].as_str().unwrap();
    let stranger = world.stranger().await;
    let absent = (404, "not_found".to_owned());
    for (id, key) in [
        (id, &stranger),
        ("mtr_01jz9a0b1c2d3e4f5g6h7j8k9m", &world.key),
        ("nonsense", &world.key),
    ] {
        let path = format!("{PATH}/{id}");
        assert_eq!(world.get_as(&path, key).await.error(), absent);
        let filled = post_as(&world, &format!("{path}/render"), &values(), key, None).await;
        assert_eq!(filled.error(), absent);
    }
    let theirs = world.get_as(PATH, &stranger).await.json();
    assert_eq!(theirs["message_template_revisions"], json!([]));

    let forbidden = (403, "forbidden".to_owned());
    let reader = world.new_key("message_templates:read", None).await;
    let (path, filling) = (format!("{PATH}/{id}"), format!("{PATH}/{id}/render"));
    assert_eq!(world.get_as(PATH, &reader).await.status, 200);
    assert_eq!(world.get_as(&path, &reader).await.status, 200);
    let filled = post_as(&world, &filling, &values(), &reader, None).await;
    assert_eq!(filled.status, 200);
    let refused = post_as(&world, PATH, &body(), &reader, None).await;
    assert_eq!(refused.error(), forbidden);
    let writer = world.new_key("message_templates:write", None).await;
    assert_eq!(
        post_as(&world, PATH, &body(), &writer, None).await.status,
        201
    );
    assert_eq!(world.get_as(&path, &writer).await.error(), forbidden);

    let operator = world.store.operator();
    operator
        .set_capability(world.organization, Capability::MESSAGE_TEMPLATES, false)
        .await
        .unwrap();
    let disabled = (403, "capability_disabled".to_owned());
    let refused = post_as(&world, PATH, &body(), &world.key, None).await;
    assert_eq!(refused.error(), disabled);
    assert_eq!(world.get(PATH).await.error(), disabled);
}
