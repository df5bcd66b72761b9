//! The steps of a brand job: plan, fetch, read, compose, check.

use gtm_site_research::dates;
use gtm_site_research::evidence::{self, Evidence};
use gtm_site_research::failure::{self, Failure, FailureKind};
use gtm_site_research::host::{Host, MODEL_COMPLETE, stage};
use serde_json::Value;

use crate::draft::{Draft, PREFERRED};
use crate::facts;
use crate::request::Request;
use crate::research;
use crate::settings::Settings;
use crate::site::Site;
use crate::visual;
use crate::voice;
use crate::writing;

/// The only task that this backend accepts.
pub const TASK: &str = "brands";

/// Generates a guideline draft.
///
/// # Errors
/// Every failure has one of the codes of annex A11.
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
    let reach = settings.reach(&request.start_urls);
    let planned = stage(host, "plan", || research::plan(host, &request, &reach))?;
    let site = stage(host, "fetch", || {
        research::fetch(host, &request, &settings, planned)
    })?;
    let evidence = stage(host, "read", || read(host, &site))?;
    let draft = stage(host, "compose", || {
        compose(host, &request, &site, &evidence, &settings)
    })?;
    stage(host, "check", || {
        host.report(
            95,
            &format!("Wrote {} claims, each with its evidence", draft.claims()),
        );
        Ok(draft.to_json(&site))
    })
}

fn read(host: &dyn Host, site: &Site) -> Result<Evidence, Failure> {
    let evidence = evidence::collect(&site.research);
    if evidence.addressed_to_models > 0 {
        host.note(&format!(
            "blocks left out because they address a model: {}",
            evidence.addressed_to_models
        ));
    }
    // A page with only images still shows colours and a logo. A site whose pages show nothing at all is
    // unusable.
    let shows_nothing = evidence.passages.is_empty()
        && site.organizations.is_empty()
        && site.research.names.is_empty()
        && site.logos.is_empty()
        && site
            .styled
            .iter()
            .flat_map(|styled| &styled.sheets)
            .all(|styled| styled.sheet.colors.is_empty());
    if shows_nothing {
        return Err(failure::insufficient_evidence(
            "nothing_to_cite",
            site.research.pages.len(),
            format!(
                "The pages of {} hold nothing to write from ({} read).",
                site.research.domain,
                site.research.pages.len()
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
) -> Result<Draft, Failure> {
    let mut draft = Draft::default();
    facts::collect(request.company_name.as_deref(), site, evidence, &mut draft);
    let today = dates::of_millis(host.now_ms());
    facts::leave_out_stale(&mut draft, i64::from(today.year));
    // A writer for the brand calls what it sells as its own pages do.
    draft.extend(PREFERRED, facts::names_of_offerings(site, evidence));
    host.report(62, "Read who the company is and what it says");
    visual::observe(site, &mut draft);
    host.report(66, "Read colours, typefaces and logos");
    // Customers write in their own way.
    let own = facts::without_customers(site, evidence);
    voice::observe(site, &own, &mut draft);
    host.report(70, "Measured how the company writes");
    if host.bound(MODEL_COMPLETE) {
        writing::compose(host, site, evidence, settings, &mut draft)?;
    }
    Ok(draft)
}
