//! How jobs that make documents are described.

use gtm_domain::JobType;
use gtm_domain::document::DocumentInput;
use serde_json::{Value, json};

use super::published::PublishedDocument;
use crate::job_schemas::DescribedJobs;

pub struct DocumentJobs;

impl DescribedJobs for DocumentJobs {
    const TYPE: JobType = JobType::Documents;
    const SCHEMA: &'static str = "DocumentJobResponse";
    const ABOUT: &'static str =
        "A documents job. Poll it until `status` is succeeded, failed or canceled.";
    const OF_MEMBERS: &'static [(&'static str, &'static str)] = &[(
        "stages",
        "The three stages, `plan`, `compose` and `render`, each with `key`, `status`, `started_at`, `finished_at` and `attempts`.",
    )];
    type Input = DocumentInput;
    type Result = PublishedDocument;
    const FAILED: &'static str = "No statement could be verified in the fetched sources.";

    fn input() -> Value {
        json!({
            "brief": "A short deck for the head of operations: what metering at handover changes.",
            "document_type": "deck",
            "format": "pptx",
            "target_domain": "acme-estates.example",
            "brand": null,
            "offer": null,
            "template_urls": [],
            "title": null,
            "external_ref": null
        })
    }

    fn result() -> Value {
        let path = "jobs/job_01m7z9bm98ebdsbmgmvb1g024g/files/file_01m7z9bm98ebdsbmgmvb1g0250";
        json!({
            "files": [{
                "file_id": "file_01m7z9bm98ebdsbmgmvb1g0250",
                "filename": "Metering at handover.pptx",
                "format": "pptx",
                "size_bytes": 48_211,
                "content_digest": "sha256:748bdaf6bb6bc78ffa5305bbf038f6fdbc44837a187065ae5c3563a898d914fa",
                "evidence_manifest_digest": "sha256:aa6fb1d0d5c3e8f1b2a3948576655443322110ffeeddccbbaa99887766554433",
                "pages": 9,
                "download_path": "/v1/documents/job_01m7z9bm98ebdsbmgmvb1g024g/files/file_01m7z9bm98ebdsbmgmvb1g0250",
                "console_path": format!("/console/projects/prj_01m7z9avdgee6ae91d6ffcnt4j/{path}")
            }],
            "brand": {
                "brand_profile_id": "brd_01m7z8v8deezdsccfncmncbnqk",
                "revision": 4,
                "guideline_hash": "sha256:5d0c6f0e3a1b7c9d2e4f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5"
            },
            "offer": null,
            "progress": [
                { "at": "2026-11-21T14:49:53.980Z", "code": "plan", "message": "A deck of nine slides.", "percent": 20 },
                { "at": "2026-11-21T14:49:54.410Z", "code": "render", "message": "The PPTX is made: 9 slides.", "percent": 98 }
            ],
            "model": "default",
            "duration_seconds": 0.764,
            "request_echo": Self::input(),
            "title": "Metering at handover",
            "target_domain": "acme-estates.example",
            "external_ref": null,
            "document_type": "deck",
            "format": "pptx",
            "reason": null,
            "language": "en-GB"
        })
    }
}
