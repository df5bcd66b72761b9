//! `GET /v1/jobs/{job_id}/events`.

use axum::Json;
use axum::extract::State;
use gtm_engine::JobLookup;
use gtm_engine::timeline::{MAX_REPORTS, TimelineEvent, timeline};
use serde::Serialize;

use super::ReadJobs;
use super::path::JobPath;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::page::{Collection, Fault, Filter, ListQuery, PageBody, whole_number};

/// What happened in a job.
#[derive(Debug)]
pub struct Events;

impl Collection for Events {
    const NAME: &'static str = "events";
    type Filter = News;
    /// The event's sequence.
    type Key = u64;
}

/// Which events are wanted.
#[derive(Debug, Default, Serialize)]
pub struct News {
    after: u64,
}

impl Filter for News {
    const PARAMETERS: &'static [&'static str] = &["after"];

    fn take(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        self.after = whole_number(name, value, 0, i64::MAX as u64)?;
        Ok(())
    }
}

/// List what happened in a job.
///
/// Stages, milestones and progress in order. A job in progress gains events: `next_cursor` is null
/// where there are no more for now. To ask for news, send the sequence of the last event seen as
/// `after`.
#[utoipa::path(
    get, path = "/v1/jobs/{job_id}/events", tag = "Jobs", operation_id = "list_job_events_v1_jobs__job_id__events_get",
    params(
        ("job_id" = String, Path, description = "The job's id."),
        ("after" = Option<u64>, Query, description = "Only events with a higher sequence; 0 for all of them.", minimum = 0),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before, with the same `after`. Good for 7 days."),
        ("limit" = Option<u32>, Query, description = "Events on a page; 20 by default.", minimum = 1, maximum = 100)),
    responses(
        (status = 200, description = "A page of events, oldest first.", body = ref("#/components/schemas/JobEventList"), content_type = "application/json"),
        (status = 400, description = "invalid_request, invalid_cursor"),
        (status = 404, description = "not_found: absent in the key's project"),
        (status = 410, description = "job_expired: past the 30-day retention"),
        (status = 422, description = "invalid_request: a number is out of range"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("preview")))
)]
pub async fn list_job_events(
    api: State<Api>,
    caller: Authorized<ReadJobs>,
    job: JobPath,
    query: ListQuery<Events>,
) -> Result<Json<PageBody<Events, TimelineEvent>>, ApiError> {
    let page = query.page(&api, caller.scope(), &job.0.to_string())?;
    let row = match api.engine().job(caller.scope(), job.0).await? {
        JobLookup::Found(row) => row,
        JobLookup::Expired => return Err(ApiError::job_expired()),
        JobLookup::Absent => return Err(ApiError::not_found()),
    };
    let reported = api
        .engine()
        .job_events(caller.scope(), job.0, 0, MAX_REPORTS)
        .await?;
    let after = page.after.unwrap_or_default().max(page.filter.after);
    let size = usize::try_from(page.rows()).unwrap_or(usize::MAX);
    let events = timeline(&row, reported.unwrap_or_default())
        .skip_while(|event| event.sequence <= after)
        .take(size)
        .collect();
    Ok(Json(page.answer(
        events,
        |event: &TimelineEvent| event.sequence,
        |event| event,
    )))
}
