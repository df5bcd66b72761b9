//! `GET /v1/brands/{brand_id}`.

use axum::Json;
use axum::extract::State;

use super::ReadBrands;
use super::envelope::BrandEnvelope;
use super::path::BrandPath;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;

/// Read a brand.
///
/// Where its research stands and which guideline is current. A refresh that fails leaves the guideline
/// before it in place. An archived brand is read like any other; its `status` tells.
#[utoipa::path(
    get, path = "/v1/brands/{brand_id}", tag = "Brands", operation_id = "get_brand_v1_brands__brand_id__get",
    params(("brand_id" = String, Path, description = "The brand's id.")),
    responses(
        (status = 200, description = "The brand.", body = ref("#/components/schemas/Brand"), content_type = "application/json"),
        (status = 404, description = "not_found: absent in the key's organization"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("ga")))
)]
pub async fn get_brand(
    api: State<Api>,
    caller: Authorized<ReadBrands>,
    path: BrandPath,
) -> Result<Json<BrandEnvelope>, ApiError> {
    let found = api.engine().brand(caller.scope(), path.0).await?;
    let brand = found.ok_or_else(ApiError::not_found)?;
    Ok(Json(brand.into()))
}
