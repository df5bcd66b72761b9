//! How often an address may present keys that are not accepted. To look a key up costs the database a
//! read, whoever asks; from an address that guesses, only keys that were right lately are still looked
//! up (decision 0040).
//!
//! What is refused is refused before anything is known of the key, so that a right one which has not
//! been used lately gets the same answer as a wrong one.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gtm_domain::Digest;

use crate::client_address;
use crate::rate_limit::RatePolicy;
use crate::rate_limit::memory::MemoryWindows;

/// How long a key that was right is looked up from anywhere.
const REMEMBERED: Duration = Duration::from_secs(60 * 60);
/// The memory is cleared of what is old when it has grown to this many keys, and again at each doubling.
const FIRST_SWEEP: usize = 256;

/// The failures of each address, and the keys that are known to be right.
#[derive(Debug)]
pub struct FailedAuthentications {
    policy: RatePolicy,
    failures: MemoryWindows<Option<IpAddr>>,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    keys: HashMap<Digest, Duration>,
    sweep_at: usize,
}

impl FailedAuthentications {
    /// So many in 60 seconds from one address.
    #[must_use]
    pub fn per_minute(limit: u32) -> Self {
        Self {
            policy: RatePolicy::per_minute(limit),
            failures: MemoryWindows::new(),
            known: Mutex::new(Known {
                keys: HashMap::new(),
                sweep_at: FIRST_SWEEP,
            }),
        }
    }

    /// Whether a key may be looked up for this client; one whose address is not known is counted with
    /// all others of that kind. `now` is a span since a fixed start.
    ///
    /// # Errors
    /// Whole seconds to wait, at least one.
    pub fn may_look_up(
        &self,
        key: &Digest,
        client: Option<IpAddr>,
        now: Duration,
    ) -> Result<(), u64> {
        let address = client.map(client_address::network);
        let Some(wait) = self.failures.wait(&address, self.policy, now) else {
            return Ok(());
        };
        let known = self.known();
        let right = known.keys.get(key);
        if right.is_some_and(|last| now.saturating_sub(*last) < REMEMBERED) {
            return Ok(());
        }
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        Err(seconds.max(1))
    }

    /// The key was right.
    pub fn accepted(&self, key: Digest, now: Duration) {
        let mut known = self.known();
        if known.keys.len() >= known.sweep_at {
            known
                .keys
                .retain(|_, last| now.saturating_sub(*last) < REMEMBERED);
            known.sweep_at = (known.keys.len() * 2).max(FIRST_SWEEP);
        }
        known.keys.insert(key, now);
    }

    /// The key was looked up and is not, or no longer, right.
    pub fn refused(&self, key: &Digest, client: Option<IpAddr>, now: Duration) {
        self.known().keys.remove(key);
        let address = client.map(client_address::network);
        self.failures.admit(address, self.policy, now);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Nothing that is done under the lock can leave it half-done.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn key(name: &str) -> Digest {
        Digest::of(name.as_bytes())
    }

    #[test]
    fn an_address_that_guesses_is_stopped_and_known_keys_go_on() {
        let failed = FailedAuthentications::per_minute(3);
        let (guesser, other) = (Some([192, 0, 2, 1].into()), Some([192, 0, 2, 2].into()));
        failed.accepted(key("right"), SECOND);
        for second in 1..=3u32 {
            let guess = key(&second.to_string());
            assert_eq!(failed.may_look_up(&guess, guesser, SECOND * second), Ok(()));
            failed.refused(&guess, guesser, SECOND * second);
        }
        let now = SECOND * 4;
        assert_eq!(failed.may_look_up(&key("new"), guesser, now), Err(57));
        assert_eq!(failed.may_look_up(&key("right"), guesser, now), Ok(()));
        assert_eq!(failed.may_look_up(&key("new"), other, now), Ok(()));
        assert_eq!(failed.may_look_up(&key("new"), None, now), Ok(()));
        // One that is right no longer, by revocation for example, is a guess like any other.
        failed.refused(&key("right"), other, now);
        assert_eq!(failed.may_look_up(&key("right"), guesser, now), Err(57));
        assert_eq!(
            failed.may_look_up(&key("new"), guesser, SECOND * 61),
            Ok(())
        );
    }

    #[test]
    fn a_key_that_was_right_long_ago_is_forgotten() {
        let failed = FailedAuthentications::per_minute(1);
        failed.accepted(key("right"), Duration::ZERO);
        failed.refused(&key("x"), None, REMEMBERED);
        assert!(failed.may_look_up(&key("right"), None, REMEMBERED).is_err());
        for n in 0..10_000u32 {
            failed.accepted(key(&n.to_string()), SECOND * n);
        }
        let kept = failed.known().keys.len();
        assert!(kept <= 2 * 3600, "{kept} keys");
    }
}
