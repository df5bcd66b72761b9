//! `GET /v1/jobs`.

use axum::Json;
use axum::extract::State;
use gtm_domain::{JobId, JobStatus, JobType, Timestamp};
use gtm_engine::JobFilter;
use serde::Serialize;

use super::ReadJobs;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::job_envelope::JobEnvelope;
use crate::page::{Collection, Fault, Filter, ListQuery, PageBody};
use crate::validation::Violation;

/// The jobs of a project.
#[derive(Debug)]
pub struct Jobs;

impl Collection for Jobs {
    const NAME: &'static str = "jobs";
    type Filter = Wanted;
    type Key = JobId;
}

/// Which jobs are wanted.
#[derive(Debug, Default, Serialize)]
pub struct Wanted {
    #[serde(rename = "type")]
    job_type: Option<JobType>,
    status: Option<JobStatus>,
    created_after: Option<Timestamp>,
}

impl Filter for Wanted {
    const PARAMETERS: &'static [&'static str] = &["type", "status", "created_after"];

    fn take(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let refused = |rule: &str, message: &str| {
            Fault::Refused(Violation::new(format!("/{name}"), rule, message))
        };
        match name {
            "type" => {
                let found = JobType::parse(value)
                    .ok_or_else(|| refused("enum", "must be a job type, such as playbooks"));
                self.job_type = Some(found?);
            }
            "status" => {
                let found = JobStatus::parse(value).ok_or_else(|| {
                    refused(
                        "enum",
                        "must be queued, running, succeeded, failed or canceled",
                    )
                });
                self.status = Some(found?);
            }
            _ => {
                let found = value.parse().map_err(|_| {
                    refused(
                        "format",
                        "must be an RFC 3339 instant; write a plus sign as %2B",
                    )
                });
                self.created_after = Some(found?);
            }
        }
        Ok(())
    }
}

/// List jobs.
///
/// The project's jobs, newest first, each as `GET /v1/jobs/{job_id}` shows it. Jobs past their
/// retention are not listed. `created_after` compares in milliseconds, as `created_at` is shown.
#[utoipa::path(
    get, path = "/v1/jobs", tag = "Jobs", operation_id = "list_jobs_v1_jobs_get",
    params(
        ("type" = Option<String>, Query, description = "Only this type.", pattern = "^(playbooks|brands|documents|message_templates)$"),
        ("status" = Option<String>, Query, description = "Only this status.", pattern = "^(queued|running|succeeded|failed|canceled)$"),
        ("created_after" = Option<String>, Query, description = "Only jobs created after this RFC 3339 instant.", format = DateTime),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before, with the same filters. Good for 7 days."),
        ("limit" = Option<u32>, Query, description = "Rows on a page; 20 by default.", minimum = 1, maximum = 100)),
    responses(
        (status = 200, description = "A page of jobs.", body = ref("#/components/schemas/JobList"), content_type = "application/json"),
        (status = 400, description = "invalid_request: the query is malformed; invalid_cursor"),
        (status = 422, description = "invalid_request: a parameter's value is refused"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("preview")))
)]
pub async fn list_jobs(
    api: State<Api>,
    caller: Authorized<ReadJobs>,
    query: ListQuery<Jobs>,
) -> Result<Json<PageBody<Jobs, JobEnvelope>>, ApiError> {
    let page = query.page(&api, caller.scope(), "")?;
    let filter = JobFilter {
        job_type: page.filter.job_type,
        status: page.filter.status,
        created_after: page.filter.created_after,
        before: page.after,
        limit: page.rows(),
    };
    let rows = api.engine().jobs(caller.scope(), &filter).await?;
    Ok(Json(page.answer(
        rows,
        |job| job.id,
        |job| JobEnvelope::of(&job),
    )))
}
