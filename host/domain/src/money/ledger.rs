//! The double-entry ledger (architecture §9).

use std::fmt;

use serde::Serialize;

use crate::{JobId, LedgerTransactionId, MicroUsd, OrganizationId, ProjectId, Timestamp};

/// What a ledger transaction is for. A job has at most one reservation, one settlement, and one
/// reconciliation for each of its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerKind {
    /// Money set aside when a job is created.
    Reservation,
    /// The reservation turned into the actual charge when the job ends.
    Settlement,
    /// Credit given by an operator.
    Grant,
    /// Credit taken back by an operator.
    Adjustment,
    /// The charge of one provider call corrected to what the provider's invoice says.
    Reconciliation,
}

impl LedgerKind {
    /// The stored value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reservation => "reservation",
            Self::Settlement => "settlement",
            Self::Grant => "grant",
            Self::Adjustment => "adjustment",
            Self::Reconciliation => "reconciliation",
        }
    }
    /// The kind with this value.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [
            Self::Reservation,
            Self::Settlement,
            Self::Grant,
            Self::Adjustment,
            Self::Reconciliation,
        ]
        .into_iter()
        .find(|k| k.as_str() == text)
    }
}

/// A transaction with its entries, which sum to zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerTransaction {
    /// Identifier.
    pub id: LedgerTransactionId,
    /// The organization that pays.
    pub organization: OrganizationId,
    /// The project that caused it; none for credit given or taken.
    pub project: Option<ProjectId>,
    /// The job that caused it; none for credit given or taken.
    pub job: Option<JobId>,
    /// What it is for.
    pub kind: LedgerKind,
    /// The call of the job that a reconciliation corrects; none for all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
    /// When it was written.
    pub at: Timestamp,
    /// What an operator wrote beside it.
    pub note: Option<String>,
    /// Accounts with the amounts added to them.
    pub entries: Vec<(String, MicroUsd)>,
}

/// A transaction whose entries do not sum to zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the {} {transaction} does not balance", .kind.as_str())]
pub struct Unbalanced {
    kind: LedgerKind,
    transaction: LedgerTransactionId,
}

impl LedgerTransaction {
    /// Whether its entries sum to zero.
    ///
    /// # Errors
    /// If they do not.
    pub fn balanced(&self) -> Result<(), Unbalanced> {
        let amounts = self.entries.iter().map(|(_, amount)| amount.micros());
        // In 128 bits, since the sum of 64 bits that saturate could come out at zero by accident.
        if amounts.map(i128::from).sum::<i128>() == 0 {
            Ok(())
        } else {
            Err(Unbalanced {
                kind: self.kind,
                transaction: self.id,
            })
        }
    }

    /// What it adds to the organization's spendable credit.
    #[must_use]
    pub fn credit(&self) -> MicroUsd {
        let account = format!("{}:credit", self.organization);
        let entries = self.entries.iter();
        entries
            .filter(|(name, _)| *name == account)
            .map(|(_, amount)| *amount)
            .sum()
    }
}

/// What a check of the whole ledger found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LedgerReport {
    /// Transactions read.
    pub transactions: u64,
    /// What organizations were charged.
    pub charged: MicroUsd,
    /// What the jobs' usage says they cost, and what corrections have changed of it.
    pub used: MicroUsd,
    /// What corrections of calls with a lost answer added to the charges; below zero if they took away.
    pub reconciled: MicroUsd,
    /// Calls that await reconciliation. No violation: nobody has said yet what they cost.
    pub awaiting_reconciliation: u64,
    /// What those of ended jobs may yet be charged. It counts against limits and credit.
    pub awaiting: MicroUsd,
    /// What is set aside for jobs that have not ended.
    pub reserved: MicroUsd,
    /// Credit that operators gave, less what they took back.
    pub granted: MicroUsd,
    /// What does not hold. Empty for a sound ledger.
    pub violations: Vec<LedgerViolation>,
}

/// A rule of the ledger that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerViolation {
    /// How many of what break which rule.
    pub sentence: String,
    /// The first places.
    pub places: Vec<LedgerPlace>,
    /// How many more there are.
    pub more: u64,
}

impl LedgerViolation {
    /// A sum over a whole account, or over those that `*` stands for, that is off.
    #[must_use]
    pub fn of_account(account: &str, off: MicroUsd, sentence: String) -> Self {
        Self {
            sentence,
            places: vec![LedgerPlace {
                accounts: vec![account.to_owned()],
                off: Some(off),
                ..LedgerPlace::default()
            }],
            more: 0,
        }
    }
}

/// One place where a rule does not hold, with texts as they lie in the database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LedgerPlace {
    /// Whose money.
    pub organization_id: Option<String>,
    /// The accounts concerned.
    pub accounts: Vec<String>,
    /// The ledger transaction.
    pub transaction_id: Option<String>,
    /// The job, or whose sum it is: an id, with the month of a monthly sum.
    pub subject: Option<String>,
    /// By how much the sum is off, where that can be said.
    pub off: Option<MicroUsd>,
}

impl fmt::Display for LedgerPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let accounts = (!self.accounts.is_empty()).then(|| self.accounts.join(" and "));
        let named = [
            ("organization", &self.organization_id),
            ("transaction", &self.transaction_id),
            ("account", &accounts),
            ("of", &self.subject),
        ];
        let named = named
            .iter()
            .filter_map(|(name, value)| Some(format!("{name} {}", value.as_ref()?)));
        let off = self.off.map(|amount| format!("off by {amount}"));
        f.write_str(&named.chain(off).collect::<Vec<_>>().join(", "))
    }
}

impl LedgerReport {
    /// Whether everything holds.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.violations.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn entries_that_only_saturation_would_balance_do_not() {
        let with = |amounts: &[i64]| LedgerTransaction {
            id: LedgerTransactionId::from_uuid(Uuid::from_u128(1)),
            organization: OrganizationId::from_uuid(Uuid::from_u128(2)),
            project: None,
            job: None,
            kind: LedgerKind::Grant,
            step: None,
            at: Timestamp::from_micros(0),
            note: None,
            entries: amounts
                .iter()
                .map(|micros| ("account".to_owned(), MicroUsd::from_micros(*micros)))
                .collect(),
        };
        assert!(with(&[]).balanced().is_ok());
        assert!(with(&[5, -5]).balanced().is_ok());
        assert!(with(&[5, -4]).balanced().is_err());
        assert!(with(&[i64::MAX, 1, -i64::MAX]).balanced().is_err());
    }
}
