//! The wall clock: the only place that asks the system for the time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gtm_domain::{Clock, Timestamp};

#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the wall clock"
    )]
    fn now(&self) -> Timestamp {
        // A clock before 1970 is not set. The epoch is just as wrong, and does not overflow.
        Timestamp::EPOCH.plus(
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or(Duration::ZERO),
        )
    }
}
