//! How jobs that generate a revision are described.

use gtm_domain::JobType;
use gtm_domain::message::generation::GenerateInput;
use serde_json::{Value, json};

use super::published::{MESSAGES, PublishedGeneration};
use crate::job_schemas::DescribedJobs;
use crate::schemas;

/// Jobs that generate a revision of a message template.
pub struct GenerationJobs;

impl DescribedJobs for GenerationJobs {
    const TYPE: JobType = JobType::MessageTemplates;
    const SCHEMA: &'static str = "MessageTemplateJobResponse";
    const ABOUT: &'static str = "A job that generates a revision of a message template. Poll it until `status` is succeeded, failed or canceled. Nothing is ever enqueued or sent.";
    const OF_MEMBERS: &'static [(&'static str, &'static str)] = &[];
    const SENDS_NOTHING: bool = MESSAGES.sends_nothing;
    type Input = GenerateInput;
    type Result = PublishedGeneration;
    const FAILED_CODE: &'static str = "quality_threshold_not_met";
    const FAILED: &'static str = "The best draft has 71 of the 80 points that a template needs.";

    fn input() -> Value {
        let example = schemas::named("MessageTemplateGenerate")["examples"][0].clone();
        let mut input = json!({
            "operation": "generate",
            "offer": null,
            "options": {"tone": "direct", "locale": "en-GB", "max_words": 110, "max_links": 1,
                "forbidden_claims": ["guaranteed savings"]},
        });
        for (name, value) in example.as_object().into_iter().flatten() {
            if name != "options" {
                input[name] = value.clone();
            }
        }
        input
    }

    fn result() -> Value {
        json!({
            "operation": "generate",
            "status": "NEEDS_INPUT",
            "reasons": [{
                "code": "audience_missing",
                "pointer": "/audience",
                "message": "Say whom the template is written for."
            }],
            "revision_id": null,
            "template_key": "btr-handover",
            "revision": null,
            "template_hash": null,
            "revision_path": null,
            "rubric": null,
            "messages_enqueued": 0,
            "messages_sent": 0
        })
    }
}
