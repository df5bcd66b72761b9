//! `GET /v1/jobs/{job_id}`.

use axum::Json;
use axum::extract::State;
use gtm_engine::JobLookup;

use super::ReadJobs;
use super::path::JobPath;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::job_envelope::JobEnvelope;

/// Read a job.
///
/// Poll until `status` is succeeded, failed or canceled: wait 2 seconds before the first read, then
/// back off with jitter to at most 10 seconds.
#[utoipa::path(
    get, path = "/v1/jobs/{job_id}", tag = "Jobs", operation_id = "get_job_v1_jobs__job_id__get",
    params(("job_id" = String, Path, description = "The job's id.")),
    responses(
        (status = 200, description = "The job with its typed result.", body = ref("#/components/schemas/JobResponse"), content_type = "application/json"),
        (status = 404, description = "not_found: absent in the key's project"),
        (status = 410, description = "job_expired: past the 30-day retention"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("ga")))
)]
pub async fn get_job(
    api: State<Api>,
    caller: Authorized<ReadJobs>,
    job: JobPath,
) -> Result<Json<JobEnvelope>, ApiError> {
    match api.engine().job(caller.scope(), job.0).await? {
        JobLookup::Found(row) => Ok(Json(JobEnvelope::of(&row))),
        JobLookup::Expired => Err(ApiError::job_expired()),
        JobLookup::Absent => Err(ApiError::not_found()),
    }
}
