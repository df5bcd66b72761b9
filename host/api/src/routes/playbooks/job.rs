//! How jobs that write a playbook are described.

use gtm_domain::JobType;
use gtm_domain::playbook::{PlaybookInput, PublicPlaybookResult};
use serde_json::{Value, json};

use crate::job_schemas::DescribedJobs;

pub struct PlaybookJobs;

impl DescribedJobs for PlaybookJobs {
    const TYPE: JobType = JobType::Playbooks;
    const SCHEMA: &'static str = "PublicPlaybookJobResponse";
    const ABOUT: &'static str =
        "A playbook job. Poll it until `status` is succeeded, failed or canceled.";
    const OF_MEMBERS: &'static [(&'static str, &'static str)] = &[
        ("campaign_id", "Null for playbooks."),
        ("stages", "Null for playbooks."),
    ];
    type Input = PlaybookInput;
    type Result = PublicPlaybookResult;
    const FAILED: &'static str = "Too little could be read to fill the requested sections.";

    fn input() -> Value {
        json!({
            "target_company": null,
            "target_company_domain": "acme-estates.example",
            "anchor_company": null,
            "product_info": null,
            "tone": "direct",
            "sections": [
                "sales_angles"
            ],
            "model": "default",
            "brand_profile_id": null,
            "brand_profile_key": null
        })
    }

    fn result() -> Value {
        let profile = json!({
            "industry": null,
            "employee_range": null,
            "headquarters": null,
            "business_model": null,
            "offerings": [],
            "markets": [],
            "particulars": []
        });
        let basis = json!({
            "pointer": "/sales_angles/0",
            "confidence": "high",
            "basis": "stated",
            "reasoning": "The site says so.",
            "source_ids": [
                "src_01"
            ],
            "excerpt_ids": [
                "ex_01"
            ]
        });
        let source = json!({
            "id": "src_01",
            "url": "https://acme-estates.example/customers.html",
            "final_url": "https://acme-estates.example/customers.html",
            "kind": "first_party",
            "publisher": "Acme Estates",
            "title": "Customers – Acme Estates",
            "language": "en-GB",
            "retrieved_at": "2026-11-21T14:49:53.969Z",
            "published_at": null,
            "content_type": "text/html",
            "bytes": 4382,
            "content_digest": "sha256:748bdaf6bb6bc78ffa5305bbf038f6fdbc44837a187065ae5c3563a898d914fa",
            "connector": {
                "key": "web-fetch",
                "version": "0.1.0",
                "component_digest": "sha256:07479681fc70b3cd11ee33c2f998c3737abddd1997fb6aa76f55d2c9ca126062"
            },
            "receipt_id": "rcp_01m7z9bmhbfxb8szaq9cv6j11x",
            "excerpts": [
                {
                    "id": "ex_01",
                    "text": "Harrow and Finch cut its complaints about warm deliveries by 43 percent in the first year with Acme Estates.",
                    "text_start": 259,
                    "text_end": 363,
                    "verified": true
                }
            ]
        });
        json!({
            "schema_version": "1.0",
            "included_sections": [
                "sales_angles"
            ],
            "target": {
                "company": "Acme Estates",
                "domain": "acme-estates.example"
            },
            "anchor_company": null,
            "tone": "direct",
            "language": "en-GB",
            "business_summary": null,
            "sales_angles": [
                "Harrow and Finch cut its complaints about warm deliveries by 43 percent in the first year with Acme Estates."
            ],
            "company_profile": profile,
            "priorities": [],
            "pain_points": [],
            "buying_signals": [],
            "buying_committee": [],
            "value_map": [],
            "proof_points": [],
            "discovery_questions": [],
            "objections": [],
            "competitive_position": [],
            "talk_track": {
                "opening": null,
                "bridge": null,
                "ask": null
            },
            "next_steps": [],
            "fit": { "verdict": null, "reasons": [] },
            "why_now": [],
            "messages_by_persona": [],
            "business_case": [],
            "site_digest": [],
            "risks": [],
            "brand": null,
            "offer": null,
            "basis": [basis],
            "unknowns": [],
            "sources": [source],
            "model": "default",
            "duration_seconds": 0.642
        })
    }
}
