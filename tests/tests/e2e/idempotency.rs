//! `Idempotency-Key`: replay, reuse, and concurrent use.

use futures::future::join_all;
use gtm_e2e::Database;
use gtm_e2e::fake_site::FakeSite;
use serde_json::json;

use crate::{World, on_both_engines};

async fn one_key_makes_one_job(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, FakeSite::start([]).await).await else {
        return;
    };
    let body = json!({"target_company_domain": "a.example"});
    let answers =
        join_all((0..60).map(|_| world.client.post("/v1/playbooks", &body, Some("order-1")))).await;
    let mut ids = std::collections::BTreeSet::new();
    let mut first = None;
    for answer in &answers {
        match answer.status {
            202 => {
                ids.insert(answer.json()["id"].as_str().unwrap().to_owned());
                // Replays are identical byte for byte.
                assert_eq!(
                    &answer.bytes,
                    first.get_or_insert_with(|| answer.bytes.clone())
                );
            }
            409 => assert_eq!(answer.error_code(), "idempotency_in_progress"),
            other => panic!("{other}: {}", String::from_utf8_lossy(&answer.bytes)),
        }
    }
    assert_eq!(ids.len(), 1);
    let replay = world
        .client
        .post("/v1/playbooks", &body, Some("order-1"))
        .await;
    assert_eq!(
        (replay.status, replay.header("idempotency-replayed")),
        (202, Some("true"))
    );
    assert_eq!(Some(replay.bytes), first);
    // The order of members does not change the input.
    let a = json!({"target_company": "A", "tone": "direct"});
    let b = br#"{ "tone": "direct", "target_company": "A" }"#.to_vec();
    let one = world
        .client
        .post("/v1/playbooks", &a, Some("\"order-2\""))
        .await;
    let two = world
        .client
        .post_bytes("/v1/playbooks", b, Some("order-2"))
        .await;
    assert_eq!(
        one.json()["id"],
        two.json()["id"],
        "a quoted key is the same key"
    );
    let other = world
        .client
        .post(
            "/v1/playbooks",
            &json!({"target_company": "B"}),
            Some("order-2"),
        )
        .await;
    assert_eq!(
        (other.status, other.error_code().as_str()),
        (409, "idempotency_key_reused")
    );
    // A refused request does not use up its key.
    let refused = world
        .client
        .post("/v1/playbooks", &json!({"tone": "direct"}), Some("order-3"))
        .await;
    assert_eq!(refused.status, 422);
    let accepted = world
        .client
        .post("/v1/playbooks", &a, Some("order-3"))
        .await;
    assert_eq!(
        (accepted.status, accepted.header("idempotency-replayed")),
        (202, None)
    );
}
on_both_engines!(parallel_requests, super::one_key_makes_one_job);
