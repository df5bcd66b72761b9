//! Replays an ended job from its journal alone: same bytes, no network, no writes.
//!
//! A replay proves that a result follows from what was recorded. Everything except the elapsed time must
//! come out the same, including the job's files: renderers' output is not recorded, so they run again.

use std::sync::Arc;

use gtm_domain::job::{Job, JobError, JobFile, Product};
use gtm_domain::{Digest, FileId, JobId, JobStatus, canonical_digest};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::create::seed_of;
use crate::ending::Ending;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::job_types::{self, EvidenceReader, JobRun};
use crate::pins::Pins;
use crate::stop::Stop;

/// Result of a replay.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayReport {
    pub job: JobId,
    /// Digest of the recorded end: of the result, without the elapsed time, and the job's files; or of the
    /// error's code.
    pub recorded: Digest,
    /// The same digest of the replayed end.
    pub replayed: Digest,
    /// The replayed result, or its error.
    pub end: Result<Value, JobError>,
    /// Names of files that differ from the stored ones, or exist on only one side.
    pub different_files: Vec<String>,
}

impl ReplayReport {
    /// Whether the replay came out the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.recorded == self.replayed
    }
}

impl Engine {
    /// Replays a job whose row and stored answers the caller may read.
    ///
    /// # Errors
    /// [`EngineError::NotReplayable`] if the job has not ended, has expired, was canceled, or its journal
    /// does not reach its end; a failure of the store.
    pub async fn replay(
        &self,
        job: Job,
        reader: Arc<dyn EvidenceReader>,
    ) -> Result<ReplayReport, EngineError> {
        let refuse = |why: &str| Err(EngineError::NotReplayable(why.to_owned()));
        if job.expired || job.pins.is_null() {
            return refuse("its retention is over");
        }
        let entry = job_types::find(self.job_types(), job.job_type);
        if let Some(Err(why)) = entry.map(|entry| (entry.replayable)(&job.input)) {
            return refuse(why);
        }
        let volatile = entry.map_or(&[][..], |entry| entry.volatile);
        let digest_of =
            |end: &Result<Value, JobError>, files: &[FileFacts]| digest_of(end, files, volatile);
        let stored = self.store().operator().job_files(job.id).await?;
        let stored: Vec<FileFacts> = stored.iter().map(FileFacts::from).collect();
        let recorded = match (job.status, &job.result, &job.error) {
            (JobStatus::Succeeded, Some(result), _) => digest_of(&Ok(result.clone()), &stored)?,
            (JobStatus::Failed, _, Some(error)) => digest_of(&Err(error.clone()), &stored)?,
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
            pure_cpu_ms: Arc::default(),
        };
        let (end, made) = match job_types::perform(self.job_types(), run).await.0 {
            Ending::Succeeded { result, product } => (Ok(result), file_facts(&product)),
            Ending::Failed(error) => (Err(error), Vec::new()),
            Ending::HandBack(problem) | Ending::Pause(problem) => {
                return Err(EngineError::NotReplayable(problem));
            }
            Ending::Canceled | Ending::LeaseLost => return refuse("the replay was cut off"),
        };
        Ok(ReplayReport {
            job: id,
            recorded,
            replayed: digest_of(&end, &made)?,
            end,
            different_files: differences(&stored, &made),
        })
    }
}

/// The facts of a file that are compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct FileFacts {
    id: FileId,
    name: String,
    media_type: String,
    digest: Digest,
}

impl From<&JobFile> for FileFacts {
    fn from(file: &JobFile) -> Self {
        Self {
            id: file.id,
            name: file.name.clone(),
            media_type: file.media_type.clone(),
            digest: file.digest,
        }
    }
}

fn file_facts(product: &Product) -> Vec<FileFacts> {
    let Product::Files(files) = product else {
        return Vec::new();
    };
    let facts = files.iter().map(|file| FileFacts {
        id: file.id,
        name: file.name.clone(),
        media_type: file.media_type.clone(),
        digest: Digest::of(&file.bytes),
    });
    facts.collect()
}

fn differences(stored: &[FileFacts], made: &[FileFacts]) -> Vec<String> {
    let absent_in = |others: &[FileFacts], file: &FileFacts| !others.contains(file);
    let mut names: Vec<String> = stored
        .iter()
        .filter(|file| absent_in(made, file))
        .chain(made.iter().filter(|file| absent_in(stored, file)))
        .map(|file| file.name.clone())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// For a result, everything but its volatile parts is compared, and every file; for an error only its code,
/// because a message may name momentary circumstances.
fn digest_of(
    end: &Result<Value, JobError>,
    files: &[FileFacts],
    volatile: &[&str],
) -> Result<Digest, EngineError> {
    let digest = match end {
        Ok(result) if files.is_empty() => canonical_digest(&without(result.clone(), volatile)),
        Ok(result) => {
            canonical_digest(&json!({"result": without(result.clone(), volatile), "files": files}))
        }
        Err(error) => canonical_digest(&error.code),
    };
    digest.map_err(|e| EngineError::shape("job end", e))
}

/// A value without the parts that these pointers name; `*` stands for everything on its level.
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
