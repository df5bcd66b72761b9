//! `--message`: from a reviewed template and an imported, made-up prospect to a demonstration, with every gate.
//! Nothing is sent: no part of the product can.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::Run;
use super::host::Installation;
use super::setup::project_of;
use super::state::State;

/// Where revisions of templates are created.
const REVISIONS: &str = "/v1/message-template-revisions";
/// The reviewed template of the sample.
const TEMPLATE: &str = "samples/message-template.json";
/// A made-up prospect, with made-up evidence.
const PROSPECTS: &str = "samples/prospects.json";
/// Catalog key of the policy of the sample's country.
const POLICY_PLUGIN: &str = "policy-gb";
/// The reference and version under which the operator allows that policy.
const POLICY_REF: &str = "gb-corporate-outreach";
const POLICY_VERSION: &str = "2026-01";

/// The plug-ins that a message needs, besides those of a playbook.
pub fn plugins(wanted: bool) -> Vec<&'static str> {
    if wanted {
        vec![POLICY_PLUGIN]
    } else {
        Vec::new()
    }
}

/// Allows the policy and imports the prospect, unless an earlier run did; the import expires with its job.
pub fn ensure_prospect(
    installation: &Installation,
    state: &mut State,
    root: &Path,
) -> Result<String> {
    let project = project_of(state)?;
    if !state.policy_allowed {
        installation.admin(&[
            "policy",
            "allow",
            POLICY_REF,
            POLICY_VERSION,
            "--evaluator",
            POLICY_PLUGIN,
        ])?;
        state.policy_allowed = true;
        state.save(&installation.data)?;
    }
    let file = root.join(PROSPECTS);
    let file = file.to_str().context("the path is not UTF-8")?;
    let imported = installation.admin(&["prospecting", "import", file, "--project", &project])?;
    let job = imported["id"]
        .as_str()
        .context("an import without its job")?;
    Ok(job.to_owned())
}

/// Creates the revision, asks for a demonstration for the first prospect, and returns the ended job.
pub fn make(run: &mut Run<'_>, root: &Path, prospecting_job: &str) -> Result<Value> {
    let path = root.join(TEMPLATE);
    let template =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let template: Value = serde_json::from_str(&template)?;
    let revision = run.created(REVISIONS, &template, 201)?;
    let id = revision["id"].as_str().context("a revision without id")?;
    eprintln!(
        "revision {} of {} is {id}",
        revision["revision"], revision["template_key"]
    );
    let candidates = run
        .client
        .get(&format!("/v1/jobs/{prospecting_job}/candidates"))?
        .expect(200)?;
    let candidate = &candidates["candidates"][0];
    let input = request(prospecting_job, candidate, &template)?;
    run.job(&format!("{REVISIONS}/{id}/prospect-message"), &input)
}

/// The request for a demonstration.
fn request(prospecting_job: &str, candidate: &Value, template: &Value) -> Result<Value> {
    let evidence = candidate["evidence"].as_array().into_iter().flatten();
    let of_kind = |kind: &str| {
        let mut records = evidence.clone().filter(|record| record["kind"] == kind);
        let found = records.next().and_then(|record| record["id"].as_str());
        found.with_context(|| format!("the sample has no evidence of kind {kind}"))
    };
    Ok(json!({
        "prospecting_job_id": prospecting_job,
        "prospect_id": candidate["id"],
        "purpose": "demonstration",
        "sender": {
            "full_name": "Ellen Sample", "role": "Account manager",
            "organization": "Tarnbeck", "email": "ellen@tarnbeck.example"
        },
        "reply": { "email": "ellen@tarnbeck.example", "monitored": true },
        "postal_identity": {
            "organization": "Tarnbeck", "address_lines": ["1 Sample Street"], "locality": "Dundee",
            "region": null, "postal_code": "DD1 1AA", "country": "GB"
        },
        "evidence": {
            "basis_evidence_id": of_kind("lawful_basis")?,
            "address_provenance_id": of_kind("address_provenance")?,
            "personalization_evidence_ids": [of_kind("personalization")?]
        },
        "policy": { "policy_ref": POLICY_REF, "policy_version": POLICY_VERSION },
        "privacy_notice": { "url": "https://tarnbeck.example/privacy", "version": "2026-01" },
        "offer": { "offer_summary": template["offer_summary"] },
        "next_step": { "ask": "Is storage for your next season already arranged?" }
    }))
}

/// The verdict, each gate with its outcome, and the text if there is one.
pub fn render(job: &Value) -> String {
    let result = &job["result"];
    let verification = &result["compliance_verification"];
    let mut out = format!("\n{}\n", result["status"].as_str().unwrap_or("no verdict"));
    for reason in result["reasons"].as_array().into_iter().flatten() {
        out.push_str(&format!("  {}\n", text(reason, "message")));
    }
    out.push_str("\nGates\n");
    for gate in verification["gates"].as_array().into_iter().flatten() {
        let mut line = format!("  {:<24}{}", text(gate, "gate"), text(gate, "outcome"));
        if let Some(code) = gate["reason_code"].as_str() {
            line.push_str(&format!(" ({code})"));
        }
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str("\nChecks of the text\n");
    let checks = verification["content_checks"].as_array();
    for check in checks.into_iter().flatten() {
        out.push_str(&format!(
            "  {:<24}{}\n",
            text(check, "check"),
            text(check, "outcome")
        ));
    }
    if let (Some(subject), Some(body)) = (result["subject"].as_str(), result["body"].as_str()) {
        out.push_str(&format!("\nSubject: {subject}\n\n"));
        for line in body.lines() {
            out.push_str(&format!("  {line}\n"));
        }
    }
    out.push_str("\nEnqueued: 0. Sent: 0. Nothing in this product sends messages.\n");
    out
}

fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value[member].as_str().unwrap_or("-")
}

/// Whether a job is what the quickstart leads to.
pub fn expect_demonstration(job: &Value) -> Result<()> {
    if job["result"]["status"] != "DEMONSTRATION_ONLY" {
        bail!(
            "the message is {}, not DEMONSTRATION_ONLY",
            job["result"]["status"]
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_gate_is_printed_with_its_verdict() {
        let gate = |gate: &str, outcome: &str, code: Value| json!({"gate": gate, "outcome": outcome, "reason_code": code});
        let job = json!({"result": {
            "status": "DEMONSTRATION_ONLY", "reasons": [], "subject": "A demonstration", "body": "Hello.\nBye.",
            "compliance_verification": {
                "gates": [
                    gate("sender", "passed", Value::Null),
                    gate("basis", "failed", json!("consent_missing")),
                    gate("suppression", "unknown", json!("prospect_gone")),
                ],
                "content_checks": [{"check": "single_cta", "outcome": "passed"}],
            },
        }});
        let printed = render(&job);
        let lines: Vec<Vec<&str>> = printed
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        for line in [
            vec!["DEMONSTRATION_ONLY"],
            vec!["sender", "passed"],
            vec!["basis", "failed", "(consent_missing)"],
            vec!["suppression", "unknown", "(prospect_gone)"],
            vec!["single_cta", "passed"],
            vec!["Subject:", "A", "demonstration"],
        ] {
            assert!(lines.contains(&line), "{line:?}: {printed}");
        }
        assert!(printed.contains("Enqueued: 0. Sent: 0."), "{printed}");
        assert!(expect_demonstration(&job).is_ok());
        assert!(expect_demonstration(&json!({"result": {"status": "BLOCKED"}})).is_err());
    }
}
