//! `POST /v1/playbooks`.

use axum::extract::State;
use axum::response::Response;
use gtm_domain::Permission;
use gtm_domain::capability::ProductCapability;
use gtm_domain::playbook::PlaybookInput;

use crate::api::Api;
use crate::authorization::{Authorized, Requirement};
use crate::error::ApiError;
use crate::idempotency_key::IdempotencyKey;
use crate::job_envelope;
use crate::json_body::JsonBody;
use crate::routes::jobs::accepted;

/// What creating a playbook requires.
pub struct WritePlaybooks;

impl Requirement for WritePlaybooks {
    const PERMISSION: Permission = Permission::PlaybooksWrite;
    const CAPABILITY: Option<ProductCapability> = Some(ProductCapability::Playbooks);
}

/// Create a playbook job.
///
/// Generates an AI sales playbook for a target account. Answers at once with a queued job; poll it
/// at the `Location`. A repeated request with the same `Idempotency-Key` within 24 hours gets the
/// first answer again and neither creates nor bills another job.
#[utoipa::path(
    post, path = "/v1/playbooks", tag = "Playbooks", operation_id = "create_playbook_v1_playbooks_post",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters, bare or as a quoted string. Make and keep it before the first attempt.")),
    request_body(content = ref("#/components/schemas/PlaybookInput"), content_type = "application/json"),
    responses(
        (status = 202, description = "The job was accepted.", body = ref("#/components/schemas/PublicPlaybookJobResponse"), content_type = "application/json",
            headers(
                ("Location" = String, description = "Path of the job."),
                ("Idempotency-Replayed" = Option<String>, description = "`true` on a repeated answer."))),
        (status = 402, description = "insufficient_credits"),
        (status = 400, description = "invalid_request, brand_profile_mismatch"),
        (status = 404, description = "brand_profile_not_found"),
        (status = 409, description = "idempotency_key_reused, idempotency_in_progress, brand_profile_archived, brand_profile_not_ready, missing_default_brand_profile"),
        (status = 422, description = "invalid_request: error.details.violations lists every broken rule"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("ga")))
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
        .create_playbook(
            caller.scope(),
            body.value,
            idempotency,
            &job_envelope::accepted_body,
        )
        .await;
    accepted::response(outcome)
}
