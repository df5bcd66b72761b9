//! Refusals of a job or of a provider call: which limit or credit is exhausted, in numbers.
//! [`refusal_words`](super::refusal_words) says it to callers.

use super::limit::LimitScope;
use crate::{ErrorCode, JobErrorCode, MicroUsd, Timestamp};

/// Why a job is not created, a provider call not started, or a result withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// `quota_exceeded`.
    Quota {
        scope: LimitScope,
        limit: u64,
        /// When the quota resets.
        resets_at: Timestamp,
    },
    /// `budget_exceeded`.
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
    Credit {
        /// Spendable credit.
        balance: MicroUsd,
        /// What calls of ended jobs may yet be charged: they await reconciliation.
        awaiting: MicroUsd,
    },
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
}
