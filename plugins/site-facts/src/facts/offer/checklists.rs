//! Lists in which a company ticks off what buyers get from it: `Reliable dates and transparent prices`. No heading announces
//! them; most of their items praise how the company works.

use std::collections::BTreeSet;

use gtm_lexicon::offer::QUALITIES;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use crate::facts::offerings::is_announcement;
use crate::facts::outline::Item;
use crate::part::Part;
use crate::site::Site;

/// Fewest and most items of such a list, and words of each.
const ITEMS: std::ops::RangeInclusive<usize> = 3..=8;
const WORDS: std::ops::RangeInclusive<usize> = 2..=12;
/// Fewest items that praise.
const LEAST: usize = 2;
/// Letters with which words of one stem begin, and fewest of a word whose beginning tells its stem.
const STEM: usize = 8;
const LEAST_OF_WORD: usize = 6;

/// The items of the first such list where the company presents itself.
pub(super) fn items<'a>(site: &Site, evidence: &'a Evidence) -> Vec<Item<'a>> {
    let stems = stems();
    let follows = |one: &Passage, next: &Passage| {
        one.kind == BlockKind::ListItem
            && next.kind == BlockKind::ListItem
            && one.page == next.page
            && one.block + 1 == next.block
    };
    let mut above: Option<&Passage> = None;
    for row in evidence.passages.chunk_by(follows) {
        let lead = above;
        above = row.last();
        let Some(first) = row.first().filter(|first| first.main) else {
            continue;
        };
        let presents = matches!(site.part(first.page), Part::Home | Part::About);
        let is_led = lead.is_some_and(|lead| {
            lead.page == first.page && lead.block + 1 == first.block && leads(lead)
        });
        let praising = row
            .iter()
            .filter(|item| praises(&item.text, &stems))
            .count();
        let fits = presents
            && is_led
            && ITEMS.contains(&row.len())
            && row.iter().all(|item| may_be_item(item, site))
            && praising >= LEAST
            && praising * 2 >= row.len();
        if fits {
            let item = |passage: &'a Passage| Item {
                name_passage: passage,
                name: &passage.text,
                text_passage: None,
                text: None,
            };
            return row.iter().map(item).collect();
        }
    }
    Vec::new()
}

/// Whether a list may stand below a text without being announced by it: a paragraph that ends, or a heading that names no offer.
fn leads(lead: &Passage) -> bool {
    match lead.kind {
        BlockKind::Paragraph => lead.text.ends_with(['.', '!', '。', '！']),
        BlockKind::Heading => !is_announcement(&lead.text) && !lead.text.ends_with([':', '?']),
        _ => false,
    }
}

/// Whether an item is a few words, and neither a link nor a way to reach somebody.
fn may_be_item(item: &Passage, site: &Site) -> bool {
    let page = site.research.pages.get(item.page);
    let mut links = page.into_iter().flat_map(|visited| &visited.page.links);
    item.kind == BlockKind::ListItem
        && WORDS.contains(&words::count(&item.text))
        && !item.text.contains(['@', '?', ':'])
        && !links.any(|link| !link.text.is_empty() && item.text.contains(&link.text))
}

/// The beginnings of the words for qualities.
fn stems() -> BTreeSet<String> {
    let single = QUALITIES.iter().filter_map(|phrase| match phrase {
        [word] => Some(*word),
        _ => None,
    });
    let long = single.filter(|word| word.chars().count() >= LEAST_OF_WORD);
    long.map(|word| word.chars().take(STEM).collect()).collect()
}

fn praises(text: &str, stems: &BTreeSet<String>) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    words.iter().any(|word| {
        let begun: String = word.chars().take(STEM).collect();
        stems.contains(&begun) || stems.contains(*word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_stem_of_a_quality_praise() {
        let stems = stems();
        for text in [
            "Verlässliche Termine und transparente Angebote",
            "Persönliche Betreuung vom Aufmaß bis zur Abnahme",
            "Reliable dates for every yard",
        ] {
            assert!(praises(text, &stems), "{text}");
        }
        for text in [
            "Transport und Montage",
            "Integration of old systems",
            "Emergency response at night",
        ] {
            assert!(!praises(text, &stems), "{text}");
        }
    }
}
