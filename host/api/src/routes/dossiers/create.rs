//! `POST /v1/company-dossier-specifications`.

use axum::extract::State;
use axum::response::Response;
use gtm_domain::dossier::DossierRequest;
use gtm_engine::DossierOutcome;
use gtm_engine::dossiers::location;
use http::StatusCode;

use super::{WriteSpecifications, envelope};
use crate::api::Api;
use crate::authorization::Authorized;
use crate::created;
use crate::error::ApiError;
use crate::idempotency_key::IdempotencyKey;
use crate::json_body::JsonBody;
use crate::routes::jobs::accepted;
use crate::validation::Violation;

/// Create a company dossier specification.
///
/// Freezes a plan: target company, connector revision, sections, budgets, purpose and policy version.
/// It makes no provider request, no research, no model call and no rendering, creates no job, and
/// entitles to nothing. A repeated request with the same `Idempotency-Key` within 24 hours gets the
/// first answer again; without a key, the same content makes another specification with the same
/// `specification_hash`.
#[utoipa::path(
    post, path = "/v1/company-dossier-specifications", tag = "Company dossier specifications",
    operation_id = "create_company_dossier_specification_v1_company_dossier_specifications_post",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters, bare or as a quoted string. Make and keep it before the first attempt.")),
    request_body(content = ref("#/components/schemas/CompanyDossierSpecificationCreate"), content_type = "application/json"),
    responses(
        (status = 201, description = "The specification was created.", body = ref("#/components/schemas/CompanyDossierSpecification"), content_type = "application/json",
            headers(
                ("Location" = String, description = "Path of the specification."),
                ("Idempotency-Replayed" = Option<String>, description = "`true` on a repeated answer."))),
        (status = 409, description = "idempotency_key_reused, idempotency_in_progress"),
        (status = 413, description = "invalid_request: the body is too large"),
        (status = 422, description = "invalid_request: error.details.violations lists every broken rule"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("preview")))
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
        .create_dossier_specification(
            caller.scope(),
            body.value,
            idempotency,
            &envelope::created_body,
        )
        .await
        .map_err(accepted::refusal)?;
    match outcome {
        DossierOutcome::Created {
            specification,
            body,
        } => Ok(created::first(
            StatusCode::CREATED,
            body,
            &location(specification.id),
        )),
        DossierOutcome::Replayed(stored) => created::again(stored),
        DossierOutcome::UnknownConnector => Err(ApiError::invalid(&[Violation::new(
            "/connector_revision",
            "exists",
            "must name a connector and a manifest version of the current catalog",
        )])),
    }
}
