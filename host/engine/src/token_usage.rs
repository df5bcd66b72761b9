//! Converts a provider's token counts, which may overlap, into the five disjoint kinds (annex A6).

use gtm_domain::TokenUsage;
use gtm_runtime::RawTokens;

/// The five kinds from a provider's counts; `None` if it counted nothing.
///
/// Providers differ in whether input includes cached tokens and output includes reasoning. The total
/// decides, if there is one. Otherwise a part that fits counts as included, as in the chat completions
/// format. The excess of a total over its parts is charged as output, the dearer kind.
#[must_use]
pub fn disjoint(raw: &RawTokens) -> Option<TokenUsage> {
    if raw.input.is_none() && raw.output.is_none() {
        // A total alone is charged as output too, because nothing else is known.
        return raw.total.map(|total| TokenUsage {
            output: total,
            ..TokenUsage::default()
        });
    }
    let mut usage = parts(raw);
    usage.output = usage.output.saturating_add(beyond_parts(raw));
    Some(usage)
}

/// Tokens by which a provider's total exceeds the parts stated with it.
#[must_use]
pub fn beyond_parts(raw: &RawTokens) -> u64 {
    if raw.input.is_none() && raw.output.is_none() {
        return 0;
    }
    raw.total
        .map_or(0, |total| total.saturating_sub(parts(raw).total()))
}

/// The kinds as stated, provided input or output is among them.
fn parts(raw: &RawTokens) -> TokenUsage {
    let input = raw.input.unwrap_or(0);
    let output = raw.output.unwrap_or(0);
    let cached = raw.cached_input.unwrap_or(0);
    let written = raw.cache_write.unwrap_or(0);
    let reasoning = raw.reasoning.unwrap_or(0);
    let cache = cached.saturating_add(written);
    let readings = [(true, true), (true, false), (false, true), (false, false)];
    let possible = |(cache_inside, reasoning_inside): &(bool, bool)| {
        (!cache_inside || cache <= input) && (!reasoning_inside || reasoning <= output)
    };
    let sum = |(cache_inside, reasoning_inside): (bool, bool)| {
        let input = if cache_inside {
            input
        } else {
            input.saturating_add(cache)
        };
        let output = if reasoning_inside {
            output
        } else {
            output.saturating_add(reasoning)
        };
        input.saturating_add(output)
    };
    let fitting = readings.iter().copied().filter(possible);
    let by_total = raw
        .total
        .and_then(|total| fitting.clone().find(|reading| sum(*reading) == total));
    let (cache_inside, reasoning_inside) = by_total
        .or_else(|| fitting.clone().next())
        .unwrap_or((false, false));
    TokenUsage {
        input: if cache_inside { input - cache } else { input },
        cached_input: cached,
        cache_write: written,
        output: if reasoning_inside {
            output - reasoning
        } else {
            output
        },
        reasoning,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn raw(input: u64, cached: u64, output: u64, reasoning: u64, total: Option<u64>) -> RawTokens {
        RawTokens {
            input: Some(input),
            cached_input: Some(cached),
            cache_write: None,
            output: Some(output),
            reasoning: Some(reasoning),
            total,
        }
    }

    #[test]
    fn three_wire_forms() {
        // Chat completions: cached input and reasoning are both included.
        let chat = disjoint(&raw(1000, 400, 150, 50, Some(1150))).unwrap();
        assert_eq!(
            (chat.input, chat.cached_input, chat.output, chat.reasoning),
            (600, 400, 100, 50)
        );
        // Reasoning counted separately from the output.
        let beside = disjoint(&raw(1000, 400, 100, 50, Some(1150))).unwrap();
        assert_eq!(
            (beside.input, beside.output, beside.reasoning),
            (600, 100, 50)
        );
        // Cached input counted separately from the input.
        let apart = disjoint(&raw(10, 400, 100, 0, None)).unwrap();
        assert_eq!((apart.input, apart.cached_input), (10, 400));
        assert_eq!(disjoint(&RawTokens::default()), None);
        assert_eq!(
            disjoint(&RawTokens {
                total: Some(9),
                ..RawTokens::default()
            })
            .unwrap()
            .total(),
            9
        );
    }

    #[test]
    fn what_a_total_has_beyond_its_parts_is_output() {
        let more = raw(100, 40, 10, 0, Some(170));
        let usage = disjoint(&more).unwrap();
        assert_eq!(
            (usage.input, usage.cached_input, usage.output, usage.total()),
            (60, 40, 70, 170)
        );
        assert_eq!(beyond_parts(&more), 60);
        let nothing_but_a_total = raw(0, 0, 0, 0, Some(50_000));
        assert_eq!(disjoint(&nothing_but_a_total).unwrap().output, 50_000);
        assert_eq!(beyond_parts(&nothing_but_a_total), 50_000);
        for honest in [
            raw(1000, 400, 150, 50, Some(1150)),
            raw(1000, 400, 100, 50, Some(1150)),
            raw(1000, 400, 100, 50, Some(900)),
            raw(1000, 400, 100, 50, None),
            RawTokens {
                total: Some(9),
                ..RawTokens::default()
            },
        ] {
            assert_eq!(beyond_parts(&honest), 0, "{honest:?}");
        }
    }

    proptest! {
        #[test]
        fn kinds_add_up_to_a_total_that_some_reading_has(
            input in 0u64..1_000_000, cached in 0u64..1_000_000, output in 0u64..1_000_000, reasoning in 0u64..1_000_000, pick in 0usize..4
        ) {
            let sums = [
                input + output,
                input + output + reasoning,
                input + cached + output,
                input + cached + output + reasoning,
            ];
            let fits = [cached <= input && reasoning <= output, cached <= input, reasoning <= output, true];
            prop_assume!(fits[pick]);
            let usage = disjoint(&raw(input, cached, output, reasoning, Some(sums[pick]))).unwrap();
            prop_assert_eq!(usage.total(), sums[pick]);
        }

        #[test]
        fn no_counts_panic(i: Option<u64>, c: Option<u64>, w: Option<u64>, o: Option<u64>, r: Option<u64>, t: Option<u64>) {
            let _ = disjoint(&RawTokens { input: i, cached_input: c, cache_write: w, output: o, reasoning: r, total: t });
        }
    }
}
