//! What a provider may charge for a call beyond what we charge: for what we cannot see, or do not believe. Judged
//! by what was sent, by the exchanges and by their figures; a failure's code is not enough, because the connector
//! chooses it.

use gtm_domain::step::Step;
use gtm_domain::{MicroUsd, TokenUsage};
use gtm_runtime::{ConnectorOutcome, USAGE_METER_MISSING};

use crate::spend::{Charge, Price, has_tokens_of_no_kind};

/// A call that has ended, with what may be in doubt of it.
pub(super) struct Doubts<'a> {
    /// How it is charged.
    pub price: &'a Price,
    /// The most that it may cost if its requests are made once.
    pub ceiling: MicroUsd,
    /// What came of it.
    pub outcome: &'a ConnectorOutcome,
    /// The tokens that it told.
    pub counted: Option<&'a TokenUsage>,
    /// What it is charged.
    pub charge: &'a Charge,
    /// What the journal has of it if it was begun before, without an answer that we know.
    pub begun_before: Option<&'a Step>,
}

impl Doubts<'_> {
    /// The most that the provider may charge, if it may charge something else than we do: the call awaits
    /// reconciliation then.
    pub(super) fn at_most(&self) -> Option<MicroUsd> {
        if *self.price == Price::Free {
            return None;
        }
        let (meters, charge) = (&self.outcome.meters, self.charge);
        let by_tokens = matches!(self.price, Price::Tokens(_));
        let unbelieved = charge.reported.is_some() || meters.implausible;
        let uncounted = self.is_uncounted();
        // What a total has beyond its parts is charged already, by the dearer kind.
        let of_no_kind = by_tokens && has_tokens_of_no_kind(self.outcome);
        let lost = self.lost();
        if !(unbelieved || uncounted || of_no_kind || lost > 0) {
            return None;
        }
        let seen = match self.price {
            // By tokens, a provider's figure is not believed above the ceiling.
            Price::Tokens(_) if uncounted || meters.implausible => charge.cost.max(self.ceiling),
            Price::Tokens(_) => charge.cost,
            // Here it is our own count of answered requests.
            _ => charge.reported.unwrap_or(charge.cost),
        };
        Some(seen + times(self.ceiling, lost))
    }

    /// How many requests the provider may have charged without an answer that says so.
    fn lost(&self) -> u32 {
        let lost = self.outcome.sendings.lost;
        match self.begun_before {
            None => lost,
            // Its provider knows the repeat by the key: it charges for one of all times, and tells of it only if
            // the repeat succeeds.
            Some(row) if row.step.keyed && self.has_success() => lost,
            Some(row) if row.step.keyed => lost.max(1),
            Some(row) => lost.saturating_add(row.attempts),
        }
    }

    /// Whether an answer of success came.
    fn has_success(&self) -> bool {
        self.outcome.exchanges.iter().any(|exchange| {
            let status = exchange.receipt.status;
            status.is_some_and(|status| (200..300).contains(&status))
        })
    }

    /// Whether the provider gave an answer whose figures are missing.
    fn is_uncounted(&self) -> bool {
        let by_tokens = matches!(self.price, Price::Tokens(_));
        // An answer without its required figures was given all the same, and is not charged.
        let untold = self.outcome.sendings.sent > 0
            && matches!(&self.outcome.result, Err(failure) if failure.code == USAGE_METER_MISSING);
        // So was one whose figures the connector did not read, whatever failure it reports.
        let unread = by_tokens && !self.charge.cost.is_positive() && self.has_success();
        let nothing_known = self.outcome.result.is_err() && self.counted.is_none();
        // Part of what was used may have no figure.
        (by_tokens && self.outcome.meters.partial) || (nothing_known && (untold || unread))
    }
}

/// The amount for this many requests, at most the largest amount there is.
fn times(amount: MicroUsd, requests: u32) -> MicroUsd {
    let micros = amount.micros().saturating_mul(i64::from(requests));
    MicroUsd::from_micros(micros)
}
