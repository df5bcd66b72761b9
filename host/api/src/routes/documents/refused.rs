//! Why no documents job was created: its codes for brands differ from those of playbooks (specification, Errors).

use gtm_domain::ErrorCode;
use gtm_engine::{BrandProblem, CreateError};
use serde_json::json;

use crate::error::ApiError;

/// The error of a create.
pub fn refused(error: CreateError) -> ApiError {
    let (code, sentence, details) = match error {
        CreateError::Brand(BrandProblem::Unknown | BrandProblem::Mismatch) => (
            ErrorCode::BrandNotFound,
            "The organization has no such brand.",
            json!({"reason": "unknown"}),
        ),
        CreateError::Brand(BrandProblem::Archived) => (
            ErrorCode::BrandNotFound,
            "The brand is archived; name another.",
            json!({"reason": "archived"}),
        ),
        CreateError::Brand(BrandProblem::NotReady { rejected: true }) => (
            ErrorCode::BrandGuidelineMissing,
            "The review of the brand's guideline rejected it; research the brand again, or name another.",
            json!({"reason": "guideline_rejected"}),
        ),
        CreateError::Brand(BrandProblem::NotReady { rejected: false }) => (
            ErrorCode::BrandGuidelineMissing,
            "The brand has no completed guideline yet.",
            json!({"reason": "no_guideline"}),
        ),
        // Without a usable default brand, and for all else, the codes are the same for all jobs.
        other => return other.into(),
    };
    ApiError::new(code, sentence).with_details(Some(details))
}
