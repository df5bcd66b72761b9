//! `GET /v1/company-dossier-specifications/{specification_id}`.

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use gtm_domain::DossierSpecificationId;
use http::request::Parts;

use super::ReadSpecifications;
use super::envelope::SpecificationEnvelope;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;

/// A specification's id as a caller named it. A text that is no id names nothing: 404.
#[derive(Debug, Clone, Copy)]
pub struct SpecificationPath(DossierSpecificationId);

impl FromRequestParts<Api> for SpecificationPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        let text = Path::<String>::from_request_parts(parts, api)
            .await
            .map_err(|_| ApiError::not_found())?;
        text.0.parse().map(Self).map_err(|_| ApiError::not_found())
    }
}

/// Read a company dossier specification.
///
/// A plan never changes: what is read is what was created, with the hash that proves it.
#[utoipa::path(
    get, path = "/v1/company-dossier-specifications/{specification_id}", tag = "Company dossier specifications",
    operation_id = "get_company_dossier_specification_v1_company_dossier_specifications__specification_id__get",
    params(("specification_id" = String, Path, description = "The specification's id.")),
    responses(
        (status = 200, description = "The specification.", body = ref("#/components/schemas/CompanyDossierSpecification"), content_type = "application/json"),
        (status = 404, description = "not_found: absent in the key's project"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("preview")))
)]
pub async fn get_company_dossier_specification(
    api: State<Api>,
    caller: Authorized<ReadSpecifications>,
    path: SpecificationPath,
) -> Result<Json<SpecificationEnvelope>, ApiError> {
    let found = api
        .engine()
        .dossier_specification(caller.scope(), path.0)
        .await?;
    let specification = found.ok_or_else(ApiError::not_found)?;
    Ok(Json(specification.into()))
}
