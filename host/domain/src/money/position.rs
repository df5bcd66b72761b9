//! The position of a project and its organization: credit, budgets and quotas, and what they allow to start
//! (architecture §9, annex A9).

use super::billing::BillingMode;
use super::limit::LimitScope;
use super::refusal::Refusal;
use crate::{MicroUsd, Timestamp, UsageTier};

/// A monthly cost budget and what is left of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetPosition {
    pub scope: LimitScope,
    pub limit: MicroUsd,
    /// Charged in this UTC month.
    pub settled: MicroUsd,
    /// Set aside for jobs that have not ended: for each job the larger of its reservation and what its
    /// calls have taken.
    pub reserved: MicroUsd,
    /// What calls of jobs that have not ended have cost, and what those under way may yet cost.
    pub exposed: MicroUsd,
    /// What calls of jobs that ended in this UTC month may yet be charged: they await reconciliation.
    pub awaiting: MicroUsd,
    /// First instant of the next UTC month.
    pub resets_at: Timestamp,
}

impl BudgetPosition {
    /// Neither charged nor available for a reservation.
    #[must_use]
    pub fn set_aside(&self) -> MicroUsd {
        self.reserved + self.awaiting
    }
    /// What can still be reserved; never negative.
    #[must_use]
    pub fn remaining(&self) -> MicroUsd {
        (self.limit - self.settled - self.set_aside()).max(MicroUsd::ZERO)
    }
    const fn refusal(&self, reserved: MicroUsd) -> Refusal {
        Refusal::Budget {
            scope: self.scope,
            limit: self.limit,
            settled: self.settled,
            reserved,
            awaiting: self.awaiting,
            resets_at: self.resets_at,
        }
    }
}

/// A monthly job quota and how much of it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaPosition {
    /// Whose quota; never `usage_tier`.
    pub scope: LimitScope,
    /// Jobs that may be created in this UTC month.
    pub limit: u64,
    /// Jobs created in this UTC month.
    pub used: u64,
    /// First instant of the next UTC month.
    pub resets_at: Timestamp,
}

/// An organization's prepaid credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditPosition {
    /// Spendable credit: granted, less what was charged, what is set aside and what awaits reconciliation.
    pub balance: MicroUsd,
    /// Set aside for jobs that have not ended: for each job the larger of its reservation and what its
    /// calls have taken.
    pub reserved: MicroUsd,
    /// What calls of jobs that have not ended have cost, and what those under way may yet cost.
    pub exposed: MicroUsd,
    /// What calls of ended jobs may yet be charged: they await reconciliation.
    pub awaiting: MicroUsd,
}

impl CreditPosition {
    /// The credit of an organization with this balance after charges and reservations.
    #[must_use]
    pub fn of(
        left: MicroUsd,
        reserved: MicroUsd,
        over_reserved: MicroUsd,
        exposed: MicroUsd,
        awaiting: MicroUsd,
    ) -> Self {
        Self {
            balance: left - over_reserved - awaiting,
            reserved: reserved + over_reserved,
            exposed,
            awaiting,
        }
    }
    /// Neither charged nor spendable.
    #[must_use]
    pub fn set_aside(&self) -> MicroUsd {
        self.reserved + self.awaiting
    }
    /// Granted, less what was charged.
    #[must_use]
    pub fn total(&self) -> MicroUsd {
        self.balance + self.set_aside()
    }
    /// The refusal that withholds a job's result because its charge of `cost` exceeds the credit that other
    /// charges have left (specification, `insufficient_credits`). Costs in doubt never withhold a
    /// result, and a postpaid organization is never refused one.
    #[must_use]
    pub fn refusal_of_charge(&self, billing: BillingMode, cost: MicroUsd) -> Option<Refusal> {
        let left = self.total();
        let short = cost.is_positive() && billing == BillingMode::Prepaid && left < cost;
        short.then_some(Refusal::Credit {
            balance: left,
            awaiting: MicroUsd::ZERO,
        })
    }
}

/// The terms on which a job is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admission {
    /// Set aside for the job until it is settled.
    pub reserved: MicroUsd,
    /// Maximum total cost of its provider calls.
    pub cost_cap: MicroUsd,
}

/// Billing, limits and credit for one key of one project, at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct MoneyPosition {
    pub billing: BillingMode,
    /// The organization's usage tier.
    pub tier: UsageTier,
    /// The budgets that are set; the tier's is always among them.
    pub budgets: Vec<BudgetPosition>,
    /// The quotas that are set.
    pub quotas: Vec<QuotaPosition>,
    pub credit: CreditPosition,
}

impl MoneyPosition {
    /// Whether one more job may be created, and how much of its `expected` cost can be reserved. A job that
    /// costs nothing needs neither budget nor credit, but it counts against quotas; it makes only free
    /// calls, whatever its `cost_cap`.
    ///
    /// # Errors
    /// The first limit that is exhausted: quotas, then budgets, then credit.
    pub fn admit(&self, expected: MicroUsd, cost_cap: MicroUsd) -> Result<Admission, Refusal> {
        if let Some(used_up) = self.quotas.iter().find(|quota| quota.used >= quota.limit) {
            return Err(Refusal::Quota {
                scope: used_up.scope,
                limit: used_up.limit,
                resets_at: used_up.resets_at,
            });
        }
        if !expected.is_positive() {
            return Ok(Admission {
                reserved: MicroUsd::ZERO,
                cost_cap: MicroUsd::ZERO,
            });
        }
        let used_up = |budget: &&BudgetPosition| !budget.remaining().is_positive();
        if let Some(used_up) = self.budgets.iter().find(used_up) {
            return Err(used_up.refusal(used_up.reserved));
        }
        let CreditPosition {
            balance, awaiting, ..
        } = self.credit;
        let prepaid = self.billing == BillingMode::Prepaid;
        if prepaid && !balance.is_positive() {
            return Err(Refusal::Credit { balance, awaiting });
        }
        let rooms = self.budgets.iter().map(BudgetPosition::remaining);
        let rooms = rooms.chain(prepaid.then_some(balance));
        Ok(Admission {
            reserved: rooms.fold(expected, MicroUsd::min),
            cost_cap,
        })
    }

    /// Whether a call that may cost `ceiling` can start. Only money that was spent, or that calls under way
    /// or in doubt may have spent, counts against limits and credit. Expected costs of jobs do not, so no
    /// job waits for money that another one may not need. If this call is a retry, `counted` is the part
    /// that already counts for it.
    ///
    /// # Errors
    /// The first budget, or else the credit, that has no room for the call.
    pub fn allow_call(&self, ceiling: MicroUsd, counted: MicroUsd) -> Result<(), Refusal> {
        let over = |budget: &&BudgetPosition| {
            let taken = budget.settled + budget.awaiting + (budget.exposed - counted);
            taken + ceiling > budget.limit
        };
        if let Some(over) = self.budgets.iter().find(over) {
            return Err(over.refusal(over.exposed - counted));
        }
        let awaiting = self.credit.awaiting;
        let balance = self.credit.total() - awaiting - (self.credit.exposed - counted);
        if self.billing == BillingMode::Prepaid && balance < ceiling {
            return Err(Refusal::Credit { balance, awaiting });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;
    use crate::TierTable;

    const RESETS: Timestamp = Timestamp::from_micros(0);

    const fn usd(dollars: i64) -> MicroUsd {
        MicroUsd::from_micros(dollars * 1_000_000)
    }

    const fn budget(limit: i64, settled: i64, reserved: i64, exposed: i64) -> BudgetPosition {
        BudgetPosition {
            scope: LimitScope::Project,
            limit: usd(limit),
            settled: usd(settled),
            reserved: usd(reserved),
            exposed: usd(exposed),
            awaiting: MicroUsd::ZERO,
            resets_at: RESETS,
        }
    }

    fn position(billing: BillingMode, budgets: Vec<BudgetPosition>, balance: i64) -> MoneyPosition {
        MoneyPosition {
            billing,
            tier: TierTable::default().tiers()[0].clone(),
            budgets,
            quotas: Vec::new(),
            credit: CreditPosition::of(usd(balance), usd(0), usd(0), usd(0), usd(0)),
        }
    }

    #[test]
    fn a_job_reserves_what_the_narrowest_room_leaves() {
        let position = position(
            BillingMode::Prepaid,
            vec![budget(10, 2, 3, 0), budget(100, 0, 0, 0)],
            7,
        );
        let admission = position.admit(usd(20), usd(50)).unwrap();
        assert_eq!((admission.reserved, admission.cost_cap), (usd(5), usd(50)));
        assert_eq!(position.admit(usd(1), usd(50)).unwrap().reserved, usd(1));
    }

    #[test]
    fn a_job_that_is_taken_to_cost_nothing_may_cost_nothing() {
        let broke = position(BillingMode::Prepaid, vec![budget(0, 0, 0, 0)], -1);
        let admission = broke.admit(MicroUsd::ZERO, usd(50)).unwrap();
        assert_eq!(
            admission,
            Admission {
                reserved: MicroUsd::ZERO,
                cost_cap: MicroUsd::ZERO
            }
        );
    }

    #[test]
    fn quotas_are_asked_before_budgets_and_budgets_before_credit() {
        let mut position = position(BillingMode::Prepaid, vec![budget(1, 1, 0, 0)], 0);
        position.quotas.push(QuotaPosition {
            scope: LimitScope::Key,
            limit: 2,
            used: 2,
            resets_at: RESETS,
        });
        let refused = |position: &MoneyPosition| position.admit(usd(1), usd(1)).unwrap_err();
        assert!(matches!(refused(&position), Refusal::Quota { .. }));
        position.quotas.clear();
        assert!(matches!(refused(&position), Refusal::Budget { .. }));
        position.budgets.clear();
        assert!(matches!(refused(&position), Refusal::Credit { .. }));
        position.billing = BillingMode::Postpaid;
        assert!(position.admit(usd(1), usd(1)).is_ok());
    }

    #[test]
    fn a_call_counts_against_what_was_spent_and_not_against_what_is_reserved() {
        let position = position(BillingMode::Postpaid, vec![budget(10, 4, 6, 3)], 0);
        assert_eq!(position.allow_call(usd(3), MicroUsd::ZERO), Ok(()));
        assert!(position.allow_call(usd(4), MicroUsd::ZERO).is_err());
        // A retried call counts once.
        assert_eq!(position.allow_call(usd(4), usd(1)), Ok(()));
    }

    #[test]
    fn only_prepaid_credit_withholds_a_result() {
        let credit = CreditPosition::of(usd(1), usd(1), usd(0), usd(0), usd(0));
        assert_eq!(credit.refusal_of_charge(BillingMode::Prepaid, usd(2)), None);
        assert_eq!(
            credit.refusal_of_charge(BillingMode::Postpaid, usd(3)),
            None
        );
        let refused = credit.refusal_of_charge(BillingMode::Prepaid, usd(3));
        assert_eq!(
            refused,
            Some(Refusal::Credit {
                balance: usd(2),
                awaiting: MicroUsd::ZERO
            })
        );
    }

    proptest! {
        #[test]
        fn nothing_is_reserved_beyond_a_budget_or_the_credit(
            limits in prop::collection::vec((0i64..100, 0i64..100, 0i64..100), 0..4),
            balance in -10i64..100,
            expected in 1i64..200,
        ) {
            let budgets: Vec<_> = limits
                .into_iter()
                .map(|(limit, settled, reserved)| budget(limit, settled, reserved, 0))
                .collect();
            let position = position(BillingMode::Prepaid, budgets, balance);
            if let Ok(admission) = position.admit(usd(expected), usd(expected)) {
                prop_assert!(admission.reserved.is_positive());
                prop_assert!(admission.reserved <= usd(expected).min(position.credit.balance));
                for budget in &position.budgets {
                    prop_assert!(admission.reserved <= budget.remaining());
                }
            }
        }
    }
}
