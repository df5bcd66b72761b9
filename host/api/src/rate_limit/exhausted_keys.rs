//! Keys that were above their limit a moment ago. Looking a key up is a transaction. For a key that keeps
//! asking, the window is still known, so the limiter can be asked without a look-up (decision 0012).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gtm_domain::{Digest, KeyRecordId, ProjectId};

/// How long a look-up stays valid: a key that was revoked, or whose limit was raised, notices only after
/// that.
const HOLDS: Duration = Duration::from_secs(1);
/// Number of keys at which old entries are first cleared from memory; again at each doubling.
const FIRST_SWEEP: usize = 256;

/// Whose requests are counted, and how many are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowOwner {
    /// The key that owns the window.
    pub key: KeyRecordId,
    pub project: ProjectId,
    /// Its limit in 60 seconds.
    pub limit: u32,
}

/// What is known about such keys. A key is remembered by the digest of its whole text, so whoever knows
/// only its id learns nothing.
#[derive(Debug)]
pub struct ExhaustedKeys(Mutex<Table>);

#[derive(Debug)]
struct Table {
    keys: HashMap<Digest, (WindowOwner, Duration)>,
    sweep_at: usize,
}

impl ExhaustedKeys {
    /// The key was looked up at `now`, a span since a fixed start, and is above its limit.
    pub fn note(&self, key: Digest, owner: WindowOwner, now: Duration) {
        let mut table = self.table();
        if table.keys.len() >= table.sweep_at {
            table.keys.retain(|_, (_, found)| holds(*found, now));
            table.sweep_at = (table.keys.len() * 2).max(FIRST_SWEEP);
        }
        table.keys.insert(key, (owner, now));
    }

    /// The window in which a key counts, if it was above its limit a moment ago.
    pub fn owner(&self, key: &Digest, now: Duration) -> Option<WindowOwner> {
        let table = self.table();
        let (owner, found) = table.keys.get(key)?;
        holds(*found, now).then_some(*owner)
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Nothing done under this lock can be left half-done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn holds(found: Duration, now: Duration) -> bool {
    now.saturating_sub(found) < HOLDS
}

impl Default for ExhaustedKeys {
    fn default() -> Self {
        Self(Mutex::new(Table {
            keys: HashMap::new(),
            sweep_at: FIRST_SWEEP,
        }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const MILLI: Duration = Duration::from_millis(1);

    fn owner(number: u8) -> WindowOwner {
        WindowOwner {
            key: format!("key_{number:0>26}").parse().unwrap(),
            project: format!("prj_{number:0>26}").parse().unwrap(),
            limit: 7,
        }
    }

    fn key(name: &str) -> Digest {
        Digest::of(name.as_bytes())
    }

    #[test]
    fn a_look_up_holds_for_a_second() {
        let exhausted = ExhaustedKeys::default();
        exhausted.note(key("a"), owner(1), MILLI * 500);
        exhausted.note(key("b"), owner(2), MILLI * 600);
        let of = |name: &str, at: u32| exhausted.owner(&key(name), MILLI * at);
        assert_eq!(of("a", 500), Some(owner(1)));
        assert_eq!(of("a", 1_499), Some(owner(1)));
        assert_eq!(of("a", 1_500), None);
        assert_eq!(of("b", 1_500), Some(owner(2)));
        assert_eq!(of("c", 500), None);
    }

    #[test]
    fn what_is_old_is_forgotten() {
        let exhausted = ExhaustedKeys::default();
        for n in 0..100_000u32 {
            exhausted.note(key(&n.to_string()), owner(1), MILLI * n);
        }
        let kept = exhausted.table().keys.len();
        assert!(kept <= 2 * 1000 + FIRST_SWEEP, "{kept} keys");
    }
}
