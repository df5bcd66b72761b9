//! How jobs that research a brand are described.

use gtm_domain::JobType;
use gtm_domain::brand::BrandInput;
use serde_json::{Value, json};

use super::published::PublishedResearch;
use crate::job_schemas::DescribedJobs;

pub struct ResearchJobs;

impl DescribedJobs for ResearchJobs {
    const TYPE: JobType = JobType::Brands;
    const SCHEMA: &'static str = "BrandJobResponse";
    const ABOUT: &'static str =
        "A research job of a brand. Poll it until `status` is succeeded, failed or canceled.";
    const OF_MEMBERS: &'static [(&'static str, &'static str)] = &[
        ("campaign_id", "Null for brands."),
        (
            "error",
            "Null unless the job failed. Without details for a reader in another project.",
        ),
        (
            "usage",
            "All zero for a reader in another project of the organization than project_id, which is charged.",
        ),
        ("stages", "Null for brands."),
    ];
    type Input = BrandInput;
    type Result = PublishedResearch;
    const FAILED: &'static str = "Too little could be read to tell anything of the brand.";

    fn input() -> Value {
        json!({
            "company_name": "Acme Estates",
            "website_url": "https://acme-estates.example",
            "is_default": true,
            "brand_profile_id": "brd_01m7z8v8deezdsccfncmncbnqk"
        })
    }

    fn result() -> Value {
        json!({
            "brand_profile_id": "brd_01m7z8v8deezdsccfncmncbnqk",
            "schema_version": "1.0",
            "revision": 1,
            "guideline_hash": "sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d",
            "source_count": 1,
            "guideline_path": "/v1/brands/brd_01m7z8v8deezdsccfncmncbnqk/guideline"
        })
    }
}
