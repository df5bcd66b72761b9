//! An organization's account statement, as operators read it.

use serde::Serialize;

use super::billing::BillingMode;
use super::ledger::LedgerTransaction;
use super::position::CreditPosition;
use crate::MicroUsd;
use crate::tenant::Organization;

/// What an organization was granted and charged, and its balance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CreditStatement {
    pub billing: BillingMode,
    /// Total granted, less what was taken back.
    pub granted: MicroUsd,
    /// Total charged for its jobs.
    pub charged: MicroUsd,
    /// Set aside for jobs that have not ended.
    pub reserved: MicroUsd,
    /// What calls of ended jobs may yet be charged: they await reconciliation.
    pub awaiting: MicroUsd,
    /// Spendable credit: granted, less charged, reserved and awaiting.
    pub balance: MicroUsd,
    /// Credit granted and taken back, oldest first.
    pub movements: Vec<LedgerTransaction>,
}

impl CreditStatement {
    /// The statement of an organization with this credit.
    #[must_use]
    pub fn of(
        organization: &Organization,
        credit: &CreditPosition,
        movements: Vec<LedgerTransaction>,
    ) -> Self {
        Self {
            billing: organization.billing,
            granted: credit.total() + organization.paid_total,
            charged: organization.paid_total,
            reserved: credit.reserved,
            awaiting: credit.awaiting,
            balance: credit.balance,
            movements,
        }
    }
}
