//! `GET /v1/jobs/{job_id}/events`.

use axum::Json;
use axum::extract::State;
use gtm_engine::JobLookup;

use super::ReadJobs;
use super::path::JobPath;
use super::timeline::{EventList, page_of};
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::page::Page;

/// More reports than the engine lets any job make.
const MAX_REPORTS: u32 = 10_000;

/// List what happened in a job.
///
/// Stages, milestones and progress in order. A job in progress gains events: ask again with `after`
/// set to the sequence of the last event seen.
#[utoipa::path(
    get, path = "/v1/jobs/{job_id}/events", tag = "Jobs", operation_id = "list_job_events_v1_jobs__job_id__events_get",
    params(
        ("job_id" = String, Path, description = "The job's id."),
        ("after" = Option<String>, Query, description = "A `next_cursor`, or the sequence of the last event seen."),
        ("limit" = Option<u32>, Query, description = "Events on a page: 1 to 200, 50 by default.")),
    responses(
        (status = 200, description = "Events after the cursor, oldest first.", body = ref("#/components/schemas/JobEventList"), content_type = "application/json"),
        (status = 404, description = "not_found: absent in the key's project"),
        (status = 410, description = "job_expired: past the 30-day retention"),
        (status = 422, description = "invalid_request: limit is out of range"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("preview")))
)]
pub async fn list_job_events(
    api: State<Api>,
    caller: Authorized<ReadJobs>,
    job: JobPath,
    page: Page,
) -> Result<Json<EventList>, ApiError> {
    let row = match api.engine().job(caller.scope(), job.0).await? {
        JobLookup::Found(row) => row,
        JobLookup::Expired => return Err(ApiError::job_expired()),
        JobLookup::Absent => return Err(ApiError::not_found()),
    };
    let reported = api
        .engine()
        .job_events(caller.scope(), job.0, 0, MAX_REPORTS)
        .await?;
    Ok(Json(page_of(&row, reported.unwrap_or_default(), page)))
}
