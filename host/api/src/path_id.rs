use std::str::FromStr;

use axum::extract::{FromRequestParts, Path};
use gtm_domain::{
    BrandId, DossierSpecificationId, FileId, JobId, MessageTemplateRevisionId, OfferId,
};
use http::request::Parts;
use serde_json::json;
use utoipa::IntoParams;
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};

use crate::error::ApiError;

/// The id at the end or in the middle of a path. A malformed id is answered like an unknown one: 404.
#[derive(Debug, Clone, Copy)]
pub struct PathId<T>(pub T);

/// An id in a path, as the description names it.
pub trait PathParameter {
    /// Its name between braces.
    const NAME: &'static str;
    /// What the id identifies.
    const ABOUT: &'static str;
    const PREFIX: &'static str;
}

impl PathParameter for BrandId {
    const NAME: &'static str = "brand_id";
    const ABOUT: &'static str = "The brand's id.";
    const PREFIX: &'static str = Self::PREFIX;
}

impl PathParameter for DossierSpecificationId {
    const NAME: &'static str = "specification_id";
    const ABOUT: &'static str = "The specification's id.";
    const PREFIX: &'static str = Self::PREFIX;
}

impl PathParameter for FileId {
    const NAME: &'static str = "file_id";
    const ABOUT: &'static str = "The file's id.";
    const PREFIX: &'static str = Self::PREFIX;
}

impl PathParameter for JobId {
    const NAME: &'static str = "job_id";
    const ABOUT: &'static str = "The job's id.";
    const PREFIX: &'static str = Self::PREFIX;
}

impl PathParameter for MessageTemplateRevisionId {
    const NAME: &'static str = "revision_id";
    const ABOUT: &'static str = "The revision's id.";
    const PREFIX: &'static str = Self::PREFIX;
}

impl PathParameter for OfferId {
    const NAME: &'static str = "offer_id";
    const ABOUT: &'static str = "The offer's id.";
    const PREFIX: &'static str = Self::PREFIX;
}

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for PathId<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let text = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::not_found())?;
        text.0.parse().map(Self).map_err(|_| ApiError::not_found())
    }
}

impl<T: PathParameter> IntoParams for PathId<T> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let prefix = T::PREFIX;
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(format!("^{prefix}_[0-9a-hjkmnp-tv-z]{{26}}$")));
        let parameter = ParameterBuilder::new()
            .name(T::NAME)
            .parameter_in(ParameterIn::Path)
            .description(Some(T::ABOUT))
            .required(Required::True)
            .schema(Some(text))
            .example(Some(json!(format!("{prefix}_01m7z8v8deezdsccfncmncbnqk"))));
        vec![parameter.build()]
    }
}
