//! One test suite for both back-ends, against a naive model. Under a test's clock, the script is the
//! product's own except for its first line. `nodes` tests nodes whose Redis comes and goes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod nodes;

use std::sync::atomic::{AtomicU32, Ordering};

use ::redis::aio::MultiplexedConnection;
use ::redis::{Client, Script};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tokio::runtime::Runtime;

use super::redis::{WINDOW_SCRIPT, decision};
use super::*;

use gtm_test_support::redis as private_redis;
use private_redis::TestRedis;

const SECOND: Duration = Duration::from_secs(1);

/// A back-end under a test's clock.
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

    /// Round trips take time; a tenth of the cases still makes some thousand requests.
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

/// The specification, implemented naively: all admitted requests, filtered each time.
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

/// Limit, window, and steps between requests: many of them zero or a few microseconds, none longer than
/// half a window. Windows are long, because Redis forgets idle ones by its own clock.
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
