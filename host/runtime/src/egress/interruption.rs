//! Failures of an exchange that is broken off early.

use gtm_domain::{Failure, FailureKind};

use super::target::HostName;

pub(super) fn canceled() -> Failure {
    Failure::new(FailureKind::Canceled, "canceled", "the call was canceled")
}

pub(super) fn timed_out(host: &HostName) -> Failure {
    Failure::new(
        FailureKind::Timeout,
        "timeout",
        format!("`{host}` did not answer in time"),
    )
}

/// The host ran out of time for a search; nobody else is to blame.
pub(super) fn no_time(what: &str) -> Failure {
    Failure::new(
        FailureKind::Timeout,
        "not_searched_in_time",
        format!("the host had no time to search the {what} for credentials"),
    )
}
