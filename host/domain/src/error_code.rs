//! Error codes of the API (specification, Errors; annex A11).

/// A code of the error envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// Malformed request.
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
    /// Job not complete.
    NotReady,
    /// Key already used with other input.
    IdempotencyKeyReused,
    /// Matching request in progress.
    IdempotencyInProgress,
    /// Brand profile archived.
    BrandProfileArchived,
    /// Brand profile without a guideline.
    BrandProfileNotReady,
    /// No default brand profile.
    MissingDefaultBrandProfile,
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
    pub const ALL: [Self; 24] = [
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
        Self::NotReady,
        Self::IdempotencyKeyReused,
        Self::IdempotencyInProgress,
        Self::BrandProfileArchived,
        Self::BrandProfileNotReady,
        Self::MissingDefaultBrandProfile,
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
            Self::NotReady => "not_ready",
            Self::IdempotencyKeyReused => "idempotency_key_reused",
            Self::IdempotencyInProgress => "idempotency_in_progress",
            Self::BrandProfileArchived => "brand_profile_archived",
            Self::BrandProfileNotReady => "brand_profile_not_ready",
            Self::MissingDefaultBrandProfile => "missing_default_brand_profile",
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
                E::NotReady => 13,
                E::IdempotencyKeyReused => 14,
                E::IdempotencyInProgress => 15,
                E::BrandProfileArchived => 16,
                E::BrandProfileNotReady => 17,
                E::MissingDefaultBrandProfile => 18,
                E::JobExpired => 19,
                E::RateLimitExceeded => 20,
                E::QuotaExceeded => 21,
                E::BudgetExceeded => 22,
                E::InternalError => 23,
            }
        }
        for (index, code) in ErrorCode::ALL.into_iter().enumerate() {
            assert_eq!(number(code), index);
        }
        assert_eq!(number(ErrorCode::InternalError) + 1, ErrorCode::ALL.len());
    }
}
