//! The rolling window per key (specification, Limits): what counts, whose limit applies, what the headers
//! say, and how all of this works without Redis.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Body;
use gtm_api::rate_limit::exhausted_keys::WindowOwner;
use gtm_api::rate_limit::redis::{RedisConfig, RedisWindows};
use gtm_api::uptime::Uptime;
use gtm_api::{ApiConfig, Fallback, RateLimiter};
use gtm_domain::key_record::KeyTerms;
use gtm_domain::{Capability, CidrList, Clock as _, Digest, Permissions};
use http::{Method, Request};

use crate::private_redis;
use crate::world::{Answer, World};

async fn world(limit: u32) -> World {
    World::limited(limit, ApiConfig::default()).await
}

/// Uptime in milliseconds that changes only when the test advances it.
#[derive(Debug, Default)]
struct ManualUptime(AtomicU64);

impl ManualUptime {
    fn advance(&self, milliseconds: u64) {
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

impl Uptime for ManualUptime {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// A world that counts requests by a clock that the test advances.
async fn timed_world(limit: u32) -> (World, Arc<ManualUptime>) {
    let uptime = Arc::new(ManualUptime::default());
    let config = ApiConfig {
        uptime: uptime.clone(),
        ..ApiConfig::default()
    };
    (World::limited(limit, config).await, uptime)
}

/// `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, which appear together or not at all.
fn rate(answer: &Answer) -> Option<(u32, u32, u32)> {
    let number = |name: &str| {
        answer
            .header(name)
            .map(|text| text.parse::<u32>().expect("an integer"))
    };
    let found = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map(number);
    match found {
        [Some(limit), Some(remaining), Some(reset)] => Some((limit, remaining, reset)),
        [None, None, None] => None,
        some => panic!("{some:?}"),
    }
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

async fn ask(world: &World, method: Method, path: &str, key: &str, body: Vec<u8>) -> Answer {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("content-type", "application/json")
        .header("authorization", format!("Bearer {key}"));
    world.send(request.body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn every_answer_to_a_known_caller_counts_and_says_so() {
    let config = ApiConfig {
        body_limit: 512,
        ..ApiConfig::default()
    };
    let world = World::limited(20, config).await;
    let post = "/v1/playbooks";
    let mut left = 20;
    for (method, path, body, status) in [
        (Method::GET, "/v1/jobs/x", "", 404),
        (Method::GET, "/v1/nothing", "", 404),
        (
            Method::GET,
            "/v1/jobs/job_01jz8q7b0x5f8s1t4v6w9y2a3c/events?limit=0",
            "",
            422,
        ),
        (Method::PUT, post, "{}", 405),
        (Method::DELETE, "/v1/jobs/x", "", 405),
        (Method::POST, post, "{", 400),
        (Method::POST, post, "{}", 422),
        (Method::POST, post, r#"{"target_company":"Acme"}"#, 202),
    ] {
        let answer = ask(&world, method.clone(), path, &world.key, body.into()).await;
        left -= 1;
        assert_eq!(answer.status, status, "{method} {path} {body}");
        assert_eq!(rate(&answer), Some((20, left, 60)), "{method} {path}");
        assert_eq!(answer.header("retry-after"), None);
    }
    let large = ask(&world, Method::POST, post, &world.key, vec![b' '; 600]).await;
    assert_eq!(
        (large.status.as_u16(), rate(&large)),
        (413, Some((20, 11, 60)))
    );

    let operator = world.store.operator();
    operator
        .set_capability(world.organization, Capability::PLAYBOOKS, false)
        .await
        .unwrap();
    let disabled = world.post(r#"{"target_company":"Acme"}"#, &[]).await;
    assert_eq!(disabled.error(), (403, "capability_disabled".to_owned()));
    assert_eq!(rate(&disabled), Some((20, 10, 60)));

    operator.archive_project(world.project).await.unwrap();
    for (path, want) in [
        ("/v1/jobs/x", (403, "project_archived")),
        ("/v1/nothing", (403, "project_archived")),
    ] {
        let answer = world.get(path).await;
        assert_eq!(answer.error(), (want.0, want.1.to_owned()));
        left = rate(&answer).unwrap().1;
    }
    assert_eq!(left, 8);
    for _ in 0..8 {
        world.get("/v1/jobs/x").await;
    }
    let over = world.get("/v1/jobs/x").await;
    assert_eq!(
        over.error(),
        (429, "rate_limit_exceeded".to_owned()),
        "a key of an archived project has its limit too"
    );
    assert_eq!(rate(&over).unwrap().1, 0);
    assert_eq!(
        over.header("retry-after").unwrap(),
        rate(&over).unwrap().2.to_string()
    );
    assert_eq!(world.get("/v1/nothing").await.error().0, 429);
}

#[tokio::test]
async fn keys_that_are_not_accepted_are_never_counted() {
    let world = world(1).await;
    let operator = world.store.operator();
    let short = world
        .new_key("full", Some(world.clock.now().plus(Duration::from_secs(1))))
        .await;
    let (record, revoked) = operator
        .create_key(
            world.project,
            "k",
            Permissions::parse("full").unwrap(),
            None,
        )
        .await
        .unwrap();
    operator.revoke_key(record.id).await.unwrap();
    world.clock.advance(Duration::from_secs(2));
    for key in [short, revoked.reveal(), "nonsense".to_owned()] {
        for path in ["/v1/jobs/x", "/v1/nothing"] {
            for _ in 0..3 {
                let answer = world.get_as(path, &key).await;
                assert_ne!(answer.status, 429);
                assert_eq!((rate(&answer), answer.header("retry-after")), (None, None));
            }
        }
    }
}

/// An answer without a look-up says what the limiter says. It applies only to the key whose window is full.
#[tokio::test]
async fn who_goes_on_above_the_limit_hears_the_same_and_nobody_else_does() {
    let world = world(2).await;
    for _ in 0..2 {
        assert_eq!(world.get("/v1/jobs/x").await.error().0, 404);
    }
    let told = |answer: &Answer| {
        assert_eq!(answer.error(), (429, "rate_limit_exceeded".to_owned()));
        let (limit, left, reset) = rate(answer).unwrap();
        assert_eq!((limit, left), (2, 0));
        assert_eq!(answer.header("retry-after").unwrap(), reset.to_string());
        let message = answer.json()["error"]["message"].clone();
        let expected = format!("More than 2 requests in 60 seconds; wait {reset} s.");
        assert_eq!(message, expected);
        let names: Vec<_> = answer.headers.keys().cloned().collect();
        names
    };
    let first = world.get("/v1/jobs/x").await;
    for _ in 0..20 {
        assert_eq!(told(&world.get("/v1/jobs/x").await), told(&first));
        assert_eq!(told(&world.post("{}", &[]).await), told(&first));
    }
    // Another key of the same project, and a key of another tenant.
    for key in [world.new_key("full", None).await, world.stranger().await] {
        let answer = world.get_as("/v1/jobs/x", &key).await;
        assert_eq!((answer.error().0, rate(&answer).unwrap().1), (404, 1));
    }
}

/// A key that was refused a moment ago is served as soon as the window has room, and the request counts
/// once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_that_is_empty_again_admits_at_once() {
    let Some(redis) = private_redis::server("rate_limit::a_window_that_is_empty_again") else {
        return;
    };
    let world = shared_world(3, &redis, Fallback::Refuse).await;
    let windows = redis::Client::open(redis.url()).unwrap();
    let mut windows = windows.get_multiplexed_async_connection().await.unwrap();
    for _ in 0..3 {
        for left in [2, 1, 0] {
            let answer = world.get("/v1/jobs/x").await;
            assert_eq!((answer.error().0, rate(&answer).unwrap().1), (404, left));
        }
        assert_eq!(world.get("/v1/jobs/x").await.error().0, 429);
        let empty: () = redis::cmd("FLUSHALL")
            .query_async(&mut windows)
            .await
            .unwrap();
        empty
    }
}

/// A revoked key must not live on because the server remembers that its window is full: only for a second
/// at most, and until then it is not looked up again.
#[tokio::test]
async fn a_key_that_is_revoked_above_its_limit_is_told_so_soon() {
    let (world, uptime) = timed_world(1).await;
    let operator = world.store.operator();
    let full = Permissions::parse("full").unwrap();
    let made = operator.create_key(world.project, "k", full, None);
    let (record, secret) = made.await.unwrap();
    let key = secret.reveal();
    assert_eq!(world.get_as("/v1/jobs/x", &key).await.error().0, 404);
    assert_eq!(world.get_as("/v1/jobs/x", &key).await.error().0, 429);
    operator.revoke_key(record.id).await.unwrap();
    for (passes, reset) in [(0, 60), (1, 60), (998, 60)] {
        uptime.advance(passes);
        let answer = world.get_as("/v1/jobs/x", &key).await;
        assert_eq!(answer.error(), (429, "rate_limit_exceeded".to_owned()));
        assert_eq!(rate(&answer), Some((1, 0, reset)));
    }
    uptime.advance(1);
    let answer = world.get_as("/v1/jobs/x", &key).await;
    assert_eq!(answer.error(), (401, "invalid_api_key".to_owned()));
}

/// For a key that was above its limit a moment ago, the limiter decides first. If it refuses, the key is
/// not looked up; if it admits the request, the key is looked up and the request counts once.
#[tokio::test]
async fn the_limiter_is_asked_before_the_database() {
    let (world, _uptime) = timed_world(2).await;
    let operator = world.store.operator();
    let full = Permissions::parse("full").unwrap();
    let made = operator.create_key(world.project, "k", full, None);
    let (record, secret) = made.await.unwrap();
    let key = secret.reveal();
    let owner = WindowOwner {
        key: record.id,
        project: world.project,
        limit: 2,
    };
    let exhausted = world.api.exhausted_keys();
    exhausted.note(Digest::of(key.as_bytes()), owner, world.api.elapsed());
    for left in [1, 0] {
        let answer = world.get_as("/v1/jobs/x", &key).await;
        assert_eq!(
            (answer.error().0, rate(&answer)),
            (404, Some((2, left, 60)))
        );
    }
    world.store.close().await;
    let over = world.get_as("/v1/jobs/x", &key).await;
    assert_eq!(over.error(), (429, "rate_limit_exceeded".to_owned()));
    assert_eq!(world.get("/v1/jobs/x").await.error().0, 500, "the others");
}

#[tokio::test]
async fn the_lower_of_the_keys_limit_and_the_tiers_holds() {
    let world = world(5).await;
    let operator = world.store.operator();
    for (own, want) in [(None, 5), (Some(2), 2), (Some(50), 5)] {
        let terms = KeyTerms {
            name: "k".to_owned(),
            permissions: Permissions::parse("full").unwrap(),
            expires_at: None,
            requests_per_minute: own,
            allowed_cidrs: CidrList::default(),
        };
        let (_, secret) = operator.issue_key(world.project, terms).await.unwrap();
        let answer = world.get_as("/v1/jobs/x", &secret.reveal()).await;
        assert_eq!(rate(&answer), Some((want, want - 1, 60)), "{own:?}");
    }
}

#[tokio::test]
async fn a_step_of_the_wall_clock_changes_nothing() {
    let world = world(3).await;
    let hour = Duration::from_secs(3600);
    let start = world.clock.now();
    assert_eq!(rate(&world.get("/v1/jobs/x").await).unwrap().1, 2);
    world.clock.set(start.plus(hour));
    assert_eq!(
        rate(&world.get("/v1/jobs/x").await).unwrap().1,
        1,
        "forward"
    );
    world.clock.set(start.minus(hour));
    let back = world.get("/v1/jobs/x").await;
    assert_eq!(rate(&back).unwrap().1, 0, "back");
    assert!(rate(&back).unwrap().2 <= 60);
    assert_eq!(world.get("/v1/jobs/x").await.error().0, 429);
}

/// A world that counts in Redis.
async fn shared_world(limit: u32, redis: &private_redis::TestRedis, fallback: Fallback) -> World {
    let config = RedisConfig {
        url: redis.url(),
        root_certificates: None,
        timeout: Duration::from_millis(500),
    };
    let windows = RedisWindows::start(&config).await.unwrap();
    let config = ApiConfig {
        limiter: Arc::new(RateLimiter::shared(windows, fallback)),
        ..ApiConfig::default()
    };
    World::limited(limit, config).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_nothing_breaks() {
    for fallback in [Fallback::Memory, Fallback::Allow, Fallback::Refuse] {
        let Some(mut redis) = private_redis::server("rate_limit::without_redis_nothing_breaks")
        else {
            return;
        };
        let world = shared_world(3, &redis, fallback).await;
        let first = world.get("/v1/jobs/x").await;
        assert_eq!((first.error().0, rate(&first)), (404, Some((3, 2, 60))));
        redis.stop();
        for _ in 0..5 {
            let answer = world.get("/v1/jobs/x").await;
            let told = (
                answer.error().0,
                rate(&answer),
                answer.header("retry-after"),
            );
            match fallback {
                Fallback::Memory => assert!(matches!(told, (404 | 429, Some((3, ..)), _))),
                Fallback::Allow => assert_eq!(told, (404, Some((3, 2, 60)), None)),
                Fallback::Refuse => assert_eq!(told, (429, Some((3, 0, 1)), Some("1"))),
            }
        }
        redis.start();
        let started = std::time::Instant::now();
        // The new Redis has seen no requests, so the whole window is left.
        loop {
            let answer = world
                .get_as("/v1/jobs/x", &world.new_key("full", None).await)
                .await;
            assert!(matches!(answer.error().0, 404 | 429), "never a 5xx");
            if fallback != Fallback::Refuse || answer.error().0 == 404 {
                break;
            }
            assert!(started.elapsed() < Duration::from_secs(60));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
