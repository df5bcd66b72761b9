//! Time as a parameter: code that needs the current time takes a [`Clock`], so that tests control it.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::Timestamp;

/// Tells the time. The binary has the only implementation that reads the system clock.
pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> Timestamp;
}

/// A clock that stands still until a test moves it.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    #[must_use]
    pub const fn at(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.micros()))
    }
    /// Sets the clock to `now`.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.micros(), Ordering::SeqCst);
    }
    /// Moves the clock forward.
    pub fn advance(&self, span: std::time::Duration) {
        self.set(self.now().plus(span));
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    fn now(&self) -> Timestamp {
        (**self).now()
    }
}
