//! The course of a playbook job: research, read, compose, check.

use serde_json::Value;

use crate::draft::Draft;
use crate::quotes;
use crate::request::{Request, Section};
use crate::research;
use crate::settings::Settings;
use crate::writing;
use gtm_site_facts::digest;
use gtm_site_facts::site::Site;
use gtm_site_research::evidence::{self, Evidence};
use gtm_site_research::failure::{self, Failure, FailureKind};
use gtm_site_research::host::{Host, MODEL_COMPLETE, stage};
use gtm_site_research::reading::Research;

/// The task that this backend performs.
pub const TASK: &str = "playbooks";

/// Generates a playbook draft.
///
/// # Errors
/// A failure with a code of annex A11.
pub fn generate(host: &dyn Host, task: &str, input: Value) -> Result<Value, Failure> {
    if task != TASK {
        return Err(Failure::new(
            FailureKind::InvalidInput,
            "invalid_request",
            format!("This backend generates {TASK}, not {task}."),
        ));
    }
    let request = Request::read(input)?;
    let settings = Settings::read(host.settings()?)?;
    let with_model = host.bound(MODEL_COMPLETE);
    if !with_model && !settings.allow_evidence_only {
        return Err(Failure::new(
            FailureKind::Denied,
            "connector_not_configured",
            "No connection is bound for model.complete, and the binding doesn't allow a playbook of quotations only.",
        ));
    }
    let site = stage(host, "research", || {
        research::run(host, &request, &settings)
    })?;
    let evidence = stage(host, "read", || read(host, &request, &site))?;
    let draft = stage(host, "compose", || {
        compose(host, &request, &site, &evidence, &settings, with_model)
    })?;
    stage(host, "check", || {
        check(host, &request, &site.research, &draft)
    })
}

fn read(host: &dyn Host, request: &Request, site: &Site) -> Result<Evidence, Failure> {
    let research = &site.research;
    let evidence = evidence::collect(research);
    if evidence.addressed_to_models > 0 {
        host.note(&format!(
            "blocks left out because they address a model: {}",
            evidence.addressed_to_models
        ));
    }
    if !quotes::has_usable_sentence(request, site, &evidence) {
        return Err(failure::insufficient_evidence(
            "nothing_to_cite",
            research.pages.len(),
            format!(
                "The pages of {} hold no sentence that says what the company does ({} read).",
                research.domain,
                research.pages.len()
            ),
        ));
    }
    host.report(
        55,
        &format!(
            "Found {} sentences that can be cited",
            evidence.sentences.len()
        ),
    );
    Ok(evidence)
}

fn compose(
    host: &dyn Host,
    request: &Request,
    site: &Site,
    evidence: &Evidence,
    settings: &Settings,
    with_model: bool,
) -> Result<Draft, Failure> {
    let mut draft = if with_model {
        writing::compose(host, request, site, evidence, settings)?
    } else {
        host.report(70, "Choosing the site's own sentences");
        let language = &site.research.language;
        quotes::compose(request, site, evidence, host.now_ms(), language)
    };
    // No model reads or judges it: every word is the site's.
    if request.wants(Section::CompanyProfile) {
        draft.site_digest = digest::digest(site, evidence, &draft.told(request));
    }
    Ok(draft)
}

fn check(
    host: &dyn Host,
    request: &Request,
    research: &Research,
    draft: &Draft,
) -> Result<Value, Failure> {
    host.report(
        95,
        &format!(
            "Wrote {} claims, each with its evidence",
            draft.claims(request)
        ),
    );
    Ok(draft.to_json(request, research))
}
