//! Whole limiters: many requests at once, and Redis as it comes and goes.

use std::sync::Arc;
use std::time::Instant;

use gtm_domain::KeyRecordId;

use super::*;
use crate::rate_limit::redis::RedisConfig;

const TIMEOUT: Duration = Duration::from_millis(500);

fn key(number: u128) -> KeyRecordId {
    KeyRecordId::from_uuid(uuid::Uuid::from_u128(number))
}

async fn node(server: &TestRedis, fallback: Fallback) -> Arc<RateLimiter> {
    let config = RedisConfig {
        url: server.url(),
        root_certificates: None,
        timeout: TIMEOUT,
    };
    let windows = RedisWindows::start(&config).await.unwrap();
    Arc::new(RateLimiter::shared(windows, fallback))
}

/// How many of 400 requests at once are admitted, spread over these nodes.
async fn admitted_of_a_crowd(nodes: &[Arc<RateLimiter>], limit: u32) -> usize {
    let tasks: Vec<_> = (0..400)
        .map(|n| {
            let node = Arc::clone(&nodes[n % nodes.len()]);
            tokio::spawn(async move {
                node.admit(key(1), RatePolicy::per_minute(limit), SECOND)
                    .await
            })
        })
        .collect();
    let mut admitted = 0;
    for task in tasks {
        let decision = task.await.unwrap();
        assert!(decision.counted);
        admitted += usize::from(decision.admitted);
    }
    admitted
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_crowd_on_one_node_gets_exactly_the_limit() {
    let node = Arc::new(RateLimiter::in_memory());
    assert_eq!(admitted_of_a_crowd(&[node], 77).await, 77);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_crowd_on_two_nodes_that_share_redis_gets_exactly_one_limit() {
    let Some(server) =
        private_redis::server("a_crowd_on_two_nodes_that_share_redis_gets_exactly_one_limit")
    else {
        return;
    };
    let nodes = [
        node(&server, Fallback::Refuse).await,
        node(&server, Fallback::Refuse).await,
    ];
    assert_eq!(admitted_of_a_crowd(&nodes, 77).await, 77);
    for node in nodes {
        let over = node.admit(key(1), RatePolicy::per_minute(77), SECOND).await;
        assert_eq!((over.admitted, over.remaining), (false, 0));
        assert!((1..=60).contains(&over.reset_seconds));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn short_windows_on_the_clock_of_redis() {
    let Some(server) = private_redis::server("short_windows_on_the_clock_of_redis") else {
        return;
    };
    let config = RedisConfig {
        url: server.url(),
        root_certificates: None,
        timeout: TIMEOUT,
    };
    let windows = RedisWindows::start(&config).await.unwrap();
    let policy = RatePolicy {
        limit: 5,
        window: Duration::from_millis(200),
    };
    let mut admitted = Vec::new();
    let started = Instant::now();
    while started.elapsed() < SECOND {
        let before = Instant::now();
        let decision = windows.admit("k", policy).await.unwrap();
        assert!(decision.reset_seconds <= 1);
        if decision.admitted {
            admitted.push((before, Instant::now()));
        }
    }
    assert!(admitted.len() >= 10, "it recovers: {}", admitted.len());
    for pair in admitted.windows(6) {
        assert!(
            pair[5].1 - pair[0].0 >= policy.window,
            "six requests in less than a window"
        );
    }
    tokio::time::sleep(Duration::from_millis(600)).await;
    let client = Client::open(server.url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let keys: u64 = ::redis::cmd("DBSIZE")
        .query_async(&mut connection)
        .await
        .unwrap();
    assert_eq!(keys, 0, "an idle window vanishes");
}

/// Asks until the answer is as expected; the background task needs a moment to find Redis.
async fn until(node: &RateLimiter, limit: u32, wanted: impl Fn(Decision) -> bool) -> Decision {
    let started = Instant::now();
    let mut number = 1000;
    loop {
        number += 1;
        let decision = node
            .admit(key(number), RatePolicy::per_minute(limit), SECOND)
            .await;
        if wanted(decision) {
            return decision;
        }
        assert!(started.elapsed() < 20 * SECOND, "{decision:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Kills Redis under a limiter; returns the answers meanwhile, and checks that it recovers.
async fn outage(test: &str, fallback: Fallback) -> Option<Vec<Decision>> {
    let mut server = private_redis::server(test)?;
    let node = node(&server, fallback).await;
    let policy = RatePolicy::per_minute(3);
    let ask = || node.admit(key(7), policy, SECOND);
    let before = ask().await;
    assert_eq!((before.admitted, before.remaining), (true, 2));
    ask().await;
    server.stop();
    let mut meanwhile = Vec::new();
    for _ in 0..5 {
        meanwhile.push(ask().await);
    }
    server.start();
    // Redis came back empty. Room for exactly two more requests shows that the decision came from its
    // window.
    let started = Instant::now();
    let (windows, _) = node.shared.as_ref().unwrap();
    let after = loop {
        if let Some(decision) = windows.admit("after", policy).await {
            break decision;
        }
        assert!(started.elapsed() < 20 * SECOND);
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!((after.admitted, after.remaining), (true, 2));
    assert_eq!(
        (ask().await.remaining, ask().await.remaining),
        (2, 1),
        "counted in Redis again"
    );
    Some(meanwhile)
}

fn shapes(decisions: &[Decision]) -> Vec<(bool, u32, u64, bool)> {
    let shape = |d: &Decision| (d.admitted, d.remaining, d.reset_seconds, d.counted);
    decisions.iter().map(shape).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_each_node_counts_for_itself() {
    let test = "without_redis_each_node_counts_for_itself";
    if let Some(meanwhile) = outage(test, Fallback::Memory).await {
        let want = [
            (true, 2, 60, true),
            (true, 1, 60, true),
            (true, 0, 60, true),
            (false, 0, 60, true),
            (false, 0, 60, true),
        ];
        assert_eq!(shapes(&meanwhile), want);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_all_may_be_allowed() {
    if let Some(meanwhile) = outage("without_redis_all_may_be_allowed", Fallback::Allow).await {
        assert_eq!(shapes(&meanwhile), [(true, 2, 60, false); 5]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_all_may_be_refused() {
    if let Some(meanwhile) = outage("without_redis_all_may_be_refused", Fallback::Refuse).await {
        assert_eq!(shapes(&meanwhile), [(false, 0, 1, false); 5]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_hangs_delays_few_and_nobody_for_long() {
    let Some(server) = private_redis::server("a_redis_that_hangs_delays_few_and_nobody_for_long")
    else {
        return;
    };
    let node = node(&server, Fallback::Refuse).await;
    until(&node, 3, |d| d.counted).await;
    server.hang(true);
    let started = Instant::now();
    for number in 0..200 {
        let decision = node
            .admit(key(number), RatePolicy::per_minute(3), SECOND)
            .await;
        assert!(!decision.counted);
    }
    // One of them waited for the time-out, the others were answered at once.
    assert!(
        started.elapsed() < TIMEOUT * 3,
        "200 requests took {:?}",
        started.elapsed()
    );
    server.hang(false);
    until(&node, 3, |d| d.counted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_is_absent_at_the_start_is_found_later() {
    let Some(mut server) =
        private_redis::server("a_redis_that_is_absent_at_the_start_is_found_later")
    else {
        return;
    };
    server.stop();
    let node = node(&server, Fallback::Allow).await;
    let first = node.admit(key(1), RatePolicy::per_minute(3), SECOND).await;
    assert_eq!((first.admitted, first.counted), (true, false));
    server.start();
    until(&node, 3, |d| d.counted).await;
}

#[tokio::test]
async fn what_is_no_url_of_redis_is_an_error() {
    for url in ["http://127.0.0.1", "127.0.0.1:6379", ""] {
        let config = RedisConfig {
            url: url.to_owned(),
            root_certificates: None,
            timeout: TIMEOUT,
        };
        assert!(RedisWindows::start(&config).await.is_err(), "{url:?}");
    }
}
