//! Decides which window counts a request, given the result of its key's look-up: none, if the key was not
//! accepted.

use gtm_domain::ErrorCode;
use gtm_store::{AuthError, ProjectScope};

use crate::api::Api;
use crate::error::ApiError;
use crate::failed_authentications::Refusal;
use crate::rate_limit::exhausted_keys::WindowOwner;
use crate::rate_limit::{Decision, RatePolicy};

/// The window that counts the request, and whether the request is served within the limit.
pub(super) fn whose(
    found: Result<ProjectScope, AuthError>,
) -> Result<(WindowOwner, Result<ProjectScope, ApiError>), ApiError> {
    let owner = |key, project, limit| WindowOwner {
        key,
        project,
        limit,
    };
    match found {
        Ok(scope) => {
            let limit = scope.rate_limit_per_minute();
            Ok((owner(scope.key(), scope.project(), limit), Ok(scope)))
        }
        Err(AuthError::ProjectArchived {
            key,
            project,
            rate_limit_per_minute,
        }) => {
            let message = "The key's project is archived.";
            let refused = ApiError::new(ErrorCode::ProjectArchived, message);
            Ok((owner(key, project, rate_limit_per_minute), Err(refused)))
        }
        Err(AuthError::AddressNotAllowed {
            key,
            project,
            rate_limit_per_minute,
        }) => {
            let message = "This key may not be used from the address that the request came from.";
            let refused = ApiError::new(ErrorCode::Forbidden, message);
            Ok((owner(key, project, rate_limit_per_minute), Err(refused)))
        }
        Err(AuthError::Invalid) => Err(not_accepted(Refusal::Invalid)),
        Err(AuthError::Expired) => Err(not_accepted(Refusal::Expired)),
        Err(AuthError::Store(cause)) => Err(ApiError::internal(&cause)),
    }
}

/// Counts a request, if one more is allowed.
pub(super) async fn admit(owner: WindowOwner, api: &Api) -> Decision {
    let policy = RatePolicy::per_minute(owner.limit);
    let limiter = &api.config().limiter;
    limiter.admit(owner.key, policy, api.elapsed()).await
}

pub(super) fn not_accepted(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::Invalid => ApiError::new(
            ErrorCode::InvalidApiKey,
            "The API key is unknown or revoked.",
        ),
        Refusal::Expired => ApiError::new(ErrorCode::ExpiredApiKey, "The API key has expired."),
    }
}
