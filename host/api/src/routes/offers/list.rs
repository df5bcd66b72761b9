//! `GET /v1/offers`.

use axum::Json;
use axum::extract::State;
use gtm_domain::OfferId;
use gtm_engine::OfferPage;
use serde_json::Value;
use utoipa::ToSchema as _;
use utoipa::openapi::{Ref, RefOr, Schema};

use super::ReadOffers;
use super::envelope::{self, OfferEnvelope};
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::page::{Collection, ListQuery, PageBody, Published, Unfiltered};

#[derive(Debug)]
pub struct Offers;

impl Collection for Offers {
    const NAME: &'static str = "offers";
    type Filter = Unfiltered;
    type Key = OfferId;
}

impl Published for Offers {
    const SCHEMA: &'static str = "OfferList";
    const ABOUT: &'static str = "A page of the organization's active offers, newest first.";

    fn row() -> RefOr<Schema> {
        Ref::from_schema_name(OfferEnvelope::name()).into()
    }

    fn example() -> (Vec<Value>, Option<&'static str>) {
        (vec![envelope::example()], None)
    }
}

pub struct ListOffers;

impl Operation for ListOffers {
    const ERRORS: &'static [DeclaredError] = DeclaredError::OF_A_LIST;
}

/// List offers, newest first.
///
/// Lists the active offers of the key's organization, each in its approved revision. An archived offer is not
/// listed; it can still be read by its id. Continue with `next_cursor` while `has_more` is true.
#[utoipa::path(
    get, path = "/v1/offers", tag = "Offers", operation_id = "list_offers_v1_offers_get",
    params(
        ListQuery::<Offers>,
    ),
    responses(
        (status = 200, description = "A page of offers.", body = ref("#/components/schemas/OfferList"), content_type = "application/json"),
        Errors::<ListOffers>,
    )
)]
pub async fn list_offers(
    api: State<Api>,
    caller: Authorized<ReadOffers>,
    query: ListQuery<Offers>,
) -> Result<Json<PageBody<Offers, OfferEnvelope>>, ApiError> {
    let page = query.page(&api, caller.scope(), "")?;
    let wanted = OfferPage {
        before: page.after,
        limit: page.rows(),
    };
    let store = api.engine().store();
    let rows = store.list_offers(caller.scope(), wanted).await?;
    Ok(Json(page.answer(rows, |row| row.offer.id, Into::into)))
}
