//! `GET /v1/jobs`.

use axum::Json;
use axum::extract::State;
use gtm_domain::{JobId, JobStatus, JobType, Timestamp};
use gtm_engine::JobFilter;
use serde::Serialize;
use utoipa::openapi::{Ref, RefOr, Schema};

use super::ReadJobs;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::job_envelope::JobEnvelope;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::page::{Collection, Filter, ListQuery, PageBody, Published};
use crate::query_reader::Fault;

/// The jobs of a project.
#[derive(Debug)]
pub struct Jobs;

impl Collection for Jobs {
    const NAME: &'static str = "jobs";
    type Filter = Wanted;
    type Key = JobId;
}

impl Published for Jobs {
    const SCHEMA: &'static str = "JobList";
    const ABOUT: &'static str =
        "A page of jobs, newest first, each as GET /v1/jobs/{job_id} shows it.";

    fn row() -> RefOr<Schema> {
        Ref::from_schema_name("JobResponse").into()
    }
}

/// Which jobs the caller wants.
#[derive(Debug, Default, Serialize)]
pub struct Wanted {
    #[serde(rename = "type")]
    job_type: Option<JobType>,
    status: Option<JobStatus>,
    created_after: Option<Timestamp>,
}

impl Filter for Wanted {
    const PARAMETERS: &'static [&'static str] = &["type", "status", "created_after"];
    const WITH_CURSOR: &'static str = ", with the same filters";

    fn take(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let refused = |rule, message| Fault::refused(name, rule, message);
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

pub struct ListJobs;

impl Operation for ListJobs {
    const ERRORS: &'static [DeclaredError] = DeclaredError::OF_A_FILTERED_LIST;
}

/// List jobs.
///
/// The project's jobs, newest first, each as `GET /v1/jobs/{job_id}` shows it. Jobs past their retention
/// are not listed. `created_after` compares milliseconds, the precision of `created_at`.
#[utoipa::path(
    get, path = "/v1/jobs", tag = "Jobs", operation_id = "list_jobs_v1_jobs_get",
    params(
        ("type" = Option<String>, Query, description = "Only this type.", pattern = "^(playbooks|brands|documents|message_templates|prospecting)$"),
        ("status" = Option<String>, Query, description = "Only this status.", pattern = "^(queued|running|succeeded|failed|canceled)$"),
        ("created_after" = Option<String>, Query, description = "Only jobs created after this RFC 3339 instant.", format = DateTime),
        ListQuery::<Jobs>,
    ),
    responses(
        (status = 200, description = "A page of jobs.", body = ref("#/components/schemas/JobList"), content_type = "application/json"),
        Errors::<ListJobs>,
    )
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
        external_ref: None,
    };
    let store = api.engine().store();
    let rows = store.list_jobs(caller.scope(), &filter).await?;
    Ok(Json(page.answer(
        rows,
        |job| job.id,
        |job| JobEnvelope::of(&job),
    )))
}
