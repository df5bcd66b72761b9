//! The rolling window of requests per API key (specification, Limits), kept in memory: exact, not
//! an approximation, because `RateLimit-Reset` has to tell when the oldest request leaves.
//!
//! Time is a span since some fixed start, taken from a monotonic clock: a step of the wall clock
//! must neither lock a caller out nor let it run over its limit.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How many requests a key may make in which span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatePolicy {
    /// Requests in a window.
    pub limit: u32,
    /// Length of the window.
    pub window: Duration,
}

impl Default for RatePolicy {
    /// 120 requests in 60 seconds.
    fn default() -> Self {
        Self {
            limit: 120,
            window: Duration::from_secs(60),
        }
    }
}

/// The limiter's answer for one request: the three `RateLimit-*` headers and whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether the request is within the limit. One that isn't is not counted, so that a caller
    /// who keeps asking is served again as soon as the window has room.
    pub admitted: bool,
    /// Requests in a window.
    pub limit: u32,
    /// What is left after this request.
    pub remaining: u32,
    /// Whole seconds, rounded up, until the oldest counted request leaves the window.
    pub reset_seconds: u64,
}

/// The admitted requests of one key within the window, oldest first.
#[derive(Debug, Default)]
struct Window {
    admitted: VecDeque<Duration>,
}

impl Window {
    fn admit(&mut self, policy: RatePolicy, now: Duration) -> Decision {
        // Threads may reach the lock in another order than they read the clock.
        let now = self.admitted.back().map_or(now, |last| now.max(*last));
        while self
            .admitted
            .front()
            .is_some_and(|oldest| now.saturating_sub(*oldest) >= policy.window)
        {
            self.admitted.pop_front();
        }
        let used = u32::try_from(self.admitted.len()).unwrap_or(u32::MAX);
        let admitted = used < policy.limit;
        if admitted {
            self.admitted.push_back(now);
        }
        let oldest = self.admitted.front().copied().unwrap_or(now);
        let left = (oldest + policy.window).saturating_sub(now);
        Decision {
            admitted,
            limit: policy.limit,
            remaining: policy.limit.saturating_sub(used.saturating_add(1)),
            reset_seconds: left.as_secs() + u64::from(left.subsec_nanos() > 0),
        }
    }

    fn is_idle(&self, window: Duration, now: Duration) -> bool {
        self.admitted
            .back()
            .is_none_or(|last| now.saturating_sub(*last) >= window)
    }
}

const SHARDS: usize = 64;
/// A shard is swept of idle keys when it has grown to this many, and again at each doubling.
const FIRST_SWEEP: usize = 256;

#[derive(Debug)]
struct Shard<K> {
    windows: HashMap<K, Window>,
    sweep_at: usize,
}

/// Windows of many keys.
#[derive(Debug)]
pub struct RateLimiter<K> {
    shards: Vec<Mutex<Shard<K>>>,
    hasher: RandomState,
}

impl<K: Hash + Eq> RateLimiter<K> {
    /// A limiter that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        let shard = || {
            Mutex::new(Shard {
                windows: HashMap::new(),
                sweep_at: FIRST_SWEEP,
            })
        };
        Self {
            shards: std::iter::repeat_with(shard).take(SHARDS).collect(),
            hasher: RandomState::new(),
        }
    }

    /// Count one request of `key` at `now`, a span since a fixed start.
    pub fn admit(&self, key: K, policy: RatePolicy, now: Duration) -> Decision {
        let index = usize::try_from(self.hasher.hash_one(&key) % SHARDS as u64).unwrap_or(0);
        // A panic elsewhere cannot leave a window half-changed in a way that matters.
        let mut shard = self.shards[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if shard.windows.len() >= shard.sweep_at {
            shard
                .windows
                .retain(|_, window| !window.is_idle(policy.window, now));
            shard.sweep_at = (shard.windows.len() * 2).max(FIRST_SWEEP);
        }
        shard.windows.entry(key).or_default().admit(policy, now)
    }
}

impl<K: Hash + Eq> Default for RateLimiter<K> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: Duration = Duration::from_secs(1);

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
            let reset = after.iter().min().map_or(0.0, |t| {
                (*t + policy.window)
                    .saturating_sub(now)
                    .as_secs_f64()
                    .ceil()
            });
            Decision {
                admitted,
                limit: policy.limit,
                remaining: policy.limit - u32::try_from(after.len()).unwrap_or(u32::MAX),
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a small whole number"
                )]
                reset_seconds: reset as u64,
            }
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_naive_model(limit in 1u32..8, window in 1u64..5_000, steps in proptest::collection::vec(0u64..2_000, 1..200)) {
            let policy = RatePolicy { limit, window: Duration::from_millis(window) };
            let limiter = RateLimiter::new();
            let mut naive = Naive::default();
            let mut now = Duration::ZERO;
            for step in steps {
                now += Duration::from_millis(step);
                prop_assert_eq!(limiter.admit("key", policy, now), naive.admit(policy, now));
            }
        }

        #[test]
        fn no_window_ever_holds_more_than_the_limit(limit in 1u32..6, steps in proptest::collection::vec(0u64..40, 1..300)) {
            let policy = RatePolicy { limit, window: Duration::from_millis(100) };
            let limiter = RateLimiter::new();
            let (mut now, mut admitted) = (Duration::ZERO, Vec::new());
            for step in steps {
                now += Duration::from_millis(step);
                if limiter.admit((), policy, now).admitted {
                    admitted.push(now);
                    let inside = admitted.iter().filter(|t| now - **t < policy.window).count();
                    prop_assert!(inside <= limit as usize);
                }
            }
        }
    }

    #[test]
    fn headers_of_a_known_sequence() {
        let policy = RatePolicy {
            limit: 2,
            window: 60 * SECOND,
        };
        let limiter = RateLimiter::new();
        let ask = |seconds: u32| {
            let d = limiter.admit("k", policy, SECOND * seconds);
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
            limiter.admit("other", policy, 60 * SECOND).remaining,
            1,
            "each key has its own window"
        );
    }

    #[test]
    fn a_clock_read_late_counts_at_the_newest_time() {
        let policy = RatePolicy {
            limit: 2,
            window: SECOND,
        };
        let limiter = RateLimiter::new();
        limiter.admit("k", policy, 5 * SECOND);
        assert_eq!(
            limiter.admit("k", policy, 4 * SECOND),
            Decision {
                admitted: true,
                limit: 2,
                remaining: 0,
                reset_seconds: 1
            }
        );
    }

    #[test]
    fn idle_keys_are_forgotten() {
        let policy = RatePolicy {
            limit: 1,
            window: SECOND,
        };
        let limiter = RateLimiter::new();
        for key in 0..200_000u32 {
            limiter.admit(key, policy, SECOND * key / 1000);
        }
        let kept: usize = limiter
            .shards
            .iter()
            .map(|s| s.lock().map_or(0, |s| s.windows.len()))
            .sum();
        assert!(kept <= SHARDS * (FIRST_SWEEP + 1), "{kept} windows kept");
    }
}
