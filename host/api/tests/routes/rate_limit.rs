//! The rolling window per key (specification, Limits).

use std::time::Duration;

use gtm_api::{ApiConfig, RatePolicy};

use crate::world::World;

async fn world(limit: u32) -> World {
    let rate = RatePolicy {
        limit,
        window: Duration::from_secs(60),
    };
    World::with(ApiConfig {
        rate,
        ..ApiConfig::default()
    })
    .await
}

#[tokio::test]
async fn every_authenticated_request_counts_and_tells_what_is_left() {
    let world = world(4).await;
    let left = |answer: &crate::world::Answer| {
        assert_eq!(answer.header("ratelimit-limit"), Some("4"));
        assert!(
            answer
                .header("ratelimit-reset")
                .is_some_and(|s| (1..=60).contains(&s.parse::<u32>().unwrap()))
        );
        answer.header("ratelimit-remaining").unwrap().to_owned()
    };
    assert_eq!(left(&world.get("/v1/jobs/x").await), "3", "a miss");
    assert_eq!(
        left(&world.post("{}", &[]).await),
        "2",
        "a validation failure"
    );
    let body = r#"{"target_company":"Acme"}"#;
    assert_eq!(
        left(&world.post(body, &[("idempotency-key", "k")]).await),
        "1",
        "a create"
    );
    assert_eq!(
        left(&world.post(body, &[("idempotency-key", "k")]).await),
        "0",
        "a replay"
    );
    let over = world.post(body, &[]).await;
    assert_eq!(over.error(), (429, "rate_limit_exceeded".to_owned()));
    assert_eq!(left(&over), "0");
    assert!(
        over.header("retry-after")
            .is_some_and(|s| s.parse::<u32>().unwrap() >= 1)
    );
    assert_eq!(
        left(
            &world
                .get_as("/v1/jobs/x", &world.new_key("full", None).await)
                .await
        ),
        "3",
        "another key has its own window"
    );
}

#[tokio::test]
async fn who_does_not_authenticate_is_not_counted() {
    let world = world(1).await;
    for _ in 0..3 {
        let answer = world.get_as("/v1/jobs/x", "nonsense").await;
        assert_eq!(
            (answer.error().0, answer.header("ratelimit-limit")),
            (401, None)
        );
    }
    assert_eq!(world.get("/v1/jobs/x").await.error().0, 404);
    assert_eq!(world.get("/v1/jobs/x").await.error().0, 429);
}

#[tokio::test]
async fn a_malformed_header_is_told_only_to_those_within_the_limit() {
    let world = world(1).await;
    assert_eq!(
        world
            .post("{}", &[("x-request-id", "-bad")])
            .await
            .error()
            .0,
        400
    );
    assert_eq!(
        world
            .post("{}", &[("x-request-id", "-bad")])
            .await
            .error()
            .0,
        429
    );
}
