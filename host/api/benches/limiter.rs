//! What the rate limiter costs a request: in memory beside the naive `Mutex<HashMap>` of all
//! windows, on one thread and on two, and in a private Redis, one request at a time and 64 at once.
//!
//! `cargo xtask bench limiter`. Prints nanoseconds or microseconds for each request, all in one run. Without
//! `--bench`, which cargo passes, each case is only tried.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    dead_code
)]

use gtm_test_support::redis as private_redis;

use std::collections::{HashMap, VecDeque};
use std::hint::black_box;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use gtm_api::rate_limit::RatePolicy;
use gtm_api::rate_limit::memory::MemoryWindows;
use gtm_api::rate_limit::redis::{RedisConfig, RedisWindows};

/// Keys that ask in turn, each within its limit, as on a busy node.
const KEYS: u128 = 1000;
const AT_ONCE: u128 = 64;
const POLICY: RatePolicy = RatePolicy::per_minute(600);

/// Numbers of requests.
#[derive(Clone, Copy)]
struct Requests {
    in_memory: u128,
    in_redis: u128,
}

impl Requests {
    fn asked_for() -> Self {
        let part = if std::env::args().any(|argument| argument == "--bench") {
            1
        } else {
            100
        };
        Self {
            in_memory: 2_000_000 / part,
            in_redis: 20_000 / part,
        }
    }
}

/// The same rules in the plainest way: one lock around everything.
#[derive(Default)]
struct Naive(Mutex<HashMap<u128, VecDeque<Duration>>>);

impl Naive {
    fn admit(&self, key: u128, now: Duration) -> bool {
        let mut windows = self.0.lock().unwrap();
        let window = windows.entry(key).or_default();
        while window
            .front()
            .is_some_and(|at| now.saturating_sub(*at) >= POLICY.window)
        {
            window.pop_front();
        }
        let admitted = window.len() < POLICY.limit as usize;
        if admitted {
            window.push_back(now);
        }
        admitted
    }
}

/// Nanoseconds that each of these requests takes on each of `threads`, a millisecond apart.
fn in_memory(requests: u128, threads: u128, admit: impl Fn(u128, Duration) -> bool + Sync) -> f64 {
    let started = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let admit = &admit;
            scope.spawn(move || {
                for n in 0..requests {
                    let now = Duration::from_millis(u64::try_from(n).unwrap());
                    // Every thread meets every key, in an order of its own.
                    black_box(admit((n * 7 + thread * 13) % KEYS, now));
                }
            });
        }
    });
    started.elapsed().as_secs_f64() * 1e9 / requests as f64
}

async fn in_redis(requests: u128, windows: &RedisWindows, at_once: u128) -> f64 {
    let started = Instant::now();
    let tasks: Vec<_> = (0..at_once)
        .map(|task| {
            let windows = windows.clone();
            tokio::spawn(async move {
                for n in 0..requests / at_once {
                    let key = ((n * at_once + task) % KEYS).to_string();
                    windows.admit(&key, POLICY).await.expect("Redis answers");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    started.elapsed().as_secs_f64() * 1e6 / requests as f64
}

fn main() {
    let requests = Requests::asked_for();
    for threads in [1, 2] {
        let windows = MemoryWindows::new();
        let ours = in_memory(requests.in_memory, threads, |key, now| {
            windows.admit(key, POLICY, now).admitted
        });
        let naive = Naive::default();
        let plain = in_memory(requests.in_memory, threads, |key, now| {
            naive.admit(key, now)
        });
        println!("memory, {threads} thread(s)             {ours:>8.0} ns/request");
        println!("one Mutex<HashMap>, {threads} thread(s) {plain:>8.0} ns/request");
    }
    let Some(server) = private_redis::server("the benchmark in Redis") else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let config = RedisConfig {
            url: server.url(),
            root_certificates: None,
            timeout: Duration::from_secs(5),
        };
        let windows = RedisWindows::start(&config).await.unwrap();
        in_redis(requests.in_redis, &windows, AT_ONCE).await;
        let one = in_redis(requests.in_redis, &windows, 1).await;
        let many = in_redis(requests.in_redis, &windows, AT_ONCE).await;
        println!("Redis, one at a time             {one:>8.1} µs/request");
        println!("Redis, {AT_ONCE} at once                {many:>8.1} µs/request");
    });
}
