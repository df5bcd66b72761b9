//! The durable journal of a job's provider calls (architecture §4).
//!
//! A backend is deterministic except for the host's answers. So a job is resumed by running its component
//! again from the start and answering from the journal up to the first call that is not settled. The intent
//! is on disk before a provider is contacted; afterwards, outcome, bytes, usage and cost are settled in one
//! transaction.
//!
//! Here: what to do with a call, given the journal ([`next`]); performing it ([`host`] and `step`, both on
//! [`state`]); what a provider may charge beyond our charge (`doubts`); which pages a backend may request
//! ([`known_addresses`]); reports, which a replay does not repeat ([`reports`]); how long calls took
//! ([`busy_time`]); writes that are retried while the database is away ([`persist`]). Not here: what a job
//! makes of its backend's output.

mod accept_language;
pub mod busy_time;
mod doubts;
pub mod host;
pub mod known_addresses;
pub mod open_steps;
pub mod persist;
pub mod reports;
pub mod state;
mod step;

use gtm_domain::step::{Step, StepOutcome, StepState};
use gtm_domain::{Digest, Failure, FailureKind, JobErrorCode, Usage};
use gtm_store::Settlement;

pub use host::JournaledHost;

use crate::spend::MODEL_COMPLETE;

/// Code of the failure that ends a job when the outcome of one of its calls cannot be determined.
pub const OUTCOME_UNKNOWN: &str = JobErrorCode::ProviderOutcomeUnknown.as_str();

/// What to do with the call at a position of the journal.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// It was settled: answer with the recorded outcome.
    Answer(StepOutcome),
    /// It was never begun: begin it now.
    Start,
    /// It was begun and may be begun again.
    Repeat,
    /// It was begun and may have reached the provider. DANGER: it must not happen twice.
    InDoubt,
    /// Another call is recorded at this position: the backend is not deterministic.
    Diverged,
}

/// What to do with a call, given the journal's step at its position.
///
/// Whether a step may be repeated was recorded when it was begun, so a later version of a manifest changes
/// nothing for calls already made.
#[must_use]
pub fn next(recorded: Option<&Step>, capability: &str, input_digest: &Digest) -> Next {
    let Some(row) = recorded else {
        return Next::Start;
    };
    if row.step.capability != capability || row.step.input_digest != *input_digest {
        return Next::Diverged;
    }
    match (row.state, &row.outcome) {
        (StepState::Settled | StepState::Failed, Some(Err(failure)))
            if failure.code == OUTCOME_UNKNOWN =>
        {
            Next::InDoubt
        }
        (StepState::Settled | StepState::Failed, Some(outcome)) => Next::Answer(outcome.clone()),
        // A finished step without its outcome can be neither answered nor repeated.
        (StepState::Settled | StepState::Failed, None) => Next::InDoubt,
        (StepState::Started, _) if row.step.replay_safe => Next::Repeat,
        (StepState::Started, _) => Next::InDoubt,
    }
}

/// The settlement of a step whose answer was lost. The provider's possible charge awaits reconciliation,
/// and each time that the step was begun counts as a request, because it may have been sent.
#[must_use]
pub fn lost(row: &Step) -> Settlement {
    // A call that costs nothing and may be repeated needs no reconciliation. A call that costs money does,
    // even if it may be repeated because its provider accepts an idempotency key.
    let reconcile = row.step.ceiling.is_positive() || !row.step.replay_safe;
    let requests = if reconcile {
        u64::from(row.attempts)
    } else {
        0
    };
    Settlement {
        outcome: Err(unknown_outcome()),
        exchanges: Vec::new(),
        usage: Usage {
            backend_requests: if row.step.capability == MODEL_COMPLETE {
                requests
            } else {
                0
            },
            connector_requests: requests,
            ..Usage::default()
        },
        reported: None,
        reconcile,
        at_most: Some(row.may_cost()),
    }
}

/// The failure that settles a step in doubt.
#[must_use]
pub fn unknown_outcome() -> Failure {
    Failure::new(
        FailureKind::Internal,
        OUTCOME_UNKNOWN,
        "The host stopped during a provider call that must not be repeated.",
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use gtm_domain::Timestamp;
    use gtm_domain::step::NewStep;
    use serde_json::json;

    fn row(state: StepState, replay_safe: bool, outcome: Option<StepOutcome>) -> Step {
        Step {
            step: NewStep {
                seq: 0,
                capability: "web.fetch".into(),
                input_digest: Digest::of(b"a"),
                connection: None,
                connector: None,
                replay_safe,
                keyed: false,
                step_key: "k".into(),
                ceiling: gtm_domain::MicroUsd::ZERO,
            },
            state,
            outcome,
            usage: Usage::default(),
            attempts: 1,
            started_at: Timestamp::EPOCH,
            settled_at: None,
            held: gtm_domain::MicroUsd::ZERO,
        }
    }

    #[test]
    fn a_lost_call_may_have_been_charged_each_time_that_it_was_begun() {
        let mut row = row(StepState::Started, true, None);
        row.step.ceiling = gtm_domain::MicroUsd::from_micros(70);
        row.attempts = 3;
        let settlement = lost(&row);
        assert!(settlement.reconcile);
        assert_eq!(
            settlement.at_most,
            Some(gtm_domain::MicroUsd::from_micros(210))
        );
        row.step.keyed = true;
        assert_eq!(
            lost(&row).at_most,
            Some(gtm_domain::MicroUsd::from_micros(70)),
            "its provider knows it by the key"
        );
        row.step.keyed = false;
        row.step.ceiling = gtm_domain::MicroUsd::from_micros(i64::MAX);
        assert_eq!(
            lost(&row).at_most.map(gtm_domain::MicroUsd::micros),
            Some(i64::MAX)
        );
    }

    #[test]
    fn the_rule_of_the_journal() {
        let ok: StepOutcome = Ok(json!({"x": 1}));
        let bad: StepOutcome = Err(Failure::new(FailureKind::Upstream, "http_500", "x"));
        let unknown: StepOutcome = Err(unknown_outcome());
        let input = Digest::of(b"a");
        let cases = [
            (None, Next::Start),
            (
                Some(row(StepState::Settled, true, Some(ok.clone()))),
                Next::Answer(ok.clone()),
            ),
            (
                Some(row(StepState::Settled, false, Some(ok.clone()))),
                Next::Answer(ok.clone()),
            ),
            (
                Some(row(StepState::Failed, true, Some(bad.clone()))),
                Next::Answer(bad.clone()),
            ),
            (
                Some(row(StepState::Failed, false, Some(bad.clone()))),
                Next::Answer(bad),
            ),
            (Some(row(StepState::Started, true, None)), Next::Repeat),
            (Some(row(StepState::Started, false, None)), Next::InDoubt),
            (
                Some(row(StepState::Failed, false, Some(unknown))),
                Next::InDoubt,
            ),
            (Some(row(StepState::Settled, true, None)), Next::InDoubt),
        ];
        for (recorded, want) in cases {
            assert_eq!(
                next(recorded.as_ref(), "web.fetch", &input),
                want,
                "{recorded:?}"
            );
        }
        for state in [StepState::Started, StepState::Settled, StepState::Failed] {
            let recorded = row(state, true, Some(ok.clone()));
            assert_eq!(next(Some(&recorded), "web.search", &input), Next::Diverged);
            assert_eq!(
                next(Some(&recorded), "web.fetch", &Digest::of(b"b")),
                Next::Diverged
            );
        }
    }
}
