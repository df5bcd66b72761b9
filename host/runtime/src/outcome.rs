//! What is written down of a call while it runs: exchanges, meters, log, refusals, resources.

use gtm_domain::receipt::Receipt;

use crate::egress::KeptBody;

/// One HTTP exchange with the bytes that evidence stands on.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Receipt of the gate.
    pub receipt: Receipt,
    /// Decoded body as it was kept; `receipt.response_digest` is its digest.
    pub body: KeptBody,
}

/// What a provider says it counted, summed over the exchanges of a call. Token figures are the
/// provider's own, which may overlap (annex A6 makes them disjoint elsewhere).
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
    /// Whether the provider gave a figure that is none, or that cannot be true. It counts as not given.
    pub implausible: bool,
    /// Whether an exchange that was answered with success lacks a required figure, so that the sums are not
    /// all that was used.
    pub partial: bool,
}

/// Token counts as the provider writes them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RawTokens {
    /// Input.
    pub input: Option<u64>,
    /// Input read from a cache.
    pub cached_input: Option<u64>,
    /// Input written to a cache.
    pub cache_write: Option<u64>,
    /// Output.
    pub output: Option<u64>,
    /// Reasoning.
    pub reasoning: Option<u64>,
    /// All.
    pub total: Option<u64>,
}

/// What a guest used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resources {
    /// Highest sum over the instance's memories.
    pub peak_memory_bytes: u64,
    /// Wall-clock time, waiting for an instance not included.
    pub wall_ms: u64,
    /// CPU time of the guest; the host's own work not included.
    pub cpu_ms: u64,
}

/// Level of a line of log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// For debugging.
    Debug,
    /// For information.
    Info,
    /// Needs a look.
    Warn,
    /// Went wrong.
    Error,
}

/// One line that a guest logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Level.
    pub level: LogLevel,
    /// Text, cut at the host's bound, without control characters.
    pub message: String,
}

/// Something that the host refused during a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Interface that refused, such as `http`.
    pub interface: &'static str,
    /// Code of the refusal.
    pub code: String,
    /// One sentence.
    pub message: String,
}
