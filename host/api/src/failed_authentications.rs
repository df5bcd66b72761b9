//! How often an address may present keys that are not accepted. To look a key up costs the database a
//! read, whoever asks; from an address that guesses, only keys that were right lately are still looked
//! up (decision 0040).
//!
//! Where none is looked up, nothing is known of the key, so that a right one which has not been used
//! lately gets the same answer as a wrong one.
//!
//! A client with a key that expired repeats it, and must not take the look-ups away from others behind
//! its address. So each key counts once a minute, and for some seconds the answer is the last one.

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
/// How long a refusal is repeated without a look-up. A key that becomes right meanwhile waits for that.
const REPEATED: Duration = Duration::from_secs(10);
/// Most refusals that are remembered; further ones count each time, and are looked up each time.
const MOST_REFUSALS: usize = 1 << 16;
/// How often refusals are cleared of what is old while there are so many.
const SWEEP: Duration = Duration::from_secs(1);
/// The memory is cleared of what is old when it has grown to this many keys, and again at each doubling.
const FIRST_SWEEP: usize = 256;

/// Why a key was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It is unknown or revoked, or its secret is wrong.
    Invalid,
    /// It was right once.
    Expired,
}

/// What is to be done with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Look it up.
    LookUp,
    /// Say again what was said a moment ago.
    Refuse(Refusal),
    /// Look nothing up for so many whole seconds, at least one.
    Wait(u64),
}

/// The failures of each address, and the keys that are known to be right.
#[derive(Debug)]
pub struct FailedAuthentications {
    policy: RatePolicy,
    failures: MemoryWindows<Option<IpAddr>>,
    known: Mutex<Known>,
    refused: Mutex<Refused>,
}

#[derive(Debug)]
struct Known {
    keys: HashMap<Digest, Duration>,
    sweep_at: usize,
}

/// What was refused lately, by address and key.
#[derive(Debug)]
struct Refused {
    keys: HashMap<(Option<IpAddr>, Digest), LastRefusal>,
    sweep_at: usize,
    swept: Duration,
}

#[derive(Debug, Clone, Copy)]
struct LastRefusal {
    refusal: Refusal,
    looked_up: Duration,
    counted: Duration,
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
            refused: Mutex::new(Refused {
                keys: HashMap::new(),
                sweep_at: FIRST_SWEEP,
                swept: Duration::ZERO,
            }),
        }
    }

    /// What to do with a key of this client; one whose address is not known is counted with all others
    /// of that kind. `now` is a span since a fixed start.
    pub fn judge(&self, key: &Digest, client: Option<IpAddr>, now: Duration) -> Verdict {
        let address = client.map(client_address::network);
        if let Some(refusal) = self.repeated(address, *key, now) {
            return Verdict::Refuse(refusal);
        }
        let Some(wait) = self.failures.wait(&address, self.policy, now) else {
            return Verdict::LookUp;
        };
        let known = self.known();
        let right = known.keys.get(key);
        if right.is_some_and(|last| now.saturating_sub(*last) < REMEMBERED) {
            return Verdict::LookUp;
        }
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        Verdict::Wait(seconds.max(1))
    }

    /// The key was right.
    pub fn accepted(&self, key: Digest, client: Option<IpAddr>, now: Duration) {
        // Another request may have been refused while this one was being looked up.
        let address = client.map(client_address::network);
        self.refusals().keys.remove(&(address, key));
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
    pub fn refused(&self, key: &Digest, client: Option<IpAddr>, refusal: Refusal, now: Duration) {
        self.known().keys.remove(key);
        let address = client.map(client_address::network);
        let counts = self
            .refusals()
            .note((address, *key), refusal, self.policy.window, now);
        if counts {
            self.failures.admit(address, self.policy, now);
        }
    }

    /// What was said of the key from this address a moment ago.
    fn repeated(&self, address: Option<IpAddr>, key: Digest, now: Duration) -> Option<Refusal> {
        let refused = self.refusals();
        let last = refused.keys.get(&(address, key))?;
        (now.saturating_sub(last.looked_up) < REPEATED).then_some(last.refusal)
    }

    fn refusals(&self) -> MutexGuard<'_, Refused> {
        // As below.
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Nothing that is done under the lock can leave it half-done.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Refused {
    /// Remember a refusal. Whether it is the first of this key within the window.
    fn note(
        &mut self,
        key: (Option<IpAddr>, Digest),
        refusal: Refusal,
        window: Duration,
        now: Duration,
    ) -> bool {
        let is_old = |last: &LastRefusal| now.saturating_sub(last.counted) >= window;
        if let Some(last) = self.keys.get_mut(&key) {
            let counts = is_old(last);
            *last = LastRefusal {
                refusal,
                looked_up: now,
                counted: if counts { now } else { last.counted },
            };
            return counts;
        }
        let may_sweep = self.keys.len() < MOST_REFUSALS || now.saturating_sub(self.swept) >= SWEEP;
        if self.keys.len() >= self.sweep_at && may_sweep {
            self.keys.retain(|_, last| !is_old(last));
            self.swept = now;
            self.sweep_at = (self.keys.len() * 2).clamp(FIRST_SWEEP, MOST_REFUSALS);
        }
        if self.keys.len() < MOST_REFUSALS {
            let last = LastRefusal {
                refusal,
                looked_up: now,
                counted: now,
            };
            self.keys.insert(key, last);
        }
        true
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
        failed.accepted(key("right"), guesser, SECOND);
        for second in 1..=3u32 {
            let (guess, now) = (key(&second.to_string()), SECOND * second);
            assert_eq!(failed.judge(&guess, guesser, now), Verdict::LookUp);
            failed.refused(&guess, guesser, Refusal::Invalid, now);
        }
        let now = SECOND * 4;
        assert_eq!(failed.judge(&key("new"), guesser, now), Verdict::Wait(57));
        assert_eq!(failed.judge(&key("right"), guesser, now), Verdict::LookUp);
        assert_eq!(failed.judge(&key("new"), other, now), Verdict::LookUp);
        assert_eq!(failed.judge(&key("new"), None, now), Verdict::LookUp);
        // One that is right no longer, by revocation for example, is a guess like any other.
        failed.refused(&key("right"), other, Refusal::Invalid, now);
        assert_eq!(failed.judge(&key("right"), guesser, now), Verdict::Wait(57));
        assert_eq!(
            failed.judge(&key("new"), guesser, SECOND * 61),
            Verdict::LookUp
        );
    }

    /// One client with a key that expired leaves the look-ups of its address to others.
    #[test]
    fn a_key_that_is_repeated_is_answered_from_memory_and_counts_once_a_minute() {
        let failed = FailedAuthentications::per_minute(2);
        let (office, other) = (Some([192, 0, 2, 1].into()), Some([192, 0, 2, 2].into()));
        let old = key("old");
        let mut looked_up = 0;
        for tenth in 0..1200 {
            let now = SECOND * tenth / 10;
            match failed.judge(&old, office, now) {
                Verdict::LookUp => {
                    looked_up += 1;
                    failed.refused(&old, office, Refusal::Expired, now);
                }
                said => assert_eq!(said, Verdict::Refuse(Refusal::Expired)),
            }
            assert_eq!(failed.judge(&key("new"), office, now), Verdict::LookUp);
        }
        assert_eq!(
            looked_up, 12,
            "every ten seconds, so that what changes is seen"
        );
        let now = SECOND * 119;
        assert_eq!(
            failed.judge(&old, other, now),
            Verdict::LookUp,
            "nobody hears what was said to others"
        );
        failed.refused(&key("another"), office, Refusal::Invalid, now);
        assert_eq!(failed.judge(&key("new"), office, now), Verdict::Wait(1));
        assert_eq!(
            failed.judge(&old, office, now),
            Verdict::Refuse(Refusal::Expired),
            "nothing is looked up for it"
        );
    }

    #[test]
    fn what_was_accepted_is_not_refused_from_memory() {
        let failed = FailedAuthentications::per_minute(2);
        failed.refused(&key("k"), None, Refusal::Invalid, SECOND);
        failed.accepted(key("k"), None, SECOND);
        assert_eq!(failed.judge(&key("k"), None, SECOND), Verdict::LookUp);
    }

    #[test]
    fn a_key_that_was_right_long_ago_is_forgotten() {
        let failed = FailedAuthentications::per_minute(1);
        failed.accepted(key("right"), None, Duration::ZERO);
        failed.refused(&key("x"), None, Refusal::Invalid, REMEMBERED);
        let verdict = failed.judge(&key("right"), None, REMEMBERED);
        assert!(matches!(verdict, Verdict::Wait(_)));
        for n in 0..10_000u32 {
            failed.accepted(key(&n.to_string()), None, SECOND * n);
        }
        let kept = failed.known().keys.len();
        assert!(kept <= 2 * 3600, "{kept} keys");
    }

    #[test]
    fn refusals_are_forgotten_and_never_too_many() {
        let failed = FailedAuthentications::per_minute(3);
        let address = |n: u32| Some(std::net::Ipv4Addr::from_bits(n).into());
        for n in 0..100_000u32 {
            failed.refused(&key("x"), address(n), Refusal::Invalid, SECOND);
        }
        assert_eq!(failed.refusals().keys.len(), MOST_REFUSALS);
        // Who finds no room is counted all the same.
        for n in 0..3 {
            let guess = key(&n.to_string());
            assert_eq!(failed.judge(&guess, None, SECOND), Verdict::LookUp);
            failed.refused(&guess, None, Refusal::Invalid, SECOND);
        }
        assert_eq!(failed.judge(&key("x"), None, SECOND), Verdict::Wait(60));
        let later = SECOND * 61;
        failed.refused(&key("x"), None, Refusal::Invalid, later);
        assert_eq!(failed.refusals().keys.len(), 1);
    }
}
