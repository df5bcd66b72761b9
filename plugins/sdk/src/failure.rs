//! Why something did not succeed, reported to the host or by the host.

use serde::{Deserialize, Serialize};

use crate::Value;

/// The closed list of failure kinds; `wit/plugin.wit` says what each means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The input violates the contract.
    InvalidInput,
    /// A credential that the connection needs has no value.
    CredentialMissing,
    /// The provider refused the credential.
    Unauthorized,
    /// The thing asked for does not exist.
    NotFound,
    /// The provider asks to slow down.
    RateLimited,
    /// A policy refused.
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

/// A failure that can be reported and handled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// Stable machine-readable code in snake_case.
    pub code: String,
    /// One sentence for a person. Never put a secret or a payload in here.
    pub message: String,
    /// When to try again, in milliseconds, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// Further facts. Boxed, because few failures have any and every result would carry the size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Box<Value>>,
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident => $kind:ident),* $(,)?) => {
        $(
            $(#[$doc])*
            pub fn $name(code: impl Into<String>, message: impl Into<String>) -> Self {
                Self::new(FailureKind::$kind, code, message)
            }
        )*
    };
}

impl Failure {
    /// A failure of any kind.
    pub fn new(kind: FailureKind, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind,
            code: code.into(),
            message: message.into(),
            retry_after_ms: None,
            detail: None,
        }
    }

    constructors! {
        /// The input violates the contract; the same call can never succeed.
        invalid_input => InvalidInput,
        /// A needed credential has no value.
        credential_missing => CredentialMissing,
        /// The provider refused the credential.
        unauthorized => Unauthorized,
        /// The thing asked for does not exist.
        not_found => NotFound,
        /// The provider asks to slow down; see also [`Failure::with_retry_after_ms`].
        rate_limited => RateLimited,
        /// A policy refused.
        denied => Denied,
        /// Out of credit, quota or budget.
        quota => Quota,
        /// A deadline passed.
        timeout => Timeout,
        /// The job was canceled.
        canceled => Canceled,
        /// The provider failed or gave an unusable answer.
        upstream => Upstream,
        /// A fault of the plug-in or the host itself.
        internal => Internal,
    }

    /// The same failure with a time to wait, in milliseconds, if there is one.
    #[must_use]
    pub fn with_retry_after_ms(mut self, milliseconds: Option<u64>) -> Self {
        self.retry_after_ms = milliseconds;
        self
    }

    /// The same failure with further facts.
    #[must_use]
    pub fn with_detail(mut self, detail: Value) -> Self {
        self.detail = Some(Box::new(detail));
        self
    }

    /// Whether the failure is of this kind and has this code.
    pub fn is(&self, kind: FailureKind, code: &str) -> bool {
        self.kind == kind && self.code == code
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({:?}, {})", self.message, self.kind, self.code)
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_failure_survives_json() {
        let failure = Failure::rate_limited("http_429", "Slow down.")
            .with_retry_after_ms(Some(1500))
            .with_detail(serde_json::json!({"window": 60}));
        let text = serde_json::to_string(&failure).unwrap();
        assert!(text.contains("\"kind\":\"rate-limited\""));
        assert_eq!(serde_json::from_str::<Failure>(&text).unwrap(), failure);
    }
}
