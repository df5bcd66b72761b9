//! `GET /v1/message-template-revisions/{revision_id}`.

use axum::Json;
use axum::extract::State;
use gtm_domain::MessageTemplateRevisionId;
use gtm_domain::message::TemplateRevision;

use super::ReadTemplates;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::path_id::PathId;

pub struct GetRevision;

impl Operation for GetRevision {
    const ERRORS: &'static [DeclaredError] = &[DeclaredError::NOT_IN_PROJECT];
}

/// Read a message template revision.
///
/// A revision never changes: the answer is what was stored, with the hash that identifies it.
#[utoipa::path(
    get, path = "/v1/message-template-revisions/{revision_id}", tag = "Message templates",
    operation_id = "get_message_template_revision_v1_message_template_revisions__revision_id__get",
    params(PathId::<MessageTemplateRevisionId>),
    responses(
        (status = 200, description = "The revision.", body = ref("#/components/schemas/MessageTemplateRevision"), content_type = "application/json"),
        Errors::<GetRevision>,
    )
)]
pub async fn get_message_template_revision(
    api: State<Api>,
    caller: Authorized<ReadTemplates>,
    path: PathId<MessageTemplateRevisionId>,
) -> Result<Json<TemplateRevision>, ApiError> {
    let store = api.engine().store();
    let found = store
        .get_message_template_revision(caller.scope(), path.0)
        .await?;
    found.map(Json).ok_or_else(ApiError::not_found)
}
