//! One suite for both back-ends, against a naive model; and Redis as it comes and goes. Under a
//! clock that the test sets, the script is the product's own but for its first line.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use ::redis::aio::MultiplexedConnection;
use ::redis::{Client, Script};
use gtm_domain::KeyRecordId;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tokio::runtime::Runtime;

use super::redis::{RedisConfig, WINDOW_SCRIPT, decision};
use super::*;

#[path = "../../../../tests/src/redis.rs"]
#[allow(
    clippy::print_stderr,
    dead_code,
    reason = "a skipped test says so; not every file uses all"
)]
mod private_redis;
use private_redis::TestRedis;

const SECOND: Duration = Duration::from_secs(1);
const TIMEOUT: Duration = Duration::from_millis(500);

/// A back-end under a clock that the test sets.
#[allow(clippy::large_enum_variant, reason = "there is one of them in a test")]
enum Subject {
    Memory(MemoryWindows<String>),
    Redis {
        runtime: Runtime,
        connection: MultiplexedConnection,
        script: Script,
        _server: TestRedis,
    },
}

impl Subject {
    fn memory() -> Self {
        Self::Memory(MemoryWindows::new())
    }

    fn redis(test: &str) -> Option<Self> {
        let server = private_redis::server(test)?;
        let runtime = Runtime::new().unwrap();
        let client = Client::open(server.url()).unwrap();
        let connection = runtime
            .block_on(client.get_multiplexed_async_connection())
            .unwrap();
        let script = Script::new(&format!("local now = tonumber(ARGV[3])\n{WINDOW_SCRIPT}"));
        Some(Self::Redis {
            runtime,
            connection,
            script,
            _server: server,
        })
    }

    fn admit(&self, key: &str, policy: RatePolicy, now: Duration) -> Decision {
        // As many digits as the time of day has.
        let now = now + Duration::from_secs(1_763_000_000);
        match self {
            Self::Memory(windows) => windows.admit(key.to_owned(), policy, now),
            Self::Redis {
                runtime,
                connection,
                script,
                ..
            } => {
                let mut connection = connection.clone();
                let micros = |span: Duration| u64::try_from(span.as_micros()).unwrap();
                let mut call = script.key(key);
                call.arg(policy.limit)
                    .arg(micros(policy.window))
                    .arg(micros(now));
                let answer = runtime.block_on(call.invoke_async(&mut connection));
                decision(policy, answer.unwrap())
            }
        }
    }

    /// Round trips cost time; a tenth of the cases is still some thousand requests.
    fn runner(&self) -> TestRunner {
        let cases = match self {
            Self::Memory(_) => 256,
            Self::Redis { .. } => 32,
        };
        TestRunner::new(Config {
            cases,
            failure_persistence: None,
            ..Config::default()
        })
    }
}

macro_rules! on_both_back_ends {
    ($($name:ident),* $(,)?) => {
        mod memory_suite {
            $(#[test]
            fn $name() {
                super::$name(&super::Subject::memory());
            })*
        }
        mod redis_suite {
            $(#[test]
            fn $name() {
                if let Some(subject) = super::Subject::redis(concat!(module_path!(), "::", stringify!($name))) {
                    super::$name(&subject);
                }
            })*
        }
    };
}

on_both_back_ends!(
    agrees_with_the_naive_model,
    no_window_ever_holds_more_than_the_limit,
    headers_of_a_known_sequence,
    a_clock_read_late_counts_at_the_newest_time,
    a_limit_that_falls_is_obeyed_at_once,
);

/// What the specification says, written down naively: all admitted requests, filtered each time.
#[derive(Default)]
struct Naive(Vec<Duration>);

impl Naive {
    fn admit(&mut self, policy: RatePolicy, now: Duration) -> Decision {
        let live = |all: &[Duration]| {
            all.iter()
                .copied()
                .filter(|t| *t + policy.window > now)
                .collect::<Vec<_>>()
        };
        let before = live(&self.0).len();
        let admitted = before < policy.limit as usize;
        if admitted {
            self.0.push(now);
        }
        let after = live(&self.0);
        let oldest = after.iter().min().copied().unwrap_or(now);
        let left = (oldest + policy.window - now).as_micros();
        Decision {
            admitted,
            limit: policy.limit,
            remaining: policy.limit - u32::try_from(after.len()).unwrap(),
            reset_seconds: u64::try_from(left.div_ceil(1_000_000)).unwrap(),
            counted: true,
        }
    }
}

/// Limit, window, and steps between requests: many of them none or a few microseconds, none longer
/// than half a window. Windows are long, because Redis forgets idle ones by its own clock.
fn sequence() -> impl Strategy<Value = (u32, Duration, Vec<Duration>)> {
    let window = (20u64..5_000).prop_map(|s| SECOND * u32::try_from(s).unwrap());
    let step = prop_oneof![Just(0u64), 0u64..5, 0u64..500_000];
    (1u32..8, window, proptest::collection::vec(step, 1..120)).prop_map(|(limit, window, steps)| {
        let length = |millionths: u64| {
            let micros = u64::try_from(window.as_micros()).unwrap() / 1_000_000 * millionths;
            Duration::from_micros(if millionths < 5 {
                millionths
            } else {
                micros + 1
            })
        };
        let steps = steps.into_iter().map(length).collect();
        (limit, window, steps)
    })
}

/// A window that no other case uses.
fn fresh_key() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("case-{}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

fn agrees_with_the_naive_model(subject: &Subject) {
    let checked = subject.runner().run(&sequence(), |(limit, window, steps)| {
        let policy = RatePolicy { limit, window };
        let (key, mut naive, mut now) = (fresh_key(), Naive::default(), Duration::ZERO);
        for step in steps {
            now += step;
            prop_assert_eq!(
                subject.admit(&key, policy, now),
                naive.admit(policy, now),
                "at {:?}",
                now
            );
        }
        Ok(())
    });
    checked.unwrap();
}

fn no_window_ever_holds_more_than_the_limit(subject: &Subject) {
    let checked = subject.runner().run(&sequence(), |(limit, window, steps)| {
        let policy = RatePolicy { limit, window };
        let (key, mut now, mut admitted) = (fresh_key(), Duration::ZERO, Vec::new());
        for step in steps {
            now += step;
            if subject.admit(&key, policy, now).admitted {
                admitted.push(now);
                let inside = admitted.iter().filter(|t| now - **t < window).count();
                prop_assert!(inside <= limit as usize);
            }
        }
        Ok(())
    });
    checked.unwrap();
}

fn headers_of_a_known_sequence(subject: &Subject) {
    let policy = RatePolicy::per_minute(2);
    let ask = |seconds: u32| {
        let d = subject.admit("k", policy, SECOND * seconds);
        (d.admitted, d.remaining, d.reset_seconds)
    };
    assert_eq!(ask(0), (true, 1, 60));
    assert_eq!(ask(10), (true, 0, 50));
    assert_eq!(ask(20), (false, 0, 40));
    assert_eq!(ask(59), (false, 0, 1));
    assert_eq!(
        ask(60),
        (true, 0, 10),
        "the first request left at its 60th second"
    );
    assert_eq!(
        subject.admit("other", policy, 60 * SECOND).remaining,
        1,
        "each key has its own window"
    );
}

fn a_clock_read_late_counts_at_the_newest_time(subject: &Subject) {
    let policy = RatePolicy {
        limit: 2,
        window: 30 * SECOND,
    };
    subject.admit("k", policy, 50 * SECOND);
    let late = subject.admit("k", policy, 49 * SECOND);
    assert_eq!(
        (late.admitted, late.remaining, late.reset_seconds),
        (true, 0, 30)
    );
}

fn a_limit_that_falls_is_obeyed_at_once(subject: &Subject) {
    for second in 0..5 {
        assert!(
            subject
                .admit("k", RatePolicy::per_minute(5), SECOND * second)
                .admitted
        );
    }
    let over = subject.admit("k", RatePolicy::per_minute(3), SECOND * 5);
    assert_eq!(
        (over.admitted, over.remaining, over.reset_seconds),
        (false, 0, 55)
    );
    let none = subject.admit("new", RatePolicy::per_minute(0), SECOND);
    assert_eq!(
        (none.admitted, none.remaining, none.reset_seconds),
        (false, 0, 60)
    );
}

#[test]
fn a_clock_of_redis_that_was_set_back_locks_nobody_out() {
    let Some(redis) = Subject::redis("a_clock_of_redis_that_was_set_back_locks_nobody_out") else {
        return;
    };
    let policy = RatePolicy::per_minute(1);
    let hour = 3600 * SECOND;
    assert!(redis.admit("k", policy, hour).admitted);
    assert!(!redis.admit("k", policy, hour).admitted);
    let back = redis.admit("k", policy, Duration::ZERO);
    assert_eq!((back.admitted, back.reset_seconds), (true, 60));
    assert!(!redis.admit("k", policy, SECOND).admitted, "and it counts");
}

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

/// Ask until the answer is as wanted; the background task needs a moment to find Redis.
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

/// Kill Redis under a limiter; returns what is answered meanwhile, and checks that it recovers.
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
    // Redis came back empty: a window with room for two more is its own.
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
    // One of them waited for the time-out, the others were told at once.
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
