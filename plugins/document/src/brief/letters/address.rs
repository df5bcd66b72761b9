//! Lines above a letter that name its reader behind a label, all in one: `To: Ms Jane Doe, Head of Sites, Vela Ltd, 12 High
//! Street, Leeds`. In a letter each part stands on a line of its own.
//!
//! Danger: mails to a colleague have such lines, too, and briefs tell their writer how a reader is. So a name alone counts only
//! where the salutation has it, and what begins small is part of an address only with a number or a role.

use gtm_lexicon::documents::{
    ATTENTION_LABELS, ATTITUDES, LETTER_READER_LABELS, READER_ENDINGS, RECIPIENT_LABELS,
};
use gtm_lexicon::foundations::AND;
use gtm_lexicon::names::PARTICLES;
use gtm_lexicon::roles::ROLE_WORDS;
use gtm_lexicon::{Phrases, fold, legal_forms, split};

use super::super::{contacts, is_legal_form, line_kinds, one_line, own_date, signatures};
use super::formulas::is_unspaced;
use crate::capital::capital;

/// Most parts of an address, words of a part, and characters of a line with all of them.
const MOST_PARTS: usize = 9;
const PART_WORDS: usize = 9;
const LINE_CHARS: usize = 240;
/// Fewest parts that are an address whatever the salutation names, and fewest with a number among them.
const FEWEST_PARTS: usize = 3;
const FEWEST_NUMBERED: usize = 2;
/// Longest end of a firm's name behind its comma, in words.
const FIRM_WORDS: usize = 5;
/// Shortest name by which salutation and address are compared, in characters.
const NAME_CHARS: usize = 3;
/// Most letters of a postal code.
const CODE_LETTERS: usize = 5;
/// What begins an aside, and what parts a line.
const ASIDES: [&str; 5] = [" (", "（", " – ", " — ", " - "];
const COMMAS: [char; 5] = [',', '，', '、', '،', ';'];

/// The reader whom a line names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    /// Name, role, company, street, town: a line each.
    pub lines: Vec<String>,
}

impl Reader {
    /// Reads a line with a label.
    pub fn of(line: &str, language: &str) -> Option<Self> {
        let (label, said) = labeled(line)?;
        // `mevrouw De Wit`
        let is_named = said.split_whitespace().take(2).any(|word| {
            word.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || !c.is_ascii())
        });
        let is_day = || own_date::of_line(line, language, own_date::Lines::OfLetters).is_some();
        if !is_named
            || said.contains(['@', '?', '!', '<'])
            || said.chars().count() > LINE_CHARS
            || is_day()
        {
            return None;
        }
        let attends = is_one_of(&ATTENTION_LABELS, &label);
        // `Client: Northwind, Leeds, 140 employees` tells more than an address.
        let is_strict = !attends && !is_one_of(&LETTER_READER_LABELS, &label);
        let mut lines = parts_of(&capital(said), is_strict);
        if attends && let Some(first) = lines.first_mut() {
            *first = with_label(line, first);
        }
        (!lines.is_empty()).then_some(Self { lines })
    }

    /// Whether the letter with such a salutation is for this reader.
    pub fn is_addressed(&self, salutation: &str) -> bool {
        let shared = || {
            let mut names = split(salutation).into_iter().skip(1);
            names.any(|name| {
                let is_name =
                    !name.starts_with(char::is_lowercase) && name.chars().count() >= NAME_CHARS;
                is_name && self.lines.iter().any(|line| split(line).contains(&name))
            })
        };
        let first = self.lines.first().map_or("", String::as_str);
        self.is_an_address()
            || signatures::is_companys_name(first)
            || names_a_reader_by_form(first)
            || shared()
    }

    /// Whether it has the parts of an address, whoever it names.
    pub fn is_an_address(&self) -> bool {
        let numbered = self
            .lines
            .iter()
            .any(|line| line.contains(char::is_numeric));
        self.lines.len() >= FEWEST_PARTS || numbered && self.lines.len() >= FEWEST_NUMBERED
    }
}

/// Whether a line is no more than the label above an address: `To:`.
pub fn is_label_alone(line: &str) -> bool {
    let bare = line_kinds::without_emphasis(line);
    bare.strip_suffix([':', '：']).is_some_and(|label| {
        is_one_of(&LETTER_READER_LABELS, label) || is_one_of(&RECIPIENT_LABELS, label)
    })
}

/// The label of a line and what stands behind it; that of a person may lack its colon: `z. Hd. Frau Lind`.
fn labeled(line: &str) -> Option<(String, &str)> {
    let bare = line.trim();
    let bare = line_kinds::item_of(bare).unwrap_or(bare);
    if let Some((label, said)) = bare.split_once([':', '：']) {
        let label = label.trim_matches(['*', '_', ' ']);
        let known = [&LETTER_READER_LABELS, &RECIPIENT_LABELS, &ATTENTION_LABELS];
        if known.into_iter().any(|labels| is_one_of(labels, label)) {
            let said = said.trim_matches(['*', '_', ' ']);
            return (!said.is_empty()).then(|| (label.to_owned(), said));
        }
    }
    let with_colon = contacts::with_colon(&ATTENTION_LABELS, bare)?;
    let (label, said) = with_colon.split_once(": ")?;
    let at = bare.len().checked_sub(said.len())?;
    let said = bare.get(at..).filter(|it| !it.is_empty())?;
    Some((label.to_owned(), said))
}

/// The first part with the label that stands before it in print, too: `z. Hd. Frau Dr. Lind`.
fn with_label(line: &str, first: &str) -> String {
    let bare = line.trim().trim_matches(['*', '_']);
    let bare = line_kinds::item_of(bare).unwrap_or(bare);
    let end = bare.find(first).map(|at| at + first.len());
    let said = end.and_then(|end| bare.get(..end)).unwrap_or(first);
    one_line(&said.replace("**", ""))
}

fn is_one_of(labels: &'static Phrases, label: &str) -> bool {
    let folded = fold(label.trim());
    labels.are(&split(&folded))
}

/// The parts of an address. A number of a house or a code stays with the street or the town beside it, a legal form with its
/// company.
fn parts_of(said: &str, is_strict: bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut joins_next = false;
    // In brackets and behind a dash stands what is told of the name before them.
    let segments: Vec<&str> = said
        .split(COMMAS)
        .map(|segment| {
            let end = ASIDES.iter().filter_map(|aside| segment.find(aside)).min();
            segment
                .get(..end.unwrap_or(segment.len()))
                .unwrap_or_default()
        })
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .collect();
    for (at, segment) in segments.iter().enumerate() {
        let folded = fold(segment);
        let is_told = ATTITUDES.any_in(&split(&folded));
        if is_told || at > 0 && !joins_next && !belongs(segment, is_strict) {
            break;
        }
        let next_is_small = segments
            .get(at + 1)
            .is_some_and(|next| next.starts_with(char::is_lowercase));
        let is_code = is_code(segment);
        let joins = std::mem::take(&mut joins_next)
            || goes_on(segment, found.last().map_or("", String::as_str))
            || is_code && !next_is_small;
        joins_next = is_code && next_is_small;
        match found.last_mut().filter(|_| joins) {
            Some(last) => last.push_str(&format!(", {segment}")),
            None => found.push(one_line(segment)),
        }
    }
    found.truncate(MOST_PARTS);
    if let Some(last) = found.last_mut() {
        let dots = last
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .matches('.')
            .count();
        if dots == 1 && !signatures::is_companys_name(last) {
            last.truncate(last.trim_end_matches('.').len());
        }
    }
    found
}

/// Whether a part goes on with the name before it: `Inc.`, `Roe & Sons` of `Doe, Roe & Sons`, `Cole and Partners` behind one word.
fn goes_on(segment: &str, before: &str) -> bool {
    let bare = segment.trim_end_matches('.');
    let mut written = legal_forms().iter().flat_map(|form| form.written);
    let words: Vec<&str> = segment.split_whitespace().collect();
    let folded = fold(segment);
    let is_capital = |word: &&str| word.starts_with(char::is_uppercase);
    // A department may be of two things: `Sales and Marketing`.
    let joined = words.windows(3).any(|near| {
        let [before, joint, behind] = near else {
            return false;
        };
        AND.contains(fold(joint).as_str()) && is_capital(before) && is_capital(behind)
    });
    let has_form = words.last().is_some_and(|last| is_legal_form(last));
    let is_firm = joined
        && words.len() <= FIRM_WORDS
        && (has_form || !before.contains(' '))
        && !ROLE_WORDS.any_in(&split(&folded));
    is_firm
        || segment.contains(" & ") && words.len() <= FEWEST_PARTS
        || written.any(|form| form.trim_end_matches('.') == bare)
}

/// Whether a part is a number of a house or a postal code: `12`, `LS1 4AP`, `IL 62701`.
fn is_code(segment: &str) -> bool {
    let letters = segment.chars().filter(|c| c.is_alphabetic()).count();
    !is_unspaced(segment)
        && letters <= CODE_LETTERS
        && segment.contains(|c: char| c.is_ascii_digit())
        && !segment.contains(char::is_lowercase)
}

/// Whether a part behind the first one belongs to an address, and tells nothing of its reader.
fn belongs(segment: &str, is_strict: bool) -> bool {
    let folded = fold(segment);
    let words = split(&folded);
    let has_number = segment.contains(char::is_numeric);
    let small = |word: &str| {
        word.starts_with(char::is_lowercase) && !PARTICLES.contains(fold(word).as_str())
    };
    let is_told = match segment.starts_with(char::is_lowercase) {
        true => !has_number && !ROLE_WORDS.any_in(&words),
        false => is_strict && segment.split_whitespace().any(small),
    };
    !is_told && words.len() <= PART_WORDS
}

/// Whether a name is a reader's in a script without blanks: with a word of respect or a legal form.
fn names_a_reader_by_form(name: &str) -> bool {
    let mut written = legal_forms().iter().flat_map(|form| form.written);
    is_unspaced(name)
        && (READER_ENDINGS.iter().any(|end| name.contains(end))
            || written.any(|form| !form.is_ascii() && name.contains(form)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(line: &str, language: &str) -> Vec<String> {
        Reader::of(line, language).map_or_else(Vec::new, |reader| reader.lines)
    }

    #[test]
    fn each_part_of_an_address_is_a_line() {
        for (language, line, expected) in [
            (
                "en",
                "To: Ms Jane Doe, Head of Ops, ACME Ltd, 12 High Street, Leeds, LS1 4AP",
                vec![
                    "Ms Jane Doe",
                    "Head of Ops",
                    "ACME Ltd",
                    "12 High Street",
                    "Leeds, LS1 4AP",
                ],
            ),
            (
                "en",
                "**Addressee:** Vela, Inc., 40 Quay Road, Springfield, IL 62701",
                vec!["Vela, Inc.", "40 Quay Road", "Springfield, IL 62701"],
            ),
            (
                "de",
                "An: Frau Dr. Ute Kern, Tannach eG, Kai 4, 24376 Kappeln",
                vec!["Frau Dr. Ute Kern", "Tannach eG", "Kai 4", "24376 Kappeln"],
            ),
            (
                "fr",
                "À l'attention de Mme Claire Besson, directrice qualité, Laiterie Kerhoz, 12, rue du Port, 29200 Brest",
                vec![
                    "À l'attention de Mme Claire Besson",
                    "directrice qualité",
                    "Laiterie Kerhoz",
                    "12, rue du Port",
                    "29200 Brest",
                ],
            ),
            (
                "es",
                "A la atención de: D.ª Inés Vela, Hoteles Alba, C/ Mayor, 12, 11001 Cádiz",
                vec![
                    "A la atención de: D.ª Inés Vela",
                    "Hoteles Alba",
                    "C/ Mayor, 12",
                    "11001 Cádiz",
                ],
            ),
            (
                "it",
                "Destinatario: Vela S.p.A., Via Roma, 12, 20121 Milano",
                vec!["Vela S.p.A.", "Via Roma, 12", "20121 Milano"],
            ),
            (
                "en",
                "To: Ms Jane Doe, Head of Sales and Marketing, Harrow, Finch and Sons, 12 High Street, Leeds",
                vec![
                    "Ms Jane Doe",
                    "Head of Sales and Marketing",
                    "Harrow, Finch and Sons",
                    "12 High Street",
                    "Leeds",
                ],
            ),
            ("nl", "Aan: mevrouw De Wit", vec!["Mevrouw De Wit"]),
            (
                "ja",
                "宛先：株式会社ヴェラ 購買部 川村 恵 様、東京都港区港南1-2-3",
                vec!["株式会社ヴェラ 購買部 川村 恵 様", "東京都港区港南1-2-3"],
            ),
            (
                "ar",
                "إلى: السيد خالد المنصوري، شركة النور، دبي",
                vec!["السيد خالد المنصوري", "شركة النور", "دبي"],
            ),
        ] {
            assert_eq!(lines(line, language), expected, "{line}");
        }
    }

    #[test]
    fn what_is_told_of_a_reader_is_no_line_of_his_address() {
        for (line, expected) in [
            (
                "To: Jane Doe, hates long letters, ACME Ltd",
                vec!["Jane Doe"],
            ),
            (
                "Client: Northwind Ltd, Leeds, 140 employees",
                vec!["Northwind Ltd", "Leeds"],
            ),
            (
                "To: Jane Doe (a nightmare), ACME Ltd – slow payer, 12 High Street",
                vec!["Jane Doe", "ACME Ltd", "12 High Street"],
            ),
            ("To: jo@vela.example", vec![]),
            ("To: everybody in sales", vec![]),
            ("Date: Leeds, 3 May 2027", vec![]),
        ] {
            assert_eq!(lines(line, "en"), expected, "{line}");
        }
    }

    #[test]
    fn a_name_alone_counts_where_the_salutation_has_it() {
        let is_for = |line: &str, salutation: &str| {
            Reader::of(line, "en").is_some_and(|reader| reader.is_addressed(salutation))
        };
        assert!(is_for("To: Ms Petra Olsen", "Dear Ms Olsen,"));
        assert!(is_for("To: Vela Ltd", "Dear Sir or Madam,"));
        assert!(!is_for("To: Sam Reed", "Dear Ms Olsen,"));
        assert!(!is_for("To: Sam", "Dear Ms Olsen,"));
    }
}
