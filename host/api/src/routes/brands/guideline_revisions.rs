//! `GET /v1/brands/{brand_id}/guideline-revisions`.

use axum::Json;
use axum::extract::State;
use gtm_domain::brand::GuidelineRevision;
use gtm_domain::{BrandId, Digest, JobId, Timestamp};
use gtm_engine::GuidelineRevisionPage;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema as _, ToSchema};

use super::ReadBrands;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::page::{Collection, ListQuery, PageBody, Published, Unfiltered};
use crate::path_id::PathId;

/// The revisions of a guideline.
#[derive(Debug)]
pub struct Revisions;

impl Collection for Revisions {
    const NAME: &'static str = "guideline_revisions";
    type Filter = Unfiltered;
    /// The revision's number.
    type Key = u64;
}

impl Published for Revisions {
    const SCHEMA: &'static str = "GuidelineRevisionList";
    const ABOUT: &'static str = "A page of a guideline's revisions, newest first.";

    fn row() -> RefOr<Schema> {
        RevisionEnvelope::schema()
    }

    fn example() -> (Vec<Value>, Option<&'static str>) {
        let row = json!({
            "revision": 1,
            "guideline_hash": "sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d",
            "schema_version": "1.0",
            "generated_at": "2026-11-21T14:49:54.500Z",
            "job_id": "job_01m7z9bm98ebdsbmgmvb1g024g",
            "source_count": 1,
            "changed_pointers": []
        });
        (vec![row], None)
    }
}

/// A revision without its document.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevisionEnvelope {
    #[schema(minimum = 1)]
    revision: u64,
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    guideline_hash: Digest,
    schema_version: String,
    /// When the research was done.
    #[schema(value_type = String, format = DateTime)]
    generated_at: Timestamp,
    /// The job that did the research.
    #[schema(value_type = String, pattern = "^job_[0-9a-hjkmnp-tv-z]{26}$")]
    job_id: JobId,
    source_count: u64,
    /// JSON Pointers to what differs from the revision before.
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

pub struct ListRevisions;

impl Operation for ListRevisions {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::MALFORMED_QUERY,
        DeclaredError::CURSOR,
        DeclaredError::NOT_IN_ORGANIZATION,
        DeclaredError::LIMIT,
    ];
}

/// List the revisions of a brand's guideline, newest first.
///
/// Each has its hash and says what it changed. To read a document, request the guideline with `?revision=`.
/// The list is empty until the first research has succeeded.
#[utoipa::path(
    get, path = "/v1/brands/{brand_id}/guideline-revisions", tag = "Brands",
    operation_id = "list_brand_guideline_revisions_v1_brands__brand_id__guideline_revisions_get",
    params(
        PathId::<BrandId>,
        ListQuery::<Revisions>,
    ),
    responses(
        (status = 200, description = "A page of revisions.", body = ref("#/components/schemas/GuidelineRevisionList"), content_type = "application/json"),
        Errors::<ListRevisions>,
    )
)]
pub async fn list_brand_guideline_revisions(
    api: State<Api>,
    caller: Authorized<ReadBrands>,
    path: PathId<BrandId>,
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
