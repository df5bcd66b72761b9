//! The double-entry ledger (architecture §9).

use gtm_domain::{JobId, LedgerTransactionId, MicroUsd, OrganizationId, ProjectId, Timestamp};
use serde::Serialize;

/// What a ledger transaction is for. A job has at most one reservation and one settlement.
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
    /// When it was written.
    pub at: Timestamp,
    /// What an operator wrote beside it.
    pub note: Option<String>,
    /// Accounts with the amounts added to them.
    pub entries: Vec<(String, MicroUsd)>,
}

impl LedgerTransaction {
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
    /// What the jobs' usage says they cost.
    pub used: MicroUsd,
    /// What is set aside for jobs that have not ended.
    pub reserved: MicroUsd,
    /// Credit that operators gave, less what they took back.
    pub granted: MicroUsd,
    /// Sentences about what does not hold. Empty for a sound ledger.
    pub violations: Vec<String>,
}

impl LedgerReport {
    /// Whether everything holds.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.violations.is_empty()
    }
}
