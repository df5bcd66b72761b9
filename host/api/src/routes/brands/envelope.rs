//! A brand as callers see it (specification, Brand; annex A2). What its research received, cost or
//! took from a provider is not among its members.

use gtm_domain::brand::{BrandKey, ResearchStatus};
use gtm_domain::{BrandId, JobId, Timestamp};
use gtm_engine::{BrandRow, BrandStatus};
use serde::Serialize;

/// The brand's state.
#[derive(Debug, Clone, Serialize)]
pub struct BrandEnvelope {
    id: BrandId,
    key: BrandKey,
    company_name: Option<String>,
    website_url: Option<String>,
    is_default: bool,
    becomes_default: bool,
    status: BrandStatus,
    research_status: ResearchStatus,
    research_job_id: Option<JobId>,
    guideline_available: bool,
    guideline_revision: Option<u64>,
    source_count: u64,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl From<BrandRow> for BrandEnvelope {
    fn from(row: BrandRow) -> Self {
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
