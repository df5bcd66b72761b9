//! The parts of the manifest that count: `rate`, `usage`, `limits`.

use serde::{Deserialize, Serialize};

use super::Match;

/// Rate limits and retries of the provider.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    #[serde(default)]
    pub policies: Vec<RatePolicy>,
    /// Maximum number of requests in flight.
    #[serde(default)]
    pub max_concurrent: Option<u32>,
    /// Headers in which the provider says what is left.
    #[serde(default)]
    pub headers: RateHeaders,
    /// When the host retries.
    #[serde(default)]
    pub retry: Retry,
}

/// At most `limit` units in `window_ms`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatePolicy {
    pub limit: u64,
    pub window_ms: u64,
    /// What is counted.
    #[serde(default)]
    pub unit: RateUnit,
    /// Operations that count in this window; all if absent.
    #[serde(default)]
    pub operations: Option<Vec<String>>,
}

/// What a rate policy counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateUnit {
    #[default]
    Requests,
    /// The provider's credits.
    Credits,
    Tokens,
}

/// Names of the provider's rate headers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateHeaders {
    /// Units left.
    #[serde(default)]
    pub remaining: Option<String>,
    /// Units per window.
    #[serde(default)]
    pub limit: Option<String>,
    /// When the window ends.
    #[serde(default)]
    pub reset: Option<String>,
    #[serde(default)]
    pub reset_format: Option<ResetFormat>,
    /// Header used instead of `retry-after`.
    #[serde(default)]
    pub retry_after: Option<String>,
}

/// How a provider writes the end of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResetFormat {
    /// Seconds from now.
    DeltaSeconds,
    /// A span such as `6m0s` or `350ms`.
    Duration,
    /// Seconds since the Unix epoch.
    EpochSeconds,
    /// An RFC 3339 instant.
    Rfc3339,
}

/// When the host retries. Only the host does.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retry {
    /// Statuses after which a retry makes sense.
    #[serde(default = "default_retry_statuses")]
    pub statuses: Vec<u16>,
    /// Attempts in total.
    #[serde(default = "default_max_attempts")]
    pub max_attempts: u32,
    /// Answers that mean out of credit; never retried.
    #[serde(default)]
    pub exhausted: Vec<Match>,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            statuses: default_retry_statuses(),
            max_attempts: default_max_attempts(),
            exhausted: Vec::new(),
        }
    }
}

fn default_retry_statuses() -> Vec<u16> {
    vec![429, 502, 503, 504]
}
const fn default_max_attempts() -> u32 {
    3
}

/// A meter and where an exchange shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsageSource {
    pub meter: Meter,
    /// `header:<name>`, `body:<JSON pointer>` or `const:<number>`.
    pub from: String,
    /// Operations that this applies to; all if absent.
    #[serde(default)]
    pub operations: Option<Vec<String>>,
    /// Whether a successful call may lack it.
    #[serde(default)]
    pub optional: bool,
}

/// What a provider can measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meter {
    /// Tokens of input, as the provider counts them.
    InputTokens,
    /// Input tokens read from a cache.
    CachedInputTokens,
    /// Input tokens written to a cache.
    CacheWriteTokens,
    /// Tokens of output, as the provider counts them.
    OutputTokens,
    /// Output tokens spent on reasoning.
    ReasoningTokens,
    TotalTokens,
    /// The provider's credits.
    Credits,
    /// Cost in US dollars.
    CostUsd,
    Requests,
}

impl Meter {
    /// The manifest's name for it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::InputTokens => "input_tokens",
            Self::CachedInputTokens => "cached_input_tokens",
            Self::CacheWriteTokens => "cache_write_tokens",
            Self::OutputTokens => "output_tokens",
            Self::ReasoningTokens => "reasoning_tokens",
            Self::TotalTokens => "total_tokens",
            Self::Credits => "credits",
            Self::CostUsd => "cost_usd",
            Self::Requests => "requests",
        }
    }
}

/// Limits of one call; the host caps each of them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Sum over the instance's memories, in bytes.
    pub memory_bytes: u64,
    /// Wall-clock time in milliseconds.
    pub wall_ms: u64,
    /// CPU time of the guest in milliseconds.
    pub cpu_ms: u64,
    pub egress_requests: u32,
    /// Bytes sent.
    pub egress_bytes_out: u64,
    /// Bytes received.
    pub egress_bytes_in: u64,
    /// Bytes of the answer.
    #[serde(default = "default_output_bytes")]
    pub output_bytes: u64,
    #[serde(default = "default_log_lines")]
    pub log_lines: u32,
    /// Capability calls of a generation backend.
    #[serde(default = "default_capability_calls")]
    pub capability_calls: u32,
}

const fn default_output_bytes() -> u64 {
    1024 * 1024
}
const fn default_log_lines() -> u32 {
    200
}
const fn default_capability_calls() -> u32 {
    500
}
