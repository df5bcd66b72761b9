//! Keys whose window was full a moment ago. To look a key up is a transaction; who goes on asking above
//! the limit is answered without one (decision 0012).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gtm_domain::{Digest, ProjectId};

use super::Decision;

/// How long a look-up holds: a key that was revoked, or may now ask more often, is told so after that.
const HOLDS: Duration = Duration::from_secs(1);
/// The memory is cleared of what is old when it has grown to this many keys, and again at each doubling.
const FIRST_SWEEP: usize = 256;

/// What is known of them. A key is remembered as the digest of all its text: who knows only its id is
/// told nothing.
#[derive(Debug)]
pub struct ExhaustedKeys(Mutex<Table>);

#[derive(Debug)]
struct Table {
    keys: HashMap<Digest, Exhausted>,
    sweep_at: usize,
}

#[derive(Debug, Clone, Copy)]
struct Exhausted {
    project: ProjectId,
    limit: u32,
    found: Duration,
    /// When the window has room again.
    until: Duration,
}

impl Exhausted {
    fn holds(&self, now: Duration) -> bool {
        now < self.until && now < self.found + HOLDS
    }
}

impl ExhaustedKeys {
    /// The limiter was asked about a key of this project at `asked`, a span since a fixed start, and this
    /// is what it said. Remembered if the window was full.
    pub fn note(&self, key: Digest, project: ProjectId, decision: Decision, asked: Duration) {
        // Where nothing was counted it is not known when there is room.
        if decision.admitted || !decision.counted {
            return;
        }
        let mut table = self.table();
        if table.keys.len() >= table.sweep_at {
            table.keys.retain(|_, exhausted| exhausted.holds(asked));
            table.sweep_at = (table.keys.len() * 2).max(FIRST_SWEEP);
        }
        let exhausted = Exhausted {
            project,
            limit: decision.limit,
            found: asked,
            // Counted from before the limiter looked, so that it is never later than the window's end.
            until: asked.saturating_add(decision.reset),
        };
        table.keys.insert(key, exhausted);
    }

    /// Whose the key is and what the limiter would say now, if its window is known to be full.
    pub fn refusal(&self, key: &Digest, now: Duration) -> Option<(ProjectId, Decision)> {
        let table = self.table();
        let exhausted = table.keys.get(key).filter(|found| found.holds(now))?;
        let decision = Decision {
            admitted: false,
            limit: exhausted.limit,
            remaining: 0,
            reset: exhausted.until.saturating_sub(now),
            counted: true,
        };
        Some((exhausted.project, decision))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Nothing that is done under the lock can leave it half-done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
    use crate::rate_limit::RatePolicy;
    use crate::rate_limit::memory::MemoryWindows;
    use proptest::prelude::*;

    const MILLI: Duration = Duration::from_millis(1);

    fn project(number: u8) -> ProjectId {
        format!("prj_{number:0>26}").parse().unwrap()
    }

    fn key(name: &str) -> Digest {
        Digest::of(name.as_bytes())
    }

    fn full(reset: Duration) -> Decision {
        Decision {
            admitted: false,
            limit: 7,
            remaining: 0,
            reset,
            counted: true,
        }
    }

    #[test]
    fn a_look_up_holds_for_a_second() {
        let exhausted = ExhaustedKeys::default();
        let (mine, asked) = (project(1), MILLI * 500);
        exhausted.note(key("a"), mine, full(MILLI * 20_000), asked);
        let told = |at: u32| exhausted.refusal(&key("a"), MILLI * at);
        assert_eq!(told(500), Some((mine, full(MILLI * 20_000))));
        assert_eq!(told(1_499), Some((mine, full(MILLI * 19_001))));
        assert_eq!(told(1_500), None);
        assert_eq!(exhausted.refusal(&key("b"), asked), None);
    }

    #[test]
    fn what_was_let_through_or_not_counted_is_not_remembered() {
        let exhausted = ExhaustedKeys::default();
        for (admitted, counted) in [(true, true), (true, false), (false, false)] {
            let decision = Decision {
                admitted,
                counted,
                ..full(MILLI * 60_000)
            };
            exhausted.note(key("a"), project(1), decision, MILLI);
            assert_eq!(exhausted.refusal(&key("a"), MILLI), None);
        }
    }

    #[test]
    fn what_is_old_is_forgotten() {
        let exhausted = ExhaustedKeys::default();
        for n in 0..100_000u32 {
            let name = n.to_string();
            exhausted.note(key(&name), project(1), full(MILLI * 60_000), MILLI * n);
        }
        let kept = exhausted.table().keys.len();
        assert!(kept <= 2 * 1000 + FIRST_SWEEP, "{kept} keys");
    }

    proptest! {
        /// Whoever asks when, the answers are those of the limiter alone, and nobody is refused whom it
        /// would admit.
        #[test]
        fn the_memory_says_what_the_limiter_says(limit in 1u32..5, steps in proptest::collection::vec((0u32..1_200, 0usize..2), 1..200)) {
            let policy = RatePolicy { limit, window: MILLI * 3_000 };
            let (with, without) = (MemoryWindows::new(), MemoryWindows::new());
            let exhausted = ExhaustedKeys::default();
            let owners = [(key("a"), project(1)), (key("b"), project(2))];
            let mut now = Duration::ZERO;
            for (step, who) in steps {
                // Many at once, and some at the moment at which a window moves on.
                now += MILLI * step.saturating_sub(600);
                let (key, project) = owners[who];
                let said = match exhausted.refusal(&key, now) {
                    Some((whose, decision)) => {
                        prop_assert_eq!(whose, project);
                        decision
                    }
                    None => {
                        let decision = with.admit(key, policy, now);
                        exhausted.note(key, project, decision, now);
                        decision
                    }
                };
                prop_assert_eq!(said, without.admit(key, policy, now));
            }
        }
    }
}
