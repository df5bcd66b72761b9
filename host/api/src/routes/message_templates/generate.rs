//! `POST /v1/message-template-revisions/generate`.

use axum::extract::State;
use axum::response::Response;
use gtm_domain::ErrorCode;
use gtm_domain::message::generation::GenerateInput;

use super::{WriteTemplates, refused};
use crate::api::Api;
use crate::authorization::Authorized;
use crate::created;
use crate::error::ApiError;
use crate::idempotency_key::IdempotencyKey;
use crate::json_body::JsonBody;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::routes::jobs::accepted;

pub struct GenerateRevision;

impl Operation for GenerateRevision {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::of(ErrorCode::MalformedRequest),
        DeclaredError::of(ErrorCode::InsufficientCredits),
        DeclaredError::of(ErrorCode::OfferNotFound),
        DeclaredError::of(ErrorCode::OfferArchived),
        DeclaredError::when(
            ErrorCode::NotReady,
            "no revision of the offer is approved yet",
        ),
        DeclaredError::KEY_REUSED,
        DeclaredError::KEY_IN_PROGRESS,
        DeclaredError::BROKEN_RULES,
    ];
}

/// Generate a message template revision.
///
/// Answers at once with a queued job. The bound generation backend drafts a template; the host holds the draft to the
/// closed structure, scores it, and has it mended a bounded number of times. A draft that reaches the threshold is
/// stored as the next immutable revision of its `template_key`; anything less is not saved, and the job fails with
/// `quality_threshold_not_met`. A request without audience, objective, offer or next step is accepted, and its result
/// is `NEEDS_INPUT`. Nothing is sent. A request repeated with the same `Idempotency-Key` within 24 hours gets the
/// first answer again and neither creates nor bills another job.
#[utoipa::path(
    post, path = "/v1/message-template-revisions/generate", tag = "Message templates",
    operation_id = "generate_message_template_revision_v1_message_template_revisions_generate_post",
    params(IdempotencyKey),
    request_body(content = ref("#/components/schemas/MessageTemplateGenerate"), content_type = "application/json"),
    responses(
        (status = 202, description = "The job was accepted.", body = ref("#/components/schemas/MessageTemplateJobResponse"), content_type = "application/json",
            headers(
                ("Location" = String, description = "Path of the job."),
                ("Idempotency-Replayed" = Option<String>, description = "`true` if the answer is a repeated one."))),
        Errors::<GenerateRevision>,
    )
)]
pub async fn generate_message_template_revision(
    api: State<Api>,
    caller: Authorized<WriteTemplates>,
    key: IdempotencyKey,
    body: JsonBody<GenerateInput>,
) -> Result<Response, ApiError> {
    let idempotency = key.bound_to(body.fingerprint);
    let outcome = api
        .engine()
        .generate_message_template(caller.scope(), body.value, idempotency, accepted::answer)
        .await
        .map_err(refused)?;
    created::response(outcome)
}
