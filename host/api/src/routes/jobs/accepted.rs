//! The answer to every create: 202 with the job's envelope and its place, or the first answer
//! again (specification, Endpoints rule 1).

use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use gtm_domain::{ErrorCode, JobId};
use gtm_engine::{CreateError, CreateOutcome};
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderName, HeaderValue, StatusCode};

use crate::error::ApiError;
use crate::idempotency_key::IDEMPOTENCY_REPLAYED;

/// Shape the outcome of a create.
///
/// # Errors
/// The code that the engine refused with.
pub fn response(outcome: Result<CreateOutcome, CreateError>) -> Result<Response, ApiError> {
    match outcome {
        Ok(CreateOutcome::Created { job, body }) => {
            Ok(answer(StatusCode::ACCEPTED, body, [location(job.id)]))
        }
        Ok(CreateOutcome::Replayed(stored)) => {
            let status =
                StatusCode::from_u16(stored.status).map_err(|cause| ApiError::internal(&cause))?;
            let mut response = answer(
                status,
                stored.body,
                [(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"))],
            );
            let kept = stored.headers.iter().filter_map(|(name, value)| {
                Some((name.parse::<HeaderName>().ok()?, value.parse().ok()?))
            });
            response.headers_mut().extend(kept);
            Ok(response)
        }
        Err(CreateError::Code(code, details)) => {
            Err(ApiError::new(code, sentence(code)).with_details(details))
        }
        Err(CreateError::Internal(cause)) => Err(cause.into()),
    }
}

fn answer(
    status: StatusCode,
    body: Bytes,
    headers: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
) -> Response {
    let mut response = (status, body).into_response();
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().extend(headers);
    response
}

fn location(id: JobId) -> (HeaderName, HeaderValue) {
    // An id is lower-case ASCII, so the path is a valid header value.
    (
        LOCATION,
        HeaderValue::try_from(format!("/v1/jobs/{id}"))
            .unwrap_or(HeaderValue::from_static("/v1/jobs")),
    )
}

/// What a refused create tells people.
fn sentence(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::IdempotencyKeyReused => {
            "This Idempotency-Key was used with another request; use a new one for new input."
        }
        ErrorCode::IdempotencyInProgress => {
            "The first request with this Idempotency-Key is still being processed; repeat this one shortly."
        }
        ErrorCode::InsufficientCredits => "No spendable prepaid credit remains.",
        ErrorCode::BudgetExceeded => "The monthly cost budget is used up.",
        ErrorCode::QuotaExceeded => "The usage quota is used up.",
        ErrorCode::BrandProfileNotFound => "The organization has no such brand profile.",
        ErrorCode::BrandProfileMismatch => {
            "brand_profile_id and brand_profile_key name different profiles."
        }
        ErrorCode::BrandProfileArchived => "The selected brand profile is archived.",
        ErrorCode::BrandProfileNotReady => {
            "The selected brand profile has no completed guideline yet."
        }
        ErrorCode::MissingDefaultBrandProfile => "There is no usable default brand profile.",
        _ => "The request was refused.",
    }
}
