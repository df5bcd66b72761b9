//! `POST /v1/playbooks`.

use axum::extract::State;
use axum::response::Response;
use gtm_domain::Capability;
use gtm_domain::ErrorCode;
use gtm_domain::Permission;
use gtm_domain::playbook::PlaybookInput;

use crate::api::Api;
use crate::authorization::{Authorized, Requirement};
use crate::created;
use crate::error::ApiError;
use crate::idempotency_key::IdempotencyKey;
use crate::json_body::JsonBody;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::routes::jobs::accepted;

/// What creating a playbook requires.
pub struct WritePlaybooks;

impl Requirement for WritePlaybooks {
    const PERMISSION: Permission = Permission::PlaybooksWrite;
    const CAPABILITY: Option<Capability> = Some(Capability::PLAYBOOKS);
}

pub struct CreatePlaybook;

impl Operation for CreatePlaybook {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::of(ErrorCode::MalformedRequest),
        DeclaredError::of(ErrorCode::BrandProfileMismatch),
        DeclaredError::of(ErrorCode::InsufficientCredits),
        DeclaredError::of(ErrorCode::BrandProfileNotFound),
        DeclaredError::of(ErrorCode::OfferNotFound),
        DeclaredError::KEY_REUSED,
        DeclaredError::KEY_IN_PROGRESS,
        DeclaredError::of(ErrorCode::BrandProfileArchived),
        DeclaredError::of(ErrorCode::BrandProfileNotReady),
        DeclaredError::of(ErrorCode::MissingDefaultBrandProfile),
        DeclaredError::of(ErrorCode::OfferArchived),
        DeclaredError::BROKEN_RULES,
    ];
}

/// Create a playbook job.
///
/// Generates an AI sales playbook for a target account. Answers at once with a queued job; poll it at the
/// `Location`. A request repeated with the same `Idempotency-Key` within 24 hours gets the first answer
/// again and neither creates nor bills another job.
#[utoipa::path(
    post, path = "/v1/playbooks", tag = "Playbooks", operation_id = "create_playbook_v1_playbooks_post",
    params(IdempotencyKey),
    request_body(content = ref("#/components/schemas/PlaybookInput"), content_type = "application/json"),
    responses(
        (status = 202, description = "The job was accepted.", body = ref("#/components/schemas/PublicPlaybookJobResponse"), content_type = "application/json",
            headers(
                ("Location" = String, description = "Path of the job."),
                ("Idempotency-Replayed" = Option<String>, description = "`true` if the answer is a repeated one."))),
        Errors::<CreatePlaybook>,
    )
)]
pub async fn create_playbook(
    api: State<Api>,
    caller: Authorized<WritePlaybooks>,
    key: IdempotencyKey,
    body: JsonBody<PlaybookInput>,
) -> Result<Response, ApiError> {
    let idempotency = key.bound_to(body.fingerprint);
    let outcome = api
        .engine()
        .create_for_brand(caller.scope(), body.value, idempotency, accepted::answer)
        .await?;
    created::response(outcome)
}
