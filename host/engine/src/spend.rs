//! The maximum cost of a provider call before it is made, and its charge afterwards.
//!
//! The job's cap is checked before each call: settled costs, plus the ceilings of calls under way and of
//! calls whose answer was lost, plus this call's ceiling. DANGER: a call without a known price cannot be
//! capped, so it is not made. A provider may report any figure: no call is charged more than its ceiling,
//! and the reported excess awaits reconciliation (decision 0043).

use gtm_domain::pricing::PriceTable;
use gtm_domain::{MicroUsd, TokenUsage};
use gtm_runtime::{ConnectorOutcome, Meters};
use serde_json::Value;

use crate::token_usage::{beyond_parts, disjoint};

/// Output tokens assumed for a model call when neither call nor connection sets a limit.
const DEFAULT_OUTPUT_TOKENS: u64 = 4096;
/// Bytes of a repair request beyond the first request and the first answer.
const REPAIR_BYTES: u64 = 4096;

/// How a call is charged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Price {
    /// Costs nothing.
    Free,
    Tokens(PriceTable),
    /// A fixed amount for each answered request.
    PerRequest(MicroUsd),
    /// A fixed amount for each record that the provider returns.
    PerRecord(MicroUsd),
    /// Billable, but the connection's settings have neither `prices` nor `free`.
    Unknown,
}

impl Price {
    /// The price of an operation by the connection's settings: `free: true`, or `prices` with either the
    /// members of a price table or `per_request_usd`. A search for people is charged by the record, with
    /// `per_record_usd`, and by nothing else: at the price of a request, its cost would be a fraction.
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
        let amount = |name: &str| {
            let usd = prices.get(name)?.as_f64()?;
            Some(MicroUsd::from_usd(usd).filter(|price| *price >= MicroUsd::ZERO))
        };
        if capability == PEOPLE_SEARCH {
            let price = amount("per_record_usd").flatten();
            return price.map_or(Self::Unknown, Self::PerRecord);
        }
        if let Some(price) = amount("per_request_usd") {
            return price.map_or(Self::Unknown, Self::PerRequest);
        }
        match serde_json::from_value::<PriceTable>(prices.clone()) {
            Ok(table) if table.is_valid() => Self::Tokens(table),
            _ => Self::Unknown,
        }
    }

    /// The maximum cost of a call with this input; `None` if no price is set.
    #[must_use]
    pub fn ceiling(&self, input: &Value, settings: &Value) -> Option<MicroUsd> {
        match self {
            Self::Free => Some(MicroUsd::ZERO),
            Self::PerRequest(price) => Some(*price),
            Self::PerRecord(price) => {
                let most = input.get("limit").and_then(Value::as_u64)?;
                Some(price.times(most))
            }
            Self::Tokens(table) => {
                let bytes = serde_json::to_vec(input).map_or(u64::MAX, |text| text.len() as u64);
                // `200000.0` is a whole number, too, in JSON Schema.
                let tokens = |from: &Value| {
                    let most = from.get("max_output_tokens")?;
                    most.as_u64()
                        .or_else(|| most.as_f64().map(|most| most.ceil() as u64))
                };
                let output = tokens(input)
                    .or_else(|| tokens(settings))
                    .unwrap_or(DEFAULT_OUTPUT_TOKENS);
                let once = table.ceiling(bytes, output);
                // An answer that violates its schema is requested once more, with the first answer in the
                // request.
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

    /// What a call is charged. A failed call that reported usage is charged. A successful call that
    /// reported none, though its price is by what was used, is charged its ceiling, because otherwise the cap would not
    /// hold. A failed one that reported none is charged nothing, and awaits reconciliation.
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
                    .filter(|e| e.receipt.is_success())
                    .count();
                (0..answered).map(|_| *price).sum()
            }
            // The connector alone says who is in an answer, and could leave out those who were paid for.
            Self::PerRecord(_) if is_uncounted_success(outcome) => ceiling,
            Self::PerRecord(price) => price.times(records(outcome).unwrap_or_default()),
            Self::Tokens(table) => {
                let by_tokens = tokens.map(|tokens| table.cost(tokens));
                // A provider could report too little: where a price is set, a reported cost of zero, or
                // below the cost of the reported tokens, is not believed (decision 0043).
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

/// How many records the provider returned: as it counts them itself, but not fewer than there are in the
/// answer. `None` if neither is known.
#[must_use]
pub fn records(outcome: &ConnectorOutcome) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "meters are between zero and 2^40"
    )]
    let counted = outcome.meters.credits.map(|credits| credits.ceil() as u64);
    let answered = outcome.result.as_ref().ok().map(|output| {
        let people = output.get("people").and_then(Value::as_array);
        people.map_or(0, |people| people.len() as u64)
    });
    counted.max(answered)
}

/// Whether a provider that charges by the record gave an answer, did not say how many records that are, and the connector
/// took the answer for a good one. What a server answers that did not do what was asked has no records.
fn is_uncounted_success(outcome: &ConnectorOutcome) -> bool {
    let answered = outcome.exchanges.iter().any(|e| e.receipt.is_success());
    answered && outcome.meters.credits.is_none() && outcome.result.is_ok()
}

/// The charge of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    /// The charge, at most the call's ceiling.
    pub cost: MicroUsd,
    /// The cost by the provider's figures, if that is higher.
    pub reported: Option<MicroUsd>,
}

/// Name of the capability of text generation by a model.
pub const MODEL_COMPLETE: &str = "model.complete";

/// Name of the capability of searching for people.
pub const PEOPLE_SEARCH: &str = "people.search";

/// The cost as the provider itself states it.
fn provider_cost(meters: &Meters) -> Option<MicroUsd> {
    meters
        .cost_usd
        .and_then(MicroUsd::from_usd)
        .filter(|cost| *cost >= MicroUsd::ZERO)
}

/// The tokens that an outcome's meters report, in disjoint kinds. Every call uses tokens, so a total of
/// zero counts as not reported.
#[must_use]
pub fn tokens(outcome: &ConnectorOutcome) -> Option<TokenUsage> {
    let reported = outcome.meters.tokens.as_ref().and_then(disjoint);
    reported.filter(|tokens| tokens.total() > 0)
}

/// Whether an outcome's meters report a total beyond their parts, so that the price of the excess is
/// unknown.
#[must_use]
pub fn has_tokens_of_no_kind(outcome: &ConnectorOutcome) -> bool {
    let reported = outcome.meters.tokens.as_ref();
    reported.is_some_and(|raw| beyond_parts(raw) > 0)
}

/// The budget of one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    cap: MicroUsd,
    settled: MicroUsd,
    /// Ceilings of calls under way, and amounts held for calls whose cost is in doubt.
    under_way: MicroUsd,
}

/// A call would exceed the cap; it must not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapReached {
    pub cap: MicroUsd,
    /// Spent on settled calls.
    pub settled: MicroUsd,
    /// Ceilings of calls under way, and amounts held for calls whose cost is in doubt.
    pub under_way: MicroUsd,
    /// Ceiling of the refused call.
    pub ceiling: MicroUsd,
}

impl Budget {
    /// A budget with the journal's settled costs and the amounts held for calls whose cost is in doubt.
    #[must_use]
    pub const fn new(cap: MicroUsd, settled: MicroUsd, held: MicroUsd) -> Self {
        Self {
            cap,
            settled,
            under_way: held,
        }
    }
    /// Reserves a call's ceiling.
    ///
    /// # Errors
    /// If the cap has no room for it; nothing is reserved then.
    pub fn reserve(&mut self, ceiling: MicroUsd) -> Result<(), CapReached> {
        // A free call is made even when the cap is exhausted.
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
    /// Settles a call under way that cost `actual`; `held` of its ceiling stays reserved, because its
    /// provider may charge that too.
    pub fn settle(&mut self, ceiling: MicroUsd, actual: MicroUsd, held: MicroUsd) {
        self.under_way = self.under_way - ceiling + held;
        self.settled += actual;
    }
    /// Spent on settled calls.
    #[must_use]
    pub const fn settled(&self) -> MicroUsd {
        self.settled
    }
}

#[cfg(test)]
mod tests;
