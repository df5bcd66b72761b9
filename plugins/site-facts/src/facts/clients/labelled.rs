//! The customer of one piece of work, behind or below a label: `Client: Globex`.

use gtm_lexicon::names::{GIVEN_NAMES, HONORIFICS};
use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::proofs::{CUSTOMER_LABELS, PROJECT_HEADINGS, WITHHELD_NAMES};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::super::customers::is_kind;
use super::super::legal_names;
use super::super::others::Own;
use super::super::topics;
use super::{Customer, may_name};
use crate::part::Part;
use crate::site::Site;

/// Most words of a label.
const LONGEST_LABEL: usize = 3;
/// What parts a name from what is added to it.
const BEHIND_NAMES: [char; 5] = ['(', '（', '·', '|', '/'];
/// Most words of a person's name.
const LONGEST_PERSON: usize = 4;

/// The customers that labels name on pages about customers and projects.
pub(super) fn customers(site: &Site, evidence: &Evidence) -> Vec<Customer> {
    let own = Own::new(site, None);
    let tells = |page: usize| {
        site.part(page) == Part::Customers || topics::is_called(site, page, &PROJECT_HEADINGS)
    };
    let mut found = Vec::new();
    for (at, passage) in evidence.passages.iter().enumerate() {
        let Some((carrier, value)) = value_of(passage, evidence.passages.get(at + 1)) else {
            continue;
        };
        let block = |passage: &Passage| {
            let page = site.research.pages.get(passage.page)?;
            page.page.blocks.get(passage.block)
        };
        let in_form = block(passage).is_some_and(|block| block.form);
        let name = value.split(BEHIND_NAMES).next().unwrap_or(value).trim();
        let fits = !in_form
            && passage.main
            && tells(passage.page)
            && may_name(name)
            && !is_kind(name)
            && !is_withheld(value)
            && !own.is_named_in(name);
        if fits {
            found.push(Customer {
                name: name.to_owned(),
                page: passage.page,
                carrier: carrier.to_owned(),
            });
        }
    }
    found
}

/// The text that has the value of a label for customers, and the value.
fn value_of<'a>(label: &'a Passage, next: Option<&'a Passage>) -> Option<(&'a str, &'a str)> {
    let is_label = |text: &str| CUSTOMER_LABELS.are(&words::split(&words::fold(text)));
    let text = label.text.as_str();
    if let Some((before, value)) = text.split_once([':', '：']) {
        let behind = value.trim();
        if is_label(before) && !behind.is_empty() {
            return Some((text, behind));
        }
    }
    if label.kind == BlockKind::TableRow {
        let ends = words::tokens(text).into_iter().take(LONGEST_LABEL);
        let mut rows = ends.filter_map(|(_, end, _)| Some((text.get(..end)?, text.get(end..)?)));
        let (before, value) =
            rows.find(|(label, value)| is_label(label) && !value.trim().is_empty())?;
        let value = value.trim();
        return is_one_cell(before, value).then_some((text, value));
    }
    let below = next.filter(|next| {
        next.page == label.page
            && next.block == label.block + 1
            && next.kind == label.kind
            && label.kind != BlockKind::Heading
    })?;
    is_label(text.trim_end_matches([':', '：'])).then_some((&below.text, &below.text))
}

/// Whether the rest of a row is surely a single name: cells are joined by blanks, so it may be the names of other columns,
/// `Client`, `Project`, `Year`, or what stands in them.
fn is_one_cell(label: &str, value: &str) -> bool {
    let capitals = |text: &str| text.chars().filter(|c| c.is_uppercase()).count();
    let is_word = value.chars().all(char::is_alphabetic);
    // `ABC`, `NorthStar`; in a row that is all in capitals, they tell nothing.
    let has_form = capitals(value) >= 2 && label.contains(char::is_lowercase);
    is_word && has_form || legal_names::find(value) == [value]
}

/// Whether a text stands in the place of a name that is withheld, or is that of private persons. Legal forms tell companies
/// from them.
fn is_withheld(value: &str) -> bool {
    let mut parts = value.split(BEHIND_NAMES).map(str::trim);
    legal_names::find(value).is_empty() && parts.any(|part| withholds(part) || is_person(part))
}

/// Whether a text opens or ends with words for a name that is withheld: `Privat`, `Familie Müller`, `The Marsh family`.
fn withholds(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let last = words.last().copied().unwrap_or_default();
    WITHHELD_NAMES.open(&words) || WITHHELD_NAMES.are(&[last])
}

/// Whether a text has the form of a person's name: `Petra Kunze`, `Mrs Marsh`, `P. Kunze`, `Kunze, Petra`.
fn is_person(text: &str) -> bool {
    let is_known = |text: &str| {
        let end = text.find(|c: char| !c.is_alphabetic());
        let (first, behind) = text.split_at(end.unwrap_or(text.len()));
        let folded = words::fold(first);
        // `ING` is none of the titles, and a single letter is short for a name or a title.
        let is_short = first.chars().count() == 1 && first.is_ascii() && behind.starts_with('.');
        let is_title = first.chars().count() > 1
            && first.contains(char::is_lowercase)
            && HONORIFICS.contains(&folded);
        is_short || is_title || GIVEN_NAMES.contains(&folded)
    };
    let is_titled_behind = || {
        let mut titles = HONORIFICS.iter();
        titles.any(|title| title.starts_with(is_unspaced) && text.ends_with(title))
    };
    let mut parts = text.split(',').map(str::trim);
    words::count(text) <= LONGEST_PERSON && (parts.any(is_known) || is_titled_behind())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_a_customer_where_nothing_else_stands_in_them() {
        for (label, value) in [
            ("Client", "Globex GmbH"),
            ("Client", "NorthStar"),
            ("Kunde", "ABC"),
        ] {
            assert!(is_one_cell(label, value), "{label} {value}");
        }
        for (label, value) in [
            ("Client", "Project Year"),
            ("Client", "Project"),
            ("CLIENT", "PROJECT"),
            ("Client", "Globex Year 2020"),
            ("Client", "Globex GmbH Year 2020"),
            ("Customer", "Service 24/7"),
        ] {
            assert!(!is_one_cell(label, value), "{label} {value}");
        }
    }

    #[test]
    fn withheld_names_and_those_of_private_persons_are_none() {
        for value in [
            "Privat",
            "Private Bauherrschaft",
            "Müller (privat)",
            "Confidential",
            "Undisclosed (NDA)",
            "Vertraulich",
            "Familie Müller",
            "Marsh family",
            "Petra Kunze",
            "Kunze, Petra",
            "P. Kunze",
            "Mrs Marsh",
            "Dr. Kunze",
            "Particulier",
            "佐藤様",
            "青葉様邸",
        ] {
            assert!(is_withheld(value), "{value}");
        }
        for value in [
            "Globex",
            "Stadt Ulm",
            "ING",
            "Petra Kunze GmbH",
            "Familie Müller GmbH",
            "Privatbank Globex",
            "Globex (Leeds)",
            "青葉工業株式会社",
        ] {
            assert!(!is_withheld(value), "{value}");
        }
    }
}
