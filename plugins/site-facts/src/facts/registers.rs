//! Company numbers in public registers, verbatim.

mod italian;

use gtm_lexicon::registers::{
    BRITISH_LABELS, DUTCH_LABELS, DUTCH_NUMBER_LABELS, FRENCH_LABELS, FRENCH_MARKS,
    FRENCH_NUMBER_LABELS, FRENCH_NUMBER_MARKS, GERMAN_COURTS, GERMAN_KINDS, NUMBER_WORDS,
    SPANISH_LABELS, SPANISH_SHEETS,
};
use gtm_lexicon::{Words, numbered_registers};
use gtm_site_research::words;

use super::check_digits;

/// Most characters of a register number with its court.
const LONGEST_NUMBER: usize = 60;

/// A number in a public register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registered<'a> {
    /// The register; a company has one number in each.
    pub register: &'static str,
    /// The number, with the court if it is beside the number.
    pub text: &'a str,
}

impl Registered<'_> {
    /// Normalized number, equal for all its spellings. A French establishment shares its company's number.
    pub fn key(&self) -> String {
        let from = match self.register {
            "DE" => first_of(GERMAN_KINDS, self.text).map_or(0, |(at, _)| at),
            _ => 0,
        };
        let number = self.text.get(from..).unwrap_or(self.text);
        let digits = number.chars().filter(char::is_ascii_digit);
        match self.register {
            "FR" => digits.take(9).collect(),
            "DE" => super::letters(number),
            _ => digits.collect(),
        }
    }
}

/// Register numbers in a line, verbatim.
pub fn register_numbers(text: &str) -> Vec<Registered<'_>> {
    let mut found = Vec::new();
    let mut add = |register, text| found.push(Registered { register, text });
    for number in german_registers(text) {
        add("DE", number);
    }
    let folded = words::fold(text);
    let words = words::split(&folded);
    if FRENCH_LABELS.any_in(&words) {
        for number in french_registers(text) {
            add("FR", number);
        }
    }
    if FRENCH_NUMBER_LABELS.any_in(&words) {
        for label in FRENCH_NUMBER_MARKS.iter() {
            let number = after_label(text, label, |c| {
                c.is_ascii_digit() || matches!(c, ' ' | '\u{a0}' | '\u{202f}')
            });
            let is_valid = |value: &&str| {
                let digits = check_digits::digits(value);
                matches!(digits.len(), 9 | 14) && check_digits::luhn(&digits)
            };
            if let Some(value) = number.filter(is_valid) {
                add("FR", value);
            }
        }
    }
    let named = found.is_empty() && BRITISH_LABELS.any_in(&words);
    found.extend(
        british_number(text)
            .filter(|_| named)
            .map(|text| Registered {
                register: "GB",
                text,
            }),
    );
    if SPANISH_LABELS.any_in(&words) {
        found.extend(spanish_sheet(text).map(|text| Registered {
            register: "ES",
            text,
        }));
    }
    if DUTCH_LABELS.any_in(&words) {
        for label in longest_first(DUTCH_NUMBER_LABELS) {
            let number = after_label(text, label, |c| c.is_ascii_digit());
            let number = number.filter(|value| value.len() == 8 && !text.contains("HRB"));
            if let Some(text) = number {
                found.push(Registered {
                    register: "KvK",
                    text,
                });
                break;
            }
        }
    }
    found.extend(italian::business(text).map(|text| Registered {
        register: "REA",
        text,
    }));
    for register in numbered_registers() {
        for label in register.labels {
            let number = after_label(text, label, |c| c.is_ascii_alphanumeric() || c == '-');
            let fits = |value: &&str| register.has_digits(check_digits::digits(value).len());
            found.extend(number.filter(fits).map(|text| Registered {
                register: register.name,
                text,
            }));
        }
    }
    found
}

/// The register to which a label in folded words belongs: `kvk nummer`.
pub fn register_of_label(label: &str) -> Option<&'static str> {
    let words: Vec<&str> = label.split(' ').collect();
    let begins = |known: &&str| {
        let folded = words::fold(known);
        words.starts_with(&words::split(&folded))
    };
    numbered_registers()
        .iter()
        .find(|register| register.labels.iter().any(begins))
        .map(|register| register.name)
}

/// The number behind the place of its register, under the label of one: `Arnhem nr. 09094924` under `KvK`.
pub fn number_at_place<'a>(label: &str, value: &'a str) -> Option<(&'static str, &'a str)> {
    let name = register_of_label(label)?;
    let register = numbered_registers()
        .iter()
        .find(|register| register.name == name)?;
    let (place, number) = value.trim().rsplit_once(char::is_whitespace)?;
    let number = number.trim_end_matches('.');
    let digits = check_digits::digits(number).len();
    let fits = number.bytes().all(|byte| byte.is_ascii_digit())
        && register.has_digits(digits)
        && place.split_whitespace().count() <= MOST_OF_PLACE
        && !place.contains(|c: char| c.is_ascii_digit());
    fits.then_some((name, number))
}

/// Most words of the place of a register and of what says that a number follows.
const MOST_OF_PLACE: usize = 3;

/// The texts, those first that have others in them.
fn longest_first(texts: Words) -> Vec<&'static str> {
    let mut texts: Vec<&str> = texts.iter().collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts
}

/// The first mark in a text, with its place.
fn first_of(marks: Words, text: &str) -> Option<(usize, &'static str)> {
    marks
        .iter()
        .filter_map(|mark| text.find(mark).map(|at| (at, mark)))
        .min_by_key(|(at, _)| *at)
}

/// A company's sheet in a Spanish commercial register: `hoja Z-52417`, `Hoja M-123.456`.
fn spanish_sheet(text: &str) -> Option<&str> {
    let tokens = words::tokens(text);
    tokens.iter().enumerate().find_map(|(at, (_, _, word))| {
        let label = words::fold(word);
        if !SPANISH_SHEETS.contains(label.trim_end_matches([':', '.'])) {
            return None;
        }
        let rest = tokens.get(at + 1..).unwrap_or_default();
        let (begin, first) =
            rest.iter()
                .map(|(start, _, word)| (*start, *word))
                .find(|(_, word)| {
                    let folded = words::fold(word);
                    let bare = folded.trim_end_matches(['.', ':', 'º']);
                    !bare.is_empty() && !NUMBER_WORDS.contains(bare)
                })?;
        let token = first.trim_end_matches([',', '.', ';', ')', ':']);
        // One to three letters of the province precede the number, joined by a dash, a blank or nothing.
        let letters = token.chars().take_while(char::is_ascii_uppercase).count();
        let whole = text.get(begin..)?;
        let rest = whole.get(letters..)?;
        let gap = rest.len() - rest.trim_start_matches(['-', ' ', '\u{2013}']).len();
        let number = rest.get(gap..)?;
        let end = number
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .unwrap_or(number.len());
        let number = number.get(..end)?.trim_end_matches('.');
        let digits = number.chars().filter(char::is_ascii_digit).count();
        ((1..=3).contains(&letters) && gap <= 3 && (3..=7).contains(&digits))
            .then(|| text.get(begin..begin + letters + gap + number.len()))
            .flatten()
    })
}

/// All German register numbers in a text, each with its court.
fn german_registers(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(rest) = text.get(from..).filter(|rest| !rest.is_empty()) {
        let Some(number) = german_register(rest) else {
            break;
        };
        from += super::others::offset_in(rest, number) + number.len();
        found.push(number);
    }
    found
}

/// All register numbers with `RCS` in a text.
fn french_registers(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for mark in FRENCH_MARKS.iter() {
        for (at, _) in text.match_indices(mark) {
            found.extend(text.get(at..).and_then(french_register));
        }
    }
    found
}

/// `HRB 734512`, with the court if it comes directly before: `Amtsgericht Ulm, HRB 734512`.
fn german_register(text: &str) -> Option<&str> {
    let (at, mark) = first_of(GERMAN_KINDS, text)?;
    let rest = text.get(at + mark.len()..)?;
    let number = rest.trim_start_matches([' ', ':', '\u{a0}']);
    let number = number.strip_prefix("Nr.").unwrap_or(number).trim_start();
    let digits: usize = number
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == ' ')
        .map(|c| usize::from(c.is_ascii_digit()))
        .sum();
    if digits == 0 || digits > 7 {
        return None;
    }
    let length: usize = number
        .char_indices()
        .take_while(|(_, c)| c.is_ascii_digit() || *c == ' ')
        .filter(|(_, c)| c.is_ascii_digit())
        .last()
        .map(|(offset, _)| offset + 1)?;
    let number_at = text.len() - number.len();
    let end = number_at + length;
    // A letter directly after the number is part of it: `HRB 12345 B`.
    let end = match text
        .get(end..)
        .map(|rest| rest.chars().take(3).collect::<Vec<char>>())
        .as_deref()
    {
        Some([' ', letter, after, ..])
            if letter.is_ascii_uppercase() && !after.is_alphanumeric() =>
        {
            end + 2
        }
        Some([' ', letter]) if letter.is_ascii_uppercase() => end + 2,
        _ => end,
    };
    let before = text.get(..at)?;
    let court = longest_first(GERMAN_COURTS)
        .into_iter()
        .find_map(|court| before.rfind(court))
        .filter(|court| {
            before.get(*court..).is_some_and(|between| {
                // A label of its own stands between two facts.
                let labelled = between.trim_end().ends_with(':');
                between.chars().count() <= 45 && !labelled && !between.contains([';', '|'])
            })
        });
    court
        .and_then(|begin| text.get(begin..end))
        .filter(|whole| whole.chars().count() <= LONGEST_NUMBER)
        .or_else(|| text.get(at..end))
}

/// `RCS Lyon 404 833 048` (or `R.C.S.`) with a valid SIREN.
fn french_register(text: &str) -> Option<&str> {
    let (at, _) = first_of(FRENCH_MARKS, text)?;
    let mut end = None;
    let mut digits = Vec::new();
    for (offset, c) in text.get(at..)?.char_indices().take(60) {
        if let Some(digit) = c.to_digit(10) {
            digits.push(digit);
            if digits.len() == 9 {
                end = Some(at + offset + 1);
                break;
            }
        } else if !digits.is_empty() && !matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '.') {
            return None;
        }
    }
    end.filter(|_| check_digits::luhn(&digits))
        .and_then(|end| text.get(at..end))
}

/// A British company number: seven or eight digits, or two letters and six digits.
pub fn british_number(text: &str) -> Option<&str> {
    words::tokens(text).into_iter().find_map(|(_, _, token)| {
        let bare = token.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let letters = bare.chars().take_while(char::is_ascii_uppercase).count();
        let digits = bare.chars().filter(char::is_ascii_digit).count();
        let fits = bare.len() == 8
            && ((letters == 0 && digits == 8) || (letters == 2 && digits == 6))
            || (bare.len() == 7 && digits == 7);
        fits.then_some(bare)
    })
}

/// The text after a label (skipping a colon and `Nr.`), up to the first character that is not accepted.
fn after_label<'a>(text: &'a str, label: &str, accepts: impl Fn(char) -> bool) -> Option<&'a str> {
    let at = text.find(label)?;
    if text
        .get(..at)?
        .chars()
        .next_back()
        .is_some_and(char::is_alphanumeric)
    {
        return None;
    }
    let rest = text.get(at + label.len()..)?;
    let skipped = rest.find(|c: char| c.is_ascii_digit())?;
    if rest.get(..skipped)?.chars().count() > 16 {
        return None;
    }
    let value = rest.get(skipped..)?;
    let end = value.find(|c: char| !accepts(c)).unwrap_or(value.len());
    value
        .get(..end)
        .map(str::trim)
        .filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<&str> {
        register_numbers(text)
            .into_iter()
            .map(|number| number.text)
            .collect()
    }

    #[test]
    fn numbers_are_found_where_they_stand() {
        for (text, expected) in [
            (
                "Registergericht: Amtsgericht Ulm, HRB 734512",
                vec!["Amtsgericht Ulm, HRB 734512"],
            ),
            ("Handelsregister: HRB 734512", vec!["HRB 734512"]),
            (
                "Amtsgericht Ulm Registernummer: HRB 734512",
                vec!["HRB 734512"],
            ),
            ("HRB 12345 B, Berlin", vec!["HRB 12345 B"]),
            ("Amtsgericht Ulm", vec![]),
            (
                "Acme GmbH & Co. KG, HRA 1200; Acme Verwaltungs GmbH, HRB 3400",
                vec!["HRA 1200", "HRB 3400"],
            ),
            (
                "Registered in England and Wales, company number 09123456.",
                vec!["09123456"],
            ),
            ("Company no. SC123456", vec!["SC123456"]),
            ("Call us on 01132 496000", vec![]),
            ("RCS Lyon 404 833 048", vec!["RCS Lyon 404 833 048"]),
            ("SIREN : 404 833 048", vec!["404 833 048"]),
            ("SIREN : 404 833 049", vec![]),
            (
                "Inscrita en el Registro Mercantil de Teruel, tomo 12, folio 7, hoja TE-1234, inscripción 1.ª",
                vec!["TE-1234"],
            ),
            (
                "Registro Mercantil de Madrid, Tomo 3.001, Folio 12, Hoja M-512.345",
                vec!["M-512.345"],
            ),
            (
                "Registro Mercantil de Barcelona, tomo 40100, hoja nº B 123456",
                vec!["B 123456"],
            ),
            ("Una hoja A-4 por cada pedido", vec![]),
            ("Registro Mercantil de Madrid, hoja de pedido 12", vec![]),
            ("KvK-nummer 12345678", vec!["12345678"]),
            (
                "ingeschreven bij de Kamer van Koophandel onder nummer 12345678.",
                vec!["12345678"],
            ),
        ] {
            assert_eq!(numbers(text), expected, "{text}");
        }
    }

    #[test]
    fn the_place_of_a_register_may_stand_before_the_number() {
        assert_eq!(
            number_at_place("kvk", "Arnhem nr. 09094924"),
            Some(("KvK", "09094924"))
        );
        for value in ["09094924", "Arnhem nr. 0909", "Arnhem 6921 nr. 09094924"] {
            assert_eq!(number_at_place("kvk", value), None, "{value}");
        }
        assert_eq!(number_at_place("bank", "Arnhem nr. 09094924"), None);
    }

    #[test]
    fn spellings_of_one_number_share_a_key() {
        let keys = |text: &str| -> Vec<String> {
            register_numbers(text).iter().map(Registered::key).collect()
        };
        assert_eq!(
            keys("Amtsgericht Ulm, HRB 734512"),
            keys("Handelsregister: HRB 734512")
        );
        assert_eq!(keys("SIREN : 404 833 048"), keys("RCS Lyon 404 833 048"));
    }
}
