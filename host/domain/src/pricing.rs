//! Cost of model calls: a price table from the connection's settings, applied to token usage.

use serde::{Deserialize, Serialize};

use crate::{MicroUsd, TokenUsage};

/// US dollars per million tokens of each kind. A kind without its own price costs as much as its family:
/// cached input and cache writes as input, reasoning as output.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    /// Fresh input.
    pub input_per_million_usd: f64,
    /// Input read from the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input_per_million_usd: Option<f64>,
    /// Input written to the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_per_million_usd: Option<f64>,
    /// Visible output.
    pub output_per_million_usd: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_per_million_usd: Option<f64>,
}

impl PriceTable {
    /// The cost of `usage`, rounded up to a whole micro-dollar so that many small calls never cost less
    /// than one large one.
    #[must_use]
    pub fn cost(&self, usage: &TokenUsage) -> MicroUsd {
        #[expect(
            clippy::cast_precision_loss,
            reason = "token counts stay far below 2^52"
        )]
        let part = |tokens: u64, per_million: f64| tokens as f64 * per_million;
        // Dollars per million tokens equal micro-dollars per token.
        let micros = part(usage.input, self.input_per_million_usd)
            + part(
                usage.cached_input,
                self.cached_input_per_million_usd
                    .unwrap_or(self.input_per_million_usd),
            )
            + part(
                usage.cache_write,
                self.cache_write_per_million_usd
                    .unwrap_or(self.input_per_million_usd),
            )
            + part(usage.output, self.output_per_million_usd)
            + part(
                usage.reasoning,
                self.reasoning_per_million_usd
                    .unwrap_or(self.output_per_million_usd),
            );
        MicroUsd::from_usd((micros - 1e-6).ceil().max(0.0) / 1e6)
            .unwrap_or(MicroUsd::from_micros(i64::MAX))
    }

    /// The maximum cost of a call with a request of `request_bytes` and an answer of at most
    /// `max_output_tokens`: a token is never shorter than a byte.
    #[must_use]
    pub fn ceiling(&self, request_bytes: u64, max_output_tokens: u64) -> MicroUsd {
        let dearest_input = [
            self.cached_input_per_million_usd,
            self.cache_write_per_million_usd,
        ]
        .into_iter()
        .flatten()
        .fold(self.input_per_million_usd, f64::max);
        let dearest_output = self
            .reasoning_per_million_usd
            .map_or(self.output_per_million_usd, |r| {
                r.max(self.output_per_million_usd)
            });
        let dearest = Self {
            input_per_million_usd: dearest_input,
            cached_input_per_million_usd: None,
            cache_write_per_million_usd: None,
            output_per_million_usd: dearest_output,
            reasoning_per_million_usd: None,
        };
        dearest.cost(&TokenUsage {
            input: request_bytes,
            output: max_output_tokens,
            ..TokenUsage::default()
        })
    }

    /// Whether every price is finite and not negative.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        [
            Some(self.input_per_million_usd),
            self.cached_input_per_million_usd,
            self.cache_write_per_million_usd,
            Some(self.output_per_million_usd),
            self.reasoning_per_million_usd,
        ]
        .into_iter()
        .flatten()
        .all(|p| p.is_finite() && p >= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TABLE: PriceTable = PriceTable {
        input_per_million_usd: 2.5,
        cached_input_per_million_usd: Some(0.25),
        cache_write_per_million_usd: None,
        output_per_million_usd: 10.0,
        reasoning_per_million_usd: None,
    };

    #[test]
    fn a_known_bill() {
        let usage = TokenUsage {
            input: 1000,
            cached_input: 400,
            cache_write: 10,
            output: 100,
            reasoning: 50,
        };
        // 2500 + 100 + 25 + 1000 + 500
        assert_eq!(TABLE.cost(&usage), MicroUsd::from_micros(4125));
        assert_eq!(TABLE.cost(&TokenUsage::default()), MicroUsd::ZERO);
    }

    proptest! {
        #[test]
        fn no_call_costs_more_than_its_ceiling(bytes in 0u64..1_000_000, max_out in 0u64..100_000, cut in 0u64..=100, cached in 0u64..=100, think in 0u64..=100) {
            let (input, output) = (bytes * cut / 100, max_out * cut / 100);
            let usage = TokenUsage {
                input: input - input * cached / 100, cached_input: input * cached / 100, cache_write: 0,
                output: output - output * think / 100, reasoning: output * think / 100,
            };
            prop_assert!(TABLE.cost(&usage) <= TABLE.ceiling(bytes, max_out));
        }
    }
}
