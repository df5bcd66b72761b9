//! `GET /v1/brands`.

use axum::Json;
use axum::extract::State;
use gtm_domain::BrandId;
use gtm_engine::BrandPage;
use serde_json::Value;
use utoipa::ToSchema as _;
use utoipa::openapi::{Ref, RefOr, Schema};

use super::ReadBrands;
use super::envelope::{self, BrandEnvelope};
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::page::{Collection, ListQuery, PageBody, Published, Unfiltered};

#[derive(Debug)]
pub struct Brands;

impl Collection for Brands {
    const NAME: &'static str = "brands";
    type Filter = Unfiltered;
    type Key = BrandId;
}

impl Published for Brands {
    const SCHEMA: &'static str = "BrandList";
    const ABOUT: &'static str = "A page of the organization's active brands, newest first.";

    fn row() -> RefOr<Schema> {
        Ref::from_schema_name(BrandEnvelope::name()).into()
    }

    fn example() -> (Vec<Value>, Option<&'static str>) {
        (vec![envelope::example()], None)
    }
}

pub struct ListBrands;

impl Operation for ListBrands {
    const ERRORS: &'static [DeclaredError] = DeclaredError::OF_A_LIST;
}

/// List brands, newest first.
///
/// Lists the active brands of the key's organization, whichever of its projects created them. An archived
/// brand is not listed; it can still be read by its id. Continue with `next_cursor` while `has_more` is
/// true.
#[utoipa::path(
    get, path = "/v1/brands", tag = "Brands", operation_id = "list_brands_v1_brands_get",
    params(
        ListQuery::<Brands>,
    ),
    responses(
        (status = 200, description = "A page of brands.", body = ref("#/components/schemas/BrandList"), content_type = "application/json"),
        Errors::<ListBrands>,
    )
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
    let store = api.engine().store();
    let rows = store.list_brands(caller.scope(), wanted).await?;
    Ok(Json(page.answer(rows, |row| row.id, Into::into)))
}
