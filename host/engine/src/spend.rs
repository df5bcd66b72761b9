//! What a provider call may cost before it is made, and what it did cost after.
//!
//! The cap of a job is checked before each call: what was settled, plus the ceilings of the calls under way and of
//! those whose answer was lost, plus the ceiling of this call. A call without a known price cannot be capped, so
//! it is not made. A provider may report any figure: no call is charged more than its ceiling, and what was
//! reported beyond that awaits reconciliation (decision 0043).

use gtm_domain::pricing::PriceTable;
use gtm_domain::{MicroUsd, TokenUsage};
use gtm_runtime::{ConnectorOutcome, Meters};
use serde_json::Value;

use crate::token_usage::{beyond_parts, disjoint};

/// Output tokens that a model call is taken to allow when neither call nor connection says so.
const DEFAULT_OUTPUT_TOKENS: u64 = 4096;
/// Bytes of the request for a repair beside the first request and the first answer.
const REPAIR_BYTES: u64 = 4096;

/// How a call is charged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Price {
    /// Costs nothing.
    Free,
    /// By tokens.
    Tokens(PriceTable),
    /// A fixed amount for each answered request.
    PerRequest(MicroUsd),
    /// Billable, but the connection's settings say neither `prices` nor `free`.
    Unknown,
}

impl Price {
    /// The price of an operation under the connection's settings: `free: true`, or `prices` with
    /// either the members of a price table or `per_request_usd`.
    #[must_use]
    pub fn of(capability: &str, billable: bool, settings: &Value) -> Self {
        if !billable && capability != MODEL_COMPLETE {
            return Self::Free;
        }
        if settings.get("free") == Some(&Value::Bool(true)) {
            return Self::Free;
        }
        let Some(prices) = settings.get("prices") else {
            return Self::Unknown;
        };
        if let Some(usd) = prices.get("per_request_usd").and_then(Value::as_f64) {
            return MicroUsd::from_usd(usd)
                .filter(|price| *price >= MicroUsd::ZERO)
                .map_or(Self::Unknown, Self::PerRequest);
        }
        match serde_json::from_value::<PriceTable>(prices.clone()) {
            Ok(table) if table.is_valid() => Self::Tokens(table),
            _ => Self::Unknown,
        }
    }

    /// The most that a call with this input can cost; `None` if no price is set.
    #[must_use]
    pub fn ceiling(&self, input: &Value, settings: &Value) -> Option<MicroUsd> {
        match self {
            Self::Free => Some(MicroUsd::ZERO),
            Self::PerRequest(price) => Some(*price),
            Self::Tokens(table) => {
                let bytes = serde_json::to_vec(input).map_or(u64::MAX, |text| text.len() as u64);
                let tokens = |from: &Value| from.get("max_output_tokens").and_then(Value::as_u64);
                let output = tokens(input)
                    .or_else(|| tokens(settings))
                    .unwrap_or(DEFAULT_OUTPUT_TOKENS);
                let once = table.ceiling(bytes, output);
                // An answer that misses its schema is asked for once more, with the first answer in
                // the request.
                let repair = input.get("response_schema").map_or(MicroUsd::ZERO, |_| {
                    table.ceiling(
                        bytes.saturating_add(output).saturating_add(REPAIR_BYTES),
                        output,
                    )
                });
                Some(once + repair)
            }
            Self::Unknown => None,
        }
    }

    /// What a call is charged. A failed call that reported usage is charged; a successful one that
    /// reported none is charged its ceiling, since otherwise the cap would not hold.
    #[must_use]
    pub fn charge(
        &self,
        outcome: &ConnectorOutcome,
        tokens: Option<&TokenUsage>,
        ceiling: MicroUsd,
    ) -> Charge {
        let claimed = match self {
            Self::Free | Self::Unknown => MicroUsd::ZERO,
            Self::PerRequest(price) => {
                let answered = outcome
                    .exchanges
                    .iter()
                    .filter(|e| {
                        e.receipt
                            .status
                            .is_some_and(|status| (200..300).contains(&status))
                    })
                    .count();
                (0..answered).map(|_| *price).sum()
            }
            Self::Tokens(table) => {
                let by_tokens = tokens.map(|tokens| table.cost(tokens));
                // A provider could report too little: where a price is set, a reported cost of zero, or below
                // that of the reported tokens, is not believed (decision 0043).
                let stated = provider_cost(&outcome.meters).filter(|cost| cost.is_positive());
                match stated.max(by_tokens) {
                    Some(cost) => cost,
                    None if outcome.result.is_ok() => ceiling,
                    None => MicroUsd::ZERO,
                }
            }
        };
        Charge {
            cost: claimed.min(ceiling),
            reported: (claimed > ceiling).then_some(claimed),
        }
    }
}

/// What a call is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    /// The charge, at most the call's ceiling.
    pub cost: MicroUsd,
    /// What the provider's figures came to, if that is more.
    pub reported: Option<MicroUsd>,
}

/// Name of the capability that lets a model write.
pub const MODEL_COMPLETE: &str = "model.complete";

/// The provider's own statement of the cost.
fn provider_cost(meters: &Meters) -> Option<MicroUsd> {
    meters
        .cost_usd
        .and_then(MicroUsd::from_usd)
        .filter(|cost| *cost >= MicroUsd::ZERO)
}

/// The tokens that an outcome's meters report, in disjoint kinds. No call takes none at all, so a sum of
/// nothing counts as not said.
#[must_use]
pub fn tokens(outcome: &ConnectorOutcome) -> Option<TokenUsage> {
    let reported = outcome.meters.tokens.as_ref().and_then(disjoint);
    reported.filter(|tokens| tokens.total() > 0)
}

/// Whether an outcome's meters report more tokens in all than in parts, so that nobody knows the price of
/// the rest.
#[must_use]
pub fn has_tokens_of_no_kind(outcome: &ConnectorOutcome) -> bool {
    let reported = outcome.meters.tokens.as_ref();
    reported.is_some_and(|raw| beyond_parts(raw) > 0)
}

/// The money of one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    cap: MicroUsd,
    settled: MicroUsd,
    /// Ceilings of calls under way, and what is held back for calls whose cost is in doubt.
    under_way: MicroUsd,
}

/// A call would break the cap; it must not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapReached {
    /// The job's cap.
    pub cap: MicroUsd,
    /// Spent in settled calls.
    pub settled: MicroUsd,
    /// Ceilings of the calls under way, and what is held back for calls whose cost is in doubt.
    pub under_way: MicroUsd,
    /// Ceiling of the call that was refused.
    pub ceiling: MicroUsd,
}

impl Budget {
    /// A budget with what the journal says was spent, and what is held back for calls whose cost is in
    /// doubt.
    #[must_use]
    pub const fn new(cap: MicroUsd, settled: MicroUsd, held: MicroUsd) -> Self {
        Self {
            cap,
            settled,
            under_way: held,
        }
    }
    /// Set a call's ceiling aside.
    ///
    /// # Errors
    /// If the cap would not hold; nothing is set aside then.
    pub fn reserve(&mut self, ceiling: MicroUsd) -> Result<(), CapReached> {
        // A free call is made even when the cap is used up to the last cent.
        if ceiling.is_positive() && self.settled + self.under_way + ceiling > self.cap {
            let Self {
                cap,
                settled,
                under_way,
            } = *self;
            return Err(CapReached {
                cap,
                settled,
                under_way,
                ceiling,
            });
        }
        self.under_way += ceiling;
        Ok(())
    }
    /// A call under way ended and cost `actual`; `held` of its ceiling stays set aside, because its
    /// provider may charge that too.
    pub fn settle(&mut self, ceiling: MicroUsd, actual: MicroUsd, held: MicroUsd) {
        self.under_way = self.under_way - ceiling + held;
        self.settled += actual;
    }
    /// Spent in settled calls.
    #[must_use]
    pub const fn settled(&self) -> MicroUsd {
        self.settled
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gtm_domain::{Failure, FailureKind};
    use gtm_runtime::{RawTokens, Resources};
    use proptest::prelude::*;
    use serde_json::json;

    fn outcome(
        result: Result<Value, Failure>,
        tokens: Option<RawTokens>,
        cost_usd: Option<f64>,
    ) -> ConnectorOutcome {
        ConnectorOutcome {
            result,
            exchanges: vec![],
            meters: Meters {
                tokens,
                cost_usd,
                requests: 1,
                ..Meters::default()
            },
            sendings: gtm_runtime::egress::Sendings::default(),
            resources: Resources::default(),
            logs: vec![],
            denied: vec![],
        }
    }

    fn table() -> Value {
        json!({"prices": {"input_per_million_usd": 2.0, "output_per_million_usd": 10.0}})
    }

    #[test]
    fn prices_come_from_the_connections_settings() {
        assert_eq!(Price::of("web.fetch", false, &json!({})), Price::Free);
        assert_eq!(
            Price::of(MODEL_COMPLETE, true, &json!({"free": true})),
            Price::Free
        );
        assert_eq!(
            Price::of(MODEL_COMPLETE, false, &json!({})),
            Price::Unknown,
            "a model is never free by omission"
        );
        assert_eq!(
            Price::of(MODEL_COMPLETE, true, &json!({"free": "yes"})),
            Price::Unknown
        );
        assert_eq!(
            Price::of(
                MODEL_COMPLETE,
                true,
                &json!({"prices": {"input_per_million_usd": -1.0, "output_per_million_usd": 1.0}})
            ),
            Price::Unknown
        );
        assert!(matches!(
            Price::of(MODEL_COMPLETE, true, &table()),
            Price::Tokens(_)
        ));
        assert_eq!(
            Price::of(
                "web.search",
                true,
                &json!({"prices": {"per_request_usd": 0.005}})
            ),
            Price::PerRequest(MicroUsd::from_micros(5000))
        );
        assert_eq!(Price::Unknown.ceiling(&json!({}), &json!({})), None);
    }

    #[test]
    fn a_repair_doubles_the_ceiling_at_least() {
        let price = Price::of(MODEL_COMPLETE, true, &table());
        let plain = price
            .ceiling(&json!({"messages": [], "max_output_tokens": 100}), &table())
            .unwrap();
        let checked = price
            .ceiling(
                &json!({"messages": [], "max_output_tokens": 100, "response_schema": {}}),
                &table(),
            )
            .unwrap();
        assert!(checked > plain + plain);
        let by_setting = price
            .ceiling(&json!({"messages": []}), &json!({"max_output_tokens": 7}))
            .unwrap();
        let by_default = price.ceiling(&json!({"messages": []}), &json!({})).unwrap();
        assert!(by_setting < by_default);
    }

    #[test]
    fn what_was_used_is_charged_even_if_the_call_failed() {
        let price = Price::of(MODEL_COMPLETE, true, &table());
        let used = RawTokens {
            input: Some(1000),
            output: Some(100),
            ..RawTokens::default()
        };
        let ceiling = MicroUsd::from_micros(99_999);
        let cost = |outcome: &ConnectorOutcome| {
            let charge = price.charge(outcome, tokens(outcome).as_ref(), ceiling);
            assert_eq!(charge.reported, None);
            charge.cost
        };
        let failure = || {
            Err(Failure::new(
                FailureKind::Upstream,
                "invalid_model_output",
                "x",
            ))
        };
        assert_eq!(
            cost(&outcome(failure(), Some(used), None)),
            MicroUsd::from_micros(3000)
        );
        assert_eq!(cost(&outcome(failure(), None, None)), MicroUsd::ZERO);
        assert_eq!(
            cost(&outcome(Ok(json!({})), Some(used), Some(0.025))),
            MicroUsd::from_micros(25_000)
        );
        assert_eq!(cost(&outcome(Ok(json!({})), None, None)), ceiling);
        let free = outcome(Ok(json!({})), Some(used), Some(0.25));
        let free = Price::Free.charge(&free, None, MicroUsd::ZERO);
        assert_eq!((free.cost, free.reported), (MicroUsd::ZERO, None));
    }

    #[test]
    fn no_figure_is_charged_over_the_ceiling() {
        let price = Price::of(MODEL_COMPLETE, true, &table());
        let ceiling = MicroUsd::from_micros(1000);
        let charge = |tokens: Option<TokenUsage>, cost_usd| {
            let outcome = outcome(Ok(json!({})), None, cost_usd);
            let charge = price.charge(&outcome, tokens.as_ref(), ceiling);
            assert!(charge.cost >= MicroUsd::ZERO && charge.cost <= ceiling);
            (charge.cost.micros(), charge.reported.map(MicroUsd::micros))
        };
        let tokens = |output| TokenUsage {
            output,
            ..TokenUsage::default()
        };
        assert_eq!(charge(Some(tokens(100)), None), (1000, None));
        assert_eq!(charge(Some(tokens(101)), None), (1000, Some(1010)));
        assert_eq!(charge(Some(tokens(u64::MAX)), None).1, Some(i64::MAX));
        assert_eq!(
            charge(Some(tokens(1)), Some(1e12)),
            (1000, Some(1_000_000_000_000_000_000))
        );
        // Nothing, or less than the tokens cost, is no statement where a price is set.
        for less in [-0.0, 0.0, 0.000_009] {
            assert_eq!(charge(Some(tokens(1)), Some(less)), (10, None));
        }
        assert_eq!(charge(Some(tokens(1)), Some(0.000_011)), (11, None));
        assert_eq!(charge(None, Some(0.0)), (1000, None), "as if not said");
        assert_eq!(charge(None, Some(0.000_001)), (1, None));
        // What is no amount says nothing, so that the tokens do.
        for nonsense in [1e18, 1e300, f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(charge(Some(tokens(1)), Some(nonsense)), (10, None));
        }
    }

    #[test]
    fn no_tokens_at_all_count_as_not_said() {
        let price = Price::of(MODEL_COMPLETE, true, &table());
        let ceiling = MicroUsd::from_micros(1_000_000);
        let charged = |result, total| {
            let raw = RawTokens {
                input: Some(0),
                output: Some(0),
                total,
                ..RawTokens::default()
            };
            let outcome = outcome(result, Some(raw), None);
            let cost = price.charge(&outcome, tokens(&outcome).as_ref(), ceiling);
            (cost.cost.micros(), has_tokens_of_no_kind(&outcome))
        };
        let failure = || Err(Failure::new(FailureKind::Upstream, "invalid_output", "x"));
        assert_eq!(charged(Ok(json!({})), None), (1_000_000, false));
        assert_eq!(charged(Ok(json!({})), Some(0)), (1_000_000, false));
        assert_eq!(charged(failure(), None), (0, false));
        // A total beside them is charged by the dearer kind, and nobody knows what it was.
        assert_eq!(charged(Ok(json!({})), Some(50_000)), (500_000, true));
        assert_eq!(charged(failure(), Some(50_000)), (500_000, true));
        assert_eq!(charged(Ok(json!({})), Some(500_000)), (1_000_000, true));
    }

    fn answered(status: u16) -> gtm_runtime::Exchange {
        let url = "https://search.example/".to_owned();
        gtm_runtime::Exchange {
            receipt: gtm_domain::receipt::Receipt {
                id: gtm_domain::ReceiptId::from_uuid(uuid::Uuid::from_u128(1)),
                method: "GET".into(),
                url: url.clone(),
                final_url: url,
                host: "search.example".into(),
                port: 443,
                status: Some(status),
                content_type: None,
                request_bytes: 0,
                response_bytes: 0,
                response_digest: None,
                at: gtm_domain::Timestamp::EPOCH,
                duration_ms: 1,
                attempts: 1,
                decision: "allowed".into(),
                credentials: Vec::new(),
            },
            body: bytes::Bytes::new().into(),
        }
    }

    #[test]
    fn a_price_for_each_request_is_charged_once_a_call() {
        let price = MicroUsd::from_micros(5000);
        let charge = |statuses: &[u16]| {
            let mut outcome = outcome(Ok(json!({})), None, Some(9.0));
            outcome.exchanges = statuses.iter().map(|status| answered(*status)).collect();
            let per_request = Price::PerRequest(price);
            let ceiling = per_request.ceiling(&json!({}), &json!({})).unwrap();
            let charge = per_request.charge(&outcome, None, ceiling);
            (charge.cost.micros(), charge.reported.map(MicroUsd::micros))
        };
        assert_eq!(charge(&[503, 503]), (0, None));
        assert_eq!(charge(&[503, 200]), (5000, None));
        assert_eq!(charge(&[200, 200, 201]), (5000, Some(15_000)));
    }

    proptest! {
        /// As long as no call costs more than its ceiling, the cap holds at every moment.
        #[test]
        fn the_cap_holds(cap in 0i64..10_000, calls in proptest::collection::vec((0i64..3000, 0i64..=100, any::<bool>()), 0..40)) {
            let nothing = MicroUsd::ZERO;
            let mut budget = Budget::new(MicroUsd::from_micros(cap), nothing, nothing);
            let mut open = Vec::new();
            for (ceiling, percent, end_one) in calls {
                let ceiling = MicroUsd::from_micros(ceiling);
                if budget.reserve(ceiling).is_ok() {
                    open.push((ceiling, MicroUsd::from_micros(ceiling.micros() * percent / 100)));
                }
                prop_assert!((budget.settled + budget.under_way).micros() <= cap);
                if end_one && let Some((ceiling, actual)) = open.pop() {
                    budget.settle(ceiling, actual, nothing);
                }
            }
            for (ceiling, actual) in open { budget.settle(ceiling, actual, nothing); }
            prop_assert_eq!(budget.under_way, MicroUsd::ZERO);
            prop_assert!(budget.settled().micros() <= cap);
        }
    }
}
