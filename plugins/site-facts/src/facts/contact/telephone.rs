//! The telephone number of a company: one that a link dials, that stands behind its label, or that structured data tells.

use std::collections::BTreeMap;

use gtm_lexicon::company::{US, WE};
use gtm_lexicon::names::{GIVEN_NAMES, PARTICLES};
use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::pages::CONTACT;
use gtm_lexicon::places::TELEPHONE_LABELS;
use gtm_lexicon::roles::{JOBS, ROLE_WORDS};
use gtm_lexicon::seats::LABELS;
use gtm_page_text::is_joined;
use gtm_site_research::claim::Claim;
use gtm_site_research::page::Opens;
use gtm_site_research::words;

use super::{Line, mailbox, rank};
use crate::facts::{countries, legal_names, letters, placeholders};
use crate::part::Part;
use crate::site::Site;

/// Digits of a telephone number.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// Among how many words before a number its label stands: `Call us on`.
const NEAR: usize = 3;
/// Most words of a line that is a person's name or role.
const LONGEST_ROLE: usize = 6;
/// How many words a name has, and how many signs in a script without blanks.
const WORDS_OF_NAME: std::ops::RangeInclusive<usize> = 2..=4;
const JOINED_NAME: std::ops::RangeInclusive<usize> = 3..=6;
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
    let company = mailbox::names(site);
    let mut found: BTreeMap<String, (usize, u8, usize, &str)> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(rank) = rank(line) else { continue };
        let above = at
            .checked_sub(1)
            .and_then(|above| lines.get(above))
            .filter(|above| above.page == line.page);
        // A person's mailbox may stand between the name and the number.
        let owner = lines.get(..at).unwrap_or_default().iter().rev();
        let owner = owner
            .take_while(|owner| owner.page == line.page)
            .find(|owner| !owner.text.contains('@'))
            .map_or("", |owner| owner.text);
        for (label, number) in numbers(line.text) {
            let key = digits(number);
            let alone = label.is_none() && stands_alone(line, number);
            let before = line
                .text
                .split_once(number)
                .map_or("", |(before, _)| before);
            if label == Some(true) && labels_person(before, &company) {
                continue;
            }
            let told = label.unwrap_or_else(|| {
                let below_person = || may_have_a_number(owner, &company);
                alone && of_line_above(above, line, number, below_person)
            });
            let dials =
                dialled.contains(&key) && !(alone && (is_named(owner, &company) || is_role(owner)));
            if !(told || dials) || placeholders::is_number(number) {
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
    site.of_the_whole().find_map(|organization| {
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
/// page on how to reach the company, with the prefix of a country, and not below a person.
fn of_line_above(
    above: Option<&Line<'_>>,
    line: &Line<'_>,
    number: &str,
    below_person: impl Fn() -> bool,
) -> bool {
    let said = above.map_or(Some(false), |above| says_telephone(above.text));
    match said {
        Some(true) => above.is_some_and(|above| words::count(above.text) <= NEAR),
        Some(false) => line.part == Part::Contact && number.starts_with('+') && !below_person(),
        None => false,
    }
}

/// Whether a line has a given name, and is not the company's own name, another company's or a country's.
fn is_named(text: &str, company: &[String]) -> bool {
    let has_given_name = text.split_whitespace().any(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphabetic());
        is_capital(bare) && GIVEN_NAMES.contains(&words::fold(bare))
    });
    has_given_name && may_be_person(text) && !company.contains(&letters(text))
}

/// Whether the number below a line may be a person's own: the line is a name or a role. A name that is in no list is told by
/// its shape alone, and what only looks like one costs a number: nobody's own is published.
fn may_have_a_number(text: &str, company: &[String]) -> bool {
    if is_named(text, company) {
        return true;
    }
    let own = letters(text);
    if !may_be_person(text) || company.iter().any(|name| own.starts_with(name.as_str())) {
        return false;
    }
    let folded = words::fold(text);
    let parts = words::split(&folded);
    if LABELS.any_in(&parts) {
        return false;
    }
    if is_role(text) {
        return true;
    }
    let name = text.rsplit([':', '：']).next().unwrap_or_default();
    let name = name.split([',', '、', '|', '(', '–', '—', '•']).next();
    let name = name.unwrap_or_default().trim();
    let folded = words::fold(name);
    let parts = words::split(&folded);
    let speaks_of_us =
        CONTACT.any_in(&parts) || WE.any_in(&parts) || parts.iter().any(|word| US.contains(word));
    !speaks_of_us && is_like_a_name(name)
}

/// Whether a line says what somebody does at the company.
fn is_role(text: &str) -> bool {
    let folded = words::fold(text);
    let parts = words::split(&folded);
    may_be_person(text) && (ROLE_WORDS.any_in(&parts) || JOBS.any_in(&parts))
}

/// Whether a line is short enough for a person, and no address, company or country.
fn may_be_person(text: &str) -> bool {
    words::count(text) <= LONGEST_ROLE
        && !text.contains(char::is_numeric)
        && legal_names::find(text).is_empty()
        && countries::named(text).is_none()
}

/// Whether a text is some words with capitals, or a few signs of a script without blanks.
fn is_like_a_name(text: &str) -> bool {
    let joined = text.chars().all(is_joined);
    let mut parts = text.split_whitespace();
    joined && JOINED_NAME.contains(&text.chars().count())
        || WORDS_OF_NAME.contains(&parts.clone().count())
            && parts.all(|part| is_capital(part) || PARTICLES.contains(part))
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
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
    let is_part = |c: char| c.is_ascii_digit() || " +-–－/().\u{a0}".contains(c);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(begin) = text
        .get(from..)
        .and_then(|rest| rest.find(|c: char| c.is_ascii_digit() || matches!(c, '+' | '(')))
    {
        let begin = from + begin;
        let rest = text.get(begin..).unwrap_or_default();
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let run = first_of(rest.get(..length).unwrap_or_default());
        let length = run.len();
        from = begin + length.max(1);
        let number = run.trim_end_matches(|c: char| !c.is_ascii_digit());
        let whole = text
            .get(..begin)
            .is_none_or(|before| !before.ends_with(char::is_alphanumeric))
            && !text.get(begin + number.len()..).is_some_and(|behind| {
                behind.starts_with(|c: char| c.is_alphabetic() && !is_unspaced(c))
            });
        let before = text.get(..begin).unwrap_or_default().trim_end();
        // Where no prefix begins it, its label must stand right before, and marks part its groups: `Phone: 910-555-0100`.
        let grouped = || number.contains(['-', '.', ' ']) && is_labelled(before);
        let opens = number.starts_with(['+', '0', '(']) || grouped();
        if whole && opens && DIGITS.contains(&digits(number).len()) {
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

/// The first of several numbers that blanks and strokes part: `91-22-555 1960 / 91-22-555 1234`. Within one number, a stroke
/// has too few digits before it.
fn first_of(run: &str) -> &str {
    let parted = run.match_indices(" / ").find_map(|(at, _)| {
        let first = run.get(..at)?;
        (digits(first).len() >= *DIGITS.start()).then_some(first)
    });
    parted.unwrap_or(run)
}

/// Whether a text ends with a label of a telephone.
fn is_labelled(before: &str) -> bool {
    let label = before.trim_end_matches([':', '：', '.']);
    let last = label.rsplit(|c: char| !c.is_alphanumeric()).next();
    last.is_some_and(|last| TELEPHONE_LABELS.contains(&words::fold(last)))
}

/// Whether a line is nothing but a number with its label before it: `Fax 0 12 34 - 56 78 - 90`.
pub(super) fn is_line_of_number(text: &str) -> bool {
    let begin = text.find(|c: char| c.is_ascii_digit() || matches!(c, '+' | '('));
    let (label, number) = text.split_at(begin.unwrap_or(text.len()));
    DIGITS.contains(&digits(number).len())
        && !number.contains(char::is_alphabetic)
        && (label.trim().is_empty() || says_telephone(label) != Some(false))
}

/// Whether the text before a number is a person and the label of the number: `Anna Lindt, mobile`.
fn labels_person(before: &str, company: &[String]) -> bool {
    let name = before.split(['|', '•', '·', '@']).next_back();
    let name = name.unwrap_or_default();
    let mark = |c: char| c.is_whitespace() || ",;:.–—-()".contains(c);
    let tokens = words::tokens(name);
    let is_label = |word: &str| TELEPHONE_LABELS.contains(&words::fold(word.trim_matches(mark)));
    let label = tokens.iter().rposition(|(.., word)| is_label(word));
    let end = label
        .and_then(|at| tokens.get(at))
        .map(|(start, ..)| *start);
    let named = end.and_then(|end| name.get(..end)).unwrap_or_default();
    may_have_a_number(named.trim_matches(mark), company)
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
        if TELEPHONE_LABELS.contains(word) || has_unspaced_label(word) {
            return Some(true);
        }
    }
    Some(false)
}

/// Whether a run of a script without blanks has a label in it: `電話でのご相談は`.
fn has_unspaced_label(word: &str) -> bool {
    let mut labels = TELEPHONE_LABELS.iter();
    word.starts_with(is_unspaced)
        && labels.any(|label| label.chars().all(is_unspaced) && word.contains(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_part_numbers() {
        assert_eq!(
            first_of("91-22-5550 1960 / 91-22-5550 1234"),
            "91-22-5550 1960"
        );
        assert_eq!(first_of("0731 / 5550120"), "0731 / 5550120");
    }

    #[test]
    fn labels_and_numbers_need_no_blanks() {
        assert_eq!(
            numbers("フィルタに関する電話でのご相談は 04-5550-0120まで。"),
            [(Some(true), "04-5550-0120")]
        );
        assert_eq!(
            numbers("型番は 04-5550-0120まで。"),
            [(Some(false), "04-5550-0120")]
        );
        assert!(numbers("no. 04-5550-0120a").is_empty());
    }

    #[test]
    fn a_line_may_be_a_person() {
        let company = ["acme".to_owned(), "annalindtdesign".to_owned()];
        for text in [
            "Anna Lindt",
            "Lindt, Anna",
            "Anna Lindt, Head of Sales",
            "Ansprechpartner: Jana Roth",
            "Oluwaseun Adeyemi",
            "Jan van der Velde",
            "Sales Manager",
            "Geschäftsführer",
            "青葉太郎",
        ] {
            assert!(may_have_a_number(text, &company), "{text}");
        }
        for text in [
            "",
            "Leeds",
            "Head Office",
            "Contact us",
            "Our Office",
            "United Kingdom",
            "Acme Signals Ltd",
            "Acme Rail Signals",
            "Anna Lindt Design",
            "4 Mill Lane, Leeds",
            "本社",
        ] {
            assert!(!may_have_a_number(text, &company), "{text}");
        }
    }

    #[test]
    fn a_label_behind_a_person_is_of_the_persons_number() {
        let company = ["acme".to_owned(), "lindtstairs".to_owned()];
        for before in [
            "Anna Lindt, Mobile ",
            "Anna Lindt – Tel.: ",
            "Ansprechpartner: Jana Roth, Telefon ",
            "info@acme.example | Anna Lindt Tel. ",
        ] {
            assert!(labels_person(before, &company), "{before}");
        }
        for before in [
            "Tel. ",
            "Lindt Stairs, Tel. ",
            "Leeds, Tel. ",
            "Call us on ",
            "Anna Lindt | Tel. ",
            "4 Mill Lane, Leeds, Tel. ",
        ] {
            assert!(!labels_person(before, &company), "{before}");
        }
    }

    #[test]
    fn a_line_may_be_nothing_but_a_number() {
        for text in [
            "Fax 0 12 34 - 56 78 - 90",
            "Fon 0171 - 68 50 387",
            "+49 731 5550120",
        ] {
            assert!(is_line_of_number(text), "{text}");
        }
        for text in [
            "Sandweg 13",
            "89073 Ulm",
            "Carrera 7 # 71-21 Oficina 1002",
            "Hof 0171 6850387",
        ] {
            assert!(!is_line_of_number(text), "{text}");
        }
    }

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
            (
                "Leeds, NC 28352 Phone: 910-555-0100 Fax: 910-555-0101",
                vec![(Some(true), "910-555-0100")],
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
