//! Mission, vision, purpose, values and commitments, in the company's own words.

use gtm_lexicon::Phrases;
use gtm_lexicon::foundations::{
    COMMITMENT_HEADINGS, COMMITS, MISSION_HEADINGS, MISSION_PHRASES, PURPOSE_HEADINGS,
    PURPOSE_PHRASES, VALUE_HEADINGS, VISION_HEADINGS, VISION_PHRASES,
};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use serde_json::json;

use super::outline::{Section, sections};
use crate::draft::{COMMITMENTS, Draft, MISSION, One, PURPOSE, VALUES, VISION};
use crate::part::Part;
use crate::site::Site;

/// A field, the headings that announce it, and the phrases that state it in a sentence.
const STATEMENTS: [(One, &Phrases, &Phrases); 3] = [
    (MISSION, &MISSION_HEADINGS, &MISSION_PHRASES),
    (VISION, &VISION_HEADINGS, &VISION_PHRASES),
    (PURPOSE, &PURPOSE_HEADINGS, &PURPOSE_PHRASES),
];
/// Most characters of a statement.
const LONGEST: usize = 700;

/// Collects the statements, values and commitments.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let sections = sections(site, evidence);
    let own = |part: Part| {
        matches!(
            part,
            Part::Home | Part::About | Part::Careers | Part::Press | Part::Trust | Part::Other
        )
    };
    for (field, headings, phrases) in STATEMENTS {
        let headed = sections
            .iter()
            .filter(|section| own(section.part) && section.is_headed(headings))
            .find_map(|section| {
                let claim = lead_claim(section)?;
                // `Vision & Mission` over one block: nothing tells which of the two it is.
                let both = STATEMENTS
                    .iter()
                    .any(|(other, headings, _)| *other != field && section.is_headed(headings));
                let taken = STATEMENTS.iter().any(|(other, ..)| {
                    draft
                        .one(*other)
                        .is_some_and(|known| known.value == claim.value)
                });
                (!both && !taken).then_some(claim)
            });
        let said = || {
            evidence
                .sentences
                .iter()
                .filter(|sentence| own(site.part(sentence.page)))
                .find(|sentence| says(sentence, phrases))
                .map(sentence_claim)
        };
        draft.set(field, headed.or_else(said));
    }
    for section in sections
        .iter()
        .filter(|section| own(section.part) && section.is_headed(&VALUE_HEADINGS))
    {
        values(section, draft);
    }
    for section in sections
        .iter()
        .filter(|section| own(section.part) && section.is_headed(&COMMITMENT_HEADINGS))
    {
        commitments(section, draft);
    }
    for sentence in evidence
        .sentences
        .iter()
        .filter(|sentence| own(site.part(sentence.page)))
    {
        if draft.many(COMMITMENTS).len() < 6 && says(sentence, &COMMITS) {
            draft.push(COMMITMENTS, sentence_claim(sentence));
        }
    }
}

fn says(sentence: &Sentence, phrases: &'static Phrases) -> bool {
    let words = sentence.words();
    words.len() >= 6
        && sentence.is_whole()
        && phrases.any_in(&words)
        && !sentence.text.ends_with('?')
}

fn sentence_claim(sentence: &Sentence) -> Claim {
    Claim::quoted(&sentence.text, sentence.page)
}

/// The paragraph directly under the heading.
fn lead_claim(section: &Section<'_>) -> Option<Claim> {
    let lead = section.lead()?;
    let length = lead.text.chars().count();
    ((20..=LONGEST).contains(&length)).then(|| Claim::quoted(&lead.text, lead.page))
}

fn values(section: &Section<'_>, draft: &mut Draft) {
    for item in section.items() {
        let words = item.name.split_whitespace().count();
        if !(1..=12).contains(&words)
            || item.name.chars().count() > 90
            || draft.many(VALUES).len() >= 10
        {
            continue;
        }
        let name = item.name.trim_end_matches(['.', ':']);
        let description = item
            .text
            .filter(|text| (8..=500).contains(&text.chars().count()));
        let excerpts = item.excerpts(description.is_some());
        draft.push(
            VALUES,
            Claim::stated(json!({"name": name, "description": description}), excerpts),
        );
    }
}

fn commitments(section: &Section<'_>, draft: &mut Draft) {
    let items: Vec<&gtm_site_research::evidence::Passage> = section
        .body
        .iter()
        .filter(|passage| matches!(passage.kind, gtm_site_research::page::BlockKind::ListItem))
        .copied()
        .collect();
    let headed: Vec<&gtm_site_research::evidence::Passage> = section
        .items()
        .iter()
        .filter(|item| item.name_passage.kind == gtm_site_research::page::BlockKind::Heading)
        .filter_map(|item| item.text_passage)
        .collect();
    let chosen = match section.lead() {
        _ if !items.is_empty() => items,
        Some(lead) => vec![lead],
        // Without a paragraph directly under the heading: each commitment has its own smaller heading.
        None => headed,
    };
    for passage in chosen {
        if (20..=500).contains(&passage.text.chars().count()) && draft.many(COMMITMENTS).len() < 6 {
            let excerpt = Excerpt {
                page: passage.page,
                text: passage.text.clone(),
            };
            draft.push(
                COMMITMENTS,
                Claim::stated(passage.text.as_str(), vec![excerpt]),
            );
        }
    }
}
