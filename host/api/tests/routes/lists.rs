//! Pages of lists: `GET /v1/jobs`, and the behavior that all lists share.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::jobs::check;
use crate::world::World;

async fn jobs(world: &World, count: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..count {
        let answer = world.post(r#"{"target_company":"Acme"}"#, &[]).await;
        ids.push(answer.json()["id"].as_str().unwrap().to_owned());
    }
    ids
}

fn ids(page: &Value) -> Vec<String> {
    let rows = page["jobs"].as_array().unwrap().iter();
    rows.map(|job| job["id"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn pages_end_where_the_list_ends() {
    let world = World::start().await;
    let mut made = jobs(&world, 4).await;
    world.clock.advance(Duration::from_millis(3));
    made.extend(jobs(&world, 2).await);
    made.sort_unstable_by(|a, b| b.cmp(a));
    for limit in [1, 2, 3, 4, 5, 6, 7] {
        let (mut seen, mut query) = (Vec::new(), format!("limit={limit}"));
        let mut pages = 0;
        loop {
            let page = world.get(&format!("/v1/jobs?{query}")).await.json();
            check("JobList", &page);
            assert_eq!(page["has_more"], page["next_cursor"].is_string(), "{page}");
            seen.extend(ids(&page));
            pages += 1;
            match page["next_cursor"].as_str() {
                Some(cursor) => query = format!("limit={limit}&cursor={cursor}"),
                None => break,
            }
        }
        assert_eq!(seen, made, "pages of {limit}");
        assert_eq!(pages, 6usize.div_ceil(limit), "no empty page at the end");
    }
}

#[tokio::test]
async fn rows_that_come_meanwhile_neither_repeat_nor_hide_others() {
    let world = World::start().await;
    let at_start: BTreeSet<String> = jobs(&world, 5).await.into_iter().collect();
    let (mut seen, mut query) = (Vec::new(), "limit=2".to_owned());
    loop {
        let page = world.get(&format!("/v1/jobs?{query}")).await.json();
        seen.extend(ids(&page));
        let Some(cursor) = page["next_cursor"].as_str() else {
            break;
        };
        query = format!("limit=2&cursor={cursor}");
        if seen.len() < 5 {
            // In the same millisecond as the existing ones, and later.
            jobs(&world, 1).await;
            world.clock.advance(Duration::from_millis(1));
        }
    }
    let once: BTreeSet<String> = seen.iter().cloned().collect();
    assert_eq!(once.len(), seen.len());
    assert!(once.is_superset(&at_start));
}

#[tokio::test]
async fn a_listed_job_is_the_job() {
    let world = World::start().await;
    let made = world.post(r#"{"target_company":"Acme"}"#, &[]).await.json();
    let list = world.get("/v1/jobs").await.json();
    assert_eq!(
        list,
        json!({"jobs": [made], "next_cursor": null, "has_more": false})
    );
    let stranger = world.stranger().await;
    let theirs = world.get_as("/v1/jobs", &stranger).await.json();
    assert_eq!(theirs["jobs"], json!([]));
    let writer = world.new_key("playbooks:write", None).await;
    let refused = world.get_as("/v1/jobs", &writer).await;
    assert_eq!(refused.error(), (403, "forbidden".to_owned()));
    world.clock.advance(Duration::from_secs(30 * 24 * 3600));
    let later = world.get("/v1/jobs").await.json();
    assert_eq!(later["jobs"], json!([]), "what answers 410 is not listed");
}

#[tokio::test]
async fn filters_narrow() {
    let world = World::start().await;
    let first = jobs(&world, 1).await;
    let shown = world.get(&format!("/v1/jobs/{}", first[0])).await.json();
    world.clock.advance(Duration::from_millis(1));
    let second = jobs(&world, 1).await;
    world
        .store
        .operator()
        .cancel_job(first[0].parse().unwrap())
        .await
        .unwrap();
    let after = shown["created_at"].as_str().unwrap();
    for (query, want) in [
        ("status=canceled", &first),
        ("status=queued", &second),
        ("status=queued&type=playbooks", &second),
        ("status=queued&type=brands", &vec![]),
        (&format!("created_after={after}"), &second),
        (
            "created_after=2026-03-02T09:59:59.999%2B01:00&status=canceled",
            &first,
        ),
        ("created_after=9999-01-01T00:00:00Z", &vec![]),
    ] {
        let page = world.get(&format!("/v1/jobs?{query}")).await.json();
        assert_eq!(&ids(&page), want, "{query}");
    }
}

#[tokio::test]
async fn what_a_query_may_not_say() {
    let world = World::start().await;
    let refused = async |query: &str| world.get(&format!("/v1/jobs?{query}")).await;
    for query in [
        "colour=red",
        "external_ref=x",
        "limit=1&limit=1",
        "status=queued&status=queued",
        "limit=x",
        "limit=1.5",
    ] {
        let answer = refused(query).await;
        assert_eq!(
            answer.error(),
            (400, "invalid_request".to_owned()),
            "{query}"
        );
    }
    let all = refused("limit=0&status=done&type=crm&created_after=yesterday").await;
    assert_eq!(all.error(), (422, "invalid_request".to_owned()));
    let violations = all.json()["error"]["details"]["violations"].clone();
    let pointers: Vec<&Value> = violations
        .as_array()
        .unwrap()
        .iter()
        .map(|v| &v["pointer"])
        .collect();
    assert_eq!(pointers, ["/limit", "/status", "/type", "/created_after"]);
    for query in [
        "limit=101",
        "limit=-1",
        "status=",
        "created_after=2026-01-01T00:00:00+01:00",
    ] {
        assert_eq!(refused(query).await.error().0, 422, "{query}");
    }
}

#[tokio::test]
async fn a_cursor_is_good_for_its_own_list_alone() {
    let world = World::start().await;
    let made = jobs(&world, 3).await;
    let page = world.get("/v1/jobs?limit=1&status=queued").await.json();
    let cursor = page["next_cursor"].as_str().unwrap();
    let good = format!("/v1/jobs?status=queued&cursor={cursor}&limit=50");
    assert_eq!(
        ids(&world.get(&good).await.json()).len(),
        2,
        "another limit is no other list"
    );
    let stranger = world.stranger().await;
    let mut cases: Vec<(String, &str)> = vec![(good.clone(), &stranger)];
    for path in [
        format!("/v1/jobs?cursor={cursor}"),
        format!("/v1/jobs?status=running&cursor={cursor}"),
        format!("/v1/jobs?status=queued&type=playbooks&cursor={cursor}"),
        format!("/v1/company-dossier-specifications?cursor={cursor}"),
        format!("/v1/jobs/{}/events?cursor={cursor}", made[0]),
        format!("/v1/jobs/{}/receipts?cursor={cursor}", made[0]),
        format!("/v1/jobs?status=queued&cursor={cursor}="),
        format!("/v1/jobs?status=queued&cursor={}", &cursor[1..]),
        "/v1/jobs?cursor=".to_owned(),
        "/v1/jobs?cursor=%00".to_owned(),
    ] {
        cases.push((path, &world.key));
    }
    for (path, key) in cases {
        let answer = world.get_as(&path, key).await;
        assert_eq!(answer.error(), (400, "invalid_cursor".to_owned()), "{path}");
    }
    world.clock.advance(Duration::from_secs(7 * 24 * 3600));
    assert_eq!(world.get(&good).await.status, 200);
    world.clock.advance(Duration::from_millis(1));
    let old = world.get(&good).await;
    assert_eq!(old.error(), (400, "invalid_cursor".to_owned()));
}

#[tokio::test]
async fn the_published_examples_fit_their_schemas() {
    let document = gtm_api::openapi();
    let mut checked = 0;
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        for example in schema["examples"].as_array().into_iter().flatten() {
            check(name, example);
            checked += 1;
        }
    }
    assert!(checked >= 5, "{checked}");
}
