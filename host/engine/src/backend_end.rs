//! What the end of a generation backend means for its job: a code of annex A11 and a sentence in the host's
//! words (decision 0055), with the facts that a caller may see.

use gtm_domain::job::JobError;
use gtm_domain::{Failure, FailureKind, JobErrorCode};
use gtm_runtime::PluginError;
use serde_json::{Value, json};

use crate::failure_messages::Reason;
use crate::{failure_details, failure_messages, job_error};

/// The job error that a backend's end leads to.
#[must_use]
pub fn meaning(end: PluginError) -> JobError {
    match end {
        PluginError::Failure(failure) | PluginError::Aborted(failure) => of_failure(&failure),
        PluginError::Trapped(_) => job_error::error(
            JobErrorCode::PluginTrapped,
            "The generation backend crashed.",
            None,
        ),
        PluginError::LimitExceeded { limit, .. } => {
            let message = format!("The generation backend went over its {limit} limit.");
            job_error::error(
                JobErrorCode::PluginLimitExceeded,
                message,
                Some(json!({"limit": limit})),
            )
        }
        PluginError::ContractViolation(_) => job_error::error(
            JobErrorCode::PluginContractViolation,
            "The generation backend broke its contract.",
            None,
        ),
        PluginError::Unavailable(_) => job_error::error(
            JobErrorCode::PluginUnavailable,
            "The generation backend could not be started.",
            None,
        ),
        PluginError::Canceled => job_error::error(
            JobErrorCode::BackendError,
            "The generation backend ended without an answer.",
            None,
        ),
    }
}

/// A failure that a backend returned, in the host's words (decision 0055). A code of the backend's own
/// becomes the nearest code of the annex; the details keep it if it has the form of a code.
fn of_failure(failure: &Failure) -> JobError {
    let claimed = JobErrorCode::claimed(&failure.code);
    let code = claimed.unwrap_or_else(|| nearest(failure));
    let mut details = failure_details::known(code, failure.detail.as_ref());
    if claimed.is_none() && failure_details::is_word(&failure.code) {
        details.insert("failure_code".to_owned(), json!(failure.code));
    }
    if code == JobErrorCode::QuotaExceeded {
        // The platform's own quotas never arrive through a backend.
        details.insert("scope".to_owned(), json!("provider"));
    }
    let reason = details.get("reason").and_then(Value::as_str);
    let message = failure_messages::of(code, reason.and_then(Reason::parse));
    let details = (!details.is_empty()).then_some(Value::Object(details));
    job_error::error(code, message, details)
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
        let error = meaning(PluginError::Failure(failure));
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
            let error = meaning(end);
            let told = json!(error).to_string().to_lowercase();
            assert!(!told.contains("s3cret"), "{told}");
            assert!(error.message.ends_with('.'), "{told}");
        }
        let told = json!(job_error::bad_draft(secret)).to_string();
        assert!(!told.contains(secret), "{told}");
    }

    #[test]
    fn a_providers_quota_is_not_taken_for_the_platforms() {
        for code in ["quota_exceeded", "exhausted"] {
            let failure = Failure::new(FailureKind::Quota, code, "x")
                .with_detail(json!({"scope": "project", "resets_at": "2026-01-01T00:00:00Z"}));
            let error = meaning(PluginError::Failure(failure));
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
            let error = meaning(PluginError::Failure(Failure::new(
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
            |kind, code: &str| meaning(PluginError::Failure(Failure::new(kind, code, "x"))).code;
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
        let error = meaning(PluginError::LimitExceeded {
            limit: "memory",
            message: "secret path /x".into(),
        });
        assert_eq!(
            (error.code.as_str(), error.details),
            ("plugin_limit_exceeded", Some(json!({"limit": "memory"})))
        );
        assert!(!error.message.contains("/x"));
        assert_eq!(
            meaning(PluginError::Trapped("wasm frame".into())).message,
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
        let error = meaning(PluginError::Failure(failure));
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
        let error = meaning(PluginError::Failure(failure));
        assert_eq!(error.code, "backend_unavailable");
        assert_eq!(
            error.details,
            Some(json!({
                "failure_code": "http_502", "status": 502, "capability": "web.fetch",
                "receipt_id": "rcp_01jz8q7c1d2e3f4g5h6j7k8m9n",
            }))
        );
    }
}
