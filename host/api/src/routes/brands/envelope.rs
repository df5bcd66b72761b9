//! A brand as callers see it (specification, Brand; annex A2). It does not say what its research received
//! or cost.

use gtm_domain::brand::{Brand, BrandKey, BrandStatus, ResearchStatus};
use gtm_domain::{BrandId, JobId, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use crate::derived_schema::one_of;

/// A brand of the organization, and the state of its research.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Brand, examples(example))]
pub struct BrandEnvelope {
    #[schema(value_type = String, pattern = "^brd_[0-9a-hjkmnp-tv-z]{26}$")]
    id: BrandId,
    /// Unique in the organization; accepted in place of the id in requests.
    #[schema(value_type = String, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", max_length = 63)]
    key: BrandKey,
    /// As given.
    #[schema(required)]
    company_name: Option<String>,
    /// As given, normalized.
    #[schema(required)]
    website_url: Option<String>,
    /// Whether playbooks that name no brand are written for this one. An organization has at most one
    /// default brand, and it always has a guideline.
    is_default: bool,
    /// Whether it becomes the default once it has its first guideline. Of several such brands, the one
    /// requested last becomes the default in the end.
    becomes_default: bool,
    #[schema(schema_with = brand_statuses)]
    status: BrandStatus,
    #[schema(schema_with = research_statuses)]
    research_status: ResearchStatus,
    /// The newest research, whichever project of the organization requested it.
    #[schema(value_type = Option<String>, required, pattern = "^job_[0-9a-hjkmnp-tv-z]{26}$")]
    research_job_id: Option<JobId>,
    /// Whether a guideline can be read. A failed refresh does not change it.
    guideline_available: bool,
    /// The current revision; null before the first.
    #[schema(required, minimum = 1)]
    guideline_revision: Option<u64>,
    /// How many sources the current guideline has; 0 before the first.
    source_count: u64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// An example for the API's description.
pub fn example() -> Value {
    json!({
        "id": "brd_01m7z8v8deezdsccfncmncbnqk",
        "key": "acme-estates",
        "company_name": "Acme Estates",
        "website_url": "https://acme-estates.example",
        "is_default": true,
        "becomes_default": false,
        "status": "active",
        "research_status": "ready",
        "research_job_id": "job_01m7z9bm98ebdsbmgmvb1g024g",
        "guideline_available": true,
        "guideline_revision": 1,
        "source_count": 1,
        "created_at": "2026-11-21T14:49:53.704Z",
        "updated_at": "2026-11-21T14:49:54.505Z"
    })
}

fn brand_statuses() -> Object {
    one_of([BrandStatus::Active, BrandStatus::Archived].map(BrandStatus::as_str))
}

fn research_statuses() -> Object {
    one_of(ResearchStatus::ALL.map(ResearchStatus::as_str))
}

impl From<Brand> for BrandEnvelope {
    fn from(row: Brand) -> Self {
        Self {
            id: row.id,
            key: row.key,
            company_name: row.company_name,
            website_url: row.website_url,
            is_default: row.is_default,
            becomes_default: row.default_wished_at.is_some(),
            status: row.status,
            research_status: row.research_status,
            research_job_id: row.research_job,
            guideline_available: row.guideline_revision.is_some(),
            guideline_revision: row.guideline_revision,
            source_count: row.source_count,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}
