//! Groups of customers that a page lists under a heading that says so.

use gtm_site_research::boilerplate;
use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::json;

use super::outline::{Item, Section, sections};
use super::{keys, unique_slug};
use crate::draft::{Draft, SEGMENTS};
use crate::plan::Part;
use crate::research::Site;

/// Segments that are kept.
const MOST: usize = 8;
/// Headings over groups of customers, folded.
const HEADINGS: &[&str] = &[
    "industries",
    "industries we serve",
    "sectors we serve",
    "markets we serve",
    "our sectors",
    "who we serve",
    "who we work with",
    "who it is for",
    "who is it for",
    "who we help",
    "built for",
    "branchen",
    "unsere branchen",
    "unsere zielgruppen",
    "fur wen",
    "fur wen wir*",
    "wem wir helfen",
    "secteurs",
    "nos secteurs",
    "secteurs d activite",
    "pour qui",
    "a qui s adresse*",
    "sectores",
    "nuestros sectores",
    "para quien",
    "a quien ayudamos",
    "settori",
    "i nostri settori",
    "per chi",
    "a chi ci rivolgiamo",
    "branches",
    "sectoren",
    "voor wie",
    "setores",
    "para quem",
    "القطاعات",
    "لمن نعمل",
];
/// Words with which no name of a group begins, folded: they open a heading, a question or a call.
const NO_NAMES: &[&str] = &[
    "from",
    "why",
    "how",
    "our",
    "what",
    "where",
    "when",
    "about",
    "contact",
    "ready",
    "get",
    "talk",
    "need",
    "not",
    "no",
    "we",
    "you",
    "your",
    "see",
    "case",
    "cases",
    "news",
    "faq",
    "the",
    "more",
    "warum",
    "wie",
    "was",
    "wo",
    "unser*",
    "uber",
    "kontakt",
    "mehr",
    "wir",
    "sie",
    "nicht",
    "pourquoi",
    "comment",
    "notre",
    "nos",
    "nous",
    "vous",
    "votre",
    "ce",
    "plus",
    "por",
    "como",
    "nuestr*",
    "que",
    "mas",
    "no",
    "sus",
    "waarom",
    "hoe",
    "wat",
    "onze",
    "ons",
    "over",
    "meer",
    "we",
    "wij",
    "je",
    "u",
    "niet",
    "perche",
    "come",
    "cosa",
    "nostr*",
    "i",
    "il",
    "non",
    "porque",
    "nossos",
    "mais",
    "nao",
    "aus",
    "vom",
    "depuis",
    "desde",
    "dal",
    "van",
    "questions",
    "fragen",
    "preguntas",
    "vragen",
    "domande",
];

/// Collect the groups of customers.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    for section in sections(site, evidence) {
        let own = matches!(
            section.part,
            Part::Home | Part::Product | Part::About | Part::Customers | Part::Other
        );
        if !own || !section.is_headed(HEADINGS) {
            continue;
        }
        let items = named(&section);
        // One alone is a heading of something else.
        if items.len() < 2 {
            continue;
        }
        for item in items {
            add(&item, draft);
        }
    }
}

/// The items whose names can be those of groups.
fn named<'a>(section: &Section<'a>) -> Vec<Item<'a>> {
    section
        .items()
        .into_iter()
        .filter(|item| {
            let of_cards = item.name_passage.kind != BlockKind::Heading || item.text.is_some();
            of_cards && is_name(item.name)
        })
        .collect()
}

fn is_name(name: &str) -> bool {
    let folded = words::fold(name);
    let words = words::split(&folded);
    (1..=7).contains(&words.len())
        && (3..=80).contains(&name.chars().count())
        && name.chars().any(char::is_alphabetic)
        && !name.ends_with(['.', '!', '?', ':', '…'])
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !words::starts_with_any(&words, NO_NAMES)
        && !boilerplate::is_call_to_act(name)
}

fn add(item: &Item<'_>, draft: &mut Draft) {
    let taken = keys(draft, SEGMENTS);
    let known = draft
        .many(SEGMENTS)
        .iter()
        .any(|claim| claim.value["name"] == item.name);
    if known || taken.len() >= MOST {
        return;
    }
    let description = item
        .text
        .filter(|text| (10..=300).contains(&text.chars().count()));
    let excerpts = item.excerpts(description.is_some());
    let value = json!({
        "key": unique_slug(item.name, "segment", &taken),
        "name": item.name,
        "description": description,
        "needs": [],
        "pains": [],
        "triggers": [],
    });
    draft.push(SEGMENTS, Claim::stated(value, excerpts));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_groups_are_told_from_headings() {
        for name in [
            "Mining & Aggregates",
            "Installatiebedrijven tot tien monteurs",
            "Stadtwerke",
            "Cabinets dentaires",
        ] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "From the Floor",
            "Why us",
            "Need it fast?",
            "Unsere Kunden",
            "Get a quote",
            "We serve everyone.",
            "12 sectors",
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}
