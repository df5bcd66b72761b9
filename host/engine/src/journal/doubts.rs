//! Judges what a provider may charge for a call beyond our charge, because we cannot see it or do not
//! believe the reported figures. DANGER: the connector chooses a failure's code, so the code proves
//! nothing; the verdict rests on what was sent, on the exchanges and on their figures.

use gtm_domain::step::Step;
use gtm_domain::{MicroUsd, TokenUsage};
use gtm_runtime::{ConnectorOutcome, USAGE_METER_MISSING};

use crate::spend::{Charge, Price, has_tokens_of_no_kind, records};

/// A call that has ended, with everything that its doubts depend on.
pub(super) struct Doubts<'a> {
    /// How it is charged.
    pub price: &'a Price,
    /// Its maximum cost if its requests are made once.
    pub ceiling: MicroUsd,
    pub outcome: &'a ConnectorOutcome,
    /// The tokens that it reported.
    pub counted: Option<&'a TokenUsage>,
    pub charge: &'a Charge,
    /// The journal's step if the call was begun before, without an answer known to us.
    pub begun_before: Option<&'a Step>,
}

impl Doubts<'_> {
    /// The maximum that the provider may charge, if that may differ from our charge; the call then awaits
    /// reconciliation.
    pub(super) fn at_most(&self) -> Option<MicroUsd> {
        if *self.price == Price::Free {
            return None;
        }
        let (meters, charge) = (&self.outcome.meters, self.charge);
        let by_tokens = matches!(self.price, Price::Tokens(_));
        let unbelieved = charge.reported.is_some() || meters.implausible;
        let uncounted = self.is_uncounted();
        // Tokens that a total has beyond its parts are already charged, at the dearer price.
        let of_no_kind = by_tokens && has_tokens_of_no_kind(self.outcome);
        let lost = self.lost();
        if !(unbelieved || uncounted || of_no_kind || lost > 0) {
            return None;
        }
        let seen = match self.price {
            // Priced by tokens: a provider's figure above the ceiling is not believed.
            Price::Tokens(_) | Price::PerRecord(_) if uncounted || meters.implausible => {
                charge.cost.max(self.ceiling)
            }
            Price::Tokens(_) => charge.cost,
            // Otherwise the figure is our own count of answered requests.
            _ => charge.reported.unwrap_or(charge.cost),
        };
        Some(seen + self.ceiling.times(u64::from(lost)))
    }

    /// How many requests the provider may have charged without an answer that tells us.
    fn lost(&self) -> u32 {
        let lost = self.outcome.sendings.lost;
        match self.begun_before {
            None => lost,
            // The provider recognizes the repeat by the key: it charges only once, and reports that only if
            // the repeat succeeds.
            Some(row) if row.step.keyed && self.has_success() => lost,
            Some(row) if row.step.keyed => lost.max(1),
            Some(row) => lost.saturating_add(row.attempts),
        }
    }

    /// Whether a successful answer arrived.
    fn has_success(&self) -> bool {
        let mut exchanges = self.outcome.exchanges.iter();
        exchanges.any(|exchange| exchange.receipt.is_success())
    }

    /// Whether the provider gave an answer whose figures are missing.
    fn is_uncounted(&self) -> bool {
        let by_tokens = matches!(self.price, Price::Tokens(_));
        // The provider did answer, but without its required figures, so nothing is charged.
        let untold = self.outcome.sendings.sent > 0
            && matches!(&self.outcome.result, Err(failure) if failure.code == USAGE_METER_MISSING);
        // The provider did answer, but the connector did not read the figures, whatever failure it reports.
        let unread = by_tokens && !self.charge.cost.is_positive() && self.has_success();
        let nothing_known = self.outcome.result.is_err() && self.counted.is_none();
        // Neither the provider nor its answer tells how many records it has sent.
        let uncounted = matches!(self.price, Price::PerRecord(_))
            && records(self.outcome).is_none()
            && self.has_success();
        // Part of the consumption may have no figure.
        uncounted
            || (by_tokens && self.outcome.meters.partial)
            || (nothing_known && (untold || unread))
    }
}
