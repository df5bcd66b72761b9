//! `GET /v1/company-dossier-specifications/{specification_id}`.

use axum::Json;
use axum::extract::State;
use gtm_domain::DossierSpecificationId;

use super::ReadSpecifications;
use super::envelope::SpecificationEnvelope;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::path_id::PathId;

pub struct GetSpecification;

impl Operation for GetSpecification {
    const ERRORS: &'static [DeclaredError] = &[DeclaredError::NOT_IN_PROJECT];
}

/// Read a company dossier specification.
///
/// A specification never changes: the answer is what was created, with the hash that proves it.
#[utoipa::path(
    get, path = "/v1/company-dossier-specifications/{specification_id}", tag = "Company dossier specifications",
    operation_id = "get_company_dossier_specification_v1_company_dossier_specifications__specification_id__get",
    params(PathId::<DossierSpecificationId>),
    responses(
        (status = 200, description = "The specification.", body = SpecificationEnvelope, content_type = "application/json"),
        Errors::<GetSpecification>,
    )
)]
pub async fn get_company_dossier_specification(
    api: State<Api>,
    caller: Authorized<ReadSpecifications>,
    path: PathId<DossierSpecificationId>,
) -> Result<Json<SpecificationEnvelope>, ApiError> {
    let found = api
        .engine()
        .store()
        .get_dossier_specification(caller.scope(), path.0)
        .await?;
    let specification = found.ok_or_else(ApiError::not_found)?;
    Ok(Json(specification.into()))
}
