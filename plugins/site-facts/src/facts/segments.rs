//! Customer groups that a page lists under a heading for them.

use gtm_lexicon::segments::{HEADINGS, NO_NAMES};
use gtm_site_research::boilerplate;
use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::json;

use super::outline::{Item, Section, sections};
use super::{keys, unique_slug};
use crate::draft::{Draft, SEGMENTS};
use crate::part::Part;
use crate::site::Site;

/// Most segments kept.
const MOST: usize = 8;

/// Collects the customer groups.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    for section in sections(site, evidence) {
        let own = matches!(
            section.part,
            Part::Home | Part::Product | Part::About | Part::Customers | Part::Other
        );
        if !own || !section.is_headed(&HEADINGS) {
            continue;
        }
        let items = named(&section);
        // A single item is not a list of groups.
        if items.len() < 2 {
            continue;
        }
        for item in items {
            add(&item, draft);
        }
    }
}

/// The items whose names could name customer groups.
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
        && !NO_NAMES.open(&words)
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
