//! Why an exchange is broken off before it has come to its end.

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

/// There was no time to search, which is nobody's fault but the host's.
pub(super) fn no_time(what: &str) -> Failure {
    Failure::new(
        FailureKind::Timeout,
        "not_searched_in_time",
        format!("the host had no time to search the {what} for credentials"),
    )
}
