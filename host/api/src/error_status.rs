//! The status that carries an error's code (specification, Errors; annex A11).

use gtm_domain::ErrorCode;
use http::StatusCode;

/// The status of a response with this code.
#[must_use]
pub const fn status_of(code: ErrorCode) -> StatusCode {
    use ErrorCode as E;
    match code {
        E::MalformedRequest | E::InvalidCursor | E::BrandProfileMismatch => StatusCode::BAD_REQUEST,
        E::MissingApiKey | E::InvalidApiKey | E::ExpiredApiKey => StatusCode::UNAUTHORIZED,
        E::InsufficientCredits => StatusCode::PAYMENT_REQUIRED,
        E::Forbidden | E::ProjectArchived | E::CapabilityDisabled => StatusCode::FORBIDDEN,
        E::NotFound | E::BrandProfileNotFound | E::BrandNotFound | E::OfferNotFound => {
            StatusCode::NOT_FOUND
        }
        E::NotReady
        | E::IdempotencyKeyReused
        | E::IdempotencyInProgress
        | E::BrandProfileArchived
        | E::BrandProfileNotReady
        | E::MissingDefaultBrandProfile
        | E::BrandGuidelineMissing
        | E::OfferArchived => StatusCode::CONFLICT,
        E::JobExpired => StatusCode::GONE,
        E::InvalidRequest => StatusCode::UNPROCESSABLE_ENTITY,
        E::RateLimitExceeded | E::QuotaExceeded | E::BudgetExceeded => {
            StatusCode::TOO_MANY_REQUESTS
        }
        E::InternalError => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
