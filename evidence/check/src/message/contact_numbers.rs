//! Numbers with which a signature says how to reach its writer: telephone numbers, numbers of registers, and addresses.
//! They claim nothing of what is offered.
//!
//! DANGER: whoever writes a draft may write anything there. So a percentage, a sum of money and whatever counts results is
//! a claim in a signature, too, and no number is left out next to words of a result. What looks like an address must have
//! both, a house number beside its street and a postcode with its place, and every other number must end its part of the
//! line: behind a telephone number stands nothing that it could count.

use std::ops::Range;

use gtm_lexicon::countries::Country;
use gtm_lexicon::figures::RESULTS;
use gtm_lexicon::places::{CONTACT_LABELS, NUMBERED_STREETS, STREETS};
use gtm_lexicon::registers::{NUMBER_WORDS, VAT_LABELS};
use gtm_lexicon::{Words, fold, numbered_registers, registers, split, vat_labels};

use super::numbers::{Approved, Says};
use super::passage::{Passage, Source};
use super::results::results;
use super::vocabulary::Vocabulary;
use crate::small_words::is_small;

/// Digits of a telephone number.
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 7..=15;
/// Fewest digits of a number in a register. `No. 1` is praise.
const REGISTER_DIGITS: usize = 4;
/// Most digits of a house number.
const HOUSE_DIGITS: usize = 4;
/// Words at the beginning or the end of a street among which its kind stands: `12 bis rue`, `Canal Street West`.
const STREET_WORDS: usize = 2;
/// Most words of a line of an address.
const ADDRESS_WORDS: usize = 6;
/// Most bytes behind a number in which what it counts is looked for.
const COUNTED_BYTES: usize = 48;

/// Where the template's own words in a signature have numbers that are neither approved nor ways to reach the writer.
pub(super) fn claims_of_signature(
    approved: &Approved,
    passage: &Passage,
    vocabulary: &Vocabulary,
) -> Vec<Range<usize>> {
    let numbers = approved.unapproved_in(passage, vocabulary, Source::is_own);
    let of_result = !results(passage, &passage.words(Source::is_own), vocabulary).is_empty();
    let contacts = match numbers.is_empty() || of_result {
        true => Vec::new(),
        false => contacts(&passage.blanked(Source::is_own)),
    };
    let is_contact = |range: &Range<usize>| {
        let mut contacts = contacts.iter();
        contacts.any(|contact| contact.start <= range.start && range.end <= contact.end)
            && !counts_results(passage, range)
    };
    numbers
        .into_iter()
        .filter(|number| number.says != Says::Digits || !is_contact(&number.range))
        .map(|number| number.range)
        .collect()
}

/// Whether a number counts what somebody achieved: `18,000 happy customers`.
pub(super) fn counts_results(passage: &Passage, range: &Range<usize>) -> bool {
    let behind = passage.text.get(range.end..).unwrap_or_default();
    let clause = behind.split([',', ';', ':', '.', '(']).next();
    let near: String = clause
        .unwrap_or_default()
        .chars()
        .take(COUNTED_BYTES)
        .collect();
    let folded = fold(&near);
    let words = split(&folded);
    let rest = words.get(1..).unwrap_or_default();
    RESULTS.open(&words) || RESULTS.open(rest)
}

/// The bytes of a text that say how to reach somebody.
fn contacts(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(run) = next_run(text, from) {
        from = run.end;
        let digits = text.get(run.clone()).unwrap_or_default();
        let behind = text.get(run.end..).unwrap_or_default();
        if (is_phone(digits) || is_of_register(text, &run)) && ends_part(behind) {
            found.push(run);
        }
    }
    found.extend(addresses(text));
    found
}

/// The next run of digits with what may part the groups of a long number.
fn next_run(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    let digit = from + rest.find(|c: char| c.is_ascii_digit())?;
    // `+49`, `(0)`.
    let before = text.get(from..digit).unwrap_or_default();
    let opens = before.trim_end_matches(['+', '(']).len();
    let start = from + opens;
    let mut end = digit;
    let mut parted = 0;
    for (at, c) in text.get(digit..)?.char_indices() {
        match c {
            '0'..='9' => (end, parted) = (digit + at + 1, 0),
            ' ' | '\u{a0}' | '\u{202f}' | '-' | '‑' | '–' | '/' | '.' | '(' | ')' if parted < 2 =>
            {
                parted += 1;
            }
            _ => break,
        }
    }
    Some(start..end)
}

/// Whether what stands behind a number is no word that it could count: a mark, or the next thing of a signature.
fn ends_part(behind: &str) -> bool {
    let line = behind.split('\n').next().unwrap_or_default();
    let mut words = line.split_whitespace();
    // `HRB 12345 B`
    let is_letter = |word: &str| word.len() == 1 && word.starts_with(|c: char| c.is_uppercase());
    let mut word = words.next().unwrap_or_default();
    if is_letter(word) {
        word = words.next().unwrap_or_default();
    }
    let begins_number =
        |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || "+(".contains(c));
    let is_next = |word: &str| {
        let label = word.trim_end_matches([':', '.']);
        is_label(label) || word.contains('@') || word.starts_with("www.")
    };
    !word.starts_with(|c: char| c.is_alphanumeric() || c == '%')
        || is_next(word)
        || (is_small(&fold(word)) && words.next().is_some_and(begins_number))
}

fn is_phone(written: &str) -> bool {
    let digits = written.chars().filter(char::is_ascii_digit).count();
    let groups: Vec<usize> = written.split('-').map(str::len).collect();
    let prefixed =
        written.starts_with(['+', '(']) || (written.starts_with('0') && !written.starts_with("0."));
    PHONE_DIGITS.contains(&digits) && (prefixed || groups == [3, 3, 4])
}

/// Whether it follows the label of a register, of a telephone or of a number as such. Behind such a label the code of a
/// country may stand, as in VAT numbers. Labels are known words: `EUR 5000` has capitals, too.
fn is_of_register(text: &str, run: &Range<usize>) -> bool {
    let written = text.get(run.clone()).unwrap_or_default();
    let digits = written.chars().filter(char::is_ascii_digit).count();
    let before = text.get(..run.start).unwrap_or_default();
    let before = before.trim_end_matches([' ', '\u{a0}', ':']);
    let mut words = before.rsplit([' ', '\u{a0}', ',', '(', '|', '\n', '/']);
    let mut label = words.next().unwrap_or_default();
    if Country::of_code(label).is_some() {
        label = words.find(|word| !word.is_empty()).unwrap_or_default();
    }
    let label = label.trim_end_matches([':', '.']);
    // `HRB-Nr.`
    let last = label.rsplit('-').next().unwrap_or_default();
    let behind = text.get(run.end..).unwrap_or_default();
    let mut next = behind.chars();
    let is_whole = match next.next() {
        Some(',') => !next.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => !c.is_alphanumeric() && c != '%',
        None => true,
    };
    digits >= REGISTER_DIGITS && is_whole && (is_label(label) || is_label(last))
}

fn is_label(word: &str) -> bool {
    let folded = fold(word);
    let marks = registers().iter().flat_map(|register| register.marks);
    let numbered = numbered_registers().iter().flat_map(|it| it.labels);
    let vat = vat_labels().iter().flat_map(|it| it.labels);
    word.starts_with(char::is_uppercase)
        && (CONTACT_LABELS.contains(&folded)
            || NUMBER_WORDS.contains(&folded)
            || VAT_LABELS.has_word(&folded)
            || marks.chain(numbered).chain(vat).any(|label| *label == word))
}

/// The house number and the postcode of each address: a line with a street beside a line with a place.
fn addresses(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut before: Vec<Token> = Vec::new();
    for line in lines(text) {
        if let Some((at, postcode)) = postcode(&line)
            && ends_with_name(&line)
        {
            // `Hauptstraße 12, 10115 Berlin` and `Hauptstraße 12 10115 Berlin`.
            let within = line.get(..at).unwrap_or_default();
            let street = house_number(within).or_else(|| house_number(&before));
            if let Some(number) = street {
                found.extend([number, postcode]);
            }
        }
        // The place may have a line between street and postcode.
        if house_number(&line).is_some() || before.is_empty() || house_number(&before).is_none() {
            before = line;
        }
    }
    found
}

/// A word of a line with its place.
type Token<'t> = (&'t str, Range<usize>);

/// The words of a text by lines, as a signature parts them.
fn lines(text: &str) -> impl Iterator<Item = Vec<Token<'_>>> {
    let mut start = 0;
    text.split([',', ';', '|', '·', '•', '\n'])
        .map(move |line| {
            let mut at = start;
            start += line.len();
            // The sign behind it.
            start += text
                .get(start..)
                .and_then(|rest| rest.chars().next())
                .map_or(0, char::len_utf8);
            line.split_inclusive(char::is_whitespace)
                .filter_map(|word| {
                    let begin = at;
                    at += word.len();
                    let bare = word.trim_end();
                    (!bare.is_empty()).then(|| (bare, begin..begin + bare.len()))
                })
                .collect()
        })
}

/// The postcode of a line that has a place beside it, and which word it is.
fn postcode(line: &[Token]) -> Option<(usize, Range<usize>)> {
    let word = |at: usize| line.get(at).map_or("", |(word, _)| *word);
    let found = (0..line.len()).find(|at| {
        let code = word(*at);
        let (before, behind) = (at.checked_sub(1).map_or("", word), word(at + 1));
        // `D-10115`
        let digits = code.trim_start_matches(|c: char| c.is_ascii_uppercase() || c == '-');
        let count = digits.len();
        let all = count > 0 && digits.bytes().all(|c| c.is_ascii_digit());
        // `1011 DL Amsterdam`
        let place = match behind.len() == 2 && behind.chars().all(char::is_uppercase) {
            true => word(at + 2),
            false => behind,
        };
        let is_common = all && (4..=5).contains(&count) && is_name(place);
        let is_american = all && count == 5 && is_code(before, 2, 0);
        let is_british = is_code(before, 4, 1) && is_inward(code);
        is_common || is_american || is_british
    })?;
    let (code, range) = line.get(found)?;
    // Both halves of `LS1 7BT` are numbers.
    let first = match is_inward(code) {
        true => found.checked_sub(1)?,
        false => found,
    };
    let start = line.get(first)?.1.start;
    Some((first, start..range.end))
}

fn is_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters.all(|c| c.is_alphabetic() || "-'’.".contains(c))
}

/// Whether a word has two to so many signs, capitals first, and at least so many digits.
fn is_code(word: &str, most: usize, digits: usize) -> bool {
    let capitals = word
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let counted = word.chars().filter(char::is_ascii_digit).count();
    (2..=most).contains(&word.len())
        && capitals
        && counted >= digits
        && word.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The second half of a British postcode: `7BT`.
fn is_inward(word: &str) -> bool {
    let mut letters = word.chars();
    word.len() == 3
        && letters.next().is_some_and(|c| c.is_ascii_digit())
        && letters.all(|c| c.is_ascii_uppercase())
}

/// The number of a house at the beginning or at the end of a line, beside the name of a street.
fn house_number(line: &[Token]) -> Option<Range<usize>> {
    let is_number = |word: &str| {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let rest = word.get(digits..).unwrap_or_default();
        (1..=HOUSE_DIGITS).contains(&digits)
            && rest.len() <= HOUSE_DIGITS
            && rest
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-/".contains(c))
    };
    let ((first, behind), (last, before)) = (line.split_first()?, line.split_last()?);
    let found = if is_number(first.0) && begins_street(behind) {
        first
    } else if is_number(last.0) && before.last().is_some_and(|(word, _)| is_name(word)) {
        last
    } else {
        return None;
    };
    (line.len() <= ADDRESS_WORDS).then(|| found.1.clone())
}

/// Whether words behind a number are a street. `500 Plants` are none, so the kind of the street must be known.
fn begins_street(words: &[Token]) -> bool {
    let is_kind = |list: Words, (word, _): &Token| list.contains(fold(word).trim_end_matches('.'));
    let (mut first, mut last) = (words.iter().take(STREET_WORDS), words.iter().rev());
    let mut last = last.by_ref().take(STREET_WORDS);
    words.iter().any(|(word, _)| is_name(word))
        && (first.any(|word| is_kind(NUMBERED_STREETS, word))
            || last.any(|word| is_kind(STREETS, word)))
}

/// Whether nothing is said behind the place of a postcode: `90000 Meters read` is no place.
fn ends_with_name(line: &[Token]) -> bool {
    let mut words = line.iter().rev().map(|(word, _)| *word);
    let last = words.find(|word| word.contains(char::is_alphabetic));
    last.is_some_and(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use gtm_domain::message::Inline;

    use super::*;

    fn claims(language: &str, text: &str) -> Vec<String> {
        let passage = Passage::of_inlines(&[Inline::Text { v: text.to_owned() }]);
        let found = claims_of_signature(&Approved::default(), &passage, &Vocabulary::of(language));
        found
            .into_iter()
            .map(|range| text[range].to_owned())
            .collect()
    }

    #[test]
    fn ways_to_reach_the_writer_claim_nothing() {
        for text in [
            "Ana Reyes, Tel. +49 30 1234567, Fax +49 30 1234568",
            "Phone: (555) 123-4567 or 555-123-4567",
            "030/123 45 67",
            "+44 (0)20 7946 0123",
            "Meters GmbH, HRB 12345, VAT No. 123456789",
            "HRB-Nr. 12345 B",
            "VAT GB 123 4567 89",
            "KvK 12345678",
            "Meters GmbH, Hauptstraße 12a, 10115 Berlin",
            "Meters GmbH | Hauptstr. 12 | D-10115 Berlin",
            "Meters Ltd, 40 Canal Street, Leeds LS1 7BT",
            "Meters SARL, 12 rue de Lyon, 75003 Paris",
            "Booking B.V., Oosterdokskade 163, 1011 DL Amsterdam",
            "Meters Inc, 5 Times Square, New York, NY 10036",
        ] {
            assert_eq!(claims("en", text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_a_number_counts_is_no_way_to_reach_anybody() {
        for (text, numbers) in [
            ("500 Plants, 90000 Meters", &["500", "90000"][..]),
            ("500 Big Plants, 90000 Smart Meters", &["500", "90000"]),
            ("500 Plants 90000 Meters", &["500", "90000"]),
            ("Meters installed 5000, 10115 Berlin", &["5000", "10115"]),
            ("Plants 500, 90000 Meters read", &["500", "90000"]),
            ("+12 000 000 meters read", &["12 000 000"]),
            ("IT 15000 machines monitored", &["15000"]),
            ("US 12000 plants", &["12000"]),
            ("US 12000", &["12000"]),
            ("Phone 24000 devices", &["24000"]),
            ("HRB 12345 B customers", &["12345"]),
        ] {
            assert_eq!(claims("en", text), numbers, "{text}");
        }
        for text in [
            "Tel. +49 30 1234567 Fax: +49 30 1234568",
            "+49 30 1234567 ana@meters.example",
            "+49 30 1234567 | Berlin",
            "USt-IdNr.: DE 123456789",
            "VAT No. GB 123 4567 89, Leeds",
            "Meters SARL, 12 rue du Roi, 75003 Paris",
            "Meters SARL, 12 bis rue du Port, 75003 Paris Cedex",
            "Meters GmbH, An der Mühle 12, 60313 Frankfurt am Main",
        ] {
            assert_eq!(claims("en", text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_is_claimed_in_a_signature_is_found() {
        for (text, number) in [
            ("60% off, Hauptstraße 12, 10115 Berlin", "60%"),
            ("€500 a month", "500"),
            ("EUR 5000 a month", "5000"),
            ("No. 1 in metering", "1"),
            ("Meters for 18000 flats", "18000"),
            ("No. 18000 customers", "18000"),
            ("12000 Companies", "12000"),
            ("+50 000 000 users", "50 000 000"),
            ("We saved 12000 Berlin households", "12000"),
        ] {
            assert_eq!(claims("en", text), [number], "{text}");
        }
        // Beside words of a result nothing is exempt.
        assert!(!claims("en", "Save now: 0800 123 4567").is_empty());
    }
}
