//! `GET /v1/jobs/{job_id}` and the paths below it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::world::World;

const SUFFIXES: [&str; 3] = ["", "/events", "/receipts"];

async fn job(world: &World) -> String {
    let answer = world.post(r#"{"target_company":"Acme"}"#, &[]).await;
    answer.json()["id"].as_str().unwrap().to_owned()
}

pub fn check(name: &str, value: &Value) {
    let schema = json!({ "$ref": format!("#/components/schemas/{name}"), "components": gtm_api::openapi()["components"] });
    jsonschema::draft202012::new(&schema)
        .unwrap()
        .validate(value)
        .unwrap();
}

#[tokio::test]
async fn a_job_is_what_was_accepted() {
    let world = World::start().await;
    let created = world.post(r#"{"target_company":"Acme"}"#, &[]).await;
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let read = world.get(&format!("/v1/jobs/{id}")).await;
    assert_eq!((read.status.as_u16(), read.json()), (200, created.json()));
    assert_eq!(read.header("cache-control"), Some("private, no-store"));
    let events = world.get(&format!("/v1/jobs/{id}/events")).await;
    assert_eq!(events.status, 200);
    check("JobEventList", &events.json());
    let receipts = world.get(&format!("/v1/jobs/{id}/receipts")).await;
    assert_eq!(
        receipts.json(),
        json!({ "receipts": [], "next_cursor": null, "has_more": false })
    );
    check("JobReceiptList", &receipts.json());
}

#[tokio::test]
async fn foreign_absent_and_nonsense_look_alike() {
    let world = World::start().await;
    let id = job(&world).await;
    let stranger = world.stranger().await;
    let absent = "job_01jz8q7b0x5f8s1t4v6w9y2a3c";
    for suffix in SUFFIXES {
        let mut bodies = Vec::new();
        for (id, key) in [
            (id.as_str(), &stranger),
            (absent, &world.key),
            ("nonsense", &world.key),
            ("%ff", &world.key),
        ] {
            let answer = world.get_as(&format!("/v1/jobs/{id}{suffix}"), key).await;
            assert_eq!(
                answer.error(),
                (404, "not_found".to_owned()),
                "{id}{suffix}"
            );
            let mut body = answer.json();
            body["error"]["request_id"] = Value::Null;
            bodies.push(body);
        }
        assert!(
            bodies.windows(2).all(|pair| pair[0] == pair[1]),
            "{bodies:?}"
        );
    }
}

#[tokio::test]
async fn a_job_past_retention_is_410() {
    let world = World::start().await;
    let id = job(&world).await;
    world
        .clock
        .advance(Duration::from_secs(30 * 24 * 60 * 60 + 1));
    for suffix in SUFFIXES {
        let answer = world.get(&format!("/v1/jobs/{id}{suffix}")).await;
        assert_eq!(answer.error(), (410, "job_expired".to_owned()), "{suffix}");
    }
    let foreign = world
        .get_as(&format!("/v1/jobs/{id}"), &world.stranger().await)
        .await;
    assert_eq!(
        foreign.error().0,
        404,
        "an expired job of others is as absent as any"
    );
}

#[tokio::test]
async fn pages_of_events() {
    let world = World::start().await;
    let id = job(&world).await;
    world
        .store
        .operator()
        .cancel_job(id.parse().unwrap())
        .await
        .unwrap();
    let events = async |query: &str| world.get(&format!("/v1/jobs/{id}/events?{query}")).await;
    for bad in [
        "after=x",
        "after=",
        "after=%2B1",
        "colour=red",
        "limit=1&limit=1",
    ] {
        let answer = events(bad).await;
        assert_eq!(answer.error(), (400, "invalid_request".to_owned()), "{bad}");
    }
    for bad in [
        "limit=0",
        "limit=101",
        "after=-1",
        "after=99999999999999999999",
    ] {
        let answer = events(bad).await;
        assert_eq!(answer.error(), (422, "invalid_request".to_owned()), "{bad}");
    }
    let kinds = |page: &Value| -> Vec<String> {
        let rows = page["events"].as_array().unwrap().iter();
        rows.map(|e| e["type"].as_str().unwrap().to_owned())
            .collect()
    };
    let first = events("limit=1").await.json();
    check("JobEventList", &first);
    assert_eq!(kinds(&first), ["job.queued"]);
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = events(&format!("limit=1&cursor={cursor}")).await.json();
    assert_eq!(kinds(&second), ["job.canceled"]);
    assert_eq!(
        (&second["next_cursor"], &second["has_more"]),
        (&json!(null), &json!(false))
    );
    assert_eq!(
        events("after=1").await.json(),
        second,
        "the same by its number"
    );
    let none = json!({ "events": [], "next_cursor": null, "has_more": false });
    assert_eq!(events("after=2").await.json(), none, "no news");
    let other = job(&world).await;
    let foreign = world
        .get(&format!("/v1/jobs/{other}/events?cursor={cursor}"))
        .await;
    assert_eq!(
        foreign.error(),
        (400, "invalid_cursor".to_owned()),
        "another job's"
    );
}
