//! Message templates (annex A4 and A5): storing what a person has read, listing, reading and filling revisions.
//! Nothing here sends anything, and every answer says so.

pub(super) mod create;
pub(super) mod envelope;
pub(super) mod generate;
mod generate_input;
pub(super) mod get;
mod input;
pub(super) mod job;
pub(super) mod list;
pub(super) mod options;
pub(super) mod published;
pub(super) mod render;

use gtm_domain::{Capability, ErrorCode, Permission};
use gtm_engine::{CreateError, OfferProblem};
use serde_json::json;

use crate::authorization::Requirement;
use crate::error::ApiError;

/// What storing a revision requires.
pub struct WriteTemplates;

impl Requirement for WriteTemplates {
    const PERMISSION: Permission = Permission::MessageTemplatesWrite;
    const CAPABILITY: Option<Capability> = Some(Capability::MESSAGE_TEMPLATES);
}

/// What reading and filling revisions requires.
pub struct ReadTemplates;

impl Requirement for ReadTemplates {
    const PERMISSION: Permission = Permission::MessageTemplatesRead;
    const CAPABILITY: Option<Capability> = Some(Capability::MESSAGE_TEMPLATES);
}

/// Why no revision was created. The caller's organization has an offer that nobody approved yet, so it is not absent:
/// the request can be repeated once it is approved.
fn refused(error: CreateError) -> ApiError {
    match error {
        CreateError::Offer(OfferProblem::NotApproved(offer)) => ApiError::new(
            ErrorCode::NotReady,
            "No revision of the offer is approved yet.",
        )
        .with_details(Some(
            json!({"reason": "offer_not_approved", "offer_id": offer}),
        )),
        other => other.into(),
    }
}
