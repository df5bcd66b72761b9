//! Failures of the runtime as a whole, and of one plug-in call.

use gtm_domain::{Failure, FailureKind};
use serde_json::json;

/// Why the runtime did not start.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    #[error("the compile cache at {path} cannot be used: {source}")]
    Cache {
        path: String,
        source: std::io::Error,
    },
    #[error("the sandbox engine did not start: {0}")]
    Engine(String),
    #[error("the egress policy is wrong: {0}")]
    Egress(String),
    /// A schema that ships in the binary does not compile.
    #[error("a built-in schema is broken: {0}")]
    Builtin(String),
}

/// Why a plug-in call returned no value.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PluginError {
    /// The plug-in answered with a failure of its own.
    #[error(transparent)]
    Failure(Failure),
    #[error("the plug-in trapped: {0}")]
    Trapped(String),
    /// The guest exceeded one of its limits.
    #[error("the plug-in exceeded its {limit} limit: {message}")]
    LimitExceeded {
        /// `memory`, `cpu`, `time`, `output`, `log` or `egress`.
        limit: &'static str,
        message: String,
    },
    /// Input or output broke the contract: invalid JSON, a schema violation, or a wrong artifact.
    #[error("the plug-in broke its contract: {0}")]
    ContractViolation(String),
    /// No instance could be created: the pool stayed full, or the component is gone.
    #[error("the plug-in is not available: {0}")]
    Unavailable(String),
    /// The host ended the call ([`crate::HostAbort`]).
    #[error("the host ended the call: {0}")]
    Aborted(Failure),
    #[error("the call was canceled")]
    Canceled,
}

impl PluginError {
    /// This error as a failure with the codes of annex A11 (`plugin_trapped`, `plugin_limit_exceeded` with
    /// `detail.limit`, `plugin_contract_violation`, `plugin_unavailable`, `canceled`).
    #[must_use]
    pub fn into_failure(self) -> Failure {
        match self {
            Self::Failure(failure) | Self::Aborted(failure) => failure,
            Self::Trapped(message) => {
                Failure::new(FailureKind::Internal, "plugin_trapped", message)
            }
            Self::LimitExceeded { limit, message } => {
                let kind = if limit == "time" {
                    FailureKind::Timeout
                } else {
                    FailureKind::Internal
                };
                Failure::new(kind, "plugin_limit_exceeded", message)
                    .with_detail(json!({ "limit": limit }))
            }
            Self::ContractViolation(message) => {
                Failure::new(FailureKind::Internal, "plugin_contract_violation", message)
            }
            Self::Unavailable(message) => {
                Failure::new(FailureKind::Internal, "plugin_unavailable", message)
            }
            Self::Canceled => {
                Failure::new(FailureKind::Canceled, "canceled", "the call was canceled")
            }
        }
    }
}
