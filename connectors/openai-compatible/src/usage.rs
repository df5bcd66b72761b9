//! Token counts: converts the wire's overlapping counts to the contract's disjoint ones.

use gtm_sdk::{Failure, Value};
use serde::Serialize;

/// Tokens of one or more requests. The first five kinds are disjoint and add up to the total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Usage {
    input_tokens: u64,
    cached_input_tokens: u64,
    cache_write_tokens: u64,
    output_tokens: u64,
    reasoning_tokens: u64,
    total_tokens: u64,
}

impl Usage {
    /// Reads the `usage` member of an answer. Danger: an invented count would be billed. So without input
    /// and output counts the call fails.
    pub(crate) fn read(body: &Value) -> Result<Self, Failure> {
        let usage = &body["usage"];
        let count = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
        let (Some(prompt), Some(completion)) =
            (count("/prompt_tokens"), count("/completion_tokens"))
        else {
            return Err(Failure::upstream(
                "usage_missing",
                "The provider did not report how many tokens were used.",
            ));
        };
        let cached = count("/prompt_tokens_details/cached_tokens").unwrap_or(0);
        let written = count("/prompt_tokens_details/cache_write_tokens").unwrap_or(0);
        let reasoning = count("/completion_tokens_details/reasoning_tokens").unwrap_or(0);
        // OpenAI counts reasoning as part of the completion. Some others count it separately, which the
        // total reveals.
        let is_beside = reasoning > 0
            && count("/total_tokens").is_some_and(|total| {
                total == prompt.saturating_add(completion).saturating_add(reasoning)
            });
        let output = if is_beside {
            completion
        } else {
            within(completion, reasoning)?
        };
        let input = within(within(prompt, cached)?, written)?;
        Ok(Self {
            input_tokens: input,
            cached_input_tokens: cached,
            cache_write_tokens: written,
            output_tokens: output,
            reasoning_tokens: reasoning,
            total_tokens: [input, cached, written, output, reasoning]
                .into_iter()
                .fold(0, u64::saturating_add),
        })
    }

    /// The sum of two requests.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            cached_input_tokens: self
                .cached_input_tokens
                .saturating_add(other.cached_input_tokens),
            cache_write_tokens: self
                .cache_write_tokens
                .saturating_add(other.cache_write_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            reasoning_tokens: self.reasoning_tokens.saturating_add(other.reasoning_tokens),
            total_tokens: self.total_tokens.saturating_add(other.total_tokens),
        }
    }
}

/// The rest of a count without one of its parts. A part larger than the whole means that the counts are not
/// what they should be, and nobody can say what to bill.
fn within(whole: u64, part: u64) -> Result<u64, Failure> {
    whole.checked_sub(part).ok_or_else(|| {
        Failure::upstream(
            "usage_inconsistent",
            "The provider's token counts contradict each other.",
        )
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gtm_sdk::json::json;

    fn counts(usage: Value) -> [u64; 6] {
        let usage = Usage::read(&json!({"usage": usage})).unwrap();
        let sum = usage.input_tokens
            + usage.cached_input_tokens
            + usage.cache_write_tokens
            + usage.output_tokens
            + usage.reasoning_tokens;
        assert_eq!(sum, usage.total_tokens);
        [
            usage.input_tokens,
            usage.cached_input_tokens,
            usage.cache_write_tokens,
            usage.output_tokens,
            usage.reasoning_tokens,
            usage.total_tokens,
        ]
    }

    #[test]
    fn kinds_are_made_disjoint() {
        assert_eq!(
            counts(
                json!({"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150,
                "prompt_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10},
                "completion_tokens_details": {"reasoning_tokens": 30}})
            ),
            [30, 60, 10, 20, 30, 150]
        );
        assert_eq!(
            counts(json!({"prompt_tokens": 4, "completion_tokens": 2})),
            [4, 0, 0, 2, 0, 6]
        );
        assert_eq!(
            counts(
                json!({"prompt_tokens": 4, "completion_tokens": 2, "prompt_tokens_details": null})
            ),
            [4, 0, 0, 2, 0, 6]
        );
    }

    #[test]
    fn reasoning_beside_the_completion_is_seen() {
        assert_eq!(
            counts(
                json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 35,
                "completion_tokens_details": {"reasoning_tokens": 20}})
            ),
            [10, 0, 0, 5, 20, 35]
        );
    }

    #[test]
    fn nothing_is_made_up() {
        for usage in [
            json!(null),
            json!({}),
            json!({"prompt_tokens": 3}),
            json!({"prompt_tokens": -3, "completion_tokens": 1}),
        ] {
            let failure = Usage::read(&json!({"usage": usage})).unwrap_err();
            assert_eq!(failure.code, "usage_missing");
        }
        let usage = json!({"prompt_tokens": 3, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 9}});
        assert_eq!(
            Usage::read(&json!({"usage": usage})).unwrap_err().code,
            "usage_inconsistent"
        );
    }
}
