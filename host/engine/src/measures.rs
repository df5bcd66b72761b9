//! Metrics of the engine. DANGER: a label must never hold a tenant's id or a text written by a plug-in; it
//! is a word of this program, or the key of a connector from the operator's catalog.

use gtm_domain::{FailureKind, JobStatus, JobType, MicroUsd};
use gtm_runtime::ConnectorOutcome;

/// Capabilities with a label of their own; all others share one.
const CAPABILITIES: [&str; 6] = [
    "company.enrich",
    "model.complete",
    "news.search",
    "people.search",
    "web.fetch",
    "web.search",
];
/// The label of everything without a label of its own.
const OTHER: &str = "other";
/// Reasons for which the host refuses a plug-in's request.
const REFUSALS: [&str; 15] = [
    "credential_host_not_allowed",
    "credential_in_answer",
    "credential_in_request",
    "credential_scheme_unknown",
    "header_not_allowed",
    "host_not_allowed",
    "method_not_allowed",
    "network_denied",
    "path_not_allowed",
    "port_not_allowed",
    "private_address",
    "redirect_not_allowed",
    "request_body_too_large",
    "scheme_not_allowed",
    "too_many_redirects",
];

/// Counts a job as running on this node until dropped.
pub(crate) struct RunningJob(());

impl RunningJob {
    pub(crate) fn begin() -> Self {
        metrics::gauge!("gtm_jobs_running").increment(1.0);
        Self(())
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        metrics::gauge!("gtm_jobs_running").decrement(1.0);
    }
}

/// Creates every series whose labels are known, for jobs of these types, so that even the first event shows
/// as an increase.
pub fn begin(job_types: impl Iterator<Item = JobType>) {
    metrics::gauge!("gtm_jobs_running").set(0.0);
    for job_type in job_types {
        for status in [JobStatus::Succeeded, JobStatus::Failed, JobStatus::Canceled] {
            count_ended(job_type, status, 0);
        }
    }
    for capability in CAPABILITIES {
        count_spend(capability, MicroUsd::ZERO);
    }
    for reason in REFUSALS {
        count_denied(reason, 0);
    }
}

/// Counts a job that ended on this node.
pub(crate) fn job_ended(job_type: JobType, status: JobStatus) {
    count_ended(job_type, status, 1);
}

/// Counts a provider call that ended, whatever its outcome.
pub(crate) fn call_ended(connector: &str, outcome: &ConnectorOutcome) {
    let result = match &outcome.result {
        Ok(_) => "ok",
        Err(failure) => word_of(failure.kind),
    };
    let labels = [
        ("connector", connector.to_owned()),
        ("outcome", result.to_owned()),
    ];
    metrics::counter!("gtm_provider_calls_total", &labels).increment(1);
    for denial in outcome.denied.iter().filter(|d| d.interface == "http") {
        count_denied(&denial.code, 1);
    }
}

/// Counts the charge of a call once it is recorded.
pub(crate) fn spent(capability: &str, cost: MicroUsd) {
    count_spend(capability, cost);
}

fn count_ended(job_type: JobType, status: JobStatus, by: u64) {
    let labels = [("type", job_type.as_str()), ("status", status.as_str())];
    metrics::counter!("gtm_jobs_ended_total", &labels).increment(by);
}

/// Counts in millionths of a dollar, because counters are whole numbers.
fn count_spend(capability: &str, cost: MicroUsd) {
    let known = CAPABILITIES.into_iter().find(|known| *known == capability);
    let micros = u64::try_from(cost.micros()).unwrap_or(0);
    metrics::counter!("gtm_spend_usd_total", "capability" => known.unwrap_or(OTHER))
        .increment(micros);
}

fn count_denied(code: &str, by: u64) {
    let known = REFUSALS.into_iter().find(|known| *known == code);
    metrics::counter!("gtm_egress_denied_total", "reason" => known.unwrap_or(OTHER)).increment(by);
}

const fn word_of(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::InvalidInput => "invalid_input",
        FailureKind::CredentialMissing => "credential_missing",
        FailureKind::Unauthorized => "unauthorized",
        FailureKind::NotFound => "not_found",
        FailureKind::RateLimited => "rate_limited",
        FailureKind::Denied => "denied",
        FailureKind::Quota => "quota",
        FailureKind::Timeout => "timeout",
        FailureKind::Canceled => "canceled",
        FailureKind::Upstream => "upstream",
        FailureKind::Internal => "internal",
    }
}
