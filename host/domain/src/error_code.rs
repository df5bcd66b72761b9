//! Error codes of the API (specification, Errors; annex A11).

/// A code of the error envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    MalformedRequest,
    /// Parsed, but fails a schema or rule. Shares its code with [`Self::MalformedRequest`].
    InvalidRequest,
    /// Pagination cursor malformed.
    InvalidCursor,
    /// Brand id and brand key identify different profiles.
    BrandProfileMismatch,
    /// No Bearer key.
    MissingApiKey,
    /// Unknown or revoked key.
    InvalidApiKey,
    /// Key past its expiry.
    ExpiredApiKey,
    /// No spendable credit.
    InsufficientCredits,
    /// The key lacks the permission.
    Forbidden,
    /// The key's project is archived.
    ProjectArchived,
    /// Capability disabled for the organization.
    CapabilityDisabled,
    /// Absent in this scope.
    NotFound,
    /// Brand profile absent in the organization.
    BrandProfileNotFound,
    /// Brand absent in the organization, or archived.
    BrandNotFound,
    /// Offer absent in the organization, or not approved.
    OfferNotFound,
    /// Job not complete.
    NotReady,
    /// Key already used with other input.
    IdempotencyKeyReused,
    /// Matching request in progress.
    IdempotencyInProgress,
    BrandProfileArchived,
    /// Brand profile without a guideline.
    BrandProfileNotReady,
    /// No default brand profile.
    MissingDefaultBrandProfile,
    /// Brand without a completed guideline.
    BrandGuidelineMissing,
    OfferArchived,
    /// Past retention.
    JobExpired,
    /// Too many requests.
    RateLimitExceeded,
    /// Quota exhausted.
    QuotaExceeded,
    /// Budget reached.
    BudgetExceeded,
    /// Unexpected.
    InternalError,
}

impl ErrorCode {
    /// Every code, in the order of the specification's table.
    pub const ALL: [Self; 28] = [
        Self::MalformedRequest,
        Self::InvalidRequest,
        Self::InvalidCursor,
        Self::BrandProfileMismatch,
        Self::MissingApiKey,
        Self::InvalidApiKey,
        Self::ExpiredApiKey,
        Self::InsufficientCredits,
        Self::Forbidden,
        Self::ProjectArchived,
        Self::CapabilityDisabled,
        Self::NotFound,
        Self::BrandProfileNotFound,
        Self::BrandNotFound,
        Self::OfferNotFound,
        Self::NotReady,
        Self::IdempotencyKeyReused,
        Self::IdempotencyInProgress,
        Self::BrandProfileArchived,
        Self::BrandProfileNotReady,
        Self::MissingDefaultBrandProfile,
        Self::BrandGuidelineMissing,
        Self::OfferArchived,
        Self::JobExpired,
        Self::RateLimitExceeded,
        Self::QuotaExceeded,
        Self::BudgetExceeded,
        Self::InternalError,
    ];

    /// The value of `error.code`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MalformedRequest | Self::InvalidRequest => "invalid_request",
            Self::InvalidCursor => "invalid_cursor",
            Self::BrandProfileMismatch => "brand_profile_mismatch",
            Self::MissingApiKey => "missing_api_key",
            Self::InvalidApiKey => "invalid_api_key",
            Self::ExpiredApiKey => "expired_api_key",
            Self::InsufficientCredits => "insufficient_credits",
            Self::Forbidden => "forbidden",
            Self::ProjectArchived => "project_archived",
            Self::CapabilityDisabled => "capability_disabled",
            Self::NotFound => "not_found",
            Self::BrandProfileNotFound => "brand_profile_not_found",
            Self::BrandNotFound => "brand_not_found",
            Self::OfferNotFound => "offer_not_found",
            Self::NotReady => "not_ready",
            Self::IdempotencyKeyReused => "idempotency_key_reused",
            Self::IdempotencyInProgress => "idempotency_in_progress",
            Self::BrandProfileArchived => "brand_profile_archived",
            Self::BrandProfileNotReady => "brand_profile_not_ready",
            Self::MissingDefaultBrandProfile => "missing_default_brand_profile",
            Self::BrandGuidelineMissing => "brand_guideline_missing",
            Self::OfferArchived => "offer_archived",
            Self::JobExpired => "job_expired",
            Self::RateLimitExceeded => "rate_limit_exceeded",
            Self::QuotaExceeded => "quota_exceeded",
            Self::BudgetExceeded => "budget_exceeded",
            Self::InternalError => "internal_error",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_every_code_once() {
        // A new code makes `number` fail to compile until it is counted here, and the loop fails until the
        // code is in `ALL`.
        fn number(code: ErrorCode) -> usize {
            use ErrorCode as E;
            match code {
                E::MalformedRequest => 0,
                E::InvalidRequest => 1,
                E::InvalidCursor => 2,
                E::BrandProfileMismatch => 3,
                E::MissingApiKey => 4,
                E::InvalidApiKey => 5,
                E::ExpiredApiKey => 6,
                E::InsufficientCredits => 7,
                E::Forbidden => 8,
                E::ProjectArchived => 9,
                E::CapabilityDisabled => 10,
                E::NotFound => 11,
                E::BrandProfileNotFound => 12,
                E::BrandNotFound => 13,
                E::OfferNotFound => 14,
                E::NotReady => 15,
                E::IdempotencyKeyReused => 16,
                E::IdempotencyInProgress => 17,
                E::BrandProfileArchived => 18,
                E::BrandProfileNotReady => 19,
                E::MissingDefaultBrandProfile => 20,
                E::BrandGuidelineMissing => 21,
                E::OfferArchived => 22,
                E::JobExpired => 23,
                E::RateLimitExceeded => 24,
                E::QuotaExceeded => 25,
                E::BudgetExceeded => 26,
                E::InternalError => 27,
            }
        }
        for (index, code) in ErrorCode::ALL.into_iter().enumerate() {
            assert_eq!(number(code), index);
        }
        assert_eq!(number(ErrorCode::InternalError) + 1, ErrorCode::ALL.len());
    }
}
