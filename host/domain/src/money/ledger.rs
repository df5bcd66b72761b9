//! The double-entry ledger (architecture §9).

use std::fmt;

use serde::Serialize;

use crate::{JobId, LedgerTransactionId, MicroUsd, OrganizationId, ProjectId, Timestamp};

/// The purpose of a ledger transaction. A job has at most one reservation, one settlement, and one
/// reconciliation for each of its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerKind {
    /// Money set aside when a job is created.
    Reservation,
    /// The reservation replaced by the actual charge when the job ends.
    Settlement,
    /// Credit granted by an operator.
    Grant,
    /// Credit taken back by an operator.
    Adjustment,
    /// The charge of one provider call corrected to the amount on the provider's invoice.
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

/// A transaction and its entries, which sum to zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerTransaction {
    pub id: LedgerTransactionId,
    /// The organization that pays.
    pub organization: OrganizationId,
    /// The project that caused it; `None` for credit granted or taken back.
    pub project: Option<ProjectId>,
    /// The job that caused it; `None` for credit granted or taken back.
    pub job: Option<JobId>,
    pub kind: LedgerKind,
    /// The call of the job that a reconciliation corrects; `None` for all other kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
    /// When it was written.
    pub at: Timestamp,
    /// The operator's note.
    pub note: Option<String>,
    /// The amount added to each account.
    pub entries: Vec<(String, MicroUsd)>,
}

/// The entries of the transaction do not sum to zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the {} {transaction} does not balance", .kind.as_str())]
pub struct Unbalanced {
    kind: LedgerKind,
    transaction: LedgerTransactionId,
}

impl LedgerTransaction {
    /// Checks that its entries sum to zero.
    ///
    /// # Errors
    /// If they do not.
    pub fn balanced(&self) -> Result<(), Unbalanced> {
        let amounts = self.entries.iter().map(|(_, amount)| amount.micros());
        // Summed in 128 bits, because a saturating 64-bit sum could reach zero by accident.
        if amounts.map(i128::from).sum::<i128>() == 0 {
            Ok(())
        } else {
            Err(Unbalanced {
                kind: self.kind,
                transaction: self.id,
            })
        }
    }

    /// The change to the organization's spendable credit.
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

/// Result of checking the whole ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LedgerReport {
    /// Transactions read.
    pub transactions: u64,
    /// Total charged to organizations.
    pub charged: MicroUsd,
    /// Total cost recorded in the jobs' usage, with corrections applied.
    pub used: MicroUsd,
    /// What reconciliation of calls with lost answers added to the charges; negative if it reduced them.
    pub reconciled: MicroUsd,
    /// Calls that await reconciliation. Not a violation: an operator has not settled their cost yet.
    pub awaiting_reconciliation: u64,
    /// What such calls of ended jobs may yet be charged. Counts against limits and credit.
    pub awaiting: MicroUsd,
    /// Set aside for jobs that have not ended.
    pub reserved: MicroUsd,
    /// Credit granted by operators, less what they took back.
    pub granted: MicroUsd,
    /// Violations of the ledger's rules; empty for a sound ledger.
    pub violations: Vec<LedgerViolation>,
}

/// A violated rule of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerViolation {
    /// A sentence: which rule is violated, and how often.
    pub sentence: String,
    /// The first places where it is violated.
    pub places: Vec<LedgerPlace>,
    /// How many further places there are.
    pub more: u64,
}

impl LedgerViolation {
    /// A wrong sum of a whole account, or of all accounts that `*` stands for.
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

/// One place where a rule is violated, with texts as stored in the database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LedgerPlace {
    /// The organization whose money it is.
    pub organization_id: Option<String>,
    /// The accounts concerned.
    pub accounts: Vec<String>,
    /// The ledger transaction.
    pub transaction_id: Option<String>,
    /// The job, or the owner of a sum: an id, with the month for a monthly sum.
    pub subject: Option<String>,
    /// By how much the sum is wrong, where that is known.
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
    /// Whether no rule is violated.
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
