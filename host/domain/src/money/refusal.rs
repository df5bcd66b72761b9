//! Refusals of a job or of a provider call: which limit or credit is exhausted, in words and numbers for
//! the caller.

use serde_json::{Value, json};

use super::limit::LimitScope;
use crate::job::JobError;
use crate::{ErrorCode, JobErrorCode, MicroUsd, Timestamp};

/// Why a job is not created, or a provider call not started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// `quota_exceeded`.
    #[error("{}", quota_sentence(*.scope, *.limit, *.resets_at))]
    Quota {
        scope: LimitScope,
        limit: u64,
        /// When the quota resets.
        resets_at: Timestamp,
    },
    /// `budget_exceeded`.
    #[error("{}", budget_sentence(*.scope, *.limit, budget_state(*.limit, *.settled, *.awaiting), *.resets_at))]
    Budget {
        scope: LimitScope,
        limit: MicroUsd,
        /// Charged in this UTC month.
        settled: MicroUsd,
        /// Set aside for jobs that have not ended; for a refused call, what calls have taken. What they do
        /// not use is free again when they end, even before the budget resets.
        reserved: MicroUsd,
        /// What calls of jobs that ended in this month may yet be charged: they await reconciliation.
        awaiting: MicroUsd,
        /// When the budget resets.
        resets_at: Timestamp,
    },
    /// `insufficient_credits`.
    #[error("No spendable prepaid credit remains (balance {balance}{}).", beside(*.awaiting))]
    Credit {
        /// Spendable credit.
        balance: MicroUsd,
        /// What calls of ended jobs may yet be charged: they await reconciliation.
        awaiting: MicroUsd,
    },
}

/// A clause about credit held for calls in doubt; empty if there is none.
fn beside(awaiting: MicroUsd) -> String {
    if awaiting.is_positive() {
        format!(", beside {awaiting} for calls that await reconciliation")
    } else {
        String::new()
    }
}

/// The sentence for an exhausted quota. A quota of zero is exhausted in every month, so waiting does not
/// help.
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

/// The sentence for a budget without room. A budget of zero has no room in any month, so waiting does not
/// help.
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

/// Says whether only waiting for the end of the month helps.
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
    /// The API error code.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::Quota { .. } => ErrorCode::QuotaExceeded,
            Self::Budget { .. } => ErrorCode::BudgetExceeded,
            Self::Credit { .. } => ErrorCode::InsufficientCredits,
        }
    }
    /// The code of a job that ends with this refusal.
    #[must_use]
    pub const fn job_code(&self) -> JobErrorCode {
        match self {
            Self::Quota { .. } => JobErrorCode::QuotaExceeded,
            Self::Budget { .. } => JobErrorCode::BudgetExceeded,
            Self::Credit { .. } => JobErrorCode::InsufficientCredits,
        }
    }
    /// `error.details` (specification, Errors): scope and reset time of a limit; for a budget also its
    /// amount, what was charged and what is set aside, in dollars (decision 0014). If an amount awaits
    /// reconciliation, the details of a budget and of the credit include it.
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
    /// The error of a finished job whose `cost` exceeds the credit (specification, `insufficient_credits`).
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
