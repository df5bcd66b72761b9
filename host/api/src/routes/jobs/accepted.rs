//! The answer to a create that starts a job: 202 with the job's envelope and its path (specification,
//! Endpoints rule 1).

use gtm_domain::brand::ActiveResearch;
use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::job::Job;
use http::StatusCode;

use crate::created;
use crate::job_envelope;

/// Header of an answer with a job that was already running.
const JOB_REUSED: &str = "job-reused";

/// The answer for a queued job, built before the job is stored so that both can be stored together.
#[must_use]
pub fn answer(job: &Job) -> StoredAnswer {
    let location = format!("/v1/jobs/{}", job.id);
    created::answer(StatusCode::ACCEPTED, location, job_envelope::body(job))
}

/// The answer for a brand whose research was already running, whichever of the organization's projects
/// requested it.
#[must_use]
pub fn answer_running(research: &ActiveResearch) -> StoredAnswer {
    let body = match research {
        ActiveResearch::Own(job) => job_envelope::body(job),
        ActiveResearch::Shared(job) => job_envelope::shared_body(job),
    };
    let location = format!("/v1/jobs/{}", research.id());
    let reused = [(JOB_REUSED, "true")];
    created::answer_with(StatusCode::ACCEPTED, location, &reused, body)
}
