//! Running an ended job again from its journal alone: the same bytes, no network, nothing written.
//!
//! It shows that a result follows from what was recorded. Everything but the time it took must come
//! out the same.

use std::sync::Arc;

use gtm_domain::job::JobError;
use gtm_domain::{Digest, JobId, JobStatus, canonical_digest};
use gtm_evidence_check::playbook::replayable;
use gtm_store::JobRow;
use serde_json::Value;
use tokio::time::Instant;

use crate::create::seed_of;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::job_types::{EvidenceReader, JobRun};
use crate::pins::Pins;
use crate::run::{Ending, run_type};
use crate::stop::Stop;

/// What a replay found.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayReport {
    /// The job.
    pub job: JobId,
    /// Digest of the recorded end: of the result without the time it took, or of the error's code.
    pub recorded: Digest,
    /// The same of the replayed end.
    pub replayed: Digest,
    /// The replayed result, or its error.
    pub end: Result<Value, JobError>,
}

impl ReplayReport {
    /// Whether the same came out.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.recorded == self.replayed
    }
}

impl Engine {
    /// Replay a job whose row and stored answers the caller may read.
    ///
    /// # Errors
    /// [`EngineError::NotReplayable`] if the job has not ended, is expired, was canceled, or its
    /// journal does not reach its end; a fault of the store.
    pub async fn replay(
        &self,
        job: JobRow,
        reader: Arc<dyn EvidenceReader>,
    ) -> Result<ReplayReport, EngineError> {
        let refuse = |why: &str| Err(EngineError::NotReplayable(why.to_owned()));
        if job.expired || job.pins.is_null() {
            return refuse("its retention is over");
        }
        let recorded = match (job.status, &job.result, &job.error) {
            (JobStatus::Succeeded, Some(result), _) => digest_of(&Ok(result.clone()))?,
            (JobStatus::Failed, _, Some(error)) => digest_of(&Err(error.clone()))?,
            (JobStatus::Canceled, ..) => return refuse("it was canceled"),
            _ => return refuse("it has not ended"),
        };
        let Some(started_at) = job.started_at else {
            return refuse("it was never started");
        };
        let steps = self.store().operator().job_steps(job.id).await?;
        let id = job.id;
        let run = JobRun {
            engine: self.clone(),
            pins: Pins::from_value(&job.pins)?,
            seed: seed_of(id),
            started_at,
            cost_cap: job.cost_cap,
            job,
            reader,
            leased: None,
            recorded: steps,
            stop: Arc::new(Stop::default()),
            ends_at: Instant::now() + self.config().job_deadline,
        };
        let end = match run_type(run).await.0 {
            Ending::Succeeded { result, .. } => Ok(result),
            Ending::Failed(error) => Err(error),
            Ending::HandBack(problem) | Ending::Pause(problem) => {
                return Err(EngineError::NotReplayable(problem));
            }
            Ending::Canceled | Ending::LeaseLost => return refuse("the replay was cut off"),
        };
        Ok(ReplayReport {
            job: id,
            recorded,
            replayed: digest_of(&end)?,
            end,
        })
    }
}

/// Of an error only its code is compared: a message may name circumstances of the moment.
fn digest_of(end: &Result<Value, JobError>) -> Result<Digest, EngineError> {
    let digest = match end {
        Ok(result) => canonical_digest(&replayable(result)),
        Err(error) => canonical_digest(&error.code),
    };
    digest.map_err(|e| EngineError::shape("job end", e))
}
