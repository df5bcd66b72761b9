//! `GET /v1/jobs/{job_id}/events`.

use axum::Json;
use axum::extract::State;
use gtm_domain::ErrorCode;
use gtm_domain::JobId;
use gtm_engine::JobLookup;
use gtm_engine::timeline::{MAX_REPORTS, TimelineEvent, timeline};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::PartialSchema as _;
use utoipa::openapi::{RefOr, Schema};

use super::ReadJobs;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::page::{Collection, Filter, ListQuery, PageBody, Published};
use crate::path_id::PathId;
use crate::query_reader::{Fault, whole_number};

/// The events of a job.
#[derive(Debug)]
pub struct Events;

impl Collection for Events {
    const NAME: &'static str = "events";
    const ROWS: &'static str = "Events";
    type Filter = News;
    /// The event's sequence.
    type Key = u64;
}

impl Published for Events {
    const SCHEMA: &'static str = "JobEventList";
    const ABOUT: &'static str = "What happened in a job, in order.";
    const NEXT_CURSOR: &'static str =
        "Value of `cursor` for the next page; null at the end of what has happened so far.";

    fn row() -> RefOr<Schema> {
        TimelineEvent::schema()
    }

    fn example() -> (Vec<Value>, Option<&'static str>) {
        let job = "job_01m7z9bm98ebdsbmgmvb1g024g";
        let events = vec![
            json!({
                "id": "evt_01m7z9bm98em9rfp733qwptk35", "sequence": 1, "type": "job.queued", "job_id": job,
                "at": "2026-11-21T14:49:53.704Z", "progress": 0, "data": {}
            }),
            json!({
                "id": "evt_01m7z9bmadfwwv7m0b0n1z3xb6", "sequence": 2, "type": "job.started", "job_id": job,
                "at": "2026-11-21T14:49:53.741Z", "progress": 0, "data": {}
            }),
            json!({
                "id": "evt_01m7z9bmeyf3vtt9tp9c0rc3td", "sequence": 3, "type": "milestone", "job_id": job,
                "at": "2026-11-21T14:49:53.886Z", "progress": 15,
                "data": { "message": "Read the home page", "percent": 15 }
            }),
        ];
        (events, Some("3"))
    }
}

/// Which events are wanted.
#[derive(Debug, Default, Serialize)]
pub struct News {
    after: u64,
}

impl Filter for News {
    const PARAMETERS: &'static [&'static str] = &["after"];
    const WITH_CURSOR: &'static str = ", with the same `after`";

    fn take(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        self.after = whole_number(name, value, 0, i64::MAX as u64)?;
        Ok(())
    }
}

pub struct ListJobEvents;

impl Operation for ListJobEvents {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::of(ErrorCode::MalformedRequest),
        DeclaredError::CURSOR,
        DeclaredError::NOT_IN_PROJECT,
        DeclaredError::EXPIRED,
        DeclaredError::when(ErrorCode::InvalidRequest, "a number is out of range"),
    ];
}

/// List what happened in a job.
///
/// Stages, milestones, progress and what was left out of the result (`claims.left_out`), in order. A job in progress
/// gains events: `next_cursor` is null when there are no more for now. To ask for new ones, send the sequence of
/// the last event seen as `after`.
#[utoipa::path(
    get, path = "/v1/jobs/{job_id}/events", tag = "Jobs", operation_id = "list_job_events_v1_jobs__job_id__events_get",
    params(
        PathId::<JobId>,
        ("after" = Option<u64>, Query, description = "Only events with a higher sequence; 0 for all events.", minimum = 0),
        ListQuery::<Events>,
    ),
    responses(
        (status = 200, description = "A page of events, oldest first.", body = ref("#/components/schemas/JobEventList"), content_type = "application/json"),
        Errors::<ListJobEvents>,
    )
)]
pub async fn list_job_events(
    api: State<Api>,
    caller: Authorized<ReadJobs>,
    job: PathId<JobId>,
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
        .store()
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
