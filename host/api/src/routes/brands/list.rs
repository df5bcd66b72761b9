//! `GET /v1/brands`.

use axum::Json;
use axum::extract::State;
use gtm_domain::BrandId;
use gtm_engine::BrandPage;

use super::ReadBrands;
use super::envelope::BrandEnvelope;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::page::{Collection, ListQuery, PageBody, Unfiltered};

/// The active brands of an organization.
#[derive(Debug)]
pub struct Brands;

impl Collection for Brands {
    const NAME: &'static str = "brands";
    type Filter = Unfiltered;
    type Key = BrandId;
}

/// List brands, newest first.
///
/// The active brands of the key's organization, whichever of its projects made them. An archived
/// brand is not listed; it can still be read by its id. Go on with `next_cursor` while `has_more` is
/// true.
#[utoipa::path(
    get, path = "/v1/brands", tag = "Brands", operation_id = "list_brands_v1_brands_get",
    params(
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before. Good for 7 days."),
        ("limit" = Option<u32>, Query, description = "Rows on a page; 20 by default.", minimum = 1, maximum = 100)),
    responses(
        (status = 200, description = "A page of brands.", body = ref("#/components/schemas/BrandList"), content_type = "application/json"),
        (status = 400, description = "invalid_request: the query is malformed; invalid_cursor"),
        (status = 422, description = "invalid_request: limit is out of range"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("ga")))
)]
pub async fn list_brands(
    api: State<Api>,
    caller: Authorized<ReadBrands>,
    query: ListQuery<Brands>,
) -> Result<Json<PageBody<Brands, BrandEnvelope>>, ApiError> {
    let page = query.page(&api, caller.scope(), "")?;
    let wanted = BrandPage {
        before: page.after,
        limit: page.rows(),
    };
    let rows = api.engine().brands(caller.scope(), wanted).await?;
    Ok(Json(page.answer(rows, |row| row.id, Into::into)))
}
