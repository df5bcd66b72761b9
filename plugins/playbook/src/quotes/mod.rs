//! The playbook without a model: chosen sentences of the site, word for word.
//!
//! Sentences are chosen and ordered here, never written. What cannot be quoted stays empty, and the host lists it among the
//! unknowns.

mod committee;
mod profile;
mod signals;
mod why_now;

pub use why_now::why_now;

use crate::draft::{Draft, RiskKind};
use crate::request::{Request, Section, Tone};
use crate::salience::{self, Cues};
use gtm_lexicon::company::{DOES, REFERRING, YOU};
use gtm_lexicon::legal::{DISCLAIMERS, LIABILITY};
use gtm_lexicon::proofs::PROOF_WORDS;
use gtm_lexicon::signals::{AIMS, MOVES};
use gtm_site_facts::draft::{DESCRIPTION_LONG, DESCRIPTION_SHORT, Draft as Facts, PROOF_POINTS};
use gtm_site_facts::facts::{self as site_facts, says_what_it_is};
use gtm_site_facts::part::Part;
use gtm_site_facts::site::Site;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::dates;
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::facts;
use gtm_site_research::fixed_texts::{
    FIELD_BUSINESS_MODEL, FIELD_EMPLOYEES, FIELD_HEADQUARTERS, FIELD_INDUSTRY, FixedText,
    NOT_STATED, OBJECTION_OF_BRAND, OWN_SENTENCES, PROOF_POINT_OF_BRAND, SAID_IN_REQUEST,
    SITE_SAYS_SO, SITE_SAYS_SO_OF_THE_OFFER,
};
use gtm_site_research::page::BlockKind;
use gtm_site_research::roles::Role;
use gtm_site_research::words;
use serde_json::json;

/// Minimum score of a sentence in a summary.
const SUMMARY_LEAST: i32 = 45;
/// Minimum score of a sentence that is a reason to talk.
const ANGLE_LEAST: i32 = 40;
/// Most objections of the seller's brand.
const MOST_OBJECTIONS: usize = 5;
/// So many of the seller's subjects in one sentence make it one about them.
const NEAR_SUBJECT: i32 = 3;
/// Most proof points of the target.
const MOST_PROOFS: usize = 6;

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
    let describes = |sentence: &&Sentence| {
        DOES.any_in(&sentence.words()) || site_facts::says_category(&sentence.text, site)
    };
    // Where no sentence says what the company does, its description of itself does.
    let declared = |claim: &Claim| {
        let shown = |excerpt: &Excerpt| {
            evidence
                .passages
                .iter()
                .any(|known| known.text == excerpt.text)
        };
        !claim.excerpts.iter().any(shown)
    };
    let described = description(&facts)
        .filter(|claim| declared(claim) && !summary.iter().any(describes))
        .or_else(|| description(&facts).filter(|_| summary.is_empty()));
    draft.business_summary = if described.is_some() {
        described
    } else if summary.is_empty() {
        None
    } else {
        let text: Vec<String> = summary.iter().map(|sentence| ended(sentence)).collect();
        Some(Claim {
            reasoning: Some(OWN_SENTENCES.in_language(language).to_owned()),
            ..Claim::stated(
                text.join(" "),
                summary.iter().map(|sentence| excerpt(sentence)).collect(),
            )
        })
    };
    let offerings = site_facts::offerings(site, evidence);
    draft.company_profile =
        profile::profile(&facts, offerings, evidence, language, &mut draft.risks);
    let profile = &mut draft.company_profile;
    profile.headquarters =
        (profile.headquarters.take()).or_else(|| site_facts::town(site, evidence));
    draft.priorities = priorities(site, evidence, &cues);
    draft.buying_signals = signals::signals(evidence, site, now_ms, language, &mut draft.risks);
    draft.why_now = why_now(&draft.buying_signals);
    draft.buying_committee = committee::committee(evidence);
    draft.proof_points = proof_points(request, &facts, language);
    draft.objections = objections(request, language);
    name_missing_facts(request, language, &mut draft);
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
    }) || description(&facts_of(request, site, evidence)).is_some()
}

/// The company's description of itself: where no sentence serves as a summary.
fn description(facts: &Facts) -> Option<Claim> {
    [DESCRIPTION_LONG, DESCRIPTION_SHORT]
        .into_iter()
        .find_map(|field| facts.one(field))
        .cloned()
}

/// Whether the company speaks in a sentence that stands on its own: it names itself or says `we`.
fn is_own_statement(sentence: &Sentence, site: &Site) -> bool {
    stands_alone(sentence) && says_what_it_is(&sentence.text, site)
}

/// Whether a sentence neither begins with a word for something before it, nor is a legal notice, nor in quotation
/// marks.
fn stands_alone(sentence: &Sentence) -> bool {
    let words = sentence.words();
    sentence.kind != BlockKind::Quote
        && !sentence
            .text
            .starts_with(['"', '“', '„', '«', '»', '‘', '「', '『', '‹'])
        && !words.first().is_some_and(|first| REFERRING.contains(first))
        && !DISCLAIMERS.any_in(&words)
        && !LIABILITY.any_in(&words)
}

/// The sentence, with a full stop if its author left it out.
fn ended(sentence: &Sentence) -> String {
    let stop = if sentence.is_whole() { "" } else { "." };
    format!("{}{stop}", sentence.text)
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
    let own = evidence
        .sentences
        .iter()
        .filter(|sentence| sentence.role != Role::External && is_own_statement(sentence, site));
    let mut chosen = distinct(
        ranked(own, SUMMARY_LEAST, |sentence| {
            salience::for_summary(sentence, cues)
        }),
        most,
    );
    // The best one first, because it says what the company is; the others in the order of the site.
    if let Some((_, rest)) = chosen.split_first_mut() {
        rest.sort_by_key(|sentence| (sentence.page, sentence.block, sentence.position));
    }
    chosen
}

/// Reasons to talk: the company says that something changed or grew, with a date or a figure, or that it aims at
/// something that the seller offers.
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
        let measured = !facts::numbers(&sentence.text).is_empty();
        let moves = MOVES.any_in(&words);
        let touches = cues.seller_overlap(&sentence.text);
        let event = measured && moves && happens(sentence, &words, this_year)
            || touches >= 2 && (measured || moves || AIMS.any_in(&words));
        // What is near to the seller's subject is a reason to talk without an event, too.
        let subject = touches >= NEAR_SUBJECT && sentence.role != Role::External;
        !in_summary(sentence)
            && site.part(sentence.page) != Part::Legal
            && stands_alone(sentence)
            && (AIMS.any_in(&words) || !site_facts::is_price(&words, &sentence.text))
            && (event && says_what_it_is(&sentence.text, site) || subject)
    });
    distinct(
        ranked(candidates, ANGLE_LEAST, |sentence| {
            salience::for_angle(sentence, cues)
        }),
        most,
    )
    .into_iter()
    .map(|sentence| {
        let overlap = cues.seller_overlap(&sentence.text);
        let reasoning = if overlap > 0 {
            &SITE_SAYS_SO_OF_THE_OFFER
        } else {
            &SITE_SAYS_SO
        };
        Claim {
            reasoning: Some(reasoning.in_language(language).to_owned()),
            ..quote(sentence)
        }
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

/// What the company says it wants to reach. Plans for `you` are its service, not its own aims.
fn priorities(site: &Site, evidence: &Evidence, cues: &Cues) -> Vec<Claim> {
    let aims = evidence.sentences.iter().filter(|sentence| {
        let words = sentence.words();
        let own = !matches!(
            sentence.role,
            Role::Imprint | Role::Pricing | Role::Products | Role::External
        );
        own && AIMS.any_in(&words) && !YOU.any_in(&words) && is_own_statement(sentence, site)
    });
    distinct(
        ranked(aims, 0, |sentence| salience::for_angle(sentence, cues)),
        5,
    )
    .into_iter()
    .map(quote)
    .collect()
}

fn proof_points(request: &Request, told: &Facts, language: &str) -> Vec<Claim> {
    let mut points: Vec<Claim> = Vec::new();
    let provided = |text: &str, origin: &str, reasoning: &FixedText| {
        let reasoning = reasoning.in_language(language);
        Claim::provided(json!({"text": text, "origin": origin}), reasoning)
    };
    let is_proof = |text: &str| {
        let folded = words::fold(text);
        !facts::numbers(text).is_empty() || PROOF_WORDS.any_in(&words::split(&folded))
    };
    for text in request
        .seller
        .product_sentences()
        .iter()
        .filter(|text| is_proof(text))
        .take(3)
    {
        points.push(provided(text, "offer", &SAID_IN_REQUEST));
    }
    for text in request.seller.proof_points.iter().take(3) {
        points.push(provided(text, "brand", &PROOF_POINT_OF_BRAND));
    }
    let public = told.many(PROOF_POINTS).iter().take(MOST_PROOFS);
    points.extend(public.map(|claim| Claim {
        value: json!({"text": claim.value["text"], "origin": "public"}),
        ..claim.clone()
    }));
    points
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

/// A risk: facts of the profile that a seller has to find out.
fn name_missing_facts(request: &Request, language: &str, draft: &mut Draft) {
    if !request.wants(Section::CompanyProfile) || draft.is_empty(Section::CompanyProfile) {
        return;
    }
    let profile = &draft.company_profile;
    let missing: Vec<&str> = [
        (&FIELD_INDUSTRY, profile.industry.is_none()),
        (&FIELD_EMPLOYEES, profile.employee_range.is_none()),
        (&FIELD_HEADQUARTERS, profile.headquarters.is_none()),
        (&FIELD_BUSINESS_MODEL, profile.business_model.is_none()),
    ]
    .into_iter()
    .filter_map(|(name, missing)| missing.then_some(name.in_language(language)))
    .collect();
    if !missing.is_empty() {
        let text = NOT_STATED.filled(language, &[("fields", &missing.join(", "))]);
        draft.risk(RiskKind::Unknown, text);
    }
}
