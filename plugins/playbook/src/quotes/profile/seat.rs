//! Where the company has its head office.

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::organization;
use gtm_site_research::places;
use gtm_site_research::reading::Research;
use gtm_site_research::roles::Role;

use super::part;

/// Place of the head office.
pub fn headquarters(research: &Research, evidence: &Evidence) -> Option<Claim> {
    evidence
        .own_sentences()
        .filter(|sentence| sentence.role != Role::Products)
        .find_map(|sentence| {
            places::head_office(&sentence.text, &sentence.folded)
                .map(|place| part(place, &sentence.text, sentence.page))
        })
        .or_else(|| declared_locality(research, evidence))
}

/// The locality of the address that structured data declares, if a page shows it as well.
fn declared_locality(research: &Research, evidence: &Evidence) -> Option<Claim> {
    let locality = organization::of_research(research)
        .into_iter()
        .find_map(|organization| {
            organization
                .get("address")?
                .get("addressLocality")?
                .as_str()
                .map(str::trim)
        })
        .filter(|locality| locality.chars().count() >= 2)?;
    let carrier = evidence
        .passages
        .iter()
        .filter(|passage| matches!(passage.role, Role::Imprint | Role::About | Role::Home))
        .filter(|passage| passage.text.chars().count() <= 400)
        .find(|passage| passage.text.contains(locality))?;
    Some(Claim::inferred(
        locality,
        "The site's structured data gives this as the company's address, and the page shows it.",
        vec![Excerpt {
            page: carrier.page,
            text: carrier.text.clone(),
        }],
    ))
}
