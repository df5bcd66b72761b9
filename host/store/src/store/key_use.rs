//! Times of last use of keys, kept in memory and written at most once a minute, so that a request costs no
//! write.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gtm_domain::{KeyRecordId, Timestamp};

const EVERY: Duration = Duration::from_secs(60);

#[derive(Default)]
pub(super) struct KeyUse(Mutex<State>);

#[derive(Default)]
struct State {
    uses: HashMap<KeyRecordId, Timestamp>,
    flushed_at: Option<Timestamp>,
}

impl KeyUse {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a use. Returns the uses to write, if it is time to.
    pub(super) fn note(
        &self,
        key: KeyRecordId,
        now: Timestamp,
    ) -> Option<Vec<(KeyRecordId, Timestamp)>> {
        let mut state = self.state();
        state.uses.insert(key, now);
        let due = state.flushed_at.is_none_or(|at| now.since(at) >= EVERY);
        due.then(|| {
            state.flushed_at = Some(now);
            state.uses.drain().collect()
        })
    }

    /// Uses that have not been written yet.
    pub(super) fn take(&self) -> Vec<(KeyRecordId, Timestamp)> {
        self.state().uses.drain().collect()
    }
}
