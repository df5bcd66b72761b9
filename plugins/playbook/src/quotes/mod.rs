//! The playbook without a model: chosen sentences of the site, word for word.
//!
//! Sentences are chosen and ordered here, never written. What cannot be quoted stays empty, and the host lists it among the
//! unknowns.

mod business_model;
mod capital;
mod committee;
mod equipment;
mod once;
mod particulars;
mod priorities;
mod profile;
mod signals;
mod snapshot;
mod why_now;

pub use why_now::why_now;

use std::collections::BTreeSet;

use crate::draft::Draft;
use crate::request::{Request, Section, Tone};
use crate::salience::{self, Cues};
use gtm_lexicon::company::{DOES, YOU};
use gtm_lexicon::figures::{PRICES, RESULTS, TIMES};
use gtm_lexicon::legal::{DISCLAIMERS, LIABILITY, RESERVED};
use gtm_lexicon::numbers::{is_currency, is_unspaced};
use gtm_lexicon::signals::{AIMS, MOVES, PLANS};
use gtm_lexicon::{currency_of, is_currency_code, with_ascii_digits};
use gtm_site_facts::certainty::{Borne, Places};
use gtm_site_facts::draft::{DESCRIPTION_LONG, DESCRIPTION_SHORT, Draft as Facts, PROOF_POINTS};
use gtm_site_facts::facts::{self as site_facts, says_what_it_is};
use gtm_site_facts::part::Part;
use gtm_site_facts::site::Site;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::dates;
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::facts;
use gtm_site_research::fixed_texts::{
    FixedText, OBJECTION_OF_BRAND, PROOF_POINT_OF_BRAND, PROOF_POINT_OF_OFFER, SAID_IN_REQUEST,
    SITE_SAYS_SO_OF_THE_OFFER,
};
use gtm_site_research::page::BlockKind;
use gtm_site_research::roles::Role;
use gtm_site_research::sentences;
use gtm_site_research::words;
use serde_json::json;

/// Minimum score of a sentence in a summary.
const SUMMARY_LEAST: i32 = 45;
/// Minimum score of a sentence that is a reason to talk.
const ANGLE_LEAST: i32 = 40;
/// Most objections of the seller's brand.
const MOST_OBJECTIONS: usize = 5;
/// So many of the seller's subjects in one sentence make it one about them.
const NEAR_SUBJECT: i32 = 2;
/// Most proof points of the target.
const MOST_PROOFS: usize = 32;
/// Longest text of a list, in characters (`wit/results/playbook-draft.schema.json`).
const LONGEST_TEXT: usize = 600;

/// The playbook in the site's own words. `now_ms` is the job's start, `language` that of the result.
pub fn compose(
    request: &Request,
    site: &Site,
    evidence: &Evidence,
    now_ms: u64,
    language: &str,
) -> Draft {
    let cues = Cues::new(request, &site.research);
    let facts = facts_of(request, site, evidence);
    let evidence = &site_facts::without_customers(site, evidence);
    let mut draft = Draft::default();
    let summary = summary(request, site, evidence, &cues);
    let in_summary = |sentence: &Sentence| {
        request.wants(Section::BusinessSummary)
            && summary.iter().any(|chosen| chosen.text == sentence.text)
    };
    draft.sales_angles = angles(
        request,
        site,
        evidence,
        &cues,
        &in_summary,
        (now_ms, language),
    );
    draft.priorities = priorities::priorities(site, evidence, &cues, &facts);
    let told = (summary.as_slice(), draft.priorities.as_slice());
    draft.business_summary = snapshot::snapshot(&facts, told, evidence, (&cues, language));
    let sold = (
        site_facts::offerings(site, evidence),
        site_facts::areas(site, evidence),
    );
    draft.company_profile =
        profile::profile(&facts, sold, (site, evidence), language, &mut draft.risks);
    let profile = &mut draft.company_profile;
    profile.headquarters =
        (profile.headquarters.take()).or_else(|| site_facts::town(site, evidence));
    profile.particulars = particulars::particulars(&facts, site, language);
    profile
        .particulars
        .extend(capital::capital(site, evidence, language));
    let works_with = equipment::equipment(site, evidence, language);
    profile.particulars.extend(works_with);
    profile.particulars.retain(fits);
    draft.risks.extend(particulars::conflict(&facts, language));
    draft.buying_signals = signals::signals(evidence, site, now_ms, language, &mut draft.risks);
    draft.why_now = why_now(&draft.buying_signals);
    draft.buying_committee = committee::committee(evidence, site);
    draft.proof_points = proof_points(request, &facts, language);
    draft.objections = objections(request, language);
    once::once(request, &mut draft);
    let places = Places::of(site);
    let weigh = |claims: &mut Vec<Claim>, borne: Borne| {
        let told = std::mem::take(claims).into_iter();
        *claims = told.map(|claim| places.weighed(claim, borne)).collect();
    };
    weigh(&mut draft.buying_signals, Borne::AgainByItself);
    weigh(&mut draft.why_now, Borne::AgainByItself);
    weigh(&mut draft.buying_committee, Borne::AgainByItself);
    // That a name recurs does not make it that of a market.
    weigh(&mut draft.company_profile.markets, Borne::Declared);
    weigh(&mut draft.company_profile.particulars, Borne::AgainByItself);
    draft.business_summary = draft
        .business_summary
        .map(|claim| places.weighed(claim, Borne::Again));
    draft
}

fn facts_of(request: &Request, site: &Site, evidence: &Evidence) -> Facts {
    let mut facts = Facts::default();
    let given = request.target_company.as_deref();
    site_facts::collect(given, site, evidence, &mut facts);
    facts
}

/// Whether there is any usable sentence, or else the company's own description of itself.
pub fn has_usable_sentence(request: &Request, site: &Site, evidence: &Evidence) -> bool {
    let cues = Cues::new(request, &site.research);
    evidence.sentences.iter().any(|sentence| {
        sentence.role != Role::Imprint
            && sentence.is_quotable()
            && (salience::for_summary(sentence, &cues) >= SUMMARY_LEAST
                || salience::for_angle(sentence, &cues) >= ANGLE_LEAST)
    }) || !descriptions(&facts_of(request, site, evidence)).is_empty()
}

/// The company's descriptions of itself, the longer one first, unless it only adds to the shorter.
pub fn descriptions(facts: &Facts) -> Vec<&Claim> {
    let text = |claim: &Claim| claim.value.as_str().unwrap_or_default().to_owned();
    let short = facts.one(DESCRIPTION_SHORT);
    let long = facts.one(DESCRIPTION_LONG).filter(|long| {
        short.is_none_or(|short| !text(long).starts_with(text(short).trim_end_matches('.')))
    });
    long.into_iter().chain(short).collect()
}

/// Whether the company speaks in a sentence that stands on its own: it names itself or says `we`.
fn is_own_statement(sentence: &Sentence, site: &Site) -> bool {
    stands_alone(sentence) && says_what_it_is(&sentence.text, site)
}

/// Whether a sentence neither begins with a word for something before it, nor is a legal notice, nor in quotation
/// marks, nor says how to reach somebody.
fn stands_alone(sentence: &Sentence) -> bool {
    let words = sentence.words();
    sentence.kind != BlockKind::Quote
        && !sentence.text.contains('@')
        && !sentence.text.contains("://")
        // The mark of a postal code in Japan.
        && !sentence.text.contains('〒')
        && !sentence
            .text
            .starts_with(['"', '“', '„', '«', '»', '‘', '「', '『', '‹'])
        && !sentences::refers_back(&words)
        && !DISCLAIMERS.any_in(&words)
        && !LIABILITY.any_in(&words)
        && !RESERVED.any_in(&words)
}

pub fn excerpt(sentence: &Sentence) -> Excerpt {
    Excerpt {
        page: sentence.page,
        text: sentence.text.clone(),
    }
}

/// A sentence whose words alone say that it belongs here.
fn quote(sentence: &Sentence) -> Claim {
    Claim::told(sentence.text.as_str(), excerpt(sentence))
}

/// Sentences by score, highest first; of equal ones the earlier first.
fn ranked<'a>(
    sentences: impl Iterator<Item = &'a Sentence>,
    least: i32,
    score: impl Fn(&Sentence) -> i32,
) -> Vec<&'a Sentence> {
    let mut scored: Vec<(i32, &Sentence)> = sentences
        .filter(|sentence| sentence.is_quotable())
        .map(|sentence| (score(sentence), sentence))
        .filter(|(score, _)| *score >= least)
        .collect();
    scored.sort_by_key(|(score, _)| -score);
    scored.into_iter().map(|(_, sentence)| sentence).collect()
}

/// Takes the first ones that do not repeat each other.
fn distinct(ranked: Vec<&Sentence>, most: usize) -> Vec<&Sentence> {
    let mut chosen: Vec<&Sentence> = Vec::new();
    for sentence in ranked {
        if chosen.len() >= most {
            break;
        }
        let stems = words::stems(&sentence.text);
        let again = chosen.iter().any(|known| {
            let shared = words::stems(&known.text).intersection(&stems).count();
            shared * 4 >= stems.len().max(1) * 3
        });
        if !again {
            chosen.push(sentence);
        }
    }
    chosen
}

fn summary<'a>(
    request: &Request,
    site: &Site,
    evidence: &'a Evidence,
    cues: &Cues,
) -> Vec<&'a Sentence> {
    let most = if request.tone == Tone::Direct { 2 } else { 3 };
    let policies: BTreeSet<usize> = (0..site.research.pages.len())
        .filter(|page| site.is_policy(*page))
        .collect();
    let own = evidence.sentences.iter().filter(|sentence| {
        sentence.role != Role::External
            && site.part(sentence.page) != Part::Legal
            && !policies.contains(&sentence.page)
            && is_own_statement(sentence, site)
            && !site_facts::tells_of_an_officer(&sentence.text)
            && !AIMS.any_in(&sentence.words())
            && !PLANS.any_in(&sentence.words())
    });
    let mut chosen = distinct(
        ranked(own, SUMMARY_LEAST, |sentence| {
            salience::for_summary(sentence, cues)
        }),
        most,
    );
    // Beside a sentence that says what the company does, one that doesn't is a loose end.
    let describes = |sentence: &&Sentence| {
        DOES.any_in(&sentence.words()) || site_facts::says_category(&sentence.text, site)
    };
    if chosen.iter().any(describes) {
        chosen.retain(describes);
    }
    // The best one first, because it says what the company is; the others in the order of the site.
    if let Some((_, rest)) = chosen.split_first_mut() {
        rest.sort_by_key(|sentence| (sentence.page, sentence.block, sentence.position));
    }
    chosen
}

/// Reasons to talk: the company tells of an event with a date or a figure that touches what the seller offers.
fn angles(
    request: &Request,
    site: &Site,
    evidence: &Evidence,
    cues: &Cues,
    in_summary: &dyn Fn(&Sentence) -> bool,
    (now_ms, language): (u64, &str),
) -> Vec<Claim> {
    let this_year = dates::of_millis(now_ms).year;
    let most = if request.tone == Tone::Direct { 3 } else { 5 };
    let candidates = evidence.sentences.iter().filter(|sentence| {
        let words = sentence.words();
        cues.seller_overlap(&sentence.text) >= NEAR_SUBJECT
            && !facts::numbers(&sentence.text).is_empty()
            && MOVES.any_in(&words)
            && happens(sentence, &words, this_year)
            && !in_summary(sentence)
            && site.part(sentence.page) != Part::Legal
            && is_own_statement(sentence, site)
            && (AIMS.any_in(&words) || !site_facts::is_price(&words, &sentence.text))
    });
    distinct(
        ranked(candidates, ANGLE_LEAST, |sentence| {
            salience::for_angle(sentence, cues)
        }),
        most,
    )
    .into_iter()
    .map(|sentence| Claim {
        reasoning: Some(SITE_SAYS_SO_OF_THE_OFFER.in_language(language).to_owned()),
        ..quote(sentence)
    })
    .collect()
}

/// Whether a sentence with a figure tells of an event or an aim, and not how the company serves `you`: it gives a recent
/// year or a share, or its words are those of an event. What rules demand is the trade of many companies.
fn happens(sentence: &Sentence, words: &[&str], this_year: u16) -> bool {
    let told = signals::kind_of(&sentence.text).is_some_and(|kind| kind != signals::REGULATED);
    let recent = |word: &&str| {
        word.parse().is_ok_and(|year: u16| {
            (this_year.saturating_sub(2)..=this_year.saturating_add(30)).contains(&year)
        })
    };
    !YOU.any_in(words)
        && (told
            || site_facts::is_share(words, &sentence.text)
            || words.iter().any(recent)
            || AIMS.any_in(words))
}

/// Whether one of two texts says nothing that the other does not say.
fn repeats(one: &str, other: &str) -> bool {
    let (one, other) = (words::stems(one), words::stems(other));
    let shared = one.intersection(&other).count();
    shared * 4 >= one.len().min(other.len()).max(1) * 3
}

/// Whether a claim is a text that a list of the result takes.
fn fits(claim: &Claim) -> bool {
    let text = claim.value.as_str().unwrap_or_default();
    (1..=LONGEST_TEXT).contains(&text.chars().count())
}

fn proof_points(request: &Request, told: &Facts, language: &str) -> Vec<Claim> {
    let mut points: Vec<Claim> = Vec::new();
    let provided = |text: &str, origin: &str, reasoning: &FixedText| {
        let reasoning = reasoning.in_language(language);
        Claim::provided(json!({"text": text, "origin": origin}), reasoning)
    };
    for text in request
        .seller
        .product_sentences()
        .iter()
        .filter(|text| is_measured(text))
        .take(3)
    {
        points.push(provided(text, "offer", &SAID_IN_REQUEST));
    }
    for text in request.seller.offered_proof.iter().take(3) {
        points.push(provided(text, "offer", &PROOF_POINT_OF_OFFER));
    }
    for text in request.seller.proof_points.iter().take(3) {
        points.push(provided(text, "brand", &PROOF_POINT_OF_BRAND));
    }
    let shown = told.many(PROOF_POINTS).iter().map(|claim| Claim {
        value: claim.value["text"].clone(),
        ..claim.clone()
    });
    let public = shown.take(MOST_PROOFS).filter(fits);
    points.extend(public.map(|claim| Claim {
        value: json!({"text": claim.value, "origin": "public"}),
        ..claim
    }));
    points
}

/// The hours of a day: whatever is open for so many is open always, and measures nothing.
const ALL_DAY: &str = "24";

/// Whether a text begins with the hours of a day: `24 hours`, `24h`, `24時間`. What else there are 24 of is a figure.
fn begins_with_all_day(text: &str) -> bool {
    let folded = words::fold(&with_ascii_digits(text));
    let Some(behind) = folded
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .strip_prefix(ALL_DAY)
    else {
        return false;
    };
    let said = words::split(behind);
    let Some(unit) = said.first() else {
        return false;
    };
    let is_hour = |hours: f64| (hours - 1.0).abs() < f64::EPSILON;
    let spelled = TIMES.at_start(&[*unit], None);
    let unspaced = TIMES
        .longest_prefix_of(unit)
        .filter(|_| unit.starts_with(is_unspaced));
    *unit == "h"
        || spelled.iter().any(|(.., hours)| is_hour(*hours))
        || unspaced.is_some_and(|(_, hours)| is_hour(hours))
}

/// Whether a text has an amount of money.
fn has_currency(text: &str) -> bool {
    let is_sign = |c: char| is_currency(c) || currency_of(c.encode_utf8(&mut [0; 4])).is_some();
    text.chars().any(is_sign)
        || text
            .split(|c: char| !c.is_alphabetic())
            .any(is_currency_code)
}

/// Whether a sentence about the product tells a result with its figure, and not what the product is: the number of a law
/// or a standard measures nothing.
fn is_measured(text: &str) -> bool {
    let folded = words::fold(text);
    let said = words::split(&folded);
    // What something costs is no result.
    let is_price = PRICES.any_in(&said) && !RESULTS.any_in(&said) && has_currency(text);
    if is_price {
        return false;
    }
    let tokens = words::tokens(text);
    tokens.iter().enumerate().any(|(at, (start, _, token))| {
        let behind = at.checked_sub(1).and_then(|before| tokens.get(before));
        let named = behind.is_some_and(|(_, _, name)| {
            let capitals = name.chars().filter(|c| c.is_uppercase()).count();
            capitals >= 2 || name.ends_with('.')
        });
        let digits: String = with_ascii_digits(token)
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        let rest = text.get(*start..).unwrap_or_default();
        let is_all_day = digits == ALL_DAY && begins_with_all_day(rest);
        !(digits.is_empty() || is_all_day || token.contains('/') || named)
    })
}

/// The objections that the seller's brand knows, with its own answers.
fn objections(request: &Request, language: &str) -> Vec<Claim> {
    let known = request.seller.objections.iter().take(MOST_OBJECTIONS);
    known
        .map(|(objection, response)| {
            Claim::provided(
                json!({"objection": objection, "response": response}),
                OBJECTION_OF_BRAND.in_language(language),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_day_measures_nothing_and_24_of_others_do() {
        for text in [
            "24 customers count on it.",
            "24 % fewer calls.",
            "Paid back in 24 months.",
        ] {
            assert!(is_measured(text), "{text}");
        }
        for text in [
            "Booking is open 24 hours.",
            "Support 24/7.",
            "24h hotline.",
            "24-Stunden-Dienst.",
            "24時間対応",
        ] {
            assert!(!is_measured(text), "{text}");
        }
    }
}
