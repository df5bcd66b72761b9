//! `GET /v1/brands/{brand_id}`.

use axum::Json;
use axum::extract::State;
use gtm_domain::BrandId;

use super::ReadBrands;
use super::envelope::BrandEnvelope;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::path_id::PathId;

pub struct GetBrand;

impl Operation for GetBrand {
    const ERRORS: &'static [DeclaredError] = &[DeclaredError::NOT_IN_ORGANIZATION];
}

/// Read a brand.
///
/// Shows the state of its research and which guideline is current. A failed refresh leaves the earlier
/// guideline in place. An archived brand is read like any other; its `status` says so.
#[utoipa::path(
    get, path = "/v1/brands/{brand_id}", tag = "Brands", operation_id = "get_brand_v1_brands__brand_id__get",
    params(PathId::<BrandId>),
    responses(
        (status = 200, description = "The brand.", body = BrandEnvelope, content_type = "application/json"),
        Errors::<GetBrand>,
    )
)]
pub async fn get_brand(
    api: State<Api>,
    caller: Authorized<ReadBrands>,
    path: PathId<BrandId>,
) -> Result<Json<BrandEnvelope>, ApiError> {
    let store = api.engine().store();
    let found = store.get_brand(caller.scope(), path.0).await?;
    let brand = found.ok_or_else(ApiError::not_found)?;
    Ok(Json(brand.into()))
}
