//! Why a job is not created, or a provider call not begun: which limit or credit is used up, in words
//! and numbers for the caller.

use serde_json::{Value, json};

use super::limit::LimitScope;
use crate::job::JobError;
use crate::{ErrorCode, JobErrorCode, MicroUsd, Timestamp};

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
    #[must_use]
    pub fn of_ended_job(&self, cost: MicroUsd) -> JobError {
        JobError {
            code: self.job_code().as_str().to_owned(),
            message: format!(
                "The job was completed, but its charge of {cost} exceeds the prepaid credit; it is charged, and its result is withheld."
            ),
            details: self.details(),
        }
    }
}
