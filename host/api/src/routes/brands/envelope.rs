//! A brand as callers see it (specification, Brand; annex A2). What its research received, cost or
//! took from a provider is not among its members.

use gtm_domain::brand::{Brand, BrandKey, BrandStatus, ResearchStatus};
use gtm_domain::{BrandId, JobId, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use crate::derived_schema::one_of;

/// A brand of the organization and where its research stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Brand, examples(example))]
pub struct BrandEnvelope {
    #[schema(value_type = String, pattern = "^brd_[0-9a-hjkmnp-tv-z]{26}$")]
    id: BrandId,
    /// Unique in the organization; may stand for the id in requests.
    #[schema(value_type = String, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", max_length = 63)]
    key: BrandKey,
    /// As it was given.
    #[schema(required)]
    company_name: Option<String>,
    /// As it was given, in normal form.
    #[schema(required)]
    website_url: Option<String>,
    /// Whether playbooks that name no brand speak for this one. At most one brand of an
    /// organization, and one with a guideline.
    is_default: bool,
    /// Whether it becomes the default one with its first guideline. Of several, the one that was
    /// asked for last has it in the end.
    becomes_default: bool,
    #[schema(schema_with = brand_statuses)]
    status: BrandStatus,
    #[schema(schema_with = research_statuses)]
    research_status: ResearchStatus,
    /// The newest research, whichever project of the organization asked for it.
    #[schema(value_type = Option<String>, required, pattern = "^job_[0-9a-hjkmnp-tv-z]{26}$")]
    research_job_id: Option<JobId>,
    /// Whether a guideline can be read. A refresh that fails changes nothing of it.
    guideline_available: bool,
    /// The current revision; null before the first.
    #[schema(required, minimum = 1)]
    guideline_revision: Option<u64>,
    /// Sources of the current guideline; 0 before the first.
    source_count: u64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// A brand as it may be answered.
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
