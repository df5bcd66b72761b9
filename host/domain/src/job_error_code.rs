//! Codes of failed jobs (annex A11): when each is used, whether another job may succeed, what is charged
//! and what the caller can do. The API publishes them with the schema of `JobError` and on the page of
//! error codes.

use serde::{Serialize, Serializer};

/// Whether a new job may succeed where this one failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AnotherJob {
    /// A new job may succeed.
    Yes,
    /// A new job fails too until something changes.
    No,
    /// A new job may succeed, though the request may be the cause.
    Maybe,
}

/// What a failed job is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Billed {
    /// Nothing, because no call was made.
    Nothing,
    /// The cost of its provider calls that were settled before its end.
    Actual,
    /// The cost of a call whose answer was lost.
    Reconciled,
    /// The cost of calls whose charge could not be recorded.
    OnceSettled,
}

impl Billed {
    /// The text as published.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Actual => "actual",
            Self::Reconciled => "what the provider charged, once reconciled",
            Self::OnceSettled => "nothing until an operator settles its calls",
        }
    }
}

impl Serialize for Billed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What is published about a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PublishedJobError {
    pub code: &'static str,
    /// Whether another job may succeed.
    pub retry: AnotherJob,
    /// What the job is charged.
    pub billed: Billed,
    /// When a job fails with it.
    pub condition: &'static str,
    /// What the caller should do.
    pub action: &'static str,
}

/// Defines each code once: variant, name, whether a backend may use it to end its job, and what is
/// published.
macro_rules! codes {
    ($($variant:ident = $name:literal, $whose:ident, $retry:ident, $billed:ident,
        $condition:literal, $action:literal;)*) => {
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

            /// Whether a backend may end its job with this code. The other codes are the host's own
            /// findings, which no plug-in can claim.
            #[must_use]
            pub const fn is_backends(self) -> bool {
                match self {
                    $(Self::$variant => codes!(@$whose),)*
                }
            }

            /// What callers are told about the code.
            #[must_use]
            pub const fn published(self) -> PublishedJobError {
                match self {
                    $(Self::$variant => PublishedJobError {
                        code: $name,
                        retry: AnotherJob::$retry,
                        billed: Billed::$billed,
                        condition: $condition,
                        action: $action,
                    },)*
                }
            }
        }
    };
    (@backends) => { true };
    (@hosts) => { false };
}

codes! {
    BackendNotConfigured = "backend_not_configured", hosts, No, Nothing,
        "No generation backend is bound to the capability.",
        "Ask the operator to bind one.";
    RendererNotConfigured = "renderer_not_configured", hosts, No, Nothing,
        "No document renderer is bound for the output.",
        "Ask the operator to bind one.";
    ConnectorNotConfigured = "connector_not_configured", backends, No, Actual,
        "A capability that the backend needs has no connection, or the pinned connection is gone or disabled, or a billable call has no price there (details.reason is price_unknown, details.missing_settings names the setting); details.capability and details.connector name it.",
        "Ask the operator to bind a connection, or to set what is missing in its settings.";
    BackendUnavailable = "backend_unavailable", backends, Yes, Actual,
        "The backend, or the provider behind it, could not be reached or answered with a server error.",
        "Create another job later.";
    BackendTimeout = "backend_timeout", backends, Yes, Actual,
        "The backend or its provider did not answer in time.",
        "Create another job later.";
    BackendError = "backend_error", backends, Yes, Actual,
        "The backend failed in a way that no other code covers; details.failure_code has the backend's own code.",
        "Create another job; if it fails again, report the job's id.";
    BackendInvalidResponse = "backend_invalid_response", backends, Yes, Actual,
        "A provider's answer still violated its contract after the allowed repairs.",
        "Create another job; if it fails again, another model may help.";
    BackendRefused = "backend_refused", backends, No, Actual,
        "The backend's provider declined the content.",
        "Change the request.";
    ConnectorUnavailable = "connector_unavailable", backends, Yes, Actual,
        "A provider could not be reached or answered with a server error.",
        "Create another job later.";
    ConnectorError = "connector_error", backends, Yes, Actual,
        "A connector failed in a way that no other code covers.",
        "Create another job; if it fails again, report the job's id.";
    ConnectorInvalidResponse = "connector_invalid_response", backends, Yes, Actual,
        "A provider's answer violates the connector's contract.",
        "Create another job later; if it fails again, report the job's id.";
    ConnectorCredentialsRejected = "connector_credentials_rejected", backends, No, Actual,
        "A provider refused the connection's credentials, or they cannot be read.",
        "Ask the operator to update and verify the connection.";
    InsufficientEvidence = "insufficient_evidence", backends, No, Actual,
        "Research found too little to fill the required minimum; details.reason may say why: site_unknown, site_not_found or nothing_to_cite.",
        "Provide more input, such as the website, or have further sources bound.";
    SourceFetchFailed = "source_fetch_failed", backends, Yes, Actual,
        "Every candidate address failed to load.",
        "Check the addresses; create another job later.";
    SourceNotAllowed = "source_not_allowed", backends, No, Actual,
        "An address was refused: it is private, of another scheme, or closed by robots.txt or policy.",
        "Name another source.";
    QualityThresholdNotMet = "quality_threshold_not_met", backends, Maybe, Actual,
        "The generated content did not reach the required quality.",
        "Create another job, or change the request.";
    PlaceholderNotAllowed = "placeholder_not_allowed", backends, Maybe, Actual,
        "The generated content contains an unknown placeholder.",
        "Create another job.";
    ForbiddenClaim = "forbidden_claim", backends, Maybe, Actual,
        "The generated content makes a forbidden claim.",
        "Create another job, or change the request.";
    RenderFailed = "render_failed", backends, No, Actual,
        "The document could not be rendered; details.reason is missing_glyphs where no font has most of its letters.",
        "Change the request; if it fails again, report the job's id.";
    OutputTooLarge = "output_too_large", backends, No, Actual,
        "The output exceeds a size limit.",
        "Ask for less.";
    PluginTrapped = "plugin_trapped", hosts, No, Actual,
        "A component crashed.",
        "Report the job's id.";
    PluginLimitExceeded = "plugin_limit_exceeded", hosts, No, Actual,
        "A component went over a limit of its sandbox; details.limit names it.",
        "Ask for less, or ask the operator for another limit.";
    PluginEgressDenied = "plugin_egress_denied", hosts, No, Actual,
        "A component asked for a host that its manifest does not name.",
        "Report the job's id.";
    PluginContractViolation = "plugin_contract_violation", hosts, No, Actual,
        "A component broke its contract.",
        "Report the job's id.";
    PluginUnavailable = "plugin_unavailable", hosts, No, Actual,
        "The component that the job was created with is missing, revoked or not verified.",
        "Create another job, which takes what is bound now.";
    ProviderOutcomeUnknown = "provider_outcome_unknown", hosts, Yes, Reconciled,
        "The host stopped during a provider call that must not be repeated.",
        "Create another job; the operator settles what the lost call cost.";
    BudgetExceeded = "budget_exceeded", backends, No, Actual,
        "A monthly budget, or the job's own cap, would not have held the next provider call; details.scope names it, details.call_usd what the call might have cost; of the job's own cap also details.limit_usd, details.taken_usd (spent, or set aside for calls under way or in doubt, when the call was refused), details.settled_usd (what the job has spent in all) and details.setting.",
        "Wait for details.resets_at, or raise the limit; a job's own cap is the operator's setting that details.setting names.";
    QuotaExceeded = "quota_exceeded", backends, No, Actual,
        "A quota is used up: one of the platform, with details.resets_at, or, where details.scope is provider, a provider's own.",
        "Wait for details.resets_at, or raise the limit; of a provider's own quota only the provider knows when it resets.";
    InsufficientCredits = "insufficient_credits", hosts, No, Actual,
        "The prepaid credit did not cover the next call or the final charge.",
        "Add credit.";
    GuidelineUnavailable = "guideline_unavailable", hosts, No, Actual,
        "The brand guideline that the job was created with is gone, or its brand was archived before the job began.",
        "Create another job, which takes the brand's current guideline.";
    DeadlineExceeded = "deadline_exceeded", hosts, Yes, Actual,
        "The job was not done within its time.",
        "Create another job.";
    SettlementFailed = "settlement_failed", hosts, Yes, OnceSettled,
        "The job's end and its charge could not be recorded, however often that was tried; what was generated is lost.",
        "Create another job; the operator settles what the calls of this one cost.";
    InternalError = "internal_error", hosts, Yes, Actual,
        "Anything else; the message has the reference to quote.",
        "Create another job; if it fails again, report the reference.";
}

impl JobErrorCode {
    /// The names of all codes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|code| code.as_str())
    }

    /// What callers are told about all codes.
    pub fn all_published() -> impl Iterator<Item = PublishedJobError> {
        Self::ALL.iter().map(|code| code.published())
    }

    /// The code named by a backend's failure, if a backend may use it.
    #[must_use]
    pub fn claimed(name: &str) -> Option<Self> {
        let known = Self::ALL.iter().copied();
        known
            .filter(|code| code.is_backends())
            .find(|code| code.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained() {
        for code in JobErrorCode::ALL {
            let published = code.published();
            assert_eq!(published.code, code.as_str());
            for text in [published.condition, published.action] {
                assert!(text.ends_with('.'), "{}: {text}", published.code);
            }
        }
    }
}
