//! `POST /v1/brands`.

use axum::extract::State;
use axum::response::Response;
use gtm_domain::ErrorCode;
use gtm_domain::brand::BrandCreate;

use super::WriteBrands;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::created;
use crate::error::ApiError;
use crate::idempotency_key::IdempotencyKey;
use crate::json_body::JsonBody;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::routes::jobs::accepted;

pub struct CreateBrand;

impl Operation for CreateBrand {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::of(ErrorCode::InsufficientCredits),
        DeclaredError::KEY_REUSED,
        DeclaredError::KEY_IN_PROGRESS,
        DeclaredError::BROKEN_RULES,
    ];
}

/// Create a brand and research it.
///
/// Creates a brand in the organization and starts its first research. Answers at once with a queued job,
/// whose input names the brand; poll it at the `Location` and read the guideline at the result's
/// `guideline_path`. With `is_default`, the brand becomes the organization's default once it has its first
/// guideline; until then, or if research fails, the default stays as it is. Without an `Idempotency-Key`,
/// sending the same company twice creates two brands with two keys.
#[utoipa::path(
    post, path = "/v1/brands", tag = "Brands", operation_id = "create_brand_v1_brands_post",
    params(IdempotencyKey),
    request_body(content = ref("#/components/schemas/BrandCreate"), content_type = "application/json"),
    responses(
        (status = 202, description = "The job was accepted.", body = ref("#/components/schemas/BrandJobResponse"), content_type = "application/json",
            headers(
                ("Location" = String, description = "Path of the job."),
                ("Idempotency-Replayed" = Option<String>, description = "`true` if the answer is a repeated one."))),
        Errors::<CreateBrand>,
    )
)]
pub async fn create_brand(
    api: State<Api>,
    caller: Authorized<WriteBrands>,
    key: IdempotencyKey,
    body: JsonBody<BrandCreate>,
) -> Result<Response, ApiError> {
    let idempotency = key.bound_to(body.fingerprint);
    let outcome = api
        .engine()
        .create_brand(caller.scope(), body.value, idempotency, accepted::answer)
        .await?;
    created::response(outcome)
}
