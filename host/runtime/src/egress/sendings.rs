//! What went out of a call's requests, and which answers never came: that may cost something which no answer
//! tells of. Counted as it happens, so that nothing is missed of an exchange that is dropped half-way.
//!
//! Danger: a request that counts as answered too early costs nothing at all. So it counts as lost until its
//! answer is written down, and one that is repeated under its idempotency key until a repeat succeeds: a
//! provider may have done the work of the first attempt, whatever became of those after it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Requests of one call on the wire.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sendings {
    /// Those that went out, each attempt and each redirect's included: none if no provider was reached.
    pub sent: u32,
    /// Of these, those whose answer was lost, so that the provider may charge for something that we do not
    /// see. Attempts under one idempotency key are one, and none if the last of them succeeded: the provider
    /// sees to that.
    pub lost: u32,
}

/// The count, shared by all exchanges of a call.
#[derive(Debug, Default)]
pub(super) struct SendingCounter {
    sent: AtomicU32,
    lost: AtomicU32,
}

impl SendingCounter {
    /// What it came to so far.
    pub(super) fn read(&self) -> Sendings {
        Sendings {
            sent: self.sent.load(Ordering::SeqCst),
            lost: self.lost.load(Ordering::SeqCst),
        }
    }
}

/// Where the latest request of an exchange stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Latest {
    /// Nothing of it has gone out.
    #[default]
    Unsent,
    /// Its answer has not come yet.
    Sent,
    /// An answer has begun to come.
    Answered,
}

/// The requests of one exchange, one after the other.
#[derive(Debug)]
pub(super) struct Requests {
    counter: Arc<SendingCounter>,
    latest: Latest,
    /// Whether an attempt before the latest was lost that had its key: together they count as one.
    repeated: bool,
    /// Whether there is an answer that takes the latest off those that are lost, once it is written down.
    untold: bool,
}

impl Requests {
    /// None yet.
    pub(super) const fn new(counter: Arc<SendingCounter>) -> Self {
        Self {
            counter,
            latest: Latest::Unsent,
            repeated: false,
            untold: false,
        }
    }
    /// Another attempt begins.
    pub(super) const fn begins(&mut self) {
        self.latest = Latest::Unsent;
    }
    /// It goes out: lost, until it is answered.
    pub(super) fn goes_out(&mut self) {
        self.latest = Latest::Sent;
        self.counter.sent.fetch_add(1, Ordering::SeqCst);
        if !self.repeated {
            self.counter.lost.fetch_add(1, Ordering::SeqCst);
        }
    }
    /// It did not go out after all.
    pub(super) fn stayed(&mut self) {
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
    /// Whether an answer to the latest has begun to come.
    pub(super) fn has_answer(&self) -> bool {
        self.latest == Latest::Answered
    }
    /// The answer is there, wholly where that is waited for. Only its success tells that an attempt before it
    /// was not performed as well.
    pub(super) const fn answered(&mut self, success: bool) {
        self.untold = success || !self.repeated;
    }
    /// The answer asks to come again.
    pub(super) fn asks_again(&mut self) {
        self.tell();
    }
    /// The attempt broke and is made again, `keyed` if the provider knows it by its key. The next answer does
    /// not tell of one that broke off.
    pub(super) fn made_again(&mut self, keyed: bool) {
        self.untold = false;
        self.repeated |= keyed && self.latest != Latest::Unsent;
    }
    /// The answer sends the request on, `keyed` if the provider knows it there by the same key.
    pub(super) fn sent_on(&mut self, keyed: bool) {
        self.tell();
        self.repeated &= keyed;
        self.latest = Latest::Unsent;
    }
    /// What is left to be told when the exchange has ended.
    pub(super) fn into_untold(self) -> Untold {
        Untold(self.untold.then_some(self.counter))
    }

    fn tell(&mut self) {
        if std::mem::take(&mut self.untold) {
            self.counter.lost.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// An answer that counts as lost until it is written down: whoever drops it has not seen it.
#[derive(Debug, Default)]
#[must_use = "its request counts as lost until it is told"]
pub struct Untold(Option<Arc<SendingCounter>>);

impl Untold {
    /// The exchange is written down.
    pub fn told(self) {
        if let Some(counter) = self.0 {
            counter.lost.fetch_sub(1, Ordering::SeqCst);
        }
    }
}
