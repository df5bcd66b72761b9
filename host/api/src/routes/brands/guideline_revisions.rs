//! `GET /v1/brands/{brand_id}/guideline-revisions`.

use axum::Json;
use axum::extract::State;
use gtm_domain::{Digest, JobId, Timestamp};
use gtm_engine::{GuidelineRevision, GuidelineRevisionPage};
use serde::Serialize;

use super::ReadBrands;
use super::path::BrandPath;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::page::{Collection, ListQuery, PageBody, Unfiltered};

/// The revisions of a guideline.
#[derive(Debug)]
pub struct Revisions;

impl Collection for Revisions {
    const NAME: &'static str = "guideline_revisions";
    type Filter = Unfiltered;
    /// The revision's number.
    type Key = u64;
}

/// A revision without its document.
#[derive(Debug, Serialize)]
pub struct RevisionEnvelope {
    revision: u64,
    guideline_hash: Digest,
    schema_version: String,
    generated_at: Timestamp,
    job_id: JobId,
    source_count: u64,
    changed_pointers: Vec<String>,
}

impl From<GuidelineRevision> for RevisionEnvelope {
    fn from(row: GuidelineRevision) -> Self {
        Self {
            revision: row.revision,
            guideline_hash: row.hash,
            schema_version: row.schema_version,
            generated_at: row.generated_at,
            job_id: row.job,
            source_count: row.source_count,
            changed_pointers: row.changed_pointers,
        }
    }
}

/// List the revisions of a brand's guideline, newest first.
///
/// Each with its hash and what it changed. A document is read with `?revision=` at the guideline
/// itself. Empty before the first research has succeeded.
#[utoipa::path(
    get, path = "/v1/brands/{brand_id}/guideline-revisions", tag = "Brands",
    operation_id = "list_brand_guideline_revisions_v1_brands__brand_id__guideline_revisions_get",
    params(
        ("brand_id" = String, Path, description = "The brand's id."),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before. Good for 7 days."),
        ("limit" = Option<u32>, Query, description = "Rows on a page; 20 by default.", minimum = 1, maximum = 100)),
    responses(
        (status = 200, description = "A page of revisions.", body = ref("#/components/schemas/GuidelineRevisionList"), content_type = "application/json"),
        (status = 400, description = "invalid_request: the query is malformed; invalid_cursor"),
        (status = 404, description = "not_found: absent in the key's organization"),
        (status = 422, description = "invalid_request: limit is out of range"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("preview")))
)]
pub async fn list_brand_guideline_revisions(
    api: State<Api>,
    caller: Authorized<ReadBrands>,
    path: BrandPath,
    query: ListQuery<Revisions>,
) -> Result<Json<PageBody<Revisions, RevisionEnvelope>>, ApiError> {
    let page = query.page(&api, caller.scope(), &path.0.to_string())?;
    let wanted = GuidelineRevisionPage {
        before: page.after,
        limit: page.rows(),
    };
    let rows = api
        .engine()
        .guideline_revisions(caller.scope(), path.0, wanted)
        .await?
        .ok_or_else(ApiError::not_found)?;
    Ok(Json(page.answer(rows, |row| row.revision, Into::into)))
}
