//! The playbook without a model: chosen sentences of the site, word for word.
//!
//! Sentences are chosen and ordered here, never written. What cannot be quoted stays empty, and a risk of
//! kind `unknown` says so.

mod committee;
mod profile;
mod signals;

pub use profile::profile;

use crate::draft::{Draft, RiskKind};
use crate::request::{Request, Section, Tone};
use crate::salience::{self, Cues};
use gtm_lexicon::proofs::PROOF_WORDS;
use gtm_lexicon::signals::AIMS;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::facts;
use gtm_site_research::page::BlockKind;
use gtm_site_research::reading::Research;
use gtm_site_research::roles::Role;
use gtm_site_research::words;
use serde_json::json;

/// Sections that give advice, which no site states.
const ADVICE: [Section; 7] = [
    Section::PainPoints,
    Section::ValueMap,
    Section::DiscoveryQuestions,
    Section::Objections,
    Section::CompetitivePosition,
    Section::TalkTrack,
    Section::NextSteps,
];

/// Minimum score of a sentence in a summary.
const SUMMARY_LEAST: i32 = 45;
/// Minimum score of a sentence that is a reason to talk.
const ANGLE_LEAST: i32 = 40;

/// The playbook in the site's own words. `now_ms` is the job's start.
pub fn compose(request: &Request, research: &Research, evidence: &Evidence, now_ms: u64) -> Draft {
    let cues = Cues::new(request, research);
    let mut draft = Draft::default();
    let summary = summary(request, evidence, &cues);
    if !summary.is_empty() {
        let text: Vec<String> = summary.iter().map(|sentence| ended(sentence)).collect();
        draft.business_summary = Some(Claim {
            reasoning: Some("Sentences of the company's own site, word for word.".to_owned()),
            ..Claim::stated(
                text.join(" "),
                summary.iter().map(|sentence| excerpt(sentence)).collect(),
            )
        });
    }
    let in_summary = |sentence: &Sentence| {
        request.wants(Section::BusinessSummary)
            && summary.iter().any(|chosen| chosen.text == sentence.text)
    };
    draft.sales_angles = angles(request, evidence, &cues, &in_summary);
    draft.company_profile = profile::profile(research, evidence, &mut draft.risks);
    draft.priorities = priorities(evidence, &cues);
    draft.buying_signals = signals::signals(evidence, research, now_ms, &mut draft.risks);
    draft.buying_committee = committee::committee(evidence);
    draft.proof_points = proof_points(request, evidence, &cues);
    say_what_is_missing(request, research, &mut draft);
    draft
}

/// Whether there is any usable sentence.
pub fn has_usable_sentence(request: &Request, research: &Research, evidence: &Evidence) -> bool {
    let cues = Cues::new(request, research);
    evidence.sentences.iter().any(|sentence| {
        sentence.role != Role::Imprint
            && sentence.is_quotable()
            && (salience::for_summary(sentence, &cues) >= SUMMARY_LEAST
                || salience::for_angle(sentence, &cues) >= ANGLE_LEAST)
    })
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

fn quote(sentence: &Sentence) -> Claim {
    Claim::stated(sentence.text.as_str(), vec![excerpt(sentence)])
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

fn summary<'a>(request: &Request, evidence: &'a Evidence, cues: &Cues) -> Vec<&'a Sentence> {
    let most = if request.tone == Tone::Direct { 2 } else { 3 };
    let own = evidence
        .sentences
        .iter()
        .filter(|sentence| sentence.role != Role::External);
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

fn angles(
    request: &Request,
    evidence: &Evidence,
    cues: &Cues,
    in_summary: &dyn Fn(&Sentence) -> bool,
) -> Vec<Claim> {
    let most = if request.tone == Tone::Direct { 3 } else { 5 };
    let candidates = evidence
        .sentences
        .iter()
        .filter(|sentence| !in_summary(sentence));
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
            "The site says so, and it touches what the seller offers."
        } else {
            "The site says so."
        };
        Claim {
            reasoning: Some(reasoning.to_owned()),
            ..quote(sentence)
        }
    })
    .collect()
}

fn priorities(evidence: &Evidence, cues: &Cues) -> Vec<Claim> {
    let aims = evidence
        .sentences
        .iter()
        .filter(|sentence| {
            !matches!(
                sentence.role,
                Role::Imprint | Role::Pricing | Role::External
            )
        })
        .filter(|sentence| sentence.kind != BlockKind::Quote && AIMS.any_in(&sentence.words()));
    distinct(
        ranked(aims, 0, |sentence| salience::for_angle(sentence, cues)),
        5,
    )
    .into_iter()
    .map(quote)
    .collect()
}

fn proof_points(request: &Request, evidence: &Evidence, cues: &Cues) -> Vec<Claim> {
    let mut points: Vec<Claim> = Vec::new();
    let provided = |text: &str, origin: &str, reasoning: &str| {
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
        points.push(provided(
            text,
            "offer",
            "Said in the request's product information.",
        ));
    }
    for text in request.seller.brand_proof_points.iter().take(3) {
        points.push(provided(
            text,
            "brand",
            "A proof point of the brand guideline.",
        ));
    }
    let public = evidence
        .sentences
        .iter()
        .filter(|sentence| {
            matches!(
                sentence.role,
                Role::Customers | Role::Home | Role::About | Role::Products | Role::External
            )
        })
        .filter(|sentence| {
            let words = sentence.words();
            !facts::numbers(&sentence.text).is_empty()
                && PROOF_WORDS.any_in(&words)
                && !AIMS.any_in(&words)
        });
    let chosen = distinct(
        ranked(public, 0, |sentence| {
            salience::for_angle(sentence, cues)
                + if sentence.role == Role::Customers {
                    30
                } else {
                    0
                }
        }),
        4,
    );
    points.extend(chosen.into_iter().map(|sentence| {
        Claim::stated(
            json!({"text": sentence.text, "origin": "public"}),
            vec![excerpt(sentence)],
        )
    }));
    points
}

fn say_what_is_missing(request: &Request, research: &Research, draft: &mut Draft) {
    for section in Section::ALL {
        if section == Section::Risks || !request.wants(section) || !draft.is_empty(section) {
            continue;
        }
        let text = if ADVICE.contains(&section) {
            format!(
                "No {}: without a model nothing is written that the site doesn't state.",
                section.title()
            )
        } else {
            format!(
                "No statement for {} was found on the pages that were read.",
                section.title()
            )
        };
        draft.risk(RiskKind::Unknown, text);
    }
    if request.wants(Section::CompanyProfile) && !draft.is_empty(Section::CompanyProfile) {
        let profile = &draft.company_profile;
        let missing: Vec<&str> = [
            ("industry", profile.industry.is_none()),
            ("number of employees", profile.employee_range.is_none()),
            ("headquarters", profile.headquarters.is_none()),
            ("business model", profile.business_model.is_none()),
        ]
        .into_iter()
        .filter_map(|(name, missing)| missing.then_some(name))
        .collect();
        if !missing.is_empty() {
            draft.risk(
                RiskKind::Unknown,
                format!(
                    "Not stated on the pages that were read: {}.",
                    missing.join(", ")
                ),
            );
        }
    }
    for miss in &research.misses {
        draft.risk(RiskKind::Unknown, miss.to_string());
    }
}
