//! `POST /v1/message-template-revisions`.

use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use gtm_domain::ErrorCode;
use gtm_engine::ReviewedTemplate;

use super::{WriteTemplates, envelope, refused};
use crate::api::Api;
use crate::authorization::Authorized;
use crate::created;
use crate::error::ApiError;
use crate::idempotency_key::IdempotencyKey;
use crate::json_body::JsonBody;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::validation::Violation;

/// How far ahead a reviewer's clock may be: a time of day without its zone is hours off.
const CLOCK_DIFFERENCE: Duration = Duration::from_secs(24 * 60 * 60);

pub struct CreateRevision;

impl Operation for CreateRevision {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::of(ErrorCode::OfferNotFound),
        DeclaredError::of(ErrorCode::OfferArchived),
        DeclaredError::when(
            ErrorCode::NotReady,
            "no revision of the offer is approved yet",
        ),
        DeclaredError::KEY_REUSED,
        DeclaredError::KEY_IN_PROGRESS,
        DeclaredError::when(ErrorCode::MalformedRequest, "the body is too large").with_status(413),
        DeclaredError::BROKEN_RULES,
    ];
}

/// Create a reviewed message template revision.
///
/// Stores a template that a person has already read, as the next immutable revision of its `template_key`. It is
/// held to every rule of the closed structure, creates no job and sends nothing. A request repeated with the same
/// `Idempotency-Key` within 24 hours gets the first answer again; without a key it creates another revision.
#[utoipa::path(
    post, path = "/v1/message-template-revisions", tag = "Message templates",
    operation_id = "create_message_template_revision_v1_message_template_revisions_post",
    params(IdempotencyKey),
    request_body(content = ref("#/components/schemas/MessageTemplateRevisionCreate"), content_type = "application/json"),
    responses(
        (status = 201, description = "The revision was stored.", body = ref("#/components/schemas/MessageTemplateRevision"), content_type = "application/json",
            headers(
                ("Location" = String, description = "Path of the revision."),
                ("Idempotency-Replayed" = Option<String>, description = "`true` if the answer is a repeated one."))),
        Errors::<CreateRevision>,
    )
)]
pub async fn create_message_template_revision(
    api: State<Api>,
    caller: Authorized<WriteTemplates>,
    key: IdempotencyKey,
    body: JsonBody<ReviewedTemplate>,
) -> Result<Response, ApiError> {
    let idempotency = key.bound_to(body.fingerprint);
    let engine = api.engine();
    if body.value.reviewed_at > api.now().plus(CLOCK_DIFFERENCE) {
        return Err(ApiError::invalid(&[Violation::new(
            "/review/reviewed_at",
            "in_the_past",
            "must not be in the future: a review that has not happened reviews nothing",
        )]));
    }
    let outcome = engine
        .create_message_template_revision(
            caller.scope(),
            body.value,
            idempotency,
            envelope::created,
        )
        .await
        .map_err(refused)?;
    created::response(outcome)
}
