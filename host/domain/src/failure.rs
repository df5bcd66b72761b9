//! Failures that cross the boundary between host and plug-in, and with which jobs end.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Mirrors `failure-kind` of the WIT contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The input violates the contract.
    InvalidInput,
    /// A required credential has no value.
    CredentialMissing,
    /// The provider rejected the credential.
    Unauthorized,
    /// Absent at the provider.
    NotFound,
    /// The provider asks us to slow down.
    RateLimited,
    /// Refused by the host's policy.
    Denied,
    /// Out of credit, quota or budget.
    Quota,
    /// A deadline passed.
    Timeout,
    /// The job was canceled.
    Canceled,
    /// The provider failed or gave an unusable answer.
    Upstream,
    /// The host failed.
    Internal,
}

/// A failure with a stable code and a sentence for people. DANGER: it must hold no secret and no payload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Failure {
    pub kind: FailureKind,
    /// Stable code in snake_case.
    pub code: String,
    /// One sentence for people.
    pub message: String,
    /// When to try again, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// Further facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Value>,
}

impl Failure {
    /// A failure without a retry hint or detail.
    pub fn new(kind: FailureKind, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind,
            code: code.into(),
            message: message.into(),
            retry_after_ms: None,
            detail: None,
        }
    }
    /// Adds further facts.
    #[must_use]
    pub fn with_detail(mut self, detail: Value) -> Self {
        self.detail = Some(detail);
        self
    }
    /// Adds a retry hint.
    #[must_use]
    pub fn with_retry_after_ms(mut self, ms: u64) -> Self {
        self.retry_after_ms = Some(ms);
        self
    }
    /// A refusal by the host's policy.
    pub fn denied(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(FailureKind::Denied, code, message)
    }
}
