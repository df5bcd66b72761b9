//! How jobs that write to a prospect are described.

use gtm_domain::JobType;
use gtm_domain::message::prospect_message::ProspectMessageInput;
use gtm_domain::message::prospect_message_result::ProspectMessageResult;
use serde_json::{Value, json};

use crate::job_schemas::DescribedJobs;
use crate::routes::message_templates::published::MESSAGES;
use crate::schemas;

/// Jobs that write to a prospect.
pub struct ProspectMessageJobs;

/// The example of the published request.
pub fn example() -> Value {
    schemas::named("ProspectMessageCreate")["examples"][0].clone()
}

impl DescribedJobs for ProspectMessageJobs {
    const TYPE: JobType = JobType::MessageTemplates;
    const SCHEMA: &'static str = "ProspectMessageJobResponse";
    const ABOUT: &'static str = "A job that writes a message to a prospect. Poll it until `status` is succeeded, failed or canceled. Nothing is ever enqueued or sent.";
    const OF_MEMBERS: &'static [(&'static str, &'static str)] = &[];
    const SENDS_NOTHING: bool = MESSAGES.sends_nothing;
    type Input = ProspectMessageInput;
    type Result = ProspectMessageResult;
    const FAILED_CODE: &'static str = "plugin_trapped";
    const FAILED: &'static str = "The evaluator crashed.";

    fn input() -> Value {
        let mut input = example();
        input["operation"] = json!("prospect_message");
        input["revision_id"] = json!("mtr_01m7z9a0b1c2d3e4f5g6h7j8k9");
        input
    }

    fn result() -> Value {
        let gates = [
            "template_revision",
            "prospect_freshness",
            "qualification",
            "identity",
            "evidence",
            "sender",
            "offer",
            "next_step",
            "company_jurisdiction",
            "privacy_notice",
            "policy_allow_list",
            "basis",
            "address_provenance",
            "suppression",
        ];
        let gates = gates.map(|gate| {
            let failed = gate == "policy_allow_list";
            json!({
                "gate": gate,
                "outcome": if failed { "failed" } else { "passed" },
                "reason_code": failed.then_some("not_allowed"),
                "pointer": failed.then_some("/policy"),
                "message": failed.then_some("The operator's list has no policy with exactly this reference and version."),
            })
        });
        json!({
            "operation": "prospect_message",
            "status": "NEEDS_INPUT",
            "reasons": [{
                "code": "gate:policy_allow_list",
                "pointer": "/policy",
                "message": "The operator's list has no policy with exactly this reference and version."
            }],
            "revision_id": "mtr_01m7z9a0b1c2d3e4f5g6h7j8k9",
            "template_hash": "sha256:748bdaf6bb6bc78ffa5305bbf038f6fdbc44837a187065ae5c3563a898d914fa",
            "approval_hash": null,
            "prospect_id": "prs_01jz9b0a1b2c3d4e5f6g7h8j9k",
            "external_ref": "crm-7",
            "subject": null,
            "body": null,
            "html": null,
            "message_hash": null,
            "compliance_verification": {
                "schema_version": "1.0",
                "evaluated_at": "2026-11-21T14:49:53.741Z",
                "environment": "production",
                "outcome": "needs_input",
                "policy": {
                    "policy_ref": "gb-corporate-outreach",
                    "policy_version": "2026-01",
                    "allow_listed": false,
                    "policy_hash": null,
                    "evaluator": null
                },
                "jurisdiction": { "recipient_country": "GB", "basis_rule": null, "opt_in_required": null },
                "basis": {
                    "evidence_id": "evd_01jz9c0a1b2c3d4e5f6g7h8j9k",
                    "verified": true,
                    "lawful_basis": "legitimate_interests"
                },
                "address_provenance": {
                    "evidence_id": "evd_01jz9c1a1b2c3d4e5f6g7h8j9k",
                    "verified": true,
                    "address_source_class": "published_by_company",
                    "retrieved_at": "2026-11-18T12:00:00.000Z",
                    "content_digest": "sha256:aa6fb1d0d5c3e8f1b2a3948576655443322110ffeeddccbbaa99887766554433"
                },
                "suppression": {
                    "checked": true,
                    "scope": "project_environment",
                    "ledger_sequence": 48_211,
                    "matched": false,
                    "match": null
                },
                "gates": gates,
                "content_checks": [],
                "opt_out": null,
                "anchors": [],
                "recommended_headers": []
            },
            "messages_enqueued": 0,
            "messages_sent": 0
        })
    }
}
