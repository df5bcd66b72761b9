//! Cards that praise how the company works, `Punctual`, `Family run`, `Fair prices`, each over a text about it: what sets
//! it apart, though no heading says so.

use gtm_lexicon::offer::OTHER_LIST_HEADINGS;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::is_own;
use crate::facts::offerings::praises;
use crate::facts::outline::{Item, Section};
use crate::facts::steps;
use crate::part::Part;

/// Fewest and most cards of such a row.
const CARDS: std::ops::RangeInclusive<usize> = 3..=9;
/// Fewest cards whose names are nothing but praise, and which part of the row they are.
const LEAST: usize = 2;
const PART: usize = 3;
/// Most words of the name of a card, and fewest of its text.
const LONGEST_NAME: usize = 5;
const LEAST_OF_TEXT: usize = 3;

/// The cards of a section, if the names of some of them are nothing but praise, and all have the form of such cards. Names
/// of services may praise, too, `Precision milling`, and are told from these by their other words.
pub(super) fn cards<'a>(section: &Section<'a>) -> Vec<Item<'a>> {
    let elsewhere = !(is_own(section.part) || section.part == Part::Other);
    if elsewhere || steps::announces(section) || steps::are_numbered(section) {
        return Vec::new();
    }
    // `Our team`, `News` announce other cards; a line above or a longer heading may have such a word by chance.
    let announces_others = {
        let folded = words::fold(&section.heading.text);
        OTHER_LIST_HEADINGS.are(&words::split(&folded))
    };
    let items = section.items();
    let is_card = |item: &Item<'_>| {
        item.name_passage.kind == BlockKind::Heading
            && words::count(item.name) <= LONGEST_NAME
            && item
                .text
                .is_some_and(|text| words::count(text) >= LEAST_OF_TEXT)
    };
    let praising = items.iter().filter(|item| praises(item.name)).count();
    let fits = CARDS.contains(&items.len())
        && items.iter().all(is_card)
        && praising >= LEAST
        && praising * PART >= items.len()
        && !announces_others;
    if fits { items } else { Vec::new() }
}
