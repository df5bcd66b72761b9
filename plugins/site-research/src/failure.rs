//! Failures with the codes that a failed job may carry (annex A11), and how providers' failures map to
//! them.

pub use gtm_sdk::{Failure, FailureKind};
use serde_json::{Map, Value, json};

use crate::capabilities::MODEL_COMPLETE;

/// The job was canceled while the backend ran.
pub fn canceled() -> Failure {
    Failure::new(FailureKind::Canceled, "canceled", "The job was canceled.")
}

/// Research found too little to write from. The caller sees the reason, from the list that the host knows,
/// and how many pages were read; the message is for the operator's log.
pub fn insufficient_evidence(reason: &str, pages: usize, message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::NotFound, "insufficient_evidence", message)
        .with_detail(json!({"reason": reason, "pages": pages}))
}

/// The detail of a failed call: the capability and the call's own code, which the job's code replaces.
pub fn with_call(failure: &Failure, capability: &str) -> Option<Box<Value>> {
    let mut detail = match failure.detail.as_deref() {
        Some(Value::Object(members)) => members.clone(),
        _ => Map::new(),
    };
    detail.insert("capability".to_owned(), json!(capability));
    detail.insert("failure_code".to_owned(), json!(failure.code));
    Some(Box::new(Value::Object(detail)))
}

/// The job error for a model call that failed.
pub fn of_model_call(failure: Failure) -> Failure {
    let code = match (failure.kind, failure.code.as_str()) {
        (FailureKind::Canceled, _) => return canceled(),
        (_, code) if is_money_code(code) => return failure,
        (FailureKind::Unauthorized | FailureKind::CredentialMissing, _) => {
            "connector_credentials_rejected"
        }
        (FailureKind::Quota, _) => "quota_exceeded",
        (FailureKind::Timeout, _) => "backend_timeout",
        (FailureKind::RateLimited, _) => "backend_unavailable",
        (FailureKind::Upstream, code) if is_invalid_output(code) => "backend_invalid_response",
        (FailureKind::Upstream, _) => "backend_unavailable",
        (FailureKind::Denied, "connector_not_configured") => "connector_not_configured",
        _ => "backend_error",
    };
    Failure {
        message: format!(
            "The model could not be used: {} ({})",
            failure.message, failure.code
        ),
        detail: with_call(&failure, MODEL_COMPLETE),
        code: code.to_owned(),
        ..failure
    }
}

/// Whether a model call failed because of what the model wrote, not because it could not be reached.
pub fn is_invalid_answer(failure: &Failure) -> bool {
    matches!(
        failure.code.as_str(),
        "backend_invalid_response" | "backend_refused"
    )
}

fn is_money_code(code: &str) -> bool {
    matches!(
        code,
        "budget_exceeded" | "quota_exceeded" | "insufficient_credits"
    )
}

fn is_invalid_output(code: &str) -> bool {
    code.starts_with("invalid_")
        || code.ends_with("_invalid_response")
        || matches!(
            code,
            "output_invalid" | "usage_missing" | "usage_inconsistent" | "usage_meter_missing"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_failures_become_job_codes() {
        let of = |kind, code| of_model_call(Failure::new(kind, code, "x")).code;
        assert_eq!(
            of(FailureKind::Unauthorized, "http_401"),
            "connector_credentials_rejected"
        );
        assert_eq!(
            of(FailureKind::CredentialMissing, "credential_missing"),
            "connector_credentials_rejected"
        );
        assert_eq!(
            of(FailureKind::Upstream, "invalid_model_output"),
            "backend_invalid_response"
        );
        assert_eq!(
            of(FailureKind::Upstream, "usage_missing"),
            "backend_invalid_response"
        );
        assert_eq!(of(FailureKind::Upstream, "http_500"), "backend_unavailable");
        assert_eq!(
            of(FailureKind::RateLimited, "http_429"),
            "backend_unavailable"
        );
        assert_eq!(of(FailureKind::Timeout, "timeout"), "backend_timeout");
        assert_eq!(of(FailureKind::Quota, "exhausted"), "quota_exceeded");
        assert_eq!(of(FailureKind::Quota, "budget_exceeded"), "budget_exceeded");
        assert_eq!(of(FailureKind::Canceled, "whatever"), "canceled");
        assert_eq!(of(FailureKind::InvalidInput, "bad"), "backend_error");
        let told = of_model_call(
            Failure::new(FailureKind::Upstream, "http_500", "x")
                .with_detail(json!({"status": 500})),
        );
        assert_eq!(
            told.detail.map(|detail| *detail),
            Some(
                json!({"capability": "model.complete", "failure_code": "http_500", "status": 500})
            )
        );
    }
}
