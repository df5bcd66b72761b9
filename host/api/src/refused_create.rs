//! Why nothing was created, in the API's codes and sentences.

use gtm_domain::ErrorCode;
use gtm_domain::money::Refused;
use gtm_engine::{BrandProblem, CreateError, DefaultProblem, OfferProblem, ProspectMessageProblem};
use serde_json::json;

use crate::error::ApiError;
use crate::validation::Violation;

impl From<CreateError> for ApiError {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::Refused(refusal) => {
                Self::new(refusal.code(), refusal.sentence(Refused::Job))
                    .with_details(refusal.details(Refused::Job))
            }
            CreateError::Brand(problem) => brand_profile(problem),
            CreateError::Offer(problem) => offer(problem),
            CreateError::ProspectMessage(problem) => prospect_message(problem),
            CreateError::Template(faults) => {
                let of_structure = |fault| Violation::of_message("/structure", fault);
                let violations: Vec<Violation> = faults.into_iter().map(of_structure).collect();
                Self::invalid(&violations)
            }
            CreateError::UnknownConnector => Self::invalid(&[Violation::new(
                "/connector_revision",
                "exists",
                "must name a connector and a manifest version of the current catalog",
            )]),
            CreateError::KeyReused => Self::new(
                ErrorCode::IdempotencyKeyReused,
                "This Idempotency-Key was used with another request; use a new one for new input.",
            ),
            CreateError::InProgress => Self::new(
                ErrorCode::IdempotencyInProgress,
                "The first request with this Idempotency-Key is still being processed; repeat this one shortly.",
            ),
            CreateError::Internal(cause) => cause.into(),
        }
    }
}

/// The brand that `brand_profile_id` or `brand_profile_key` names, or the default one if neither is given.
fn brand_profile(problem: BrandProblem) -> ApiError {
    let (code, sentence, details) = match problem {
        BrandProblem::Unknown => (
            ErrorCode::BrandProfileNotFound,
            "The organization has no such brand profile.",
            None,
        ),
        BrandProblem::Mismatch => (
            ErrorCode::BrandProfileMismatch,
            "brand_profile_id and brand_profile_key name different profiles.",
            None,
        ),
        BrandProblem::Archived => (
            ErrorCode::BrandProfileArchived,
            "The selected brand profile is archived.",
            None,
        ),
        BrandProblem::NotReady { rejected } => (
            ErrorCode::BrandProfileNotReady,
            "The selected brand profile has no guideline to bind: none is completed yet, or its review rejected it.",
            rejected.then(|| json!({"reason": "guideline_rejected"})),
        ),
        BrandProblem::NoDefault => (
            ErrorCode::MissingDefaultBrandProfile,
            "The organization has no default brand profile. Name a brand in the request (GET /v1/brands lists them, POST /v1/brands makes one), or have an operator set the default (gtm brand default).",
            None,
        ),
        BrandProblem::UnusableDefault { brand, reason } => (
            ErrorCode::MissingDefaultBrandProfile,
            "The organization's default brand profile cannot be used: it is archived, or its guideline was rejected or is not completed. Name another brand (GET /v1/brands lists them), or have an operator change the default (gtm brand default).",
            Some(json!({"reason": default_reason(reason), "brand_profile_id": brand})),
        ),
    };
    ApiError::new(code, sentence).with_details(details)
}

/// The offer that a request names, or that the operator bound.
fn offer(problem: OfferProblem) -> ApiError {
    let (code, sentence, details) = match problem {
        OfferProblem::Unknown => (
            ErrorCode::OfferNotFound,
            "The organization has no such offer.",
            json!({"reason": "unknown"}),
        ),
        OfferProblem::NotApproved(offer) => (
            ErrorCode::OfferNotFound,
            "No revision of the offer is approved yet.",
            json!({"reason": "not_approved", "offer_id": offer}),
        ),
        OfferProblem::Archived(offer) => (
            ErrorCode::OfferArchived,
            "The offer is archived. Name another, or have an operator bind another.",
            json!({"offer_id": offer}),
        ),
    };
    ApiError::new(code, sentence).with_details(Some(details))
}

/// A message to a prospect that is not even begun.
fn prospect_message(problem: ProspectMessageProblem) -> ApiError {
    match problem {
        ProspectMessageProblem::UnknownRevision => ApiError::not_found(),
        ProspectMessageProblem::UnknownProspect => ApiError::new(
            ErrorCode::NotFound,
            "The project of this key has no such prospecting job, or the job no such prospect.",
        )
        .with_details(Some(json!({
            "pointers": ["/prospecting_job_id", "/prospect_id"],
        }))),
        ProspectMessageProblem::JobExpired => ApiError::job_expired(),
        ProspectMessageProblem::JobNotEnded => ApiError::new(
            ErrorCode::NotReady,
            "The prospecting job has not ended yet; poll it until it has.",
        ),
        ProspectMessageProblem::JobNotSucceeded => ApiError::invalid(&[Violation::new(
            "/prospecting_job_id",
            "job_not_succeeded",
            "must name a prospecting job that succeeded",
        )]),
        ProspectMessageProblem::TemplateHashMismatch => ApiError::invalid(&[Violation::new(
            "/expected_template_hash",
            "template_hash_mismatch",
            "is not the template_hash of this revision",
        )]),
    }
}

const fn default_reason(problem: DefaultProblem) -> &'static str {
    match problem {
        DefaultProblem::Archived => "archived",
        DefaultProblem::NoGuideline => "no_guideline",
        DefaultProblem::GuidelineRejected => "guideline_rejected",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gtm_domain::BrandId;

    #[test]
    fn a_brand_that_cannot_be_used_has_a_code_for_each_reason() {
        let brand = BrandId::from_uuid(uuid::Uuid::nil());
        let unusable = |reason| BrandProblem::UnusableDefault { brand, reason };
        for (problem, status) in [
            (BrandProblem::Mismatch, 400),
            (BrandProblem::Unknown, 404),
            (BrandProblem::Archived, 409),
            (BrandProblem::NotReady { rejected: true }, 409),
            (BrandProblem::NoDefault, 409),
            (unusable(DefaultProblem::NoGuideline), 409),
        ] {
            assert_eq!(
                brand_profile(problem).status().as_u16(),
                status,
                "{problem}"
            );
        }
    }
}
