//! `GET /v1/offers/{offer_id}`.

use axum::Json;
use axum::extract::State;
use gtm_domain::{ErrorCode, OfferId};

use super::ReadOffers;
use super::envelope::OfferEnvelope;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::path_id::PathId;

pub struct GetOffer;

impl Operation for GetOffer {
    const ERRORS: &'static [DeclaredError] = &[DeclaredError::when(
        ErrorCode::NotFound,
        "the key's organization has no such offer, or none of its revisions was approved yet",
    )];
}

/// Read an offer.
///
/// Shows the revision that was approved last: the one that jobs created now are bound to. A newer revision that
/// waits for its approval is not shown. An archived offer is read like any other; its `status` says so.
#[utoipa::path(
    get, path = "/v1/offers/{offer_id}", tag = "Offers", operation_id = "get_offer_v1_offers__offer_id__get",
    params(PathId::<OfferId>),
    responses(
        (status = 200, description = "The offer.", body = OfferEnvelope, content_type = "application/json"),
        Errors::<GetOffer>,
    )
)]
pub async fn get_offer(
    api: State<Api>,
    caller: Authorized<ReadOffers>,
    path: PathId<OfferId>,
) -> Result<Json<OfferEnvelope>, ApiError> {
    let store = api.engine().store();
    let found = store.get_offer(caller.scope(), path.0).await?;
    let offer = found.ok_or_else(ApiError::not_found)?;
    Ok(Json(offer.into()))
}
