//! `GET /v1/usage`.

use axum::body::Body;
use gtm_domain::{JobId, Timestamp};
use http::Request;
use serde_json::{Value, json};

use crate::world::World;

fn check(value: &Value) {
    let schema = json!({ "$ref": "#/components/schemas/Usage", "components": gtm_api::openapi()["components"] });
    jsonschema::draft202012::new(&schema)
        .unwrap()
        .validate(value)
        .unwrap();
}

async fn usage(world: &World, query: &str) -> Value {
    let answer = world.get(&format!("/v1/usage{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.json());
    check(&answer.json());
    answer.json()
}

async fn job(world: &World) -> JobId {
    let answer = world.post(r#"{"target_company":"Acme"}"#, &[]).await;
    assert_eq!(answer.status, 202, "{}", answer.json());
    answer.json()["id"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_new_project_has_used_nothing() {
    let world = World::start().await;
    let answer = world.get("/v1/usage").await;
    let usage = answer.json();
    check(&usage);
    let members: Vec<&str> = usage
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        members,
        [
            "project_id",
            "organization_id",
            "as_of",
            "period",
            "rate_limit",
            "usage_tier",
            "totals",
            "by_capability",
            "by_key",
            "by_connector",
            "quotas",
            "budgets",
            "credits"
        ]
    );
    assert_eq!(usage["project_id"], world.project.to_string());
    assert_eq!(usage["as_of"], "2026-03-02T09:00:00.000Z");
    let period = json!({ "start": "2026-03-01T00:00:00.000Z", "end": "2026-04-01T00:00:00.000Z" });
    assert_eq!(usage["period"], period);
    let header: u64 = answer.header("ratelimit-limit").unwrap().parse().unwrap();
    assert_eq!(
        usage["rate_limit"],
        json!({ "limit": header, "window_seconds": 60 })
    );
    let none = json!({ "created": 0, "succeeded": 0, "failed": 0, "canceled": 0, "active": 0 });
    assert_eq!(usage["totals"]["jobs"], none);
    assert_eq!(usage["totals"]["tokens"], 0);
    assert_eq!(usage["by_capability"], json!([]));
    let tier = world.store.tiers().tiers()[0].clone();
    assert_eq!(
        usage["usage_tier"],
        json!({
            "key": tier.key, "name": tier.name, "rank": 1, "rate_limit_per_minute": tier.rate_limit_per_minute,
            "monthly_cost_cap_usd": tier.monthly_cost_cap.usd(),
        })
    );
    let budget = &usage["budgets"][0];
    assert_eq!(
        (
            &budget["scope"],
            &budget["settled_usd"],
            &budget["resets_at"]
        ),
        (
            &json!("usage_tier"),
            &json!(0.0),
            &json!("2026-04-01T00:00:00.000Z")
        )
    );
    assert_eq!(budget["remaining_usd"], budget["limit_usd"]);
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
}

#[tokio::test]
async fn breakdowns_add_up_and_come_when_asked_for() {
    let world = World::start().await;
    job(&world).await;
    let canceled = job(&world).await;
    world.store.operator().cancel_job(canceled).await.unwrap();
    let plain = usage(&world, "").await;
    let jobs = json!({ "created": 2, "succeeded": 0, "failed": 0, "canceled": 1, "active": 1 });
    assert_eq!(plain["totals"]["jobs"], jobs);
    let line = json!({ "capability": "playbooks", "jobs": 2, "tokens": 0, "cost_usd": 0.0, "backend_requests": 0 });
    assert_eq!(plain["by_capability"], json!([line]));
    assert_eq!(
        (&plain["by_key"], &plain["by_connector"]),
        (&json!([]), &json!([]))
    );
    for query in [
        "?group_by=key",
        "?group_by=key,connector&month=2026-03",
        "?group_by=key%2Cconnector",
    ] {
        let grouped = usage(&world, query).await;
        assert_eq!(grouped["totals"], plain["totals"]);
        assert_eq!(grouped["by_capability"], json!([]), "{query}");
        assert_eq!(grouped["by_key"].as_array().unwrap().len(), 1, "{query}");
        assert_eq!(grouped["by_key"][0]["jobs"], 2);
    }
}

#[tokio::test]
async fn a_month_ends_in_utc() {
    let world = World::start().await;
    world
        .clock
        .set("2026-03-31T23:59:59.999Z".parse::<Timestamp>().unwrap());
    let old = job(&world).await;
    world
        .clock
        .set("2026-04-01T00:00:00.001Z".parse::<Timestamp>().unwrap());
    world.store.operator().cancel_job(old).await.unwrap();
    let counts = |usage: &Value| {
        let jobs = &usage["totals"]["jobs"];
        (
            jobs["created"].as_u64().unwrap(),
            jobs["canceled"].as_u64().unwrap(),
        )
    };
    let april = usage(&world, "").await;
    assert_eq!(april["period"]["start"], "2026-04-01T00:00:00.000Z");
    assert_eq!(counts(&april), (0, 1));
    let march = usage(&world, "?month=2026-03").await;
    assert_eq!(counts(&march), (1, 0));
    let budgets = &march["budgets"][0]["resets_at"];
    assert_eq!(budgets, "2026-05-01T00:00:00.000Z", "limits are as of now");
    let before = usage(&world, "?month=1999-12&group_by=capability,key,connector").await;
    assert_eq!(counts(&before), (0, 0));
    assert_eq!(before["by_capability"], json!([]));
}

#[tokio::test]
async fn bad_queries() {
    let world = World::start().await;
    for query in [
        "?month=2026-3",
        "?month=",
        "?month=now",
        "?month=2026-03&month=2026-02",
        "?group_by=key&group_by=connector",
        "?groupby=key",
        "?limit=5",
        "?month=%ff",
    ] {
        let answer = world.get(&format!("/v1/usage{query}")).await;
        assert_eq!(
            answer.error(),
            (400, "invalid_request".to_owned()),
            "{query}"
        );
    }
    for (query, pointer) in [
        ("?month=2026-13", "/month"),
        ("?month=2026-04", "/month"),
        ("?group_by=colour", "/group_by"),
        ("?group_by=", "/group_by"),
        ("?group_by=key,,connector", "/group_by"),
    ] {
        let answer = world.get(&format!("/v1/usage{query}")).await;
        assert_eq!(
            answer.error(),
            (422, "invalid_request".to_owned()),
            "{query}"
        );
        let violations = &answer.json()["error"]["details"]["violations"];
        assert_eq!(violations[0]["pointer"], pointer, "{query}");
    }
}

#[tokio::test]
async fn usage_takes_its_permission_and_counts_as_a_request() {
    let world = World::start().await;
    let narrow = world.new_key("jobs:read", None).await;
    let refused = world.get_as("/v1/usage", &narrow).await;
    assert_eq!(refused.error(), (403, "forbidden".to_owned()));
    let reader = world.new_key("usage:read", None).await;
    let first = world.get_as("/v1/usage", &reader).await;
    let head = Request::head("/v1/usage").header("authorization", format!("Bearer {reader}"));
    let head = world.send(head.body(Body::empty()).unwrap()).await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    assert_eq!(head.header("content-type"), first.header("content-type"));
    let left = |answer: &crate::world::Answer| {
        answer
            .header("ratelimit-remaining")
            .unwrap()
            .parse::<u32>()
            .unwrap()
    };
    assert_eq!(left(&head) + 1, left(&first), "a HEAD is a request too");
}

#[tokio::test]
async fn others_see_nothing_of_it() {
    let world = World::start().await;
    job(&world).await;
    let stranger = world.stranger().await;
    let theirs = world
        .get_as("/v1/usage?group_by=capability,key,connector", &stranger)
        .await
        .json();
    check(&theirs);
    assert_ne!(theirs["project_id"], world.project.to_string());
    assert_eq!(theirs["totals"]["jobs"]["created"], 0);
    assert_eq!(
        (&theirs["by_capability"], &theirs["by_key"]),
        (&json!([]), &json!([]))
    );
}

#[test]
fn the_published_example_fits() {
    let examples = &gtm_api::openapi()["components"]["schemas"]["Usage"]["examples"];
    let examples = examples.as_array().unwrap();
    assert!(!examples.is_empty());
    for example in examples {
        check(example);
        let totals = &example["totals"];
        assert_eq!(totals["tokens"], totals["token_details"]["total"]);
        let sum = |member: &str| -> u64 {
            let lines = example["by_capability"].as_array().unwrap();
            lines
                .iter()
                .map(|line| line[member].as_u64().unwrap())
                .sum()
        };
        assert_eq!(totals["tokens"], sum("tokens"));
        assert_eq!(totals["backend_requests"], sum("backend_requests"));
        assert_eq!(totals["jobs"]["created"], sum("jobs"));
    }
}
