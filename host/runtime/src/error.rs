//! What can go wrong with the runtime as a whole and with one call of a plug-in.

use gtm_domain::{Failure, FailureKind};
use serde_json::json;

/// Why the runtime did not start.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The compile cache's directory cannot be used.
    #[error("the compile cache at {path} cannot be used: {source}")]
    Cache {
        /// Directory.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The sandbox engine refuses its configuration.
    #[error("the sandbox engine did not start: {0}")]
    Engine(String),
    /// The egress policy is wrong.
    #[error("the egress policy is wrong: {0}")]
    Egress(String),
    /// Something that ships inside the binary is broken.
    #[error("a built-in schema is broken: {0}")]
    Builtin(String),
}

/// Why a call of a plug-in gave no value.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PluginError {
    /// The plug-in answered with a failure of its own.
    #[error(transparent)]
    Failure(Failure),
    /// The guest trapped.
    #[error("the plug-in trapped: {0}")]
    Trapped(String),
    /// The guest went over one of its limits.
    #[error("the plug-in went over its {limit} limit: {message}")]
    LimitExceeded {
        /// `memory`, `cpu`, `time`, `output`, `log` or `egress`.
        limit: &'static str,
        /// One sentence.
        message: String,
    },
    /// Input or output broke the contract: bad JSON, a schema that does not hold, a wrong artifact.
    #[error("the plug-in broke its contract: {0}")]
    ContractViolation(String),
    /// No instance could be made: the pool stayed full, the component is gone.
    #[error("the plug-in is not available: {0}")]
    Unavailable(String),
    /// The host ended the call ([`crate::HostAbort`]).
    #[error("the host ended the call: {0}")]
    Aborted(Failure),
    /// The call was canceled.
    #[error("the call was canceled")]
    Canceled,
}

impl PluginError {
    /// The same as a failure with the codes of annex A11 (`plugin_trapped`, `plugin_limit_exceeded`
    /// with `detail.limit`, `plugin_contract_violation`, `plugin_unavailable`, `canceled`).
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
