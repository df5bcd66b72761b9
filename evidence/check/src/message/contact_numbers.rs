//! Numbers with which a signature says how to reach its writer: telephone numbers, numbers of registers, and addresses.
//! They claim nothing of what is offered.
//!
//! DANGER: whoever writes a draft may write anything there. So a percentage, a sum of money and whatever counts results is
//! a claim in a signature, too, and no number is left out next to words of a result. Of an address the whole must be there
//! ([`addresses`]), and every other number must end its part of the line: behind a telephone number stands nothing that it
//! could count.

use std::ops::Range;

use gtm_domain::message::BlockKind;
use gtm_lexicon::countries::Country;
use gtm_lexicon::figures::RESULTS;
use gtm_lexicon::places::CONTACT_LABELS;
use gtm_lexicon::registers::{NUMBER_WORDS, VAT_LABELS};
use gtm_lexicon::{fold, numbered_registers, registers, split, vat_labels};

use super::numbers::{Approved, Says};
use super::passage::{Passage, Source};
use super::postal_addresses::addresses;
use super::results::results;
use super::vocabulary::Vocabulary;
use crate::small_words::is_small;

/// Digits of a telephone number.
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 7..=15;
/// Fewest digits of a number in a register. `No. 1` is praise.
const REGISTER_DIGITS: usize = 4;
/// Most bytes behind a number in which what it counts is looked for.
const COUNTED_BYTES: usize = 48;

/// Where the template's own words in what says who writes have numbers that are neither approved nor ways to reach the
/// writer. None are read in blocks of other kinds.
pub(super) fn claims_of_closing(
    kind: BlockKind,
    approved: &Approved,
    passage: &Passage,
    vocabulary: &Vocabulary,
) -> Option<Vec<Range<usize>>> {
    let names_may_count = match kind {
        BlockKind::Signature => false,
        // `Two Rivers House` is where somebody is reached.
        BlockKind::PostalIdentity => true,
        _ => return None,
    };
    let numbers = approved.unapproved_in(passage, vocabulary, Source::is_own);
    let of_result = !results(passage, &passage.words(Source::is_own), vocabulary).is_empty();
    let contacts = match numbers.is_empty() || of_result {
        true => Vec::new(),
        false => contacts(&passage.blanked(Source::is_own)),
    };
    let is_contact = |range: &Range<usize>| {
        let mut contacts = contacts.iter();
        contacts.any(|contact| contact.start <= range.start && range.end <= contact.end)
    };
    let claims = numbers.into_iter().filter(|number| match number.says {
        Says::Measure => true,
        Says::Digits => !is_contact(&number.range) || counts_results(passage, &number.range),
        Says::Words => !names_may_count || of_result || counts_results(passage, &number.range),
    });
    Some(claims.map(|number| number.range).collect())
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
        let ends = |range: &Range<usize>| ends_part(text.get(range.end..).unwrap_or_default());
        let digits = text.get(run.clone()).unwrap_or_default();
        let coded = with_code(text, &run);
        if is_phone(digits) && ends(&run) {
            found.push(run);
        } else if is_of_register(text, &coded) && ends(&coded) {
            found.push(coded);
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

/// Most letters of the code that a number in a register begins with (`GB123456789`), and most signs of the one that it ends
/// with (`123456789B01`).
const CODE: usize = 3;

/// A run of digits with the codes that touch it.
fn with_code(text: &str, run: &Range<usize>) -> Range<usize> {
    let before = text.get(..run.start).unwrap_or_default();
    let bare = before.strip_suffix('-').unwrap_or(before);
    let lead = bare.trim_end_matches(|c: char| c.is_ascii_uppercase());
    let letters = bare.len() - lead.len();
    let begins = (1..=CODE).contains(&letters) && !lead.ends_with(char::is_alphanumeric);
    let behind = text.get(run.end..).unwrap_or_default();
    let rest = behind.trim_start_matches(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
    let signs = behind.len() - rest.len();
    let ends = (1..=CODE).contains(&signs) && !rest.starts_with(char::is_alphanumeric);
    let start = if begins { lead.len() } else { run.start };
    start..run.end + if ends { signs } else { 0 }
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

#[cfg(test)]
mod tests {
    use gtm_domain::message::Inline;
    use proptest::prelude::*;

    use super::*;

    fn claims_of(kind: BlockKind, language: &str, text: &str) -> Vec<String> {
        let passage = Passage::of_inlines(&[Inline::Text { v: text.to_owned() }]);
        let approved = Approved::default();
        let found = claims_of_closing(kind, &approved, &passage, &Vocabulary::of(language));
        let found = found.unwrap_or_default().into_iter();
        found.map(|range| text[range].to_owned()).collect()
    }

    fn claims(language: &str, text: &str) -> Vec<String> {
        claims_of(BlockKind::Signature, language, text)
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
            "VAT GB123456789",
            "VAT No. GB123456789",
            "USt-IdNr. DE123456789",
            "BTW NL123456789B01",
            "VAT IE1234567T",
            "UID CHE-123.456.789",
            "Registered in Scotland, No. SC123456",
            "Registered in Northern Ireland, No. NI123456",
            "Company No. OC123456",
            "Meters GmbH, Hauptstraße 12a, 10115 Berlin",
            "Meters GmbH | Hauptstr. 12 | D-10115 Berlin",
            "Meters Ltd, 40 Canal Street, Leeds LS1 7BT",
            "Meters SARL, 12 rue de Lyon, 75003 Paris",
            "Booking B.V., Oosterdokskade 163, 1011 DL Amsterdam",
            "Meters Inc, 5 Times Square, New York, NY 10036",
            // As the parts of a postal identity are joined.
            "Meters GmbH, Hauptstraße 12a, Bochum, 44787, Germany",
            "Meters Ltd, 40 Canal Street, Leeds, West Yorkshire, LS1 7BT, United Kingdom",
            "Meters Inc, 5 Canal Street, Austin, Texas, 78701, United States.",
            "Meters SARL, 12 rue de Lyon, Paris, 75003, France",
            "Meters B.V., Oosterdokskade 163, Amsterdam, 1011 DL, Nederland",
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
            ("Hauptstraße 12, Meters, 90000, read", &["12", "90000"]),
            ("Plants 500, Bochum, 90000, Germany", &["500", "90000"]),
            ("+12 000 000 meters read", &["12 000 000"]),
            ("IT 15000 machines monitored", &["15000"]),
            ("US 12000 plants", &["12000"]),
            ("US 12000", &["12000"]),
            ("Phone 24000 devices", &["24000"]),
            ("HRB 12345 B customers", &["12345"]),
            ("No. SC12345 customers", &["SC12345"]),
            ("The GB12000 meters", &["GB12000"]),
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
    fn addresses_of_several_countries_claim_nothing() {
        for text in [
            "Meters GmbH, An der Mühle 12, 60313 Frankfurt am Main",
            "Meters GmbH, Kaiser-Wilhelm-Straße 12, 60313 Frankfurt",
            "Meters AG, Bahnhofplatz 1, 8001 Zürich",
            "Meters SL, Calle Mayor 12, 28013 Madrid",
            "Meters SL, Calle Mayor, 12, 28013 Madrid",
            "Meters SL, C/ Mayor 12, 28013 Madrid",
            "Meters SL, Calle Mayor 12, 3 piso, 28013 Madrid",
            "Meters SARL, 12, rue de Lyon, 75003 Paris",
            "Meters SA, rue de Lyon 12, 1203 Genève",
            "Meters SRL, Via Roma 12, 20121 Milano",
            "Meters Lda, Rua Augusta 12, 1100 Lisboa",
            "Meters Ltd, Unit 4, 40 Canal Street, Leeds LS1 7BT",
            "Meters Inc, 5 Times Square, Suite 400, New York, NY 10036",
            "Meters GmbH, Hauptstraße 12, 2. Stock, 10115 Berlin",
            "Meters Ltd, PO Box 1234, Leeds LS1 7BT",
            "Meters GmbH, Postfach 1234, 10115 Berlin",
        ] {
            assert_eq!(claims("en", text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_an_address_is_counted() {
        for (text, numbers) in [
            ("Plants 500, 90000 Meters", &["500", "90000"][..]),
            ("Big Plants 500, 90000 Smart Meters", &["500", "90000"]),
            ("Plants 500 90000 Meters", &["500", "90000"]),
            ("500 Mills, 90000 Meters", &["500", "90000"]),
            ("500 Green Gardens, 90000 Plants", &["500", "90000"]),
            ("Werke 500, 90000 Zähler", &["500", "90000"]),
            ("Im Einsatz 500, 90000 Zähler", &["500", "90000"]),
            ("Usines 500, 90000 Compteurs", &["500", "90000"]),
            ("Plantas 500, 90000 Contadores", &["500", "90000"]),
            ("Plantas, 500, 90000 Contadores", &["500", "90000"]),
            ("Unit 500, 90000 Meters", &["500", "90000"]),
        ] {
            assert_eq!(claims("en", text), numbers, "{text}");
        }
    }

    #[test]
    fn names_of_a_postal_identity_may_count() {
        let postal = |text| claims_of(BlockKind::PostalIdentity, "en", text);
        for text in [
            "Two Rivers House",
            "c/o Seven Dials Ltd",
            "Meters Ltd, 40 Canal Street, Leeds LS1 7BT",
        ] {
            assert_eq!(postal(text), Vec::<String>::new(), "{text}");
        }
        for (text, number) in [
            ("Twice as fast", "Twice as"),
            ("€ 900 a month", "900"),
            ("Saves seven hours", "seven"),
            ("Seven happy customers", "Seven"),
            ("18000 Flats", "18000"),
            ("60% off", "60%"),
        ] {
            assert_eq!(postal(text), [number], "{text}");
        }
        // Nobody is reached by a claim in the message itself.
        let kind = BlockKind::Value;
        let passage = Passage::of_inlines(&[]);
        let found = claims_of_closing(kind, &Approved::default(), &passage, &Vocabulary::of("en"));
        assert_eq!(found, None);
    }

    proptest! {
        /// Two numbers, each beside a word that is no known kind of a street, are no address, whatever the words.
        #[test]
        fn numbers_beside_any_words_are_counted(
            first in "[BDFGKMNPRVWZ][aeiou]{1,2}[bdfgkmnpvz]{1,2}[aeiou]xes",
            last in "[BDFGKMNPRVWZ][aeiou]{1,2}[bdfgkmnpvz]{1,2}[aeiou]xes",
            small in 100u32..9999,
            large in 10000u32..99999,
            parts in prop::sample::select(vec![", ", " ", " | ", "; "]),
        ) {
            let text = format!("{first} {small}{parts}{large} {last}");
            prop_assert_eq!(claims("en", &text), [small.to_string(), large.to_string()], "{}", text);
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
