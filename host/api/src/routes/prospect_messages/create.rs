//! `POST /v1/message-template-revisions/{revision_id}/prospect-message`.

use axum::extract::State;
use axum::response::Response;
use gtm_domain::{Capability, ErrorCode, MessageTemplateRevisionId, Permission};

use super::input::ProspectMessageCreate;
use crate::api::Api;
use crate::authorization::{Authorized, Requirement};
use crate::created;
use crate::error::ApiError;
use crate::idempotency_key::IdempotencyKey;
use crate::json_body::JsonBody;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::path_id::PathId;
use crate::routes::jobs::accepted;

/// What writing to prospects requires.
pub struct WriteProspectMessages;

impl Requirement for WriteProspectMessages {
    const PERMISSION: Permission = Permission::ProspectMessagesWrite;
    const CAPABILITY: Option<Capability> = Some(Capability::MESSAGE_TEMPLATES);
}

pub struct CreateProspectMessage;

impl Operation for CreateProspectMessage {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::of(ErrorCode::MalformedRequest),
        DeclaredError::when(
            ErrorCode::NotFound,
            "the key's project has no such revision or prospecting job, or the job no such prospect",
        ),
        DeclaredError::of(ErrorCode::OfferNotFound),
        DeclaredError::KEY_REUSED,
        DeclaredError::KEY_IN_PROGRESS,
        DeclaredError::when(ErrorCode::NotReady, "the prospecting job has not ended yet"),
        DeclaredError::when(ErrorCode::JobExpired, "the prospecting job has expired"),
        DeclaredError::BROKEN_RULES,
    ];
}

/// Write a message to one prospect.
///
/// Fills the revision for one prospect of a succeeded prospecting job, from retained facts alone: no provider is asked,
/// nothing is charged, and nothing is ever sent. Answers at once with a queued job. Its result says `DRAFT_READY` with
/// one subject and a body that ends with the canonical notice on how to object; `NEEDS_INPUT` with what is missing;
/// `BLOCKED`; or `DEMONSTRATION_ONLY` for a preview. It reports all fourteen gates and ten checks of the text either
/// way. Whether a policy approves, somebody is suppressed or a prospect qualifies is found out, never declared: a
/// request that says so breaks the rule `caller_may_not_declare`.
#[utoipa::path(
    post, path = "/v1/message-template-revisions/{revision_id}/prospect-message", tag = "Message templates",
    operation_id = "generate_prospect_message_v1_message_template_revisions__revision_id__prospect_message_post",
    params(PathId::<MessageTemplateRevisionId>, IdempotencyKey),
    request_body(content = ref("#/components/schemas/ProspectMessageCreate"), content_type = "application/json"),
    responses(
        (status = 202, description = "The job was accepted.", body = ref("#/components/schemas/ProspectMessageJobResponse"), content_type = "application/json",
            headers(
                ("Location" = String, description = "Path of the job."),
                ("Idempotency-Replayed" = Option<String>, description = "`true` if the answer is a repeated one."))),
        Errors::<CreateProspectMessage>,
    )
)]
pub async fn generate_prospect_message(
    api: State<Api>,
    caller: Authorized<WriteProspectMessages>,
    revision: PathId<MessageTemplateRevisionId>,
    key: IdempotencyKey,
    body: JsonBody<ProspectMessageCreate>,
) -> Result<Response, ApiError> {
    let idempotency = key.bound_to(body.fingerprint);
    let input = body.value.for_revision(revision.0);
    let outcome = api
        .engine()
        .create_prospect_message(caller.scope(), input, idempotency, accepted::answer)
        .await?;
    created::response(outcome)
}
