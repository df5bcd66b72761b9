//! Requests that no operation answers: a path that the API does not have, or a method that a path does not
//! support.

use gtm_domain::ErrorCode;
use http::StatusCode;

use crate::authorization::Unserved;
use crate::error::ApiError;

pub async fn unknown_path(_: Unserved) -> ApiError {
    ApiError::new(ErrorCode::NotFound, "The API has no such path.")
}

/// The specification has no code for 405. The request is at fault, so the code is `invalid_request`.
pub async fn unknown_method(_: Unserved) -> ApiError {
    ApiError::refused(
        StatusCode::METHOD_NOT_ALLOWED,
        "This path does not support this method; see the Allow header.",
    )
}
