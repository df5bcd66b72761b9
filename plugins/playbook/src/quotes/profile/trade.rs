//! How the company earns its money.

use gtm_lexicon::trade::MODELS;
use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::roles::Role;

use super::part;

pub fn business_model(evidence: &Evidence) -> Option<Claim> {
    evidence
        .sentences
        .iter()
        .filter(|sentence| {
            matches!(
                sentence.role,
                Role::Pricing | Role::About | Role::Products | Role::Home
            )
        })
        .filter(|sentence| sentence.is_quotable() && MODELS.any_in(&sentence.words()))
        .max_by_key(|sentence| {
            // Of equal ones the first counts. `max_by_key` keeps the last, so the position counts against a
            // sentence.
            let cues = MODELS.count_in(&sentence.words());
            (
                sentence.role == Role::Pricing,
                cues,
                std::cmp::Reverse((sentence.page, sentence.block, sentence.position)),
            )
        })
        .map(|sentence| part(&sentence.text, &sentence.text, sentence.page))
}
