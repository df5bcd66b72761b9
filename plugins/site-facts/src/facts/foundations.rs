//! Mission, vision, purpose, values and commitments, in the company's own words.

use gtm_lexicon::Phrases;
use gtm_lexicon::foundations::{
    AIMS, AND, COMMITMENT_HEADINGS, COMMITS, MISSION_HEADINGS, MISSION_PHRASES, PURPOSE_HEADINGS,
    PURPOSE_PHRASES, VALUE_HEADINGS, VISION_HEADINGS, VISION_PHRASES,
};
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage, Sentence};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::json;

use super::letters;
use super::outline::{Section, headed, labelled, sections};
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
/// Most values and commitments kept.
const MOST_VALUES: usize = 10;
const MOST_COMMITMENTS: usize = 6;

/// Collects the statements, values and commitments.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let mut sections = sections(site, evidence);
    // What terms and policies promise is for an order.
    let part = |page: usize| match site.part(page) {
        Part::Other | Part::Trust if site.is_policy(page) => Part::Legal,
        part => part,
    };
    for section in &mut sections {
        section.part = part(section.heading.page);
    }
    let own = |part: Part| {
        matches!(
            part,
            Part::Home | Part::About | Part::Careers | Part::Press | Part::Trust | Part::Other
        )
    };
    for (field, headings, phrases) in STATEMENTS {
        let labelled = labelled(site, evidence, headings);
        let headed = headed(&sections, headings)
            .into_iter()
            .chain(&labelled)
            // `Your mission` of a job offer is another.
            .filter(|section| own(section.part) && section.part != Part::Careers)
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
        let said = |phrases, may: &dyn Fn(Part) -> bool| {
            evidence
                .sentences
                .iter()
                .filter(|sentence| may(part(sentence.page)))
                .find(|sentence| says(sentence, phrases))
                .map(sentence_claim)
        };
        // Only where the company presents itself is its aim that of the whole.
        let aim = || said(&AIMS, &|part| part == Part::About).filter(|_| field == MISSION);
        draft.set(field, headed.or_else(|| said(phrases, &own)).or_else(aim));
    }
    let labelled_values = labelled(site, evidence, &VALUE_HEADINGS);
    for section in headed(&sections, &VALUE_HEADINGS)
        .into_iter()
        .chain(&labelled_values)
        .filter(|section| own(section.part))
    {
        // `Four principles` on a page about sustainability are commitments.
        let commits =
            |outer: &Section<'_>| outer.holds(section) && outer.is_headed(&COMMITMENT_HEADINGS);
        if sections.iter().any(commits) {
            commitments(section, draft);
        } else {
            values(section, draft);
        }
    }
    let labelled_commitments = labelled(site, evidence, &COMMITMENT_HEADINGS);
    for section in headed(&sections, &COMMITMENT_HEADINGS)
        .into_iter()
        .chain(&labelled_commitments)
        .filter(|section| own(section.part))
    {
        commitments(section, draft);
    }
    for sentence in evidence
        .sentences
        .iter()
        .filter(|sentence| own(part(sentence.page)))
    {
        if says(sentence, &COMMITS) {
            commit(sentence_claim(sentence), draft);
        }
    }
}

fn says(sentence: &Sentence, phrases: &'static Phrases) -> bool {
    words::count(&sentence.text) >= 6
        && sentence.is_whole()
        && phrases.any_in(&sentence.words())
        && !sentence.text.ends_with(['?', '？'])
}

fn sentence_claim(sentence: &Sentence) -> Claim {
    let excerpt = Excerpt {
        page: sentence.page,
        text: sentence.text.clone(),
    };
    Claim::told(sentence.text.as_str(), excerpt)
}

/// The paragraph directly under the heading.
fn lead_claim(section: &Section<'_>) -> Option<Claim> {
    let lead = section.lead()?;
    let fits = words::count(&lead.text) >= 5 && lead.text.chars().count() <= LONGEST;
    fits.then(|| Claim::quoted(&lead.text, lead.page))
}

fn values(section: &Section<'_>, draft: &mut Draft) {
    let items = section.items();
    if items.is_empty()
        && let Some(lead) = section.lead()
    {
        for name in enumerated(&lead.text) {
            let excerpt = Excerpt {
                page: lead.page,
                text: lead.text.clone(),
            };
            let value = json!({"name": name, "description": null});
            draft.push(VALUES, Claim::stated(value, vec![excerpt]));
        }
    }
    for item in items {
        let name = item.name.trim_end_matches(['.', ':', '。']);
        if !(1..=12).contains(&words::count(name))
            || name.chars().count() > 90
            || name.ends_with(['?', '？'])
            || boilerplate::is_call_to_act(name)
            || draft.many(VALUES).len() >= MOST_VALUES
            || draft
                .many(VALUES)
                .iter()
                .any(|known| known.value["name"] == name)
        {
            continue;
        }
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

/// The parts of a sentence that only lists them: `Care, calm and plain words.`
fn enumerated(text: &str) -> Vec<&str> {
    let text = text.trim_end_matches(['.', '。', '!', '！']);
    let mut parts: Vec<&str> = text
        .split([',', ';', '、', '，', '・', '•', '·'])
        .map(str::trim)
        .collect();
    if let Some(last) = parts.pop() {
        let joint = words::tokens(last)
            .into_iter()
            .find(|(.., word)| AND.contains(&words::fold(word)));
        let (before, after) = joint.map_or(("", last), |(start, end, _)| {
            let (before, rest) = last.split_at(end);
            (before.get(..start).unwrap_or_default().trim(), rest.trim())
        });
        parts.extend([before, after].into_iter().filter(|part| !part.is_empty()));
    }
    let fits = |part: &&str| (1..=6).contains(&words::count(part));
    if parts.len() < 3 || parts.len() > MOST_VALUES || !parts.iter().all(fits) {
        return Vec::new();
    }
    parts
}

fn commitments(section: &Section<'_>, draft: &mut Draft) {
    let items: Vec<&Passage> = section
        .body
        .iter()
        .filter(|passage| matches!(passage.kind, BlockKind::ListItem))
        .copied()
        .collect();
    let headed: Vec<&Passage> = section
        .items()
        .iter()
        .filter(|item| item.name_passage.kind == BlockKind::Heading)
        .filter_map(|item| item.text_passage)
        .collect();
    // Cards say more than the paragraph above them; under the title of a page, headings begin its sections.
    let is_title = section.heading.level == 1
        && section
            .body
            .iter()
            .any(|passage| passage.kind == BlockKind::Heading);
    let chosen = match section.lead() {
        _ if !items.is_empty() => items,
        _ if headed.len() >= 2 && !is_title => headed,
        Some(lead) if !is_title => vec![lead],
        _ => Vec::new(),
    };
    for passage in chosen {
        if words::count(&passage.text) >= 5 && passage.text.chars().count() <= 500 {
            commit(Claim::quoted(&passage.text, passage.page), draft);
        }
    }
}

/// Adds a commitment, unless another says it or is said by it.
fn commit(claim: Claim, draft: &mut Draft) {
    let text = |claim: &Claim| claim.value.as_str().map(letters).unwrap_or_default();
    let new = text(&claim);
    let known = draft.many(COMMITMENTS).iter().map(text);
    let doubled = known
        .into_iter()
        .any(|known| known.contains(&new) || new.contains(&known));
    if draft.many(COMMITMENTS).len() < MOST_COMMITMENTS && !doubled {
        draft.push(COMMITMENTS, claim);
    }
}
