//! What went out of a call's requests, and which answers never came: that may cost something which no answer
//! tells of. Counted as it happens, so that nothing is missed of an exchange that is dropped half-way.

use std::sync::atomic::{AtomicU32, Ordering};

/// Requests of one call on the wire.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sendings {
    /// Those that went out, each attempt and each redirect's included: none if no provider was reached.
    pub sent: u32,
    /// Of these, those whose answer was lost, so that the provider may charge for something that we do not
    /// see. One that was repeated under its idempotency key is none: the provider sees to that.
    pub lost: u32,
}

/// The count, shared by all exchanges of a call.
#[derive(Debug, Default)]
pub(super) struct SendingCounter {
    sent: AtomicU32,
    lost: AtomicU32,
}

/// Where the latest request of an exchange stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Latest {
    /// Nothing of it has gone out.
    #[default]
    Unsent,
    /// Its answer has not come yet.
    Sent,
    /// An answer has begun to come.
    Answered,
}

impl SendingCounter {
    /// What it came to so far.
    pub(super) fn read(&self) -> Sendings {
        Sendings {
            sent: self.sent.load(Ordering::SeqCst),
            lost: self.lost.load(Ordering::SeqCst),
        }
    }
    /// A request goes out: lost, until it is answered.
    pub(super) fn goes_out(&self) {
        self.sent.fetch_add(1, Ordering::SeqCst);
        self.lost.fetch_add(1, Ordering::SeqCst);
    }
    /// It did not go out after all.
    pub(super) fn stayed(&self) {
        self.sent.fetch_sub(1, Ordering::SeqCst);
        self.lost.fetch_sub(1, Ordering::SeqCst);
    }
    /// It was answered, wholly where that is waited for: what is cut off before is lost.
    pub(super) fn answered(&self) {
        self.lost.fetch_sub(1, Ordering::SeqCst);
    }
    /// An attempt that broke is made again, `keyed` if the provider knows it by its key.
    pub(super) fn made_again(&self, latest: Latest, keyed: bool) {
        match (latest, keyed) {
            (Latest::Sent, true) => {
                self.lost.fetch_sub(1, Ordering::SeqCst);
            }
            // Its answer broke off, and the next one does not tell of it.
            (Latest::Answered, false) => {
                self.lost.fetch_add(1, Ordering::SeqCst);
            }
            (Latest::Unsent, _) | (Latest::Sent, false) | (Latest::Answered, true) => {}
        }
    }
}
