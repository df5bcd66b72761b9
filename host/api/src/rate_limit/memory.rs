//! Windows in this process's memory.
//!
//! Danger: a step of the wall clock must neither lock a caller out nor let it exceed its limit. So time is
//! a span since some fixed start, taken from a monotonic clock.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Decision, RatePolicy};

/// The admitted requests of one key within the window, oldest first.
#[derive(Debug, Default)]
struct Window {
    admitted: VecDeque<Duration>,
}

impl Window {
    /// Forgets requests that have left the window. Returns `now`, corrected so that it is never before the
    /// newest request.
    fn slide(&mut self, policy: RatePolicy, now: Duration) -> Duration {
        // Threads may take the lock in another order than they read the clock.
        let now = self.admitted.back().map_or(now, |last| now.max(*last));
        while self
            .admitted
            .front()
            .is_some_and(|oldest| now.saturating_sub(*oldest) >= policy.window)
        {
            self.admitted.pop_front();
        }
        now
    }

    fn wait(&mut self, policy: RatePolicy, now: Duration) -> Option<Duration> {
        let now = self.slide(policy, now);
        let used = u32::try_from(self.admitted.len()).unwrap_or(u32::MAX);
        let oldest = self.admitted.front().filter(|_| used >= policy.limit)?;
        Some((*oldest + policy.window).saturating_sub(now))
    }

    fn admit(&mut self, policy: RatePolicy, now: Duration) -> Decision {
        let now = self.slide(policy, now);
        let used = u32::try_from(self.admitted.len()).unwrap_or(u32::MAX);
        if used < policy.limit {
            self.admitted.push_back(now);
        }
        let oldest = self.admitted.front().copied().unwrap_or(now);
        let left = (oldest + policy.window).saturating_sub(now);
        Decision::of(policy, used, left)
    }

    fn is_idle(&self, window: Duration, now: Duration) -> bool {
        self.admitted
            .back()
            .is_none_or(|last| now.saturating_sub(*last) >= window)
    }
}

const SHARDS: usize = 64;
/// Number of keys at which a shard is first swept of idle ones; again at each doubling.
const FIRST_SWEEP: usize = 256;

#[derive(Debug)]
struct Shard<K> {
    windows: HashMap<K, Window>,
    sweep_at: usize,
}

/// Windows of many keys.
#[derive(Debug)]
pub struct MemoryWindows<K> {
    shards: Vec<Mutex<Shard<K>>>,
    hasher: RandomState,
}

impl<K: Hash + Eq> MemoryWindows<K> {
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

    /// Counts one request of `key` at `now`, a span since a fixed start.
    pub fn admit(&self, key: K, policy: RatePolicy, now: Duration) -> Decision {
        let mut shard = self.shard(&key);
        if shard.windows.len() >= shard.sweep_at {
            shard
                .windows
                .retain(|_, window| !window.is_idle(policy.window, now));
            shard.sweep_at = (shard.windows.len() * 2).max(FIRST_SWEEP);
        }
        shard.windows.entry(key).or_default().admit(policy, now)
    }

    /// How long until a request of `key` would be admitted; `None` if it would be admitted now. Counts
    /// nothing.
    pub fn wait(&self, key: &K, policy: RatePolicy, now: Duration) -> Option<Duration> {
        self.shard(key).windows.get_mut(key)?.wait(policy, now)
    }

    fn shard(&self, key: &K) -> MutexGuard<'_, Shard<K>> {
        let index = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0);
        // A panic elsewhere cannot leave a window half-changed in a way that matters.
        self.shards[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq> Default for MemoryWindows<K> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_as_long_as_admission_says_and_counts_nothing() {
        let second = Duration::from_secs(1);
        let policy = RatePolicy {
            limit: 2,
            window: second * 10,
        };
        let windows = MemoryWindows::new();
        assert_eq!(windows.wait(&1, policy, second), None);
        windows.admit(1, policy, second);
        assert_eq!(windows.wait(&1, policy, second * 2), None);
        windows.admit(1, policy, second * 3);
        assert_eq!(windows.wait(&1, policy, second * 4), Some(second * 7));
        assert_eq!(windows.wait(&2, policy, second * 4), None);
        assert_eq!(windows.wait(&1, policy, second * 11), None);
    }

    #[test]
    fn idle_keys_are_forgotten() {
        let second = Duration::from_secs(1);
        let policy = RatePolicy {
            limit: 1,
            window: second,
        };
        let windows = MemoryWindows::new();
        for key in 0..200_000u32 {
            windows.admit(key, policy, second * key / 1000);
        }
        let kept: usize = windows
            .shards
            .iter()
            .map(|s| s.lock().map_or(0, |s| s.windows.len()))
            .sum();
        assert!(kept <= SHARDS * (FIRST_SWEEP + 1), "{kept} windows kept");
    }
}
