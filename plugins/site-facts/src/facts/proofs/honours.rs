//! Awards under headings for them and on pages about them, each in an item or a card of its own.

use gtm_lexicon::proofs::AWARD_HEADINGS;
use gtm_site_research::boilerplate;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::words;

use super::super::awards::names_award;
use super::super::topics;
use crate::part::Part;
use crate::site::Site;

/// Fewest and most words of an award.
const SHORTEST: usize = 2;
const LONGEST: usize = 20;
/// Most words of a line with the year of an award beside it.
const LONGEST_BESIDE: usize = 6;
/// Fewest awards of a list.
const LEAST: usize = 2;

/// The awards, each with its page: what has a year in it or beside it, or names an award.
pub(super) fn awards(site: &Site, evidence: &Evidence) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (section, _) in topics::about(site, evidence, &AWARD_HEADINGS) {
        if matches!(section.part, Part::Legal | Part::Careers | Part::Product) {
            continue;
        }
        let cards = topics::cards(&section)
            .into_iter()
            .filter(|card| card.text.is_some());
        let mut names: Vec<(&Passage, Option<&Passage>)> = cards
            .map(|card| (card.name_passage, card.text_passage))
            .collect();
        if names.is_empty() {
            let items = section.items().into_iter();
            names = items.map(|item| (item.name_passage, None)).collect();
        }
        let told: Vec<String> = names
            .into_iter()
            .filter_map(|(name, below)| award(name, below))
            .collect();
        if told.len() >= LEAST {
            found.extend(told.into_iter().map(|text| (section.heading.page, text)));
        }
    }
    found
}

fn award(name: &Passage, below: Option<&Passage>) -> Option<String> {
    let text = name.text.as_str();
    let fits = (SHORTEST..=LONGEST).contains(&words::count(text))
        && !text.ends_with(['?', ':', '…'])
        && !boilerplate::is_call_to_act(text);
    let beside = below.filter(|below| {
        below.block == name.block + 1
            && has_year(&below.text)
            && words::count(&below.text) <= LONGEST_BESIDE
    });
    let is_award = has_year(text) || names_award(text) || beside.is_some();
    let joined = match beside {
        Some(beside) if !has_year(text) => format!("{text} {}", beside.text),
        _ => text.to_owned(),
    };
    (fits && is_award).then_some(joined)
}

/// Whether a text has a year of our times.
fn has_year(text: &str) -> bool {
    let ascii = words::with_ascii_digits(text);
    let mut numbers = ascii.split(|c: char| !c.is_ascii_digit());
    numbers.any(|number| {
        number.len() == 4
            && number
                .parse()
                .is_ok_and(|year: u32| (1950..2100).contains(&year))
    })
}
