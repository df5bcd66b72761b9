//! `POST /v1/brands/{brand_id}/research`.

use axum::extract::State;
use axum::response::Response;
use gtm_domain::BrandId;
use gtm_domain::ErrorCode;
use gtm_engine::{BrandProblem, CreateError};

use super::WriteBrands;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::created;
use crate::error::ApiError;
use crate::idempotency_key::IdempotencyKey;
use crate::no_body::NoBody;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::path_id::PathId;
use crate::routes::jobs::accepted;

pub struct ResearchBrand;

impl Operation for ResearchBrand {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::of(ErrorCode::InsufficientCredits),
        DeclaredError::NOT_IN_ORGANIZATION,
        DeclaredError::KEY_REUSED,
        DeclaredError::KEY_IN_PROGRESS,
        DeclaredError::of(ErrorCode::BrandProfileArchived),
    ];
}

/// Research a brand again.
///
/// Starts research whose guideline becomes the next revision; until then, or if it fails, the current one
/// stays. While research is already running, the answer is that job with `Job-Reused: true`, and no other
/// job is created. Another project of the organization may have requested that job. It can be read like any
/// other, except for its `usage`, which that project is charged, and the details of its error.
#[utoipa::path(
    post, path = "/v1/brands/{brand_id}/research", tag = "Brands", operation_id = "research_brand_v1_brands__brand_id__research_post",
    params(
        PathId::<BrandId>,
        IdempotencyKey),
    responses(
        (status = 202, description = "The job was accepted, or is already running.", body = ref("#/components/schemas/BrandJobResponse"), content_type = "application/json",
            headers(
                ("Location" = String, description = "Path of the job."),
                ("Job-Reused" = Option<String>, description = "`true` if the job was already running."),
                ("Idempotency-Replayed" = Option<String>, description = "`true` if the answer is a repeated one."))),
        Errors::<ResearchBrand>,
    )
)]
pub async fn research_brand(
    api: State<Api>,
    caller: Authorized<WriteBrands>,
    path: PathId<BrandId>,
    key: IdempotencyKey,
    body: NoBody,
) -> Result<Response, ApiError> {
    let idempotency = key.bound_to(body.fingerprint);
    let outcome = api
        .engine()
        .research_brand(
            caller.scope(),
            path.0,
            idempotency,
            accepted::answer,
            accepted::answer_running,
        )
        .await;
    match outcome {
        // The path names the brand here, and a missing resource has the same code wherever a path names it.
        Err(CreateError::Brand(BrandProblem::Unknown)) => Err(ApiError::not_found()),
        outcome => created::response(outcome?),
    }
}
