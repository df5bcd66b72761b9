//! How often an address may present keys that are not accepted. To look a key up costs the database a
//! read, whoever asks; from an address that guesses, only keys that were right lately are still looked
//! up (decision 0040).
//!
//! Where none is looked up, nothing is known of the key, so that a right one which has not been used
//! lately gets the same answer as a wrong one.
//!
//! A client with a key that expired repeats it, and must not take the look-ups away from others behind
//! its address. So each key counts once a minute, and for some seconds the answer is the last one. To wait
//! for a look-up in vain holds a connection each time, and counts each time.
//!
//! Who has an IPv6 site has 65 536 networks of it, each an address of its own here. So a site has a
//! window too, ten times as wide.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gtm_domain::Digest;

use crate::client_address;
use crate::rate_limit::RatePolicy;
use crate::rate_limit::memory::MemoryWindows;

/// How many times as many failures a site has as one of its networks.
const SITE_FACTOR: u32 = 10;
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
    site_policy: RatePolicy,
    failures: MemoryWindows<Option<IpAddr>>,
    site_failures: MemoryWindows<IpAddr>,
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
    /// What was found last, and when. None if no look-up has come to an end.
    refusal: Option<(Refusal, Duration)>,
    counted: Duration,
}

impl FailedAuthentications {
    /// So many in 60 seconds from one address, and ten times as many from one site.
    #[must_use]
    pub fn per_minute(limit: u32) -> Self {
        Self {
            policy: RatePolicy::per_minute(limit),
            site_policy: RatePolicy::per_minute(limit.saturating_mul(SITE_FACTOR)),
            failures: MemoryWindows::new(),
            site_failures: MemoryWindows::new(),
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
        let of_address = self.failures.wait(&address, self.policy, now);
        let of_site = ipv6_site(client)
            .and_then(|site| self.site_failures.wait(&site, self.site_policy, now));
        let Some(wait) = of_address.max(of_site) else {
            return Verdict::LookUp;
        };
        if self.is_known(key, now) {
            return Verdict::LookUp;
        }
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        Verdict::Wait(seconds.max(1))
    }

    /// Whether the key was right lately.
    pub fn is_known(&self, key: &Digest, now: Duration) -> bool {
        let known = self.known();
        let right = known.keys.get(key);
        right.is_some_and(|last| now.saturating_sub(*last) < REMEMBERED)
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
        self.count(*key, client, Some(refusal), now);
    }

    /// The database did not answer the look-up. It has cost as much as any other.
    pub fn unanswered(&self, key: &Digest, client: Option<IpAddr>, now: Duration) {
        self.count(*key, client, None, now);
    }

    /// No turn for a look-up came in time, or the client did not wait for it.
    pub fn waited_in_vain(&self, client: Option<IpAddr>, now: Duration) {
        self.fail(client, now);
    }

    fn count(&self, key: Digest, client: Option<IpAddr>, said: Option<Refusal>, now: Duration) {
        let address = client.map(client_address::network);
        let counts = self
            .refusals()
            .note((address, key), said, self.policy.window, now);
        if counts {
            self.fail(client, now);
        }
    }

    fn fail(&self, client: Option<IpAddr>, now: Duration) {
        let address = client.map(client_address::network);
        self.failures.admit(address, self.policy, now);
        if let Some(site) = ipv6_site(client) {
            self.site_failures.admit(site, self.site_policy, now);
        }
    }

    /// What was said of the key from this address a moment ago.
    fn repeated(&self, address: Option<IpAddr>, key: Digest, now: Duration) -> Option<Refusal> {
        let refused = self.refusals();
        let last = refused.keys.get(&(address, key))?;
        let (refusal, looked_up) = last.refusal?;
        (now.saturating_sub(looked_up) < REPEATED).then_some(refusal)
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

/// The site that an address is one of many of. An IPv4 address is its own.
fn ipv6_site(client: Option<IpAddr>) -> Option<IpAddr> {
    client.map(client_address::site).filter(IpAddr::is_ipv6)
}

impl Refused {
    /// Remember a refusal, or a look-up that did not come to an end. Whether it is the first of this key
    /// within the window.
    fn note(
        &mut self,
        key: (Option<IpAddr>, Digest),
        refusal: Option<Refusal>,
        window: Duration,
        now: Duration,
    ) -> bool {
        let is_old = |last: &LastRefusal| now.saturating_sub(last.counted) >= window;
        let refusal = refusal.map(|refusal| (refusal, now));
        if let Some(last) = self.keys.get_mut(&key) {
            let counts = is_old(last);
            // What was found before a look-up that did not end holds for as long as without that one.
            last.refusal = refusal.or(last.refusal);
            if counts {
                last.counted = now;
            }
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
                counted: now,
            };
            self.keys.insert(key, last);
        }
        true
    }
}

#[cfg(test)]
mod tests;
