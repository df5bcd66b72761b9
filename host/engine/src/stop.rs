//! Why and how a running job stops before its backend has finished.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// How long calls that were cut off may take to notice.
const CUT_GRACE: Duration = Duration::from_secs(5);

/// Why a job stops early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The node shuts down: no new provider call is made, and the lease is handed back.
    Draining,
    /// The job is to be canceled.
    Canceled,
    /// The job has run out of time.
    Deadline,
    /// The lease is lost: nothing more may be written.
    LeaseLost,
}

/// The switch that stops a job's run.
#[derive(Debug)]
pub struct Stop {
    reason: Mutex<Option<StopReason>>,
    changed: Notify,
    cut: CancellationToken,
    /// Cut off together with `cut`, or earlier if only free calls are cut off.
    free: CancellationToken,
}

impl Default for Stop {
    fn default() -> Self {
        let cut = CancellationToken::new();
        Self {
            reason: Mutex::default(),
            changed: Notify::default(),
            free: cut.child_token(),
            cut,
        }
    }
}

impl Stop {
    /// Asks the job to stop: no new provider call begins. A lost lease overrides every other reason, and
    /// every reason that ends the job overrides a shutdown.
    pub fn ask(&self, reason: StopReason) {
        let mut current = self.lock();
        let overrides = match *current {
            None => true,
            Some(StopReason::Draining) => reason != StopReason::Draining,
            Some(StopReason::Canceled | StopReason::Deadline) => reason == StopReason::LeaseLost,
            Some(StopReason::LeaseLost) => false,
        };
        if overrides {
            *current = Some(reason);
            self.changed.notify_waiters();
        }
    }
    /// Waits until the job is asked to stop for this reason.
    pub async fn asked(&self, reason: StopReason) {
        loop {
            // Subscribe before checking, so that a change in between is not missed.
            let changed = self.changed.notified();
            if self.reason() == Some(reason) {
                return;
            }
            changed.await;
        }
    }
    /// Asks the job to stop, and cuts off all running calls.
    pub fn cut_off(&self, reason: StopReason) {
        self.ask(reason);
        self.cut.cancel();
    }
    /// Asks the job to stop, and cuts off everything except the calls that a provider may charge for: these
    /// may still report their cost.
    pub fn cut_off_free(&self, reason: StopReason) {
        self.ask(reason);
        self.free.cancel();
    }
    /// Why the job is asked to stop; `None` if it is not.
    pub fn reason(&self) -> Option<StopReason> {
        *self.lock()
    }
    /// Whether running calls were cut off.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut.is_cancelled()
    }
    /// The token that cuts off running calls.
    #[must_use]
    pub const fn token(&self) -> &CancellationToken {
        &self.cut
    }
    /// The token that cuts off the backend and free calls.
    #[must_use]
    pub const fn free_token(&self) -> &CancellationToken {
        &self.free
    }

    /// Waits until running calls were cut off and had time to notice.
    pub async fn cut_and_noticed(&self) {
        self.cut.cancelled().await;
        tokio::time::sleep(CUT_GRACE).await;
    }

    fn lock(&self) -> MutexGuard<'_, Option<StopReason>> {
        // The value is a single word: a panic elsewhere cannot have left it half-written.
        self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_lease_beats_all_and_a_shutdown_nothing() {
        let stop = Stop::default();
        for (ask, now) in [
            (StopReason::Draining, StopReason::Draining),
            (StopReason::Canceled, StopReason::Canceled),
            (StopReason::Deadline, StopReason::Canceled),
            (StopReason::Draining, StopReason::Canceled),
            (StopReason::LeaseLost, StopReason::LeaseLost),
            (StopReason::Canceled, StopReason::LeaseLost),
        ] {
            stop.ask(ask);
            assert_eq!(stop.reason(), Some(now));
        }
        assert!(!stop.is_cut());
        stop.cut_off_free(StopReason::Canceled);
        assert!(stop.free_token().is_cancelled() && !stop.is_cut());
        stop.cut_off(StopReason::Deadline);
        assert!(stop.is_cut());
        assert_eq!(stop.reason(), Some(StopReason::LeaseLost));
    }
}
