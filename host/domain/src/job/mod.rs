//! Jobs: types, states, the transitions between states (annex A17), and what jobs leave behind.

pub mod backlog;
pub mod event;
pub mod file;
pub mod finish;
pub mod job_type;
pub mod product;
pub mod receipt;
pub mod record;
pub mod settlement;
pub mod stage;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::JobErrorCode;

pub use backlog::{Backlog, OpenJobs};
pub use event::{JobEvent, JobEventNew};
pub use file::{JobFile, NewFile};
pub use finish::Finish;
pub use job_type::JobType;
pub use product::{NewTemplateRevision, Product, ProductKind};
pub use receipt::JobReceipt;
pub use record::{CreateJob, Job, ListedJob, OperatorJob};
pub use settlement::JobSettlement;

/// How long a job and its result are kept after the job's creation (specification, Limits).
pub const JOB_RETENTION: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobStatus {
    Queued,
    /// A worker is running it.
    Running,
    /// Ended with a result.
    Succeeded,
    /// Ended with an error.
    Failed,
    /// Ended by an operator, by archiving its project or by an erasure.
    Canceled,
}

impl JobStatus {
    /// The value of the job's `status`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [
            Self::Queued,
            Self::Running,
            Self::Succeeded,
            Self::Failed,
            Self::Canceled,
        ]
        .into_iter()
        .find(|s| s.as_str() == text)
    }
    /// Whether the state is final.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Canceled)
    }
    /// Whether a job may go from this state to `next`. A job that loses its lease stays `running`; it does
    /// not go back to `queued`.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Queued, Self::Running | Self::Canceled | Self::Failed)
                | (
                    Self::Running,
                    Self::Succeeded | Self::Failed | Self::Canceled
                )
        )
    }
}

/// Why a job failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobError {
    /// Stable code, to branch on. New codes may be added. Whatever the code, a job whose `billed` is
    /// `actual` is charged for the provider calls that were settled before it ended; `usage.cost_usd` has
    /// the amount.
    #[schema(
        pattern = "^[a-z][a-z_]*$",
        examples("backend_not_configured", "insufficient_evidence"),
        extensions(
            ("x-extensible-enum" = json!(JobErrorCode::names().collect::<Vec<_>>())),
            ("x-error-codes" = json!(JobErrorCode::all_published().collect::<Vec<_>>())),
        )
    )]
    pub code: String,
    /// One sentence for people, written by the host and never by a generation backend.
    pub message: String,
    /// Further facts, which depend on the code. Null or absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<serde_json::Value>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_states_are_final() {
        let all = [
            JobStatus::Queued,
            JobStatus::Running,
            JobStatus::Succeeded,
            JobStatus::Failed,
            JobStatus::Canceled,
        ];
        for from in all {
            assert_eq!(JobStatus::parse(from.as_str()), Some(from));
            for to in all {
                assert!(
                    !(from.is_terminal() && from.may_become(to)),
                    "{from:?} -> {to:?}"
                );
                assert!(to != JobStatus::Queued || !from.may_become(to));
            }
        }
    }
}
