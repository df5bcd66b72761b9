//! What a job fails with: the codes of annex A11, with the facts that a caller may see.
//!
//! A message names what went wrong and what to do; it holds no secret, no payload and nothing about
//! the host's insides.

use gtm_domain::brand::BrandBinding;
use gtm_domain::job::JobError;
use gtm_domain::{Failure, FailureKind, JobErrorCode, JobId, MicroUsd};
use gtm_runtime::PluginError;
use gtm_store::Refusal;
use serde_json::{Value, json};

use crate::failure_details;
use crate::failure_messages::{self, Reason};
use crate::pins::PinnedPlugin;
use crate::spend::CapReached;

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

/// The pinned backend is not in the catalog with the same bytes. Which one it was is the operator's
/// to know (`gtm job show`): callers are told of no backend by name (specification, Brand).
#[must_use]
pub fn backend_gone() -> JobError {
    error(
        JobErrorCode::PluginUnavailable,
        "The generation backend that this job was created with is not available.",
        Some(json!({"kind": "generation_backend"})),
    )
}

/// The pinned connector is not in the catalog with the same bytes, or lacks the operation.
#[must_use]
pub fn connector_gone(plugin: &PinnedPlugin) -> JobError {
    let message = format!(
        "The connector {} that this job was created with is not available.",
        plugin.key
    );
    let details = json!({"kind": "connector", "key": plugin.key, "version": plugin.version, "digest": plugin.digest});
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

/// The backend's output is no draft. What is wrong with it holds words of the backend, so that the log
/// alone has it.
#[must_use]
pub fn bad_draft(problem: &str) -> JobError {
    tracing::info!(problem, "the backend's output is no draft");
    error(
        JobErrorCode::PluginContractViolation,
        "What the generation backend wrote is no draft of this type of job.",
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

/// A billable call whose price nobody set: what is bound to the capability is not configured to the end.
#[must_use]
pub fn price_unknown(capability: &str, connector: &PinnedPlugin) -> JobError {
    let message = format!(
        "A {capability} call was not made because its price is unknown: set prices, or free, in the settings of the connection to {} that is bound to {capability}.",
        connector.key
    );
    error(
        JobErrorCode::ConnectorNotConfigured,
        message,
        Some(json!({
            "reason": "price_unknown",
            "capability": capability,
            "connector": connector.key,
            "missing_settings": ["prices"],
        })),
    )
}

/// A call that would break the job's own cap.
#[must_use]
pub fn cap_reached(capability: &str, reached: &CapReached) -> JobError {
    error(
        JobErrorCode::BudgetExceeded,
        format!("A {capability} call was not made because the job's cost cap would not hold."),
        Some(json!({
            "scope": "job",
            "capability": capability,
            "limit_usd": reached.cap.usd(),
            "settled_usd": reached.settled.usd(),
            "reserved_usd": reached.under_way.usd(),
            "call_usd": reached.ceiling.usd(),
        })),
    )
}

/// A call that a limit or the credit does not hold beside what was spent and what other calls may
/// spend.
#[must_use]
pub fn refused(capability: &str, ceiling: MicroUsd, refusal: &Refusal) -> JobError {
    let call = format!("A {capability} call, which may cost {ceiling}, was not made:");
    let message = match refusal {
        Refusal::Budget {
            scope,
            limit,
            settled,
            reserved,
            awaiting,
            ..
        } => format!(
            "{call} of the {}'s monthly cost budget of {limit}, {settled} is charged and {reserved} is taken by calls of running jobs{}.",
            scope.noun(),
            in_doubt(*awaiting, "")
        ),
        Refusal::Credit { balance, awaiting } => format!(
            "{call} {balance} of prepaid credit is left beside calls of running jobs{}.",
            in_doubt(*awaiting, "the ")
        ),
        Refusal::Quota { .. } => format!("{call} {refusal}"),
    };
    let mut details = refusal.details().unwrap_or_else(|| json!({}));
    if matches!(refusal, Refusal::Credit { .. }) {
        details["scope"] = json!("credit");
    }
    details["capability"] = json!(capability);
    details["call_usd"] = json!(ceiling.usd());
    error(refusal.job_code(), message, Some(details))
}

/// What else counts: the cost of calls of ended jobs that nobody knows yet.
fn in_doubt(awaiting: MicroUsd, article: &str) -> String {
    if awaiting.is_positive() {
        format!(" and {article}{awaiting} that ended jobs may yet be charged for calls in doubt")
    } else {
        String::new()
    }
}

/// The job came to an end that could not be written, again and again.
#[must_use]
pub fn settlement_failed(job: JobId) -> JobError {
    error(
        JobErrorCode::SettlementFailed,
        format!(
            "The job's end and its charge could not be recorded; nothing is charged until an operator settles its calls. The reference is {job}."
        ),
        None,
    )
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
        PluginError::Failure(failure) | PluginError::Aborted(failure) => of_failure(&failure),
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
        PluginError::ContractViolation(_) => error(
            JobErrorCode::PluginContractViolation,
            "The generation backend broke its contract.",
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

/// A failure that a backend returned, in the host's words (decision 0055). A code of its own becomes the nearest one of the annex and
/// stays visible in the details, if it has the form of a code.
fn of_failure(failure: &Failure) -> JobError {
    let claimed = JobErrorCode::claimed(&failure.code);
    let code = claimed.unwrap_or_else(|| nearest(failure));
    let mut details = failure_details::known(code, failure.detail.as_ref());
    if claimed.is_none() && failure_details::is_word(&failure.code) {
        details.insert("failure_code".to_owned(), json!(failure.code));
    }
    if code == JobErrorCode::QuotaExceeded {
        // The platform's own quotas never come by way of a backend.
        details.insert("scope".to_owned(), json!("provider"));
    }
    let reason = details.get("reason").and_then(Value::as_str);
    let message = failure_messages::of(code, reason.and_then(Reason::parse));
    let details = (!details.is_empty()).then_some(Value::Object(details));
    error(code, message, details)
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
        .with_detail(json!({"pages": 1, "reason": "nothing_to_cite"}));
        let error = of_backend(PluginError::Failure(failure));
        assert_eq!(error.code, "insufficient_evidence");
        assert!(
            error.message.contains("what the company does"),
            "{}",
            error.message
        );
        assert_eq!(
            error.details,
            Some(json!({"pages": 1, "reason": "nothing_to_cite"}))
        );
    }

    #[test]
    fn no_text_of_a_backend_reaches_callers() {
        let secret = "s3cret-of-another-project";
        let detail = json!({"reason": secret.to_uppercase(), "body": secret});
        let ends = JobErrorCode::ALL.iter().map(|code| {
            let failure = Failure::new(FailureKind::Internal, code.as_str(), secret);
            PluginError::Failure(failure.with_detail(detail.clone()))
        });
        let others = [
            PluginError::ContractViolation(secret.to_owned()),
            PluginError::Trapped(secret.to_owned()),
            PluginError::Failure(Failure::new(FailureKind::Upstream, "http_502", secret)),
        ];
        for end in ends.chain(others) {
            let error = of_backend(end);
            let told = json!(error).to_string().to_lowercase();
            assert!(!told.contains("s3cret"), "{told}");
            assert!(error.message.ends_with('.'), "{told}");
        }
        let told = json!(bad_draft(secret)).to_string();
        assert!(!told.contains(secret), "{told}");
    }

    #[test]
    fn a_providers_quota_is_not_taken_for_the_platforms() {
        for code in ["quota_exceeded", "exhausted"] {
            let failure = Failure::new(FailureKind::Quota, code, "x")
                .with_detail(json!({"scope": "project", "resets_at": "2026-01-01T00:00:00Z"}));
            let error = of_backend(PluginError::Failure(failure));
            assert_eq!(error.code, "quota_exceeded");
            let details = error.details.unwrap();
            assert_eq!(details["scope"], "provider");
            assert_eq!(details.get("resets_at"), None, "the provider alone knows");
        }
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
    fn long_and_strange_texts_are_left_out() {
        let failure = Failure::new(
            FailureKind::Upstream,
            "x".repeat(9000),
            "y\u{0}\n".repeat(9000),
        )
        .with_detail(json!({"big": "z".repeat(9000)}));
        let error = of_backend(PluginError::Failure(failure));
        assert_eq!(
            error.message,
            failure_messages::of(JobErrorCode::BackendUnavailable, None)
        );
        assert_eq!(error.details, None);
    }

    #[test]
    fn a_backends_details_are_known_facts_and_no_answer_of_a_provider() {
        let answer = "<html>Dear customer 4711, your key sk-123 …";
        let failure =
            Failure::new(FailureKind::Upstream, "http_502", "No answer.").with_detail(json!({
                "status": 502, "receipt_id": "rcp_01jz8q7c1d2e3f4g5h6j7k8m9n", "body": answer,
                "provider_code": answer, "capability": "web.fetch", "digest": "sha256:00",
                "backend": "acme-writer", "nested": {"status": 1}, "pages": 7,
            }));
        let error = of_backend(PluginError::Failure(failure));
        assert_eq!(error.code, "backend_unavailable");
        assert_eq!(
            error.details,
            Some(json!({
                "failure_code": "http_502", "status": 502, "capability": "web.fetch",
                "receipt_id": "rcp_01jz8q7c1d2e3f4g5h6j7k8m9n",
            }))
        );
    }

    #[test]
    fn no_caller_is_told_which_backend_was_bound() {
        let text = json!(backend_gone()).to_string();
        for word in ["digest", "version", "key"] {
            assert!(!text.contains(word), "{text}");
        }
    }
}
