//! Credit that an operator grants or takes back.

use super::position::CreditPosition;
use crate::MicroUsd;

/// Credit granted or taken back; never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditMovement {
    given: MicroUsd,
    taken: MicroUsd,
}

/// Why a credit movement is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CreditNotMoved {
    /// The amount is zero or negative.
    #[error("an amount of credit must be over zero")]
    Nothing,
    /// Charged credit cannot be taken back.
    #[error("only {0} of the credit is not charged yet")]
    Charged(MicroUsd),
}

impl CreditMovement {
    /// A grant of `given`, or a withdrawal of `taken`; the other amount is zero.
    ///
    /// # Errors
    /// If the amount is not above zero.
    pub fn new(given: MicroUsd, taken: MicroUsd) -> Result<Self, CreditNotMoved> {
        if (given + taken).is_positive() {
            Ok(Self { given, taken })
        } else {
            Err(CreditNotMoved::Nothing)
        }
    }

    /// The change to this credit. Reserved credit may be taken back; charged credit may not.
    ///
    /// # Errors
    /// If more would be taken back than is left after charges.
    pub fn within(self, credit: &CreditPosition) -> Result<MicroUsd, CreditNotMoved> {
        let total = credit.total();
        if self.taken.is_positive() && self.taken > total {
            return Err(CreditNotMoved::Charged(total.max(MicroUsd::ZERO)));
        }
        Ok(self.given - self.taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn usd(dollars: i64) -> MicroUsd {
        MicroUsd::from_micros(dollars * 1_000_000)
    }

    #[test]
    fn what_is_reserved_may_be_taken_back_and_no_more() {
        let credit = CreditPosition::of(usd(3), usd(2), usd(0), usd(0), usd(0));
        let take = |amount| {
            CreditMovement::new(MicroUsd::ZERO, amount).and_then(|taken| taken.within(&credit))
        };
        assert_eq!(take(usd(5)), Ok(-usd(5)));
        assert_eq!(take(usd(6)), Err(CreditNotMoved::Charged(usd(5))));
        assert_eq!(take(usd(0)), Err(CreditNotMoved::Nothing));
        assert_eq!(take(-usd(1)), Err(CreditNotMoved::Nothing));
    }

    #[test]
    fn credit_is_given_whatever_is_owed() {
        let owed = CreditPosition::of(-usd(9), usd(0), usd(0), usd(0), usd(0));
        let given =
            CreditMovement::new(usd(1), MicroUsd::ZERO).and_then(|given| given.within(&owed));
        assert_eq!(given, Ok(usd(1)));
        let taken =
            CreditMovement::new(MicroUsd::ZERO, usd(1)).and_then(|taken| taken.within(&owed));
        assert_eq!(taken, Err(CreditNotMoved::Charged(MicroUsd::ZERO)));
    }
}
