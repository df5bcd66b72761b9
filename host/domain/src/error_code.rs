//! Error codes of the API with their HTTP status (specification, Errors; annex A11).

/// A code of the error envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// 400: malformed request.
    MalformedRequest,
    /// 422: parsed, but fails a schema or rule. Shares its code with [`Self::MalformedRequest`].
    InvalidRequest,
    /// 400: pagination cursor malformed.
    InvalidCursor,
    /// 400: brand id and brand key identify different profiles.
    BrandProfileMismatch,
    /// 401: no Bearer key.
    MissingApiKey,
    /// 401: unknown or revoked key.
    InvalidApiKey,
    /// 401: key past its expiry.
    ExpiredApiKey,
    /// 402: no spendable credit.
    InsufficientCredits,
    /// 403: the key lacks the permission.
    Forbidden,
    /// 403: the key's project is archived.
    ProjectArchived,
    /// 403: capability disabled for the organization.
    CapabilityDisabled,
    /// 404: absent in this scope.
    NotFound,
    /// 404: brand profile absent in the organization.
    BrandProfileNotFound,
    /// 409: job not complete.
    NotReady,
    /// 409: key already used with other input.
    IdempotencyKeyReused,
    /// 409: matching request in progress.
    IdempotencyInProgress,
    /// 409: brand profile archived.
    BrandProfileArchived,
    /// 409: brand profile without a guideline.
    BrandProfileNotReady,
    /// 409: no default brand profile.
    MissingDefaultBrandProfile,
    /// 410: past retention.
    JobExpired,
    /// 429: too many requests.
    RateLimitExceeded,
    /// 429: quota exhausted.
    QuotaExceeded,
    /// 429: budget reached.
    BudgetExceeded,
    /// 500: unexpected.
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

    /// The HTTP status that carries the code.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::MalformedRequest | Self::InvalidCursor | Self::BrandProfileMismatch => 400,
            Self::MissingApiKey | Self::InvalidApiKey | Self::ExpiredApiKey => 401,
            Self::InsufficientCredits => 402,
            Self::Forbidden | Self::ProjectArchived | Self::CapabilityDisabled => 403,
            Self::NotFound | Self::BrandProfileNotFound => 404,
            Self::NotReady
            | Self::IdempotencyKeyReused
            | Self::IdempotencyInProgress
            | Self::BrandProfileArchived
            | Self::BrandProfileNotReady
            | Self::MissingDefaultBrandProfile => 409,
            Self::JobExpired => 410,
            Self::InvalidRequest => 422,
            Self::RateLimitExceeded | Self::QuotaExceeded | Self::BudgetExceeded => 429,
            Self::InternalError => 500,
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
