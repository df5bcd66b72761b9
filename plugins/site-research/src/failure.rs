//! Failures with the codes that a failed job may carry (annex A11), and the mapping of what
//! providers answer onto them.

pub use gtm_sdk::{Failure, FailureKind};

/// The job was canceled while the backend ran.
pub fn canceled() -> Failure {
    Failure::new(FailureKind::Canceled, "canceled", "The job was canceled.")
}

/// Research found too little to write from.
pub fn insufficient_evidence(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::NotFound, "insufficient_evidence", message)
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
        code: code.to_owned(),
        ..failure
    }
}

/// Whether a model call failed because of what the model wrote, not because of the way to it.
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
    }
}
