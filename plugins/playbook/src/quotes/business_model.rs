//! How the company earns its money, in one sentence of its own.

use std::cmp::Reverse;

use gtm_lexicon::company::YOU;
use gtm_lexicon::denials::OF_VERBS;
use gtm_lexicon::trade::{EARNINGS, MODELS};
use gtm_site_facts::facts::{names_a_sum, says_what_it_is};
use gtm_site_facts::part::Part;
use gtm_site_facts::site::Site;
use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::roles::Role;

use super::{excerpt, stands_alone};

/// Words of how a company charges in a sentence that states it: a single word has other meanings.
const CUES: usize = 2;

/// The sentence that says best how the company charges, or else to whom or by which way it sells.
pub fn business_model(site: &Site, evidence: &Evidence) -> Option<Claim> {
    let best = charges(site, evidence).or_else(|| earns(site, evidence))?;
    Some(Claim::told(best.text.as_str(), excerpt(best)))
}

/// The sentence with the most words of charging. Elsewhere than on a page of prices it must tell of the company, or of a
/// price: others have a model, too.
fn charges<'e>(site: &Site, evidence: &'e Evidence) -> Option<&'e Sentence> {
    let cues = |sentence: &Sentence| MODELS.count_in(&sentence.words());
    let stated = evidence.sentences.iter().filter(|sentence| {
        matches!(
            sentence.role,
            Role::Pricing | Role::About | Role::Products | Role::Home
        ) && sentence.is_quotable()
            && cues(sentence) >= CUES
            && (sentence.role == Role::Pricing
                || names_a_sum(&sentence.text)
                || says_what_it_is(&sentence.text, site))
    });
    stated.max_by_key(|sentence| {
        (
            sentence.role == Role::Pricing,
            cues(sentence),
            earliest(sentence),
        )
    })
}

/// The sentence in which the company says to whom or by which way it sells, with the most words for that. What it does for
/// `you` is its service.
fn earns<'e>(site: &Site, evidence: &'e Evidence) -> Option<&'e Sentence> {
    let cues = |sentence: &Sentence| EARNINGS.count_in(&sentence.words());
    let stated = evidence.sentences.iter().filter(|sentence| {
        let words = sentence.words();
        matches!(
            sentence.role,
            Role::About | Role::Products | Role::Home | Role::Other
        ) && site.part(sentence.page) != Part::Legal
            && sentence.is_quotable()
            && cues(sentence) > 0
            && !OF_VERBS.any_in(&words)
            && !YOU.any_in(&words)
            && stands_alone(sentence)
            && says_what_it_is(&sentence.text, site)
    });
    stated.max_by_key(|sentence| (cues(sentence), earliest(sentence)))
}

/// Of equal sentences the first counts. `max_by_key` keeps the last, so the position counts against a sentence.
fn earliest(sentence: &Sentence) -> Reverse<(usize, usize, usize)> {
    Reverse((sentence.page, sentence.block, sentence.position))
}
