//! The record of what a run reads that another run might read otherwise: a resumed run and a replay go by it (decision
//! 0085). It stands with the job's pins; what it says is for the job type.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::JobRun;
use super::cited::{fault, unreadable};
use crate::ending::Ending;
use crate::journal::state::LeasedJob;

/// What is recorded of a job.
pub(super) enum Recorded<T> {
    /// A replay goes by this alone.
    Final(T),
    /// A run may add to it.
    Open {
        leased: LeasedJob,
        /// `None` if no run has recorded anything yet.
        before: Option<T>,
    },
}

impl<T: DeserializeOwned> Recorded<T> {
    /// The record of this job.
    ///
    /// # Errors
    /// If it is none of this type, or a replay has none: then the job ended before it read anything.
    pub(super) fn of(run: &JobRun) -> Result<Self, Ending> {
        let before = run.pins.observed.as_ref().map(T::deserialize);
        let before = before.transpose().map_err(|error| fault(run, &error))?;
        match (run.leased.clone(), before) {
            (Some(leased), before) => Ok(Self::Open { leased, before }),
            (None, Some(recorded)) => Ok(Self::Final(recorded)),
            (None, None) => {
                let why = "the job has no record of what it read";
                Err(Ending::HandBack(why.to_owned()))
            }
        }
    }

    /// What is recorded so far.
    pub(super) const fn known(&self) -> Option<&T> {
        match self {
            Self::Final(recorded) => Some(recorded),
            Self::Open { before, .. } => before.as_ref(),
        }
    }
}

/// Records what a run goes by, for those that follow, if it is not what was recorded before.
///
/// # Errors
/// If it cannot be stored.
pub(super) async fn record<T: Serialize + PartialEq>(
    run: &mut JobRun,
    leased: &LeasedJob,
    before: Option<&T>,
    observed: &T,
) -> Result<(), Ending> {
    if before == Some(observed) {
        return Ok(());
    }
    let value = serde_json::to_value(observed).map_err(|error| fault(run, &error))?;
    run.pins.observed = Some(value);
    let pins = run.pins.to_value().map_err(|error| fault(run, &error))?;
    let stored = leased.store.record_pins(&leased.lease, pins).await;
    stored.map_err(unreadable)
}
