//! The durable journal: one step for each provider call of a job (architecture §4).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ConnectionId, Digest, Failure, MicroUsd, Timestamp, Usage};

/// The connector that serves a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectorRef {
    /// Key from the manifest.
    pub key: String,
    /// Version of the manifest.
    pub version: String,
    /// Digest of the component.
    pub digest: Digest,
}

/// A provider call that is about to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewStep {
    /// Position among the job's calls, from 0.
    pub seq: u64,
    /// Provider capability.
    pub capability: String,
    /// Digest of the canonical input.
    pub input_digest: Digest,
    /// The bound connection.
    pub connection: Option<ConnectionId>,
    /// The connector behind it.
    pub connector: Option<ConnectorRef>,
    /// Whether it may be repeated when its outcome is unknown.
    pub replay_safe: bool,
    /// Whether the provider receives `step_key`, so that it recognizes a repeated call and charges for it
    /// once. Otherwise each time the call is begun may be charged.
    pub keyed: bool,
    /// Idempotency key sent to the provider; unique among the job's steps.
    pub step_key: String,
    /// Its maximum cost. If it is above zero, limits and credit are checked again before the call begins.
    pub ceiling: MicroUsd,
}

/// The outcome of a provider call, as the backend was or will be told.
pub type StepOutcome = Result<Value, Failure>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepState {
    /// The intent is recorded; whether the provider was contacted is unknown.
    Started,
    /// It ended with an output.
    Settled,
    /// It ended with a failure.
    Failed,
}

impl StepState {
    /// The stored value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Settled => "settled",
            Self::Failed => "failed",
        }
    }
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Started, Self::Settled, Self::Failed]
            .into_iter()
            .find(|s| s.as_str() == text)
    }
}

/// A step of the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The call.
    pub step: NewStep,
    pub state: StepState,
    /// Its outcome; present exactly if the step is not `Started`.
    pub outcome: Option<StepOutcome>,
    /// What it consumed.
    pub usage: Usage,
    /// How often it was started.
    pub attempts: u32,
    /// When it was first started.
    pub started_at: Timestamp,
    /// When it ended.
    pub settled_at: Option<Timestamp>,
    /// What its provider may charge beyond its cost until an operator settles it: [`held_in_doubt`].
    pub held: MicroUsd,
}

impl Step {
    /// The maximum cost of the call over all times that it was begun.
    #[must_use]
    pub fn may_cost(&self) -> MicroUsd {
        may_cost(self.step.ceiling, self.step.keyed, self.attempts)
    }
}

/// The maximum cost of a call begun `attempts` times: its provider may charge each time, unless it
/// recognizes the call by a key. Saturates at the largest amount.
#[must_use]
pub fn may_cost(ceiling: MicroUsd, keyed: bool, attempts: u32) -> MicroUsd {
    let times = if keyed { 1 } else { attempts };
    MicroUsd::from_micros(ceiling.micros().saturating_mul(i64::from(times)))
}

/// The amount held for a settled call beside its `cost`. DANGER: without it, a job could spend its cap, and
/// a project its budget, once more on top of calls whose answers were lost. While a call awaits
/// reconciliation, it is the rest of `at_most`, the most that the provider may charge.
#[must_use]
pub fn held_in_doubt(at_most: MicroUsd, cost: MicroUsd, reconcile: bool) -> MicroUsd {
    if reconcile {
        (at_most - cost).max(MicroUsd::ZERO)
    } else {
        MicroUsd::ZERO
    }
}
