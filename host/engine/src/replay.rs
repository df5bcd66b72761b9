//! Running an ended job again from its journal alone: the same bytes, no network, nothing written.
//!
//! It shows that a result follows from what was recorded. Everything but the time it took must come
//! out the same.

use std::sync::Arc;

use gtm_domain::job::{Job, JobError};
use gtm_domain::{Digest, JobId, JobStatus, canonical_digest};
use serde_json::Value;
use tokio::time::Instant;

use crate::create::seed_of;
use crate::ending::Ending;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::job_types::{self, EvidenceReader, JobRun};
use crate::pins::Pins;
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
        job: Job,
        reader: Arc<dyn EvidenceReader>,
    ) -> Result<ReplayReport, EngineError> {
        let refuse = |why: &str| Err(EngineError::NotReplayable(why.to_owned()));
        if job.expired || job.pins.is_null() {
            return refuse("its retention is over");
        }
        let volatile =
            job_types::find(self.job_types(), job.job_type).map_or(&[][..], |entry| entry.volatile);
        let digest_of = |end: &Result<Value, JobError>| digest_of(end, volatile);
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
            plugins: self.plugins().clone(),
            config: self.config().clone(),
            clock: Arc::clone(self.clock()),
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
        let end = match job_types::perform(self.job_types(), run).await.0 {
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

/// Of a result all but what is volatile is compared; of an error only its code, since a message may name
/// circumstances of the moment.
fn digest_of(end: &Result<Value, JobError>, volatile: &[&str]) -> Result<Digest, EngineError> {
    let digest = match end {
        Ok(result) => canonical_digest(&without(result.clone(), volatile)),
        Err(error) => canonical_digest(&error.code),
    };
    digest.map_err(|e| EngineError::shape("job end", e))
}

/// A value without what these pointers name; `*` stands for everything on its level.
fn without(mut value: Value, pointers: &[&str]) -> Value {
    for pointer in pointers {
        let path: Vec<&str> = pointer.split('/').skip(1).collect();
        remove(&mut value, &path);
    }
    value
}

fn remove(value: &mut Value, path: &[&str]) {
    match (value, path) {
        (Value::Object(members), ["*"]) => members.clear(),
        (Value::Object(members), [name]) => {
            members.remove(*name);
        }
        (Value::Object(members), ["*", rest @ ..]) => {
            members.values_mut().for_each(|inner| remove(inner, rest));
        }
        (Value::Object(members), [name, rest @ ..]) => {
            if let Some(inner) = members.get_mut(*name) {
                remove(inner, rest);
            }
        }
        (Value::Array(elements), ["*"]) => elements.clear(),
        (Value::Array(elements), ["*", rest @ ..]) => {
            elements.iter_mut().for_each(|inner| remove(inner, rest));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_volatile_is_not_compared() {
        let result = json!({"took": 3, "progress": [{"at": 1, "text": "a"}, {"at": 2, "text": "b"}], "by": {"x": {"at": 1}}});
        let rest = without(
            result,
            &[
                "/took",
                "/progress/*/at",
                "/by/*/at",
                "/absent/at",
                "/took/at",
            ],
        );
        let expected = json!({"progress": [{"text": "a"}, {"text": "b"}], "by": {"x": {}}});
        assert_eq!(rest, expected);
    }
}
