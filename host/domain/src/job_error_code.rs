//! Codes of failed jobs (annex A11). When each is told, and what the caller can do, stands in the
//! schema of `JobError` that the API publishes; a test holds that it lists these.

/// Defines the codes once: variant, name, and whether a backend may end its job with it.
macro_rules! codes {
    ($($variant:ident = $name:literal, $whose:ident;)*) => {
        /// The code of a failed job's error.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum JobErrorCode {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl JobErrorCode {
            /// All codes in the order of annex A11.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Name as callers see it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Whether a backend may end its job with it. The others are the host's own findings,
            /// which no plug-in can claim.
            #[must_use]
            pub const fn is_backends(self) -> bool {
                match self {
                    $(Self::$variant => codes!(@$whose),)*
                }
            }
        }
    };
    (@backends) => { true };
    (@hosts) => { false };
}

codes! {
    BackendNotConfigured = "backend_not_configured", hosts;
    RendererNotConfigured = "renderer_not_configured", hosts;
    ConnectorNotConfigured = "connector_not_configured", backends;
    BackendUnavailable = "backend_unavailable", backends;
    BackendTimeout = "backend_timeout", backends;
    BackendError = "backend_error", backends;
    BackendInvalidResponse = "backend_invalid_response", backends;
    BackendRefused = "backend_refused", backends;
    ConnectorUnavailable = "connector_unavailable", backends;
    ConnectorError = "connector_error", backends;
    ConnectorInvalidResponse = "connector_invalid_response", backends;
    ConnectorCredentialsRejected = "connector_credentials_rejected", backends;
    InsufficientEvidence = "insufficient_evidence", backends;
    SourceFetchFailed = "source_fetch_failed", backends;
    SourceNotAllowed = "source_not_allowed", backends;
    QualityThresholdNotMet = "quality_threshold_not_met", backends;
    PlaceholderNotAllowed = "placeholder_not_allowed", backends;
    ForbiddenClaim = "forbidden_claim", backends;
    RenderFailed = "render_failed", backends;
    OutputTooLarge = "output_too_large", backends;
    PluginTrapped = "plugin_trapped", hosts;
    PluginLimitExceeded = "plugin_limit_exceeded", hosts;
    PluginEgressDenied = "plugin_egress_denied", hosts;
    PluginContractViolation = "plugin_contract_violation", hosts;
    PluginUnavailable = "plugin_unavailable", hosts;
    ProviderOutcomeUnknown = "provider_outcome_unknown", hosts;
    BudgetExceeded = "budget_exceeded", backends;
    QuotaExceeded = "quota_exceeded", backends;
    InsufficientCredits = "insufficient_credits", hosts;
    GuidelineUnavailable = "guideline_unavailable", hosts;
    DeadlineExceeded = "deadline_exceeded", hosts;
    SettlementFailed = "settlement_failed", hosts;
    InternalError = "internal_error", hosts;
}

impl JobErrorCode {
    /// The code that a backend's failure names, if it may.
    #[must_use]
    pub fn claimed(name: &str) -> Option<Self> {
        let known = Self::ALL.iter().copied();
        known
            .filter(|code| code.is_backends())
            .find(|code| code.as_str() == name)
    }
}
