//! Whose turn it is on a connection. The conversation sets it, and the room reads it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::time::Instant;

/// What a connection waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// The peer is to send a request.
    Silent { since: Moment },
    /// The peer is to send the rest of a request's body. What came of it so far is worth waiting for
    /// until this moment.
    Receiving { paid_until: Moment },
    /// An answer is on its way, of which the peer last took something at this moment.
    Delivering { since: Moment },
    /// The server is to answer.
    AtWork,
}

/// Milliseconds after the room was opened.
pub(super) type Moment = u64;

/// [`Standing::AtWork`] as a number; the others are their moment, and in the last bits which they are.
const AT_WORK: u64 = u64::MAX;
const KIND_BITS: u32 = 2;
const KINDS: u64 = (1 << KIND_BITS) - 1;
const SILENT: u64 = 0;
const DELIVERING: u64 = 1;
const RECEIVING: u64 = 2;
/// What can be told apart from it.
const LATEST: Moment = (AT_WORK >> KIND_BITS) - 1;

impl Standing {
    const fn from_number(number: u64) -> Self {
        let moment = number >> KIND_BITS;
        match number & KINDS {
            SILENT => Self::Silent { since: moment },
            DELIVERING => Self::Delivering { since: moment },
            RECEIVING => Self::Receiving { paid_until: moment },
            _ => Self::AtWork,
        }
    }

    const fn number(self) -> u64 {
        match self {
            Self::Silent { since } => since << KIND_BITS | SILENT,
            Self::Delivering { since } => since << KIND_BITS | DELIVERING,
            Self::Receiving { paid_until } => paid_until << KIND_BITS | RECEIVING,
            Self::AtWork => AT_WORK,
        }
    }
}

/// The standing of one connection; its clones are of the same one.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    opened: Instant,
    standing: Arc<AtomicU64>,
}

impl Turn {
    /// Of a connection on which nothing has been said. `opened` is when the room was.
    pub(super) fn new(opened: Instant) -> Self {
        let turn = Self {
            opened,
            standing: Arc::default(),
        };
        turn.wait();
        turn
    }

    pub(super) fn standing(&self) -> Standing {
        Standing::from_number(self.standing.load(Ordering::Relaxed))
    }

    pub(super) fn now(&self) -> Moment {
        moment(self.opened)
    }

    /// A request has come.
    pub(super) fn work(&self) {
        self.set(Standing::AtWork);
    }

    /// The peer is to send a request.
    pub(super) fn wait(&self) {
        self.set(Standing::Silent { since: self.now() });
    }

    /// More of a request's body is needed.
    pub(super) fn receive(&self, paid_until: Moment) {
        self.set(Standing::Receiving {
            paid_until: paid_until.min(LATEST),
        });
    }

    /// What was waited for is there, or is no longer needed.
    pub(super) fn resume(&self) {
        if matches!(self.standing(), Standing::Receiving { .. }) {
            self.work();
        }
    }

    /// An answer begins.
    pub(super) fn deliver(&self) {
        self.set(Standing::Delivering { since: self.now() });
    }

    /// The peer took something of an answer. Nothing changes if the next request of a pipeline is
    /// already being worked on; the same holds for the end of an answer.
    pub(super) fn taken(&self) {
        if matches!(self.standing(), Standing::Delivering { .. }) {
            self.deliver();
        }
    }

    /// The peer took all of it.
    pub(super) fn delivered(&self) {
        if matches!(self.standing(), Standing::Delivering { .. }) {
            self.wait();
        }
    }

    /// Only the task of the connection sets it, so that nothing comes between a look and a change.
    fn set(&self, standing: Standing) {
        self.standing.store(standing.number(), Ordering::Relaxed);
    }
}

/// The present, for a room that was opened then.
pub(super) fn moment(opened: Instant) -> Moment {
    // Some bits are the kind of standing's.
    u64::try_from(opened.elapsed().as_millis()).map_or(LATEST, |now| now.min(LATEST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_standing_is_its_number(since in 0..=LATEST) {
            for standing in [
                Standing::Silent { since },
                Standing::Delivering { since },
                Standing::Receiving { paid_until: since },
                Standing::AtWork,
            ] {
                prop_assert_eq!(Standing::from_number(standing.number()), standing);
            }
        }
    }

    #[test]
    fn what_becomes_of_an_answer_does_not_disturb_the_next_request() {
        let turn = Turn::new(Instant::now());
        turn.work();
        turn.deliver();
        turn.work();
        turn.taken();
        turn.delivered();
        assert_eq!(turn.standing(), Standing::AtWork);
        turn.deliver();
        assert!(matches!(turn.standing(), Standing::Delivering { .. }));
        turn.resume();
        assert!(matches!(turn.standing(), Standing::Delivering { .. }));
        turn.delivered();
        assert!(matches!(turn.standing(), Standing::Silent { .. }));
        turn.resume();
        assert!(matches!(turn.standing(), Standing::Silent { .. }));
        turn.receive(u64::MAX);
        let paid_until = LATEST;
        assert_eq!(turn.standing(), Standing::Receiving { paid_until });
        turn.resume();
        assert_eq!(turn.standing(), Standing::AtWork);
    }
}
