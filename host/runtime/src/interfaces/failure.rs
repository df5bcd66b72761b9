//! Converts failures between host and guest.

use gtm_domain::{Failure, FailureKind};
use serde_json::Value;

use super::text::{is_code, one_line};
use crate::sandbox::bindings::interfaces::types;

/// Longest message of a guest's failure, in bytes.
const MAX_MESSAGE: usize = 500;
/// Longest detail of a guest's failure, in bytes.
const MAX_DETAIL: usize = 16 * 1024;

/// A failure of the host, for the guest.
pub fn to_guest(failure: Failure) -> types::Failure {
    types::Failure {
        kind: match failure.kind {
            FailureKind::InvalidInput => types::FailureKind::InvalidInput,
            FailureKind::CredentialMissing => types::FailureKind::CredentialMissing,
            FailureKind::Unauthorized => types::FailureKind::Unauthorized,
            FailureKind::NotFound => types::FailureKind::NotFound,
            FailureKind::RateLimited => types::FailureKind::RateLimited,
            FailureKind::Denied => types::FailureKind::Denied,
            FailureKind::Quota => types::FailureKind::Quota,
            FailureKind::Timeout => types::FailureKind::Timeout,
            FailureKind::Canceled => types::FailureKind::Canceled,
            FailureKind::Upstream => types::FailureKind::Upstream,
            FailureKind::Internal => types::FailureKind::Internal,
        },
        code: failure.code,
        message: failure.message,
        retry_after_ms: failure.retry_after_ms,
        detail: failure.detail.map(|detail| detail.to_string()),
    }
}

/// A failure of a guest, for the host. Danger: it ends up in an error of the API. So anything malformed is
/// repaired: a guest cannot inject line breaks, pages of text or a made-up structure.
pub fn from_guest(failure: types::Failure) -> Failure {
    let kind = match failure.kind {
        types::FailureKind::InvalidInput => FailureKind::InvalidInput,
        types::FailureKind::CredentialMissing => FailureKind::CredentialMissing,
        types::FailureKind::Unauthorized => FailureKind::Unauthorized,
        types::FailureKind::NotFound => FailureKind::NotFound,
        types::FailureKind::RateLimited => FailureKind::RateLimited,
        types::FailureKind::Denied => FailureKind::Denied,
        types::FailureKind::Quota => FailureKind::Quota,
        types::FailureKind::Timeout => FailureKind::Timeout,
        types::FailureKind::Canceled => FailureKind::Canceled,
        types::FailureKind::Upstream => FailureKind::Upstream,
        types::FailureKind::Internal => FailureKind::Internal,
    };
    Failure {
        kind,
        code: if is_code(&failure.code) {
            failure.code
        } else {
            "plugin_failure".to_owned()
        },
        message: one_line(&failure.message, MAX_MESSAGE),
        retry_after_ms: failure.retry_after_ms,
        detail: failure
            .detail
            .filter(|text| text.len() <= MAX_DETAIL)
            .and_then(|text| serde_json::from_str::<Value>(&text).ok()),
    }
}
