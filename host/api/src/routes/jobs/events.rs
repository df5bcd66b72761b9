//! `GET /v1/jobs/{job_id}/events`.

use axum::Json;
use axum::extract::State;
use gtm_domain::{Digest, EventId, JobId, Timestamp};
use gtm_engine::{JobEvent, JobLookup};
use serde::Serialize;
use serde_json::Value;
use uuid::Builder;

use super::ReadJobs;
use super::path::JobPath;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::page::Page;

/// A page of events.
#[derive(Debug, Serialize)]
pub struct EventList {
    events: Vec<Event>,
    next_cursor: Option<String>,
    has_more: bool,
}

#[derive(Debug, Serialize)]
struct Event {
    id: EventId,
    sequence: u64,
    #[serde(rename = "type")]
    kind: String,
    job_id: JobId,
    at: Timestamp,
    progress: u8,
    data: Value,
}

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
    if matches!(
        api.engine().job(caller.scope(), job.0).await?,
        JobLookup::Expired
    ) {
        return Err(ApiError::job_expired());
    }
    // One more than asked for tells whether there are more.
    let found = api
        .engine()
        .job_events(caller.scope(), job.0, page.after, page.limit + 1)
        .await?;
    let rows = found.ok_or_else(ApiError::not_found)?;
    let size = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let has_more = rows.len() > size;
    let events: Vec<Event> = rows
        .into_iter()
        .take(size)
        .map(|row| event(job.0, row))
        .collect();
    let next_cursor = events
        .last()
        .filter(|_| has_more)
        .map(|last| last.sequence.to_string());
    Ok(Json(EventList {
        events,
        next_cursor,
        has_more,
    }))
}

fn event(job: JobId, row: JobEvent) -> Event {
    Event {
        id: event_id(job, row.seq, row.at),
        sequence: row.seq,
        kind: row.kind,
        job_id: job,
        at: row.at,
        progress: row.progress,
        data: row.data,
    }
}

/// An event's id follows from its job and sequence, so it needs no column of its own.
fn event_id(job: JobId, sequence: u64, at: Timestamp) -> EventId {
    let digest = Digest::of(format!("{job}/{sequence}").as_bytes());
    let mut tail = [0u8; 10];
    tail.copy_from_slice(&digest.as_bytes()[..10]);
    let millis = u64::try_from(at.millis()).unwrap_or(0);
    EventId::from_uuid(Builder::from_unix_timestamp_millis(millis, &tail).into_uuid())
}
