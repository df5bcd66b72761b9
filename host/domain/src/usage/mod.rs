//! What a job consumed.

pub mod month;

use serde::{Deserialize, Serialize};

use crate::MicroUsd;

pub use month::{JobCounts, MonthUsage, UsageSum};

/// Token counts of model calls, in five disjoint kinds (annex A6).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Fresh input.
    pub input: u64,
    /// Input read from the provider's cache.
    pub cached_input: u64,
    /// Input written to the provider's cache.
    pub cache_write: u64,
    /// Visible output.
    pub output: u64,
    /// Output spent on reasoning.
    pub reasoning: u64,
}

impl TokenUsage {
    /// The sum of the five kinds.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.input
            .saturating_add(self.cached_input)
            .saturating_add(self.cache_write)
            .saturating_add(self.output)
            .saturating_add(self.reasoning)
    }
    /// The sum of both.
    #[must_use]
    pub const fn plus(&self, other: &Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cached_input: self.cached_input.saturating_add(other.cached_input),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            output: self.output.saturating_add(other.output),
            reasoning: self.reasoning.saturating_add(other.reasoning),
        }
    }
}

/// What one provider call, one step or one job consumed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens by kind.
    pub tokens: TokenUsage,
    /// Cost charged to the customer.
    pub cost: MicroUsd,
    /// Requests to model providers.
    pub backend_requests: u64,
    /// Time spent in the generation backend and its provider calls, in milliseconds. For a call: its
    /// duration. For a job, however it ended: the time in which at least one of its calls was under way,
    /// plus the processor time of its backend.
    pub backend_runtime_ms: u64,
    /// HTTP exchanges of connectors.
    pub connector_requests: u64,
    /// Bytes that connectors received.
    pub connector_bytes: u64,
}

impl Usage {
    /// The sum of both.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            tokens: self.tokens.plus(&other.tokens),
            cost: self.cost + other.cost,
            backend_requests: self.backend_requests.saturating_add(other.backend_requests),
            backend_runtime_ms: self
                .backend_runtime_ms
                .saturating_add(other.backend_runtime_ms),
            connector_requests: self
                .connector_requests
                .saturating_add(other.connector_requests),
            connector_bytes: self.connector_bytes.saturating_add(other.connector_bytes),
        }
    }
}
