//! The `{brand_id}` of a path.

use axum::extract::{FromRequestParts, Path};
use gtm_domain::BrandId;
use http::request::Parts;

use crate::api::Api;
use crate::error::ApiError;

/// A brand's id as a caller named it. A text that is no id names nothing: 404.
#[derive(Debug, Clone, Copy)]
pub struct BrandPath(pub BrandId);

impl FromRequestParts<Api> for BrandPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        let text = Path::<String>::from_request_parts(parts, api)
            .await
            .map_err(|_| ApiError::not_found())?;
        text.0.parse().map(Self).map_err(|_| ApiError::not_found())
    }
}
