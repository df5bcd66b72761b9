//! Tracks which side a connection is waiting for: the peer or the server. The connection's task sets this
//! state, and the room reads it when it must choose a connection to close.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::time::Instant;

/// What a connection waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// The peer has not sent the next request yet.
    Silent { since: Moment },
    /// The peer has not sent the whole request body yet. What has arrived so far justifies waiting until
    /// this moment.
    Receiving { paid_until: Moment },
    /// An answer is being sent. At this moment the peer last accepted a part of it.
    Delivering { since: Moment },
    /// The server is working on an answer.
    AtWork,
}

/// Milliseconds since the room was opened.
pub(super) type Moment = u64;

/// [`Standing::AtWork`] as a number. Every other standing is its moment, with its kind in the lowest bits.
const AT_WORK: u64 = u64::MAX;
const KIND_BITS: u32 = 2;
const KINDS: u64 = (1 << KIND_BITS) - 1;
const SILENT: u64 = 0;
const DELIVERING: u64 = 1;
const RECEIVING: u64 = 2;
/// The last moment whose number cannot be taken for `AT_WORK`.
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

/// The standing of one connection. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    opened: Instant,
    standing: Arc<AtomicU64>,
}

impl Turn {
    /// For a connection on which no request has arrived yet. `opened` is the time at which the room was
    /// opened.
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

    /// A request has arrived.
    pub(super) fn work(&self) {
        self.set(Standing::AtWork);
    }

    /// The server waits for the peer's next request.
    pub(super) fn wait(&self) {
        self.set(Standing::Silent { since: self.now() });
    }

    /// The server needs more of the request's body.
    pub(super) fn receive(&self, paid_until: Moment) {
        self.set(Standing::Receiving {
            paid_until: paid_until.min(LATEST),
        });
    }

    /// The awaited part of the body has arrived, or nobody needs it anymore.
    pub(super) fn resume(&self) {
        if matches!(self.standing(), Standing::Receiving { .. }) {
            self.work();
        }
    }

    /// The answer starts.
    pub(super) fn deliver(&self) {
        self.set(Standing::Delivering { since: self.now() });
    }

    /// The peer accepted a part of the answer. With pipelining the server may already be working on the
    /// next request; then nothing changes. The same holds for the end of an answer.
    pub(super) fn taken(&self) {
        if matches!(self.standing(), Standing::Delivering { .. }) {
            self.deliver();
        }
    }

    /// The peer accepted the whole answer.
    pub(super) fn delivered(&self) {
        if matches!(self.standing(), Standing::Delivering { .. }) {
            self.wait();
        }
    }

    /// Only the connection's own task calls this, so the standing cannot change between a check and the
    /// update.
    fn set(&self, standing: Standing) {
        self.standing.store(standing.number(), Ordering::Relaxed);
    }
}

/// The current moment of a room that was opened at this time.
pub(super) fn moment(opened: Instant) -> Moment {
    // The lowest bits hold the kind of standing.
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
