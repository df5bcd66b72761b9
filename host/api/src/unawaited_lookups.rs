//! Look-ups of recently right keys that nobody waits for any more (decision 0040).
//!
//! Danger: such a look-up runs to its end, because a client that disconnects at once could otherwise query
//! the database without end and never be counted; and such a key waits for no turn. Without a limit, a
//! database that hangs would collect as many look-ups as one client can open and close connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gtm_domain::Digest;

/// Maximum number for one key. A key that has as many must wait for a turn, as if nothing were known about
/// it.
const MOST: usize = 4;

/// The number for each key.
#[derive(Debug, Clone, Default)]
pub struct UnawaitedLookups(Arc<Mutex<HashMap<Digest, usize>>>);

/// A look-up, held by the request that waits for it and by the task that runs it.
#[derive(Debug)]
struct Shared {
    lookups: UnawaitedLookups,
    key: Digest,
    stage: Mutex<Stage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Awaited,
    Unawaited,
    Over,
}

/// Somebody waits for the look-up, until this is dropped.
#[derive(Debug)]
pub struct Awaited(Arc<Shared>);

/// The look-up is running, until this is dropped.
#[derive(Debug)]
pub struct UnderWay(Arc<Shared>);

impl UnawaitedLookups {
    /// Whether a key may be looked up without a turn.
    #[must_use]
    pub fn are_few(&self, key: &Digest) -> bool {
        self.table().get(key).is_none_or(|count| *count < MOST)
    }

    /// A look-up begins.
    #[must_use]
    pub fn begin(&self, key: Digest) -> (Awaited, UnderWay) {
        let shared = Arc::new(Shared {
            lookups: self.clone(),
            key,
            stage: Mutex::new(Stage::Awaited),
        });
        (Awaited(Arc::clone(&shared)), UnderWay(shared))
    }

    fn table(&self) -> MutexGuard<'_, HashMap<Digest, usize>> {
        // Nothing done under this lock can be left half-done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    fn stage(&self) -> MutexGuard<'_, Stage> {
        // As above.
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        let mut stage = self.0.stage();
        if *stage == Stage::Awaited {
            *stage = Stage::Unawaited;
            *self.0.lookups.table().entry(self.0.key).or_default() += 1;
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut stage = self.0.stage();
        let before = std::mem::replace(&mut *stage, Stage::Over);
        if before != Stage::Unawaited {
            return;
        }
        let mut table = self.0.lookups.table();
        if let Some(count) = table.get_mut(&self.0.key) {
            *count -= 1;
            if *count == 0 {
                table.remove(&self.0.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_waits_for_counts_until_it_is_over() {
        let lookups = UnawaitedLookups::default();
        let (key, other) = (Digest::of(b"a"), Digest::of(b"b"));
        let awaited: Vec<_> = (0..100).map(|_| lookups.begin(key)).collect();
        assert!(lookups.are_few(&key), "all of them are waited for");
        drop(awaited);
        assert!(lookups.table().is_empty());
        let mut under_way = Vec::new();
        for n in 0..MOST {
            assert!(lookups.are_few(&key), "{n}");
            let (asker, lookup) = lookups.begin(key);
            drop(asker);
            under_way.push(lookup);
        }
        assert!(!lookups.are_few(&key));
        assert!(lookups.are_few(&other));
        under_way.pop();
        assert!(lookups.are_few(&key));
        drop(under_way);
        assert!(lookups.table().is_empty(), "nothing is left behind");
    }

    #[test]
    fn what_is_over_before_its_asker_goes_counts_for_nothing() {
        let lookups = UnawaitedLookups::default();
        let (asker, lookup) = lookups.begin(Digest::of(b"a"));
        drop(lookup);
        drop(asker);
        assert!(lookups.table().is_empty());
    }
}
