//! What the company wants to reach, and what it works on at present.

use gtm_lexicon::company::YOU;
use gtm_lexicon::denials::OF_VERBS;
use gtm_lexicon::signals::{AIMS, PLANS};
use gtm_site_facts::draft::{COMMITMENTS, Draft as Facts, VISION};
use gtm_site_facts::site::Site;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::facts;
use gtm_site_research::roles::Role;
use gtm_site_research::words;

use super::{LONGEST_TEXT, distinct, is_own_statement, quote, ranked, repeats};
use crate::salience::{self, Cues};

/// Most priorities, and most of each kind of sentences.
const MOST: usize = 8;
const MOST_MEASURED: usize = 5;
const MOST_PLANS: usize = 3;

/// What the company says it wants to reach: with a date or a figure to measure it by, or what it works on and puts its money
/// into, or what it calls its vision or commits itself to. Without any of these an aim is a motto. Plans for `you` are its
/// service, not its own aims.
pub fn priorities(site: &Site, evidence: &Evidence, cues: &Cues, told: &Facts) -> Vec<Claim> {
    let own = |sentence: &Sentence| {
        !matches!(
            sentence.role,
            Role::Imprint | Role::Pricing | Role::Products | Role::External
        ) && !YOU.any_in(&sentence.words())
            && is_own_statement(sentence, site)
    };
    let best = |kind: &dyn Fn(&Sentence) -> bool, most: usize| {
        let chosen = evidence.sentences.iter();
        let chosen = chosen.filter(|sentence| kind(sentence) && own(sentence));
        distinct(
            ranked(chosen, 0, |sentence| salience::for_angle(sentence, cues)),
            most,
        )
    };
    let is_measured = |sentence: &Sentence| {
        AIMS.any_in(&sentence.words()) && !facts::numbers(&sentence.text).is_empty()
    };
    let is_plan = |sentence: &Sentence| {
        let words = sentence.words();
        PLANS.any_in(&words) && !OF_VERBS.any_in(&words)
    };
    let mut found: Vec<Claim> = Vec::new();
    let sentences = best(&is_measured, MOST_MEASURED).into_iter().map(quote);
    let plans = best(&is_plan, MOST_PLANS).into_iter().map(quote);
    let foundations = told.one(VISION).into_iter().chain(told.many(COMMITMENTS));
    let foundations = foundations.filter(|claim| says_something(claim));
    for claim in sentences.chain(plans).chain(foundations.cloned()) {
        let Some(text) = claim.value.as_str() else {
            continue;
        };
        let again = |known: &Claim| {
            let known = known.value.as_str();
            known.is_some_and(|known| repeats(text, known))
        };
        let fits = text.chars().count() <= LONGEST_TEXT;
        if fits && found.len() < MOST && !found.iter().any(again) {
            found.push(claim);
        }
    }
    found
}

/// Fewest words of a vision or a commitment that says more than a slogan.
const LEAST_WORDS: usize = 4;

/// Whether a vision or a commitment is neither a slogan nor a call: `Talk to us!`
fn says_something(claim: &Claim) -> bool {
    let text = claim.value.as_str().unwrap_or_default();
    let is_short = words::count(text) < LEAST_WORDS;
    !is_short && !boilerplate::is_call_to_act(text) && !text.ends_with(['?', '？'])
}
