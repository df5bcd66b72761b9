//! Limits how often an address may present keys that are not accepted (decision 0040).
//!
//! Danger: every look-up costs the database a read, whoever asks. So from an address that guesses, only
//! keys that were right recently are still looked up. Nothing is then known about any other key, so a right
//! key that has not been used recently gets the same answer as a wrong one.
//!
//! A client whose key has expired keeps repeating it, and must not use up the look-ups of others behind its
//! address. So each key counts once a minute, and for some seconds the last answer is repeated. Waiting in
//! vain for a look-up holds a connection each time, and counts each time.
//!
//! Whoever has an IPv6 site has 65 536 networks, each a separate address here. So a site has a window too,
//! ten times as large.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gtm_domain::Digest;

use crate::client_address;
use crate::rate_limit::RatePolicy;
use crate::rate_limit::memory::MemoryWindows;

/// How many times more failures a site may have than one of its networks.
const SITE_FACTOR: u32 = 10;
/// For how long a key that was right is looked up from any address.
const REMEMBERED: Duration = Duration::from_secs(60 * 60);
/// How long a refusal is repeated without a look-up. A key that becomes right meanwhile has to wait for
/// that long.
const REPEATED: Duration = Duration::from_secs(10);
/// Maximum number of refusals remembered; further ones count and are looked up each time.
const MOST_REFUSALS: usize = 1 << 16;
/// How often old refusals are cleared while there are that many.
const SWEEP: Duration = Duration::from_secs(1);
/// Number of keys at which old entries are first cleared from memory; again at each doubling.
const FIRST_SWEEP: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It is unknown or revoked, or its secret is wrong.
    Invalid,
    /// It was right once.
    Expired,
}

/// What to do with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyDecision {
    LookUp,
    /// Repeat the answer given a moment ago.
    Refuse(Refusal),
    /// Do not look it up for this many whole seconds, at least one.
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

/// Recent refusals, by address and key.
#[derive(Debug)]
struct Refused {
    keys: HashMap<(Option<IpAddr>, Digest), LastRefusal>,
    sweep_at: usize,
    swept: Duration,
}

#[derive(Debug, Clone, Copy)]
struct LastRefusal {
    /// The last result and its time; `None` if no look-up has finished.
    refusal: Option<(Refusal, Duration)>,
    counted: Duration,
}

impl FailedAuthentications {
    /// This many in 60 seconds from one address, and ten times as many from one site.
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

    /// What to do with a key of this client. Clients whose address is unknown are counted together. `now`
    /// is a span since a fixed start.
    pub fn judge(&self, key: &Digest, client: Option<IpAddr>, now: Duration) -> KeyDecision {
        let address = client.map(client_address::network);
        if let Some(refusal) = self.repeated(address, *key, now) {
            return KeyDecision::Refuse(refusal);
        }
        let of_address = self.failures.wait(&address, self.policy, now);
        let of_site = ipv6_site(client)
            .and_then(|site| self.site_failures.wait(&site, self.site_policy, now));
        let Some(wait) = of_address.max(of_site) else {
            return KeyDecision::LookUp;
        };
        if self.is_known(key, now) {
            return KeyDecision::LookUp;
        }
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        KeyDecision::Wait(seconds.max(1))
    }

    /// Whether the key was right recently.
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

    /// The database did not answer the look-up, which cost as much as any other.
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

    /// What was answered for the key and this address a moment ago.
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
        // Nothing done under this lock can be left half-done.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The site that an address belongs to. An IPv4 address is its own site.
fn ipv6_site(client: Option<IpAddr>) -> Option<IpAddr> {
    client.map(client_address::site).filter(IpAddr::is_ipv6)
}

impl Refused {
    /// Remembers a refusal, or a look-up that did not finish. Returns whether it is the first one of this
    /// key within the window.
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
            // The result before an unfinished look-up stays valid for as long as it would without that
            // look-up.
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
