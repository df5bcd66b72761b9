//! What is recorded of a call while it runs: exchanges, meters, log, refusals, resources.

use gtm_domain::receipt::Receipt;

use crate::egress::KeptBody;

/// One HTTP exchange, with the bytes that serve as evidence.
#[derive(Debug, Clone)]
pub struct Exchange {
    pub receipt: Receipt,
    /// Decoded body; `receipt.response_digest` is its digest.
    pub body: KeptBody,
}

/// What a provider says it counted, summed over the exchanges of a call. Token figures are the provider's
/// own and may overlap (annex A6 makes them disjoint elsewhere).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meters {
    /// Token counts, if any was declared and found.
    pub tokens: Option<RawTokens>,
    /// The provider's credits.
    pub credits: Option<f64>,
    /// Cost in US dollars.
    pub cost_usd: Option<f64>,
    /// HTTP exchanges that reached the provider, or the provider's own figure if the manifest maps one.
    pub requests: u64,
    /// Whether the provider reported something that is not a figure or cannot be true. It counts as not
    /// reported.
    pub implausible: bool,
    /// Whether a successful exchange lacks a required figure, so that the sums are incomplete.
    pub partial: bool,
}

/// Token counts as the provider reports them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RawTokens {
    pub input: Option<u64>,
    /// Input read from a cache.
    pub cached_input: Option<u64>,
    /// Input written to a cache.
    pub cache_write: Option<u64>,
    pub output: Option<u64>,
    pub reasoning: Option<u64>,
    pub total: Option<u64>,
}

/// What a guest used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resources {
    /// Highest sum over the instance's memories.
    pub peak_memory_bytes: u64,
    /// Wall-clock time, without the wait for an instance.
    pub wall_ms: u64,
    /// CPU time of the guest, without the host's own work.
    pub cpu_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    Debug,
    Info,
    Warn,
    Error,
}

/// One line that a guest logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    pub level: LogLevel,
    /// Cut at the host's limit, without control characters.
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Interface that refused, such as `http`.
    pub interface: &'static str,
    /// Code of the refusal.
    pub code: String,
    pub message: String,
}
