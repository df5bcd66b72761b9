//! `POST /v1/company-dossier-specifications`.

use axum::extract::State;
use axum::response::Response;
use gtm_domain::ErrorCode;
use gtm_domain::dossier::DossierRequest;

use super::{WriteSpecifications, envelope};
use crate::api::Api;
use crate::authorization::Authorized;
use crate::created;
use crate::error::ApiError;
use crate::idempotency_key::IdempotencyKey;
use crate::json_body::JsonBody;
use crate::operation::{DeclaredError, Errors, Operation};

pub struct CreateSpecification;

impl Operation for CreateSpecification {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::KEY_REUSED,
        DeclaredError::KEY_IN_PROGRESS,
        DeclaredError::when(ErrorCode::MalformedRequest, "the body is too large").with_status(413),
        DeclaredError::BROKEN_RULES,
    ];
}

/// Create a company dossier specification.
///
/// Freezes a plan: target company, connector revision, sections, budgets, purpose and policy version. It
/// makes no provider request, no research, no model call and no rendering, creates no job, and grants no
/// right to any of these. A request repeated with the same `Idempotency-Key` within 24 hours gets the first
/// answer again; without a key, the same content creates another specification with the same
/// `specification_hash`.
#[utoipa::path(
    post, path = "/v1/company-dossier-specifications", tag = "Company dossier specifications",
    operation_id = "create_company_dossier_specification_v1_company_dossier_specifications_post",
    params(IdempotencyKey),
    request_body(content = ref("#/components/schemas/CompanyDossierSpecificationCreate"), content_type = "application/json"),
    responses(
        (status = 201, description = "The specification was created.", body = envelope::SpecificationEnvelope, content_type = "application/json",
            headers(
                ("Location" = String, description = "Path of the specification."),
                ("Idempotency-Replayed" = Option<String>, description = "`true` if the answer is a repeated one."))),
        Errors::<CreateSpecification>,
    )
)]
pub async fn create_company_dossier_specification(
    api: State<Api>,
    caller: Authorized<WriteSpecifications>,
    key: IdempotencyKey,
    body: JsonBody<DossierRequest>,
) -> Result<Response, ApiError> {
    let idempotency = key.bound_to(body.fingerprint);
    let outcome = api
        .engine()
        .create_dossier_specification(caller.scope(), body.value, idempotency, envelope::created)
        .await?;
    created::response(outcome)
}
