//! Counts which requests of a call were sent, and which of them were never answered: the provider may
//! charge for those, and no answer says so. They are counted as they happen, so that an exchange that is
//! dropped half-way is counted too.
//!
//! Danger: a request counted as answered too early would cost nothing at all. So it counts as lost until
//! its answer is recorded, and a request that is repeated under its idempotency key until a repeat
//! succeeds: the provider may have performed the first attempt, whatever became of the later ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The requests of one call on the wire.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sendings {
    /// How many were sent, each attempt and redirect included; zero if no provider was reached.
    pub sent: u32,
    /// How many of these lost their answer, so that the provider may charge for something that we do not
    /// see. Attempts under one idempotency key count as one, and as none if the last of them succeeded: the
    /// provider sees to that.
    pub lost: u32,
}

/// The counter, shared by all exchanges of a call.
#[derive(Debug, Default)]
pub(super) struct SendingCounter {
    sent: AtomicU32,
    lost: AtomicU32,
}

impl SendingCounter {
    /// The counts so far.
    pub(super) fn read(&self) -> Sendings {
        Sendings {
            sent: self.sent.load(Ordering::SeqCst),
            lost: self.lost.load(Ordering::SeqCst),
        }
    }
}

/// State of the latest request of an exchange.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Latest {
    #[default]
    Unsent,
    /// The answer has not come yet.
    Sent,
    /// The answer has begun to come.
    Answered,
}

/// The requests of one exchange, in order.
#[derive(Debug)]
pub(super) struct Requests {
    counter: Arc<SendingCounter>,
    latest: Latest,
    /// Whether an earlier attempt with the same key was lost: together they count as one.
    repeated: bool,
    /// Whether there is an answer that makes the latest request count as answered, once it is recorded.
    unrecorded: bool,
}

impl Requests {
    /// No request yet.
    pub(super) const fn new(counter: Arc<SendingCounter>) -> Self {
        Self {
            counter,
            latest: Latest::Unsent,
            repeated: false,
            unrecorded: false,
        }
    }
    /// Another attempt begins.
    pub(super) const fn begins(&mut self) {
        self.latest = Latest::Unsent;
    }
    /// It is sent: lost, until it is answered.
    pub(super) fn sent(&mut self) {
        self.latest = Latest::Sent;
        self.counter.sent.fetch_add(1, Ordering::SeqCst);
        if !self.repeated {
            self.counter.lost.fetch_add(1, Ordering::SeqCst);
        }
    }
    /// It was not sent after all.
    pub(super) fn not_sent(&mut self) {
        self.latest = Latest::Unsent;
        self.counter.sent.fetch_sub(1, Ordering::SeqCst);
        if !self.repeated {
            self.counter.lost.fetch_sub(1, Ordering::SeqCst);
        }
    }
    /// An answer begins to come.
    pub(super) const fn answer_begins(&mut self) {
        self.latest = Latest::Answered;
    }
    /// Whether an answer to the latest request has begun to come.
    pub(super) fn has_answer(&self) -> bool {
        self.latest == Latest::Answered
    }
    /// The answer is there, in full if the caller waits for that. Only success shows that an earlier
    /// attempt was not performed as well.
    pub(super) const fn answered(&mut self, success: bool) {
        self.unrecorded = success || !self.repeated;
    }
    /// The answer asks for a retry.
    pub(super) fn retry_requested(&mut self) {
        self.tell();
    }
    /// The attempt broke off and is repeated, `keyed` if the provider recognizes it by its key. Without a
    /// key, the next answer says nothing about the attempt that broke off.
    pub(super) fn retried(&mut self, keyed: bool) {
        self.unrecorded = false;
        self.repeated |= keyed && self.latest != Latest::Unsent;
    }
    /// The answer redirects the request, `keyed` if the provider recognizes it there by the same key.
    pub(super) fn redirected(&mut self, keyed: bool) {
        self.tell();
        self.repeated &= keyed;
        self.latest = Latest::Unsent;
    }
    /// What remains to be counted once the exchange is recorded.
    pub(super) fn into_unrecorded(self) -> UnrecordedAnswer {
        UnrecordedAnswer(self.unrecorded.then_some(self.counter))
    }

    fn tell(&mut self) {
        if std::mem::take(&mut self.unrecorded) {
            self.counter.lost.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// An answer that counts as lost until it is recorded: if this is dropped, nobody has seen it.
#[derive(Debug, Default)]
#[must_use = "the request counts as lost until `recorded` is called"]
pub struct UnrecordedAnswer(Option<Arc<SendingCounter>>);

impl UnrecordedAnswer {
    /// The exchange has been recorded.
    pub fn recorded(self) {
        if let Some(counter) = self.0 {
            counter.lost.fetch_sub(1, Ordering::SeqCst);
        }
    }
}
