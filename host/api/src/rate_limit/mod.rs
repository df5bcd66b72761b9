//! The rolling window of requests per API key (specification, Limits). It is exact, not an approximation,
//! because `RateLimit-Reset` must say when the oldest request leaves. One node keeps it in memory; several
//! nodes share it in Redis. [`crate::authorization`] decides whose limit applies and what counts.

pub mod exhausted_keys;
pub mod memory;
pub mod redis;

use std::time::Duration;

use gtm_domain::KeyRecordId;

use memory::MemoryWindows;
use redis::RedisWindows;

/// How many requests a key may make in which span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatePolicy {
    /// Requests in a window.
    pub limit: u32,
    /// Length of the window.
    pub window: Duration,
}

impl RatePolicy {
    /// The window of the specification.
    pub const WINDOW: Duration = Duration::from_secs(60);

    /// This many requests in 60 seconds.
    #[must_use]
    pub const fn per_minute(limit: u32) -> Self {
        Self {
            limit,
            window: Self::WINDOW,
        }
    }
}

/// The limiter's decision about one request: the three `RateLimit-*` headers and whether to serve it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether the request is within the limit. A request above it is not counted, so that a caller who
    /// keeps asking is served again as soon as the window has room.
    pub admitted: bool,
    /// Limit of the window.
    pub limit: u32,
    /// Requests left after this one.
    pub remaining: u32,
    /// Whole seconds, rounded up, until the oldest counted request leaves the window.
    pub reset_seconds: u64,
    /// Whether there was a window to decide by. False if Redis did not answer and the fallback decided
    /// without one.
    pub counted: bool,
}

impl Decision {
    /// The decision, given `used` earlier requests in the window and the time until the oldest of them
    /// leaves.
    fn of(policy: RatePolicy, used: u32, left: Duration) -> Self {
        Self {
            admitted: used < policy.limit,
            limit: policy.limit,
            remaining: policy.limit.saturating_sub(used.saturating_add(1)),
            reset_seconds: left.as_secs() + u64::from(left.subsec_nanos() > 0),
            counted: true,
        }
    }
}

/// What happens while Redis does not answer (decision 0015).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// Each node counts on its own.
    Memory,
    /// Every request passes, and the headers show an empty window.
    Allow,
    /// Every request is refused with 429 `rate_limit_exceeded` and `Retry-After: 1`.
    Refuse,
}

impl Fallback {
    const fn label(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Allow => "allow",
            Self::Refuse => "refuse",
        }
    }
}

/// The windows of all keys.
#[derive(Debug)]
pub struct RateLimiter {
    own: MemoryWindows<KeyRecordId>,
    shared: Option<(RedisWindows, Fallback)>,
}

impl RateLimiter {
    /// Windows in memory, for one node.
    #[must_use]
    pub fn in_memory() -> Self {
        Self {
            own: MemoryWindows::new(),
            shared: None,
        }
    }

    /// Windows in Redis, for all nodes that share it.
    #[must_use]
    pub fn shared(windows: RedisWindows, fallback: Fallback) -> Self {
        Self {
            own: MemoryWindows::new(),
            shared: Some((windows, fallback)),
        }
    }

    /// Counts one request of `key`. `now` is a span since a fixed start, from a monotonic clock; with
    /// Redis, Redis's own clock is used instead. Never fails: without Redis the fallback decides.
    pub async fn admit(&self, key: KeyRecordId, policy: RatePolicy, now: Duration) -> Decision {
        let Some((windows, fallback)) = &self.shared else {
            return self.own.admit(key, policy, now);
        };
        if let Some(decision) = windows.admit(&key.to_string(), policy).await {
            return decision;
        }
        metrics::counter!("gtm_rate_limit_fallback_total", "mode" => fallback.label()).increment(1);
        match fallback {
            Fallback::Memory => self.own.admit(key, policy, now),
            Fallback::Allow => Decision {
                counted: false,
                ..Decision::of(policy, 0, policy.window)
            },
            Fallback::Refuse => Decision {
                admitted: false,
                limit: policy.limit,
                remaining: 0,
                reset_seconds: 1,
                counted: false,
            },
        }
    }
}

#[cfg(test)]
mod tests;
