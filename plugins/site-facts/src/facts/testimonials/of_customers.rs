//! The blocks of pages that are customers': what they say, and who they are. None of it is said by the company, nor of it
//! in its own words.

use std::collections::BTreeSet;

use gtm_lexicon::proofs::TESTIMONIAL_HEADINGS;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::staff;
use gtm_site_research::words;

use super::super::outline::{headed, sections};
use super::{
    House, MARKS, UNSTOPPED, is_initials, is_line_of_author, is_mark, is_quotation,
    names_the_house, quotations,
};
use crate::site::Site;

/// Most blocks behind a quotation that say who its author is.
const MOST_OF_AUTHOR: usize = 4;
/// Fewest words of what somebody says.
const LEAST_WORDS: usize = 5;

/// The page and block of what customers say and of the names, roles and companies of those who say it: they stand right
/// behind quotations, up to the end of their cards, or under a heading for customers' words. Who speaks for the company
/// itself stays.
pub fn of_customers(site: &Site, evidence: &Evidence) -> BTreeSet<(usize, usize)> {
    let house = House::of(site);
    let mut found: BTreeSet<(usize, usize)> = BTreeSet::new();
    for quotation in quotations(site, evidence, &house) {
        found.extend(quotation.said());
        found.extend(quotation.signed());
    }
    let mut previous: Option<&Passage> = None;
    for (at, quote) in evidence.passages.iter().enumerate() {
        let above = previous.replace(quote);
        let is_said = is_quotation(quote, above) || is_below_mark(quote, above);
        if !is_said || found.contains(&(quote.page, quote.block)) {
            continue;
        }
        let behind = evidence.passages.get(at + 1..).unwrap_or_default();
        let lines: Vec<&Passage> = behind
            .iter()
            .zip(quote.block + 1..)
            .enumerate()
            .take_while(|(nth, (next, block))| {
                next.page == quote.page
                    && next.block == *block
                    && next.main == quote.main
                    && !is_quotation(next, None)
                    && is_line_of_author(next, *nth)
                    // How many work where the author does stands last on the card.
                    && (*nth < MOST_OF_AUTHOR || staff::counted(&next.text).is_some())
            })
            .map(|(_, (next, _))| next)
            .collect();
        let mut told = lines.iter().filter(|line| !is_initials(&line.text));
        let first = told.next();
        let last = told.next_back().or(first);
        // DANGER: pages of a company also write other words like names of its people, so only the first line may be one.
        let of_house = first.is_some_and(|first| house.people.has(&first.text))
            || last.is_some_and(|last| names_the_house(&last.text, &house));
        if !of_house {
            found.extend(lines.iter().map(|line| (line.page, line.block)));
        }
        if !of_house && first.is_some() {
            found.insert((quote.page, quote.block));
        }
    }
    let sections = sections(site, evidence);
    for section in headed(&sections, &TESTIMONIAL_HEADINGS) {
        // Under the title of a page may stand anything else, too.
        if section.heading.level > 1 {
            let said = section.body.iter().filter(|line| {
                words::count(&line.text) >= LEAST_WORDS && !house.own.is_named_in(&line.text)
            });
            found.extend(said.map(|line| (line.page, line.block)));
        }
    }
    found
}

/// Whether a text of some length stands right below a quotation mark in a block of its own.
fn is_below_mark(passage: &Passage, above: Option<&Passage>) -> bool {
    let is_quote_sign =
        |text: &str| text.contains(|c: char| MARKS.iter().any(|(open, _)| c == *open) || c == '❝');
    let is_text = matches!(passage.kind, BlockKind::Paragraph | BlockKind::Other);
    let marked = above.is_some_and(|above| {
        above.page == passage.page
            && above.block + 1 == passage.block
            && is_mark(above)
            && is_quote_sign(&above.text)
    });
    is_text && marked && words::count(&passage.text) >= UNSTOPPED
}
