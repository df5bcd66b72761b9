//! What a job fails with: the codes of annex A11, with the facts that a caller may see.
//!
//! A message names what went wrong and what to do; it holds no secret, no payload and nothing about
//! the host's insides.

use gtm_domain::brand::BrandBinding;
use gtm_domain::job::JobError;
use gtm_domain::{Failure, FailureKind, JobErrorCode, JobId};
use gtm_runtime::PluginError;
use gtm_store::{CapLimit, Refusal};
use serde_json::{Value, json};

use crate::pins::PinnedPlugin;
use crate::spend::{CapReached, Lowered};

/// Longest message, in characters.
const MESSAGE_CHARS: usize = 500;
/// Longest JSON text of a backend's details, in bytes.
const DETAIL_BYTES: usize = 4096;

fn error(code: JobErrorCode, message: impl Into<String>, details: Option<Value>) -> JobError {
    JobError {
        code: code.as_str().to_owned(),
        message: message.into(),
        details,
    }
}

/// Nothing is bound to the product capability.
#[must_use]
pub fn backend_not_configured(capability: &str) -> JobError {
    error(
        JobErrorCode::BackendNotConfigured,
        format!("No generation backend is bound to {capability}."),
        None,
    )
}

/// A capability that the backend cannot do without has no connection.
#[must_use]
pub fn connector_not_configured(capability: &str) -> JobError {
    let message = format!("No connection is bound to {capability}, which the backend needs.");
    error(
        JobErrorCode::ConnectorNotConfigured,
        message,
        Some(json!({"capability": capability})),
    )
}

/// The pinned backend is not in the catalog with the same bytes.
#[must_use]
pub fn backend_gone(plugin: &PinnedPlugin) -> JobError {
    gone("generation_backend", plugin)
}

/// The pinned connector is not in the catalog with the same bytes, or lacks the operation.
#[must_use]
pub fn connector_gone(plugin: &PinnedPlugin) -> JobError {
    gone("connector", plugin)
}

fn gone(kind: &str, plugin: &PinnedPlugin) -> JobError {
    let message = format!(
        "The {} {} that this job was created with is not available.",
        kind.replace('_', " "),
        plugin.key
    );
    let details = json!({"kind": kind, "key": plugin.key, "version": plugin.version, "digest": plugin.digest});
    error(JobErrorCode::PluginUnavailable, message, Some(details))
}

/// The pinned connection was removed or disabled.
#[must_use]
pub fn connection_gone(connector: &PinnedPlugin) -> JobError {
    let message = format!(
        "The connection to {} that this job was created with is gone or disabled.",
        connector.key
    );
    error(
        JobErrorCode::ConnectorNotConfigured,
        message,
        Some(json!({"connector": connector.key})),
    )
}

/// The stored credentials do not open.
#[must_use]
pub fn credentials_unreadable(connector: &PinnedPlugin) -> JobError {
    let message = format!(
        "The stored credentials of the connection to {} cannot be read; set them again.",
        connector.key
    );
    error(
        JobErrorCode::ConnectorCredentialsRejected,
        message,
        Some(json!({"connector": connector.key})),
    )
}

/// The guideline that the job was bound to is not to be had: its revision is gone, or its brand was
/// archived before the job began.
#[must_use]
pub fn guideline_unavailable(bound: &BrandBinding) -> JobError {
    error(
        JobErrorCode::GuidelineUnavailable,
        "The brand guideline that this job was created with is gone, or its brand was archived before the job began.",
        Some(json!(bound)),
    )
}

/// Nothing that the backend drafted stands in what it fetched.
#[must_use]
pub fn insufficient_evidence() -> JobError {
    error(
        JobErrorCode::InsufficientEvidence,
        "No statement could be verified in the fetched sources.",
        None,
    )
}

/// The backend took another way than the journal has.
#[must_use]
pub fn not_deterministic(seq: u64) -> JobError {
    let message =
        "The backend asked for another call than in its earlier run: it is not deterministic.";
    error(
        JobErrorCode::PluginContractViolation,
        message,
        Some(json!({"step": seq})),
    )
}

/// A call's input has no canonical form.
#[must_use]
pub fn bad_call(problem: &str) -> JobError {
    error(
        JobErrorCode::PluginContractViolation,
        format!("The backend made a call whose input has no canonical form: {problem}."),
        None,
    )
}

/// The backend's output is no draft.
#[must_use]
pub fn bad_draft(problem: &str) -> JobError {
    error(
        JobErrorCode::PluginContractViolation,
        bounded(problem),
        None,
    )
}

/// The backend made more calls than a job may.
#[must_use]
pub fn too_many_calls(limit: u64) -> JobError {
    let message = format!("The backend made more than {limit} capability calls.");
    error(
        JobErrorCode::PluginLimitExceeded,
        message,
        Some(json!({"limit": "calls", "max": limit})),
    )
}

/// A call in doubt that must not be repeated.
#[must_use]
pub fn outcome_unknown(seq: u64, capability: &str, connector: &str) -> JobError {
    let message = "A provider call was under way when the host stopped, and it may not be made twice; what it cost awaits reconciliation.";
    let details = json!({"step": seq, "capability": capability, "connector": connector});
    error(JobErrorCode::ProviderOutcomeUnknown, message, Some(details))
}

/// A billable call whose price the connection's settings do not say.
#[must_use]
pub fn price_unknown(capability: &str) -> JobError {
    let message = format!(
        "A {capability} call was not made because its price is unknown: set prices, or free, in the connection's settings."
    );
    error(
        JobErrorCode::BudgetExceeded,
        message,
        Some(json!({"reason": "price_unknown", "capability": capability})),
    )
}

/// A call that would break the job's cap. Where a budget or the credit had lowered that, the caller is
/// told of them: another job meets them too, and the cap of jobs is not what has to change.
#[must_use]
pub fn cap_reached(capability: &str, reached: &CapReached, lowered: Option<&Lowered>) -> JobError {
    let call = format!("A {capability} call was not made because");
    let cap = reached.cap;
    let (code, scope, message) = match lowered.map(|lowered| lowered.by) {
        None => (
            JobErrorCode::BudgetExceeded,
            "job",
            format!("{call} the job's cost cap would not hold."),
        ),
        Some(limit @ CapLimit::Budget(scope)) => (
            JobErrorCode::BudgetExceeded,
            limit.as_str(),
            format!(
                "{call} the {}'s monthly cost budget had {cap} left when the job was created.",
                scope.noun()
            ),
        ),
        Some(limit @ CapLimit::Credit) => (
            JobErrorCode::InsufficientCredits,
            limit.as_str(),
            format!("{call} {cap} of prepaid credit was left when the job was created."),
        ),
    };
    let mut details = json!({
        "scope": scope,
        "capability": capability,
        "limit_usd": reached.cap.usd(),
        "settled_usd": reached.settled.usd(),
        "reserved_usd": reached.under_way.usd(),
        "call_usd": reached.ceiling.usd(),
    });
    if let Some(resets_at) = lowered.and_then(|lowered| lowered.resets_at) {
        details["resets_at"] = json!(resets_at);
    }
    error(code, message, Some(details))
}

/// A limit or the credit of the project is used up, so a provider call was not begun.
#[must_use]
pub fn refused(refusal: &Refusal) -> JobError {
    let message = format!("A provider call was not made. {refusal}");
    error(refusal.job_code(), message, refusal.details())
}

/// The job's time is up.
#[must_use]
pub fn deadline_exceeded(seconds: u64) -> JobError {
    error(
        JobErrorCode::DeadlineExceeded,
        format!("The job was not done within {seconds} seconds."),
        Some(json!({"seconds": seconds})),
    )
}

/// Anything else. The log has the reason under the job's id.
#[must_use]
pub fn internal(job: JobId) -> JobError {
    error(
        JobErrorCode::InternalError,
        format!("The job could not be completed; the reference is {job}."),
        None,
    )
}

/// What a backend's end means for its job.
#[must_use]
pub fn of_backend(end: PluginError) -> JobError {
    match end {
        PluginError::Failure(failure) | PluginError::Aborted(failure) => of_failure(failure),
        PluginError::Trapped(_) => error(
            JobErrorCode::PluginTrapped,
            "The generation backend crashed.",
            None,
        ),
        PluginError::LimitExceeded { limit, .. } => {
            let message = format!("The generation backend went over its {limit} limit.");
            error(
                JobErrorCode::PluginLimitExceeded,
                message,
                Some(json!({"limit": limit})),
            )
        }
        PluginError::ContractViolation(problem) => error(
            JobErrorCode::PluginContractViolation,
            bounded(&format!(
                "The generation backend broke its contract: {problem}"
            )),
            None,
        ),
        PluginError::Unavailable(_) => error(
            JobErrorCode::PluginUnavailable,
            "The generation backend could not be started.",
            None,
        ),
        PluginError::Canceled => error(
            JobErrorCode::BackendError,
            "The generation backend ended without an answer.",
            None,
        ),
    }
}

/// A failure that a backend returned. A code of its own becomes the nearest one of the annex and
/// stays visible in the details.
fn of_failure(failure: Failure) -> JobError {
    let claimed = JobErrorCode::claimed(&failure.code);
    let code = claimed.unwrap_or_else(|| nearest(&failure));
    let mut details = failure
        .detail
        .clone()
        .filter(|detail| detail.is_object() && detail.to_string().len() <= DETAIL_BYTES)
        .unwrap_or_else(|| json!({}));
    if claimed.is_none()
        && let Some(members) = details.as_object_mut()
    {
        members.insert("failure_code".to_owned(), json!(bounded(&failure.code)));
    }
    let details = details
        .as_object()
        .is_some_and(|members| !members.is_empty())
        .then_some(details);
    error(code, bounded(&failure.message), details)
}

fn nearest(failure: &Failure) -> JobErrorCode {
    match (failure.kind, failure.code.as_str()) {
        (FailureKind::Denied, "capability_not_bound" | "capability_not_declared") => {
            JobErrorCode::ConnectorNotConfigured
        }
        (
            FailureKind::Denied,
            "robots_disallowed" | "private_address" | "host_not_allowed" | "scheme_not_allowed",
        ) => JobErrorCode::SourceNotAllowed,
        (FailureKind::Unauthorized | FailureKind::CredentialMissing, _) => {
            JobErrorCode::ConnectorCredentialsRejected
        }
        (FailureKind::Quota, _) => JobErrorCode::QuotaExceeded,
        (FailureKind::Timeout, _) => JobErrorCode::BackendTimeout,
        (FailureKind::RateLimited, _) => JobErrorCode::BackendUnavailable,
        (FailureKind::Upstream, code) if code.starts_with("invalid_") => {
            JobErrorCode::BackendInvalidResponse
        }
        (FailureKind::Upstream, _) => JobErrorCode::BackendUnavailable,
        (
            FailureKind::Denied
            | FailureKind::InvalidInput
            | FailureKind::NotFound
            | FailureKind::Canceled
            | FailureKind::Internal,
            _,
        ) => JobErrorCode::BackendError,
    }
}

fn bounded(text: &str) -> String {
    gtm_page_text::normalize(text)
        .chars()
        .take(MESSAGE_CHARS)
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_backends_own_codes_reach_the_caller() {
        let failure = Failure::new(
            FailureKind::NotFound,
            "insufficient_evidence",
            "Too little was found.",
        )
        .with_detail(json!({"pages": 1}));
        let error = of_backend(PluginError::Failure(failure));
        assert_eq!(
            (error.code.as_str(), error.message.as_str()),
            ("insufficient_evidence", "Too little was found.")
        );
        assert_eq!(error.details, Some(json!({"pages": 1})));
    }

    #[test]
    fn a_backend_cannot_claim_the_hosts_findings() {
        for code in [
            "settlement_failed",
            "provider_outcome_unknown",
            "internal_error",
            "deadline_exceeded",
            "plugin_trapped",
        ] {
            let error = of_backend(PluginError::Failure(Failure::new(
                FailureKind::Internal,
                code,
                "x",
            )));
            assert_eq!(error.code, "backend_error");
            assert_eq!(error.details.unwrap()["failure_code"], code);
        }
    }

    #[test]
    fn other_failures_find_the_nearest_code() {
        let of =
            |kind, code: &str| of_backend(PluginError::Failure(Failure::new(kind, code, "x"))).code;
        assert_eq!(
            of(FailureKind::Denied, "capability_not_bound"),
            "connector_not_configured"
        );
        assert_eq!(
            of(FailureKind::Denied, "robots_disallowed"),
            "source_not_allowed"
        );
        assert_eq!(
            of(FailureKind::Unauthorized, "http_401"),
            "connector_credentials_rejected"
        );
        assert_eq!(of(FailureKind::Quota, "exhausted"), "quota_exceeded");
        assert_eq!(of(FailureKind::Upstream, "http_500"), "backend_unavailable");
        assert_eq!(
            of(FailureKind::Upstream, "invalid_model_output"),
            "backend_invalid_response"
        );
        assert_eq!(of(FailureKind::Timeout, "timeout"), "backend_timeout");
    }

    #[test]
    fn sandbox_verdicts_say_which_limit() {
        let error = of_backend(PluginError::LimitExceeded {
            limit: "memory",
            message: "secret path /x".into(),
        });
        assert_eq!(
            (error.code.as_str(), error.details),
            ("plugin_limit_exceeded", Some(json!({"limit": "memory"})))
        );
        assert!(!error.message.contains("/x"));
        assert_eq!(
            of_backend(PluginError::Trapped("wasm frame".into())).message,
            "The generation backend crashed."
        );
    }

    #[test]
    fn long_and_strange_texts_are_bounded() {
        let failure = Failure::new(
            FailureKind::Upstream,
            "x".repeat(9000),
            "y\u{0}\n".repeat(9000),
        )
        .with_detail(json!({"big": "z".repeat(9000)}));
        let error = of_backend(PluginError::Failure(failure));
        assert!(error.message.chars().count() <= MESSAGE_CHARS && !error.message.contains('\n'));
        assert!(error.details.unwrap().to_string().len() < DETAIL_BYTES);
    }
}
