//! `POST /v1/brands/{brand_id}/research`.

use axum::extract::State;
use axum::response::Response;
use gtm_domain::ErrorCode;
use gtm_engine::{CreateError, ResearchOutcome};

use super::WriteBrands;
use super::path::BrandPath;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::created;
use crate::error::ApiError;
use crate::idempotency_key::IdempotencyKey;
use crate::job_envelope;
use crate::no_body::NoBody;
use crate::routes::jobs::accepted;

/// Research a brand again.
///
/// Starts research whose guideline becomes the next revision; until then, and if it fails, the
/// current one stays. While research is at work, the answer is that job with `Job-Reused: true`, and
/// no other is made. That job may have been asked for in another project of the organization. It is
/// read like any other; its `usage`, which that project is charged, and the details of its error are
/// not told.
#[utoipa::path(
    post, path = "/v1/brands/{brand_id}/research", tag = "Brands", operation_id = "research_brand_v1_brands__brand_id__research_post",
    params(
        ("brand_id" = String, Path, description = "The brand's id."),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters, bare or as a quoted string. Make and keep it before the first attempt.")),
    responses(
        (status = 202, description = "The job was accepted, or is at work already.", body = ref("#/components/schemas/BrandJobResponse"), content_type = "application/json",
            headers(
                ("Location" = String, description = "Path of the job."),
                ("Job-Reused" = Option<String>, description = "`true` if the job was at work already."),
                ("Idempotency-Replayed" = Option<String>, description = "`true` on a repeated answer."))),
        (status = 402, description = "insufficient_credits"),
        (status = 404, description = "not_found: absent in the key's organization"),
        (status = 409, description = "idempotency_key_reused, idempotency_in_progress, brand_profile_archived"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("ga")))
)]
pub async fn research_brand(
    api: State<Api>,
    caller: Authorized<WriteBrands>,
    path: BrandPath,
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
            job_envelope::accepted_body,
            job_envelope::shared_body,
        )
        .await;
    match outcome {
        Ok(ResearchOutcome::Started(outcome)) => accepted::response(Ok(outcome)),
        Ok(ResearchOutcome::Reused(answer)) => created::stored(answer),
        Err(CreateError::Code(ErrorCode::NotFound, _)) => Err(ApiError::not_found()),
        Err(error) => Err(accepted::refusal(error)),
    }
}
