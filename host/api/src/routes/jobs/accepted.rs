//! The answer to every create: 202 with the job's envelope and its place, or the first answer
//! again (specification, Endpoints rule 1).

use axum::response::Response;
use gtm_domain::ErrorCode;
use gtm_engine::{CreateError, CreateOutcome};
use http::StatusCode;
use serde_json::Value;

use crate::created;
use crate::error::ApiError;

/// Shape the outcome of a create.
///
/// # Errors
/// The code that the engine refused with.
pub fn response(outcome: Result<CreateOutcome, CreateError>) -> Result<Response, ApiError> {
    match outcome.map_err(refusal)? {
        CreateOutcome::Created { job, body } => {
            let location = format!("/v1/jobs/{}", job.id);
            Ok(created::first(StatusCode::ACCEPTED, body, &location))
        }
        CreateOutcome::Replayed(stored) => created::again(stored),
    }
}

/// Why nothing was created.
pub fn refusal(error: CreateError) -> ApiError {
    match error {
        CreateError::Code(code, details) => {
            ApiError::new(code, sentence(code, details.as_ref())).with_details(details)
        }
        CreateError::Internal(cause) => cause.into(),
    }
}

/// What a refused create tells people: for a limit, whose it is and when it resets.
fn sentence(code: ErrorCode, details: Option<&Value>) -> String {
    let amount = |name| details.and_then(|members| members.get(name)?.as_f64());
    let (what, state) = match code {
        // Of a budget that running jobs hold, some comes back before the month's end; so it may of one that
        // is kept for calls in doubt, once an operator has settled them.
        ErrorCode::BudgetExceeded
            if amount("settled_usd") < amount("limit_usd") && amount("awaiting_usd").is_some() =>
        {
            (
                "monthly cost budget",
                "set aside for running jobs, and for calls whose cost is not known until an operator settles them",
            )
        }
        ErrorCode::BudgetExceeded if amount("settled_usd") < amount("limit_usd") => (
            "monthly cost budget",
            "set aside for running jobs, and free again as far as they do not use it",
        ),
        ErrorCode::BudgetExceeded => ("monthly cost budget", "used up"),
        ErrorCode::QuotaExceeded => ("monthly job quota", "used up"),
        ErrorCode::InsufficientCredits if amount("awaiting_usd").is_some() => {
            return "No spendable prepaid credit remains: it is used up, set aside for running jobs, or kept for calls whose cost is not known until an operator settles them. An operator can grant more."
                .to_owned();
        }
        _ => return fixed(code).to_owned(),
    };
    let detail = |name| details.and_then(|members| members.get(name)?.as_str());
    let owner = match detail("scope") {
        Some("project") => "the project",
        Some("key") => "this API key",
        Some("usage_tier") => "the organization's usage tier",
        _ => "the organization",
    };
    // Of a budget of nothing no month has any.
    if code == ErrorCode::BudgetExceeded && amount("limit_usd") == Some(0.0) {
        return format!(
            "The monthly cost budget of {owner} is 0, so that no job that may cost something is accepted in any month. An operator can raise it."
        );
    }
    match detail("resets_at") {
        Some(resets_at) => format!(
            "The {what} of {owner} is {state}; it resets at {resets_at}. An operator can raise it before."
        ),
        None => format!("The {what} of {owner} is {state}."),
    }
}

/// What a create that was refused for another reason tells people.
fn fixed(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::IdempotencyKeyReused => {
            "This Idempotency-Key was used with another request; use a new one for new input."
        }
        ErrorCode::IdempotencyInProgress => {
            "The first request with this Idempotency-Key is still being processed; repeat this one shortly."
        }
        ErrorCode::InsufficientCredits => {
            "No spendable prepaid credit remains, or running jobs have all of it set aside; an operator can grant more."
        }
        ErrorCode::BrandProfileNotFound => "The organization has no such brand profile.",
        ErrorCode::BrandProfileMismatch => {
            "brand_profile_id and brand_profile_key name different profiles."
        }
        ErrorCode::BrandProfileArchived => "The selected brand profile is archived.",
        ErrorCode::BrandProfileNotReady => {
            "The selected brand profile has no guideline to bind: none is completed yet, or its review rejected it."
        }
        ErrorCode::MissingDefaultBrandProfile => {
            "The organization's default brand profile cannot be used: it is archived, or its guideline was rejected or is not completed. Name another, or let an operator change the default."
        }
        _ => "The request was refused.",
    }
}
