//! Why a manifest is refused.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {reason}")]
pub struct ManifestError {
    /// `manifest_too_large`, `manifest_not_json`, `manifest_schema`, or the code of a broken rule
    /// ([`super::rules`]).
    pub code: &'static str,
    /// One sentence.
    pub reason: String,
}

impl ManifestError {
    pub(super) fn new(code: &'static str, reason: impl Into<String>) -> Self {
        Self {
            code,
            reason: reason.into(),
        }
    }
}
