//! `POST /v1/documents`.

use axum::extract::State;
use axum::response::Response;
use gtm_domain::document::DocumentInput;
use gtm_domain::{Capability, ErrorCode, Permission};

use super::refused::refused;
use crate::api::Api;
use crate::authorization::{Authorized, Requirement};
use crate::created;
use crate::error::ApiError;
use crate::idempotency_key::IdempotencyKey;
use crate::json_body::JsonBody;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::routes::jobs::accepted;

/// What creating a document requires.
pub struct WriteDocuments;

impl Requirement for WriteDocuments {
    const PERMISSION: Permission = Permission::DocumentsWrite;
    const CAPABILITY: Option<Capability> = Some(Capability::DOCUMENTS);
}

pub struct CreateDocument;

impl Operation for CreateDocument {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::of(ErrorCode::MalformedRequest),
        DeclaredError::of(ErrorCode::InsufficientCredits),
        DeclaredError::of(ErrorCode::BrandNotFound),
        DeclaredError::of(ErrorCode::OfferNotFound),
        DeclaredError::KEY_REUSED,
        DeclaredError::KEY_IN_PROGRESS,
        DeclaredError::of(ErrorCode::BrandGuidelineMissing),
        DeclaredError::of(ErrorCode::MissingDefaultBrandProfile),
        DeclaredError::of(ErrorCode::OfferArchived),
        DeclaredError::BROKEN_RULES,
    ];
}

/// Create a documents job.
///
/// Turns a brief, a brand and an optional offer into a PPTX, DOCX or PDF file. Answers at once with a queued job;
/// poll it at the `Location`, then download the files that its result lists. The brand's guideline, the offer's
/// revision and the plug-ins are bound now: later changes to them do not reach this job. A request repeated with the
/// same `Idempotency-Key` within 24 hours gets the first answer again and neither creates nor bills another job.
#[utoipa::path(
    post, path = "/v1/documents", tag = "Documents", operation_id = "create_document_job_v1_documents_post",
    params(IdempotencyKey),
    request_body(content = ref("#/components/schemas/DocumentCreate"), content_type = "application/json"),
    responses(
        (status = 202, description = "The job was accepted.", body = ref("#/components/schemas/DocumentJobResponse"), content_type = "application/json",
            headers(
                ("Location" = String, description = "Path of the job."),
                ("Idempotency-Replayed" = Option<String>, description = "`true` if the answer is a repeated one."))),
        Errors::<CreateDocument>,
    )
)]
pub async fn create_document(
    api: State<Api>,
    caller: Authorized<WriteDocuments>,
    key: IdempotencyKey,
    body: JsonBody<DocumentInput>,
) -> Result<Response, ApiError> {
    let idempotency = key.bound_to(body.fingerprint);
    let outcome = api
        .engine()
        .create_for_brand(caller.scope(), body.value, idempotency, accepted::answer)
        .await
        .map_err(refused)?;
    created::response(outcome)
}
