//! Where a project and its organization stand: credits, budgets and quotas (architecture §9, annex A9).

use std::str::FromStr;

use gtm_domain::job::JobError;
use gtm_domain::{ErrorCode, JobErrorCode, MicroUsd, Timestamp, UsageTier};
use serde::Serialize;
use serde_json::{Value, json};

use super::ledger::LedgerTransaction;

/// How an organization pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BillingMode {
    /// From credits granted before; without any left nothing billable is begun.
    Prepaid,
    /// Afterwards; credits may fall below zero and never refuse a job. Budgets and the tier's cap
    /// hold as for everyone.
    Postpaid,
}

impl BillingMode {
    /// The stored value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Prepaid => "prepaid",
            Self::Postpaid => "postpaid",
        }
    }
}

/// A text that names no billing mode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected prepaid or postpaid, not {0:?}")]
pub struct UnknownBillingMode(pub String);

impl FromStr for BillingMode {
    type Err = UnknownBillingMode;
    fn from_str(text: &str) -> Result<Self, UnknownBillingMode> {
        [Self::Prepaid, Self::Postpaid]
            .into_iter()
            .find(|mode| mode.as_str() == text)
            .ok_or_else(|| UnknownBillingMode(text.to_owned()))
    }
}
impl std::fmt::Display for BillingMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whose limit it is; `error.details.scope` of 429 (specification, Errors).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitScope {
    /// One project.
    Project,
    /// One API key.
    Key,
    /// The whole organization.
    Organization,
    /// The organization by its usage tier.
    UsageTier,
}

impl LimitScope {
    /// The value on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Key => "key",
            Self::Organization => "organization",
            Self::UsageTier => "usage_tier",
        }
    }
    /// Its name in a sentence.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Key => "API key",
            Self::Organization => "organization",
            Self::UsageTier => "organization's usage tier",
        }
    }
}

/// A monthly cost budget and what is left of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetPosition {
    /// Whose budget.
    pub scope: LimitScope,
    /// The budget.
    pub limit: MicroUsd,
    /// Charged in this UTC month.
    pub settled: MicroUsd,
    /// Set aside for jobs that have not ended: for each what was reserved for it, or what its calls
    /// have taken, whichever is more.
    pub reserved: MicroUsd,
    /// What calls of jobs that have not ended have cost, and may cost as long as they are under way.
    pub exposed: MicroUsd,
    /// What calls of jobs that ended in this UTC month may yet be charged: they await reconciliation.
    pub awaiting: MicroUsd,
    /// First instant of the next UTC month.
    pub resets_at: Timestamp,
}

impl BudgetPosition {
    /// What is not charged and cannot be reserved either.
    #[must_use]
    pub fn set_aside(&self) -> MicroUsd {
        self.reserved + self.awaiting
    }
    /// What may still be reserved; never below zero.
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

/// A monthly count of jobs and what is left of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaPosition {
    /// Whose quota; never `usage_tier`.
    pub scope: LimitScope,
    /// Jobs that may be created in this UTC month.
    pub limit: u64,
    /// Jobs created in it.
    pub used: u64,
    /// First instant of the next UTC month.
    pub resets_at: Timestamp,
}

/// An organization's prepaid credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditPosition {
    /// What is spendable: granted, less what was charged, what is set aside and what awaits
    /// reconciliation.
    pub balance: MicroUsd,
    /// Set aside for jobs that have not ended: for each what was reserved for it, or what its calls
    /// have taken, whichever is more.
    pub reserved: MicroUsd,
    /// What calls of jobs that have not ended have cost, and may cost as long as they are under way.
    pub exposed: MicroUsd,
    /// What calls of ended jobs may yet be charged: they await reconciliation.
    pub awaiting: MicroUsd,
}

impl CreditPosition {
    /// The credit of an organization with this much left after charges and reservations.
    #[must_use]
    pub(crate) fn of(
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
    /// What is not charged and not spendable either.
    #[must_use]
    pub fn set_aside(&self) -> MicroUsd {
        self.reserved + self.awaiting
    }
    /// Granted, less what was charged.
    #[must_use]
    pub fn total(&self) -> MicroUsd {
        self.balance + self.set_aside()
    }
}

/// An organization's account with the platform, for operators.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CreditStatement {
    /// How it pays.
    pub billing: BillingMode,
    /// What it was granted, less what was taken back.
    pub granted: MicroUsd,
    /// What its jobs were charged.
    pub charged: MicroUsd,
    /// Set aside for jobs that have not ended.
    pub reserved: MicroUsd,
    /// What calls of ended jobs may yet be charged: they await reconciliation.
    pub awaiting: MicroUsd,
    /// What is spendable: granted, less charged, reserved and awaiting.
    pub balance: MicroUsd,
    /// Credit given and taken back, oldest first.
    pub movements: Vec<LedgerTransaction>,
}

/// All of it, for one key of one project, at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct MoneyPosition {
    /// How the organization pays.
    pub billing: BillingMode,
    /// The organization's usage tier.
    pub tier: UsageTier,
    /// Budgets that are set, and always the tier's.
    pub budgets: Vec<BudgetPosition>,
    /// Quotas that are set.
    pub quotas: Vec<QuotaPosition>,
    /// The organization's credit.
    pub credit: CreditPosition,
}

/// Why a job is not created, or a provider call not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// 429 `quota_exceeded`.
    #[error("{}", quota_sentence(*.scope, *.limit, *.resets_at))]
    Quota {
        /// Whose quota.
        scope: LimitScope,
        /// The quota.
        limit: u64,
        /// When it resets.
        resets_at: Timestamp,
    },
    /// 429 `budget_exceeded`.
    #[error("{}", budget_sentence(*.scope, *.limit, budget_state(*.limit, *.settled, *.awaiting), *.resets_at))]
    Budget {
        /// Whose budget.
        scope: LimitScope,
        /// The budget.
        limit: MicroUsd,
        /// Charged in this UTC month.
        settled: MicroUsd,
        /// Set aside for jobs that have not ended; of a call that is refused: what calls have taken.
        /// What they do not use is free again when they end, before the budget resets.
        reserved: MicroUsd,
        /// What calls of ended jobs may yet be charged in this month: they await reconciliation.
        awaiting: MicroUsd,
        /// When the budget resets.
        resets_at: Timestamp,
    },
    /// 402 `insufficient_credits`.
    #[error("No spendable prepaid credit remains (balance {balance}{}).", beside(*.awaiting))]
    Credit {
        /// What is spendable.
        balance: MicroUsd,
        /// What calls of ended jobs may yet be charged: they await reconciliation.
        awaiting: MicroUsd,
    },
}

/// What is kept from the credit for calls in doubt, if anything is.
fn beside(awaiting: MicroUsd) -> String {
    if awaiting.is_positive() {
        format!(", beside {awaiting} for calls that await reconciliation")
    } else {
        String::new()
    }
}

/// A quota that is used up. One of nothing is so in every month, and waiting does not help.
fn quota_sentence(scope: LimitScope, limit: u64, resets_at: Timestamp) -> String {
    let noun = scope.noun();
    if limit == 0 {
        format!("The {noun} may create no jobs: its monthly quota is 0.")
    } else {
        format!(
            "The {noun} has created its {limit} jobs of this month; the quota resets at {resets_at}."
        )
    }
}

/// A budget that has no room. One of nothing has none in any month, and waiting does not help.
fn budget_sentence(
    scope: LimitScope,
    limit: MicroUsd,
    state: &str,
    resets_at: Timestamp,
) -> String {
    let noun = scope.noun();
    if limit.is_positive() {
        format!("The {noun}'s monthly cost budget of {limit} is {state}; it resets at {resets_at}.")
    } else {
        format!("The {noun}'s monthly cost budget is 0: nothing that costs is begun in any month.")
    }
}

/// Whether waiting for the month's end is all that helps.
fn budget_state(limit: MicroUsd, settled: MicroUsd, awaiting: MicroUsd) -> &'static str {
    if settled >= limit {
        "used up"
    } else if awaiting.is_positive() {
        "set aside for running jobs and for calls that await reconciliation, and free again as far as neither needs it"
    } else {
        "set aside for running jobs, and free again as far as they do not use it"
    }
}

impl Refusal {
    /// The code of the error.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::Quota { .. } => ErrorCode::QuotaExceeded,
            Self::Budget { .. } => ErrorCode::BudgetExceeded,
            Self::Credit { .. } => ErrorCode::InsufficientCredits,
        }
    }
    /// The code of a job that ends with it.
    #[must_use]
    pub const fn job_code(&self) -> JobErrorCode {
        match self {
            Self::Quota { .. } => JobErrorCode::QuotaExceeded,
            Self::Budget { .. } => JobErrorCode::BudgetExceeded,
            Self::Credit { .. } => JobErrorCode::InsufficientCredits,
        }
    }
    /// `error.details` (specification, Errors): scope and reset of a limit; of a budget also what it
    /// is, what was charged and what is set aside, in dollars (decision 0014). How much of that awaits
    /// reconciliation is told where anything does, of the credit too.
    #[must_use]
    pub fn details(&self) -> Option<Value> {
        match self {
            Self::Quota {
                scope, resets_at, ..
            } => Some(json!({"scope": scope, "resets_at": resets_at})),
            Self::Budget {
                scope,
                limit,
                settled,
                reserved,
                awaiting,
                resets_at,
            } => {
                let mut details = json!({
                    "scope": scope,
                    "resets_at": resets_at,
                    "limit_usd": limit.usd(),
                    "settled_usd": settled.usd(),
                    "reserved_usd": (*reserved + *awaiting).usd(),
                });
                if awaiting.is_positive() {
                    details["awaiting_usd"] = json!(awaiting.usd());
                }
                Some(details)
            }
            Self::Credit { awaiting, .. } => awaiting
                .is_positive()
                .then(|| json!({"awaiting_usd": awaiting.usd()})),
        }
    }
    /// The error of a job that came to its end at a `cost` over the credit (specification, 402).
    pub(crate) fn of_ended_job(&self, cost: MicroUsd) -> JobError {
        JobError {
            code: self.job_code().as_str().to_owned(),
            message: format!(
                "The job was completed, but its charge of {cost} exceeds the prepaid credit; it is charged, and its result is withheld."
            ),
            details: self.details(),
        }
    }
}

impl MoneyPosition {
    /// Whether one more job may be created, and how much of what it is `expected` to cost can be
    /// reserved. A job that costs nothing needs neither budget nor credit, but it counts.
    ///
    /// # Errors
    /// The first limit that is used up: quotas, budgets, then credit.
    pub fn admit(&self, expected: MicroUsd) -> Result<MicroUsd, Refusal> {
        if let Some(used_up) = self.quotas.iter().find(|quota| quota.used >= quota.limit) {
            return Err(Refusal::Quota {
                scope: used_up.scope,
                limit: used_up.limit,
                resets_at: used_up.resets_at,
            });
        }
        if !expected.is_positive() {
            return Ok(MicroUsd::ZERO);
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
        Ok(rooms.fold(expected, MicroUsd::min))
    }

    /// Whether a call that may cost `ceiling` can be begun. What counts against limits and credit is
    /// money that was spent, or that calls under way or in doubt may have spent, never what is only expected of jobs; so
    /// no job waits for the money of another that may not need it. `counted` of it is this very call's,
    /// if it is tried again.
    ///
    /// # Errors
    /// The first budget, or the credit, that does not hold the call as well.
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
