//! The telephone number of a company: one that a link dials, that stands behind its label, or that structured data tells.

use std::collections::BTreeMap;

use gtm_lexicon::places::TELEPHONE_LABELS;
use gtm_site_research::claim::Claim;
use gtm_site_research::page::Opens;
use gtm_site_research::words;

use super::{Line, rank};
use crate::facts::placeholders;
use crate::part::Part;
use crate::site::Site;

/// Digits of a telephone number.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// Among how many words before a number its label stands: `Call us on`.
const NEAR: usize = 3;
/// Pictures of a telephone before its number.
const PICTURES: [char; 6] = ['☎', '✆', '℡', '📞', '📱', '\u{260f}'];

/// The number that most pages show.
pub fn shown(site: &Site, lines: &[Line<'_>]) -> Option<Claim> {
    let dialled: Vec<String> = site
        .own_pages()
        .flat_map(|(_, _, page)| &page.actions)
        .filter(|action| matches!(action.opens, Opens::Telephone))
        .map(|action| digits(&action.text))
        .filter(|number| DIGITS.contains(&number.len()))
        .collect();
    let mut found: BTreeMap<String, (usize, u8, usize, &str)> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(rank) = rank(line) else { continue };
        let above = at
            .checked_sub(1)
            .and_then(|above| lines.get(above))
            .filter(|above| above.page == line.page);
        for (label, number) in numbers(line.text) {
            let key = digits(number);
            let told = label
                .or_else(|| stands_alone(line, number).then(|| of_line_above(above, line, number)))
                .unwrap_or_default();
            if !(told || dialled.contains(&key)) || placeholders::is_number(number) {
                continue;
            }
            let entry = found.entry(key).or_insert((0, rank, at, number));
            entry.0 += 1;
            if rank < entry.1 {
                *entry = (entry.0, rank, at, number);
            }
        }
    }
    let best = found
        .into_values()
        .max_by_key(|(count, rank, at, _)| (*count, std::cmp::Reverse((*rank, *at))))?;
    let (_, _, at, number) = best;
    Some(Claim::stated(number, vec![lines.get(at)?.excerpt()]))
}

/// The number in structured data of the company.
pub fn declared(site: &Site) -> Option<Claim> {
    site.organizations.iter().find_map(|organization| {
        let number = organization.text("telephone")?;
        let fits = DIGITS.contains(&digits(&number).len()) && !placeholders::is_number(&number);
        fits.then(|| Claim::quoted(&number, organization.page))
    })
}

/// Whether a line is nothing but a number.
fn stands_alone(line: &Line<'_>, number: &str) -> bool {
    line.text.trim() == number
}

/// Whether the line above a number that stands alone is its label, or where none is, the number could be nothing else: on a
/// page on how to reach the company, with the prefix of a country.
fn of_line_above(above: Option<&Line<'_>>, line: &Line<'_>, number: &str) -> bool {
    let said = above.map_or(Some(false), |above| says_telephone(above.text));
    match said {
        Some(true) => above.is_some_and(|above| words::count(above.text) <= NEAR),
        Some(false) => line.part == Part::Contact && number.starts_with('+'),
        None => false,
    }
}

fn digits(text: &str) -> String {
    words::with_ascii_digits(text)
        .chars()
        .filter(char::is_ascii_digit)
        .collect()
}

/// The telephone numbers of a text, each with whether a label before it says that it is one, or that it is none. Nothing is
/// known of a number without words before it.
fn numbers(text: &str) -> Vec<(Option<bool>, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || " +-–/().\u{a0}".contains(c);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(begin) = text
        .get(from..)
        .and_then(|rest| rest.find(|c: char| c.is_ascii_digit() || matches!(c, '+' | '(')))
    {
        let begin = from + begin;
        let rest = text.get(begin..).unwrap_or_default();
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let run = rest.get(..length).unwrap_or_default();
        from = begin + length.max(1);
        let number = run.trim_end_matches(|c: char| !c.is_ascii_digit());
        let whole = text
            .get(..begin)
            .is_none_or(|before| !before.ends_with(char::is_alphanumeric))
            && !text
                .get(begin + number.len()..)
                .is_some_and(|behind| behind.starts_with(char::is_alphabetic));
        let opens = number.starts_with(['+', '0', '(']);
        if whole && opens && DIGITS.contains(&digits(number).len()) {
            let before = text.get(..begin).unwrap_or_default().trim_end();
            let label = match before.trim_end_matches('\u{fe0f}') {
                "" => None,
                before if before.ends_with(PICTURES) => Some(true),
                before => Some(says_telephone(before) == Some(true)),
            };
            found.push((label, number));
        }
    }
    found
}

/// Whether the last words of a text are a label of a telephone. Nothing if they are that of a fax.
fn says_telephone(text: &str) -> Option<bool> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let last = words.iter().rev().take(NEAR);
    // What stands before another number is said of that.
    let own = last.take_while(|word| !word.contains(|c: char| c.is_ascii_digit()));
    for word in own {
        if word.contains("fax") || word.starts_with('ｆ') {
            return None;
        }
        if TELEPHONE_LABELS.contains(word) {
            return Some(true);
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telephone_numbers_have_a_label() {
        for (text, found) in [
            (
                "Tel. +49 731 5550120",
                vec![(Some(true), "+49 731 5550120")],
            ),
            (
                "Telefono: 0424 555012 Fax 0424 555013",
                vec![(Some(true), "0424 555012"), (Some(false), "0424 555013")],
            ),
            ("電話：03-5550-1234", vec![(Some(true), "03-5550-1234")]),
            ("ＴＥＬ 03-5550-1234", vec![(Some(true), "03-5550-1234")]),
            ("Phone: 0113 296 0120", vec![(Some(true), "0113 296 0120")]),
            (
                "Call us on 0113 296 0120",
                vec![(Some(true), "0113 296 0120")],
            ),
            (
                "Fon: 0731 5550120 · Telefax: 0731 5550121",
                vec![(Some(true), "0731 5550120"), (Some(false), "0731 5550121")],
            ),
            ("Rufnummer 0731 5550120", vec![(Some(true), "0731 5550120")]),
            ("Telefoon: 020 555 0120", vec![(Some(true), "020 555 0120")]),
            ("Telefone: 021 555 0120", vec![(Some(true), "021 555 0120")]),
            ("📞 0731 5550120", vec![(Some(true), "0731 5550120")]),
            ("Telefax 0731 5550121", vec![(Some(false), "0731 5550121")]),
            ("0731 5550120", vec![(None, "0731 5550120")]),
            ("P.IVA 01234567890", vec![(Some(false), "01234567890")]),
            ("DE136695976", vec![]),
            ("89073 Ulm", vec![]),
        ] {
            assert_eq!(numbers(text), found, "{text}");
        }
    }
}
