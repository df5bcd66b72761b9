//! How the company earns.

use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::roles::Role;
use gtm_site_research::words;

use super::part;

const MODEL_CUES: &[&str] = &[
    "per month",
    "a month",
    "per user",
    "per site",
    "per year",
    "a year",
    "per device",
    "subscription*",
    "licence*",
    "license*",
    "pay as",
    "free trial",
    "billed",
    "pricing is",
    "one off",
    "commission",
    "pro monat",
    "im monat",
    "monatlich*",
    "jahrlich*",
    "abo",
    "abonnement*",
    "lizenz*",
    "par mois",
    "par an",
    "al mes",
    "al ano",
    "suscripcion*",
    "licencia*",
    "mensual*",
];

/// How the company earns its money.
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
        .filter(|sentence| sentence.is_quotable() && words::has_any(&sentence.words(), MODEL_CUES))
        .max_by_key(|sentence| {
            // The first of equal ones: `max_by_key` keeps the last, hence the position counts against.
            let cues = MODEL_CUES
                .iter()
                .filter(|cue| words::has(&sentence.words(), cue))
                .count();
            (
                sentence.role == Role::Pricing,
                cues,
                std::cmp::Reverse((sentence.page, sentence.block, sentence.position)),
            )
        })
        .map(|sentence| part(&sentence.text, &sentence.text, sentence.page))
}
