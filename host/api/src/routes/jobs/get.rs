//! `GET /v1/jobs/{job_id}`.

use axum::Json;
use axum::extract::State;
use gtm_domain::{JobId, Permission};
use gtm_engine::{JobLookup, ProjectScope};

use super::ReadJobs;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::job_envelope::JobEnvelope;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::path_id::PathId;

pub struct GetJob;

impl Operation for GetJob {
    const ERRORS: &'static [DeclaredError] =
        &[DeclaredError::NOT_IN_PROJECT, DeclaredError::EXPIRED];
}

/// Read a job.
///
/// Poll until `status` is succeeded, failed or canceled: wait 2 seconds before the first read, then back
/// off with jitter to at most 10 seconds. A job can be read in the project that it belongs to. The research
/// of a brand, which belongs to the organization, can be read in each of its projects by a key with
/// `brands:read` or `brands:write`, but without its cost, events and receipts, and not in lists.
#[utoipa::path(
    get, path = "/v1/jobs/{job_id}", tag = "Jobs", operation_id = "get_job_v1_jobs__job_id__get",
    params(PathId::<JobId>),
    responses(
        (status = 200, description = "The job with its typed result.", body = ref("#/components/schemas/JobResponse"), content_type = "application/json"),
        Errors::<GetJob>,
    )
)]
pub async fn get_job(
    api: State<Api>,
    caller: Authorized<ReadJobs>,
    job: PathId<JobId>,
) -> Result<Json<JobEnvelope>, ApiError> {
    match api.engine().job(caller.scope(), job.0).await? {
        JobLookup::Found(row) => Ok(Json(JobEnvelope::of(&row))),
        JobLookup::Expired => Err(ApiError::job_expired()),
        JobLookup::Absent => shared_research(&api, caller.scope(), job.0).await,
    }
}

/// The job of another project, if it researches a brand of the organization.
async fn shared_research(
    api: &Api,
    scope: &ProjectScope,
    id: JobId,
) -> Result<Json<JobEnvelope>, ApiError> {
    let may = |permission| scope.permissions().allow(permission);
    let found = api.engine().store().research_job(scope, id).await?;
    match found.filter(|_| may(Permission::BrandsRead) || may(Permission::BrandsWrite)) {
        Some(job) if job.expired => Err(ApiError::job_expired()),
        Some(job) => Ok(Json(job.into())),
        None => Err(ApiError::not_found()),
    }
}
