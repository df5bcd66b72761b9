//! `GET /v1/brands/{brand_id}/guideline`.

use axum::extract::{FromRequestParts, State};
use axum::response::Response;
use bytes::Bytes;
use gtm_domain::BrandId;
use gtm_domain::ErrorCode;
use gtm_engine::GuidelineLookup;
use http::header::{CACHE_CONTROL, VARY};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};

use super::ReadBrands;
use super::guideline_format::GuidelineFormat;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::path_id::PathId;
use crate::query_reader::{QueryReader, whole_number};
use crate::unchanging;

/// The requested revision; `None` for the current one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RevisionQuery(Option<u64>);

impl<S: Sync> FromRequestParts<S> for RevisionQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        parse(QueryReader::of(parts))
    }
}

fn parse(query: QueryReader<'_>) -> Result<RevisionQuery, ApiError> {
    let mut revision = None;
    query.read(&["revision"], |name, value| {
        revision = Some(whole_number(name, value, 1, i64::MAX as u64)?);
        Ok(())
    })?;
    Ok(RevisionQuery(revision))
}

pub struct GetGuideline;

impl Operation for GetGuideline {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::MALFORMED_QUERY,
        DeclaredError::when(
            ErrorCode::NotFound,
            "the key's organization has no such brand, or the brand has no such revision",
        ),
        DeclaredError::when(ErrorCode::NotReady, "the brand has no guideline yet"),
        DeclaredError::when(ErrorCode::InvalidRequest, "revision is out of range"),
    ];
}

/// Read a brand's guideline.
///
/// Returns the current revision, or the one that `revision` names. Revisions are immutable, and
/// `guideline_hash` proves it. `Accept: text/markdown` requests a rendering for people. Send the `ETag` as
/// `If-None-Match` to learn whether there is a newer revision.
#[utoipa::path(
    get, path = "/v1/brands/{brand_id}/guideline", tag = "Brands", operation_id = "get_brand_guideline_v1_brands__brand_id__guideline_get",
    params(
        PathId::<BrandId>,
        ("revision" = Option<u64>, Query, description = "The revision to read; by default the current one.", minimum = 1),
        ("If-None-Match" = Option<String>, Header, description = "Entity tags of the guidelines that the caller has, or `*`.", pattern = "^[\\x20-\\x7e]*$", example = "\"sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d\"")),
    responses(
        (status = 200, description = "The guideline.",
            content(
                (ref("#/components/schemas/BrandGuideline") = "application/json"),
                (String = "text/markdown", example = json!("# Acme Estates\n\n…"))),
            headers(
                ("ETag" = String, description = "The guideline's hash in quotes; for the Markdown form, followed by `+markdown`."),
                ("Vary" = Option<String>, description = "`accept`: the form depends on it."))),
        (status = 304, description = "The caller has this guideline already.",
            headers(
                ("ETag" = String, description = "The tag that matched."),
                ("Vary" = Option<String>, description = "`accept`: the form depends on it."))),
        Errors::<GetGuideline>,
    )
)]
pub async fn get_brand_guideline(
    api: State<Api>,
    caller: Authorized<ReadBrands>,
    path: PathId<BrandId>,
    query: RevisionQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let stored = match api
        .engine()
        .guideline(caller.scope(), path.0, query.0)
        .await?
    {
        GuidelineLookup::Found(stored) => stored,
        GuidelineLookup::Absent => return Err(ApiError::not_found()),
        GuidelineLookup::NotReady => {
            return Err(ApiError::new(
                ErrorCode::NotReady,
                "The brand has no guideline yet; its research_status shows the state of the research.",
            ));
        }
    };
    let format = GuidelineFormat::wanted(&headers);
    let body = Bytes::from(format.render(&stored)?);
    let tag = format.tag(&stored);
    let mut response = unchanging::respond(&headers, format.content_type(), tag, body);
    let answered = response.headers_mut();
    answered.insert(VARY, HeaderValue::from_static("accept"));
    // The data belongs to one organization; its own cache may keep it but must revalidate before each use.
    answered.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_revision_is_a_number_from_one() {
        assert_eq!(parse(QueryReader::new("")).unwrap(), RevisionQuery(None));
        assert_eq!(
            parse(QueryReader::new("revision=12")).unwrap(),
            RevisionQuery(Some(12))
        );
        for bad in ["revision=x", "revision=", "revision=1&revision=1"] {
            assert_eq!(
                parse(QueryReader::new(bad)).unwrap_err().status().as_u16(),
                400,
                "{bad}"
            );
        }
        for bad in ["revision=0", "revision=-1", "revision=99999999999999999999"] {
            assert_eq!(
                parse(QueryReader::new(bad)).unwrap_err().status().as_u16(),
                422,
                "{bad}"
            );
        }
    }
}
