//! What one plug-in call may spend on egress, shared by all its exchanges.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// Requests, bytes and time left to a call.
#[derive(Debug)]
pub struct CallBudget {
    requests: AtomicU64,
    bytes_out: AtomicU64,
    bytes_in: AtomicU64,
    pub deadline: Instant,
}

impl CallBudget {
    /// A redirect counts as a request, a retry by the host does not. Bytes are those of request bodies and
    /// of decoded response bodies, retries included.
    #[must_use]
    pub const fn new(requests: u64, bytes_out: u64, bytes_in: u64, deadline: Instant) -> Self {
        Self {
            requests: AtomicU64::new(requests),
            bytes_out: AtomicU64::new(bytes_out),
            bytes_in: AtomicU64::new(bytes_in),
            deadline,
        }
    }
    /// A budget whose deadline lies `span` from now.
    #[must_use]
    pub fn within(requests: u64, bytes_out: u64, bytes_in: u64, span: Duration) -> Self {
        Self::new(requests, bytes_out, bytes_in, Instant::now() + span)
    }
    #[must_use]
    pub fn requests_left(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }
    /// Bytes that may still be sent.
    #[must_use]
    pub fn bytes_out_left(&self) -> u64 {
        self.bytes_out.load(Ordering::Relaxed)
    }
    /// Bytes that may still be received.
    #[must_use]
    pub fn bytes_in_left(&self) -> u64 {
        self.bytes_in.load(Ordering::Relaxed)
    }
    /// Takes one request; false if none is left.
    pub(super) fn take_request(&self) -> bool {
        take(&self.requests, 1)
    }
    /// Takes bytes to send; false if not enough are left.
    pub(super) fn take_bytes_out(&self, bytes: u64) -> bool {
        take(&self.bytes_out, bytes)
    }
    /// Takes received bytes; false if not enough are left.
    pub(super) fn take_bytes_in(&self, bytes: u64) -> bool {
        take(&self.bytes_in, bytes)
    }
}

fn take(counter: &AtomicU64, amount: u64) -> bool {
    counter
        .fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| {
            left.checked_sub(amount)
        })
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_spent_is_gone() {
        let budget = CallBudget::within(2, 10, 10, Duration::from_secs(1));
        assert!(budget.take_request() && budget.take_request() && !budget.take_request());
        assert!(budget.take_bytes_out(10) && !budget.take_bytes_out(1));
        assert!(!budget.take_bytes_in(11) && budget.take_bytes_in(0));
        assert_eq!(
            (
                budget.requests_left(),
                budget.bytes_out_left(),
                budget.bytes_in_left()
            ),
            (0, 0, 10)
        );
    }
}
