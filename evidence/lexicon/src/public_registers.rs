//! Public registers: marks that only companies of one country put on their pages.

use crate::{Words, fold, split};

/// Most words between a mark and its number.
const BEFORE_NUMBER: usize = 3;
/// Fewest digits of a register's number; a year has less.
const LEAST_DIGITS: usize = 5;

/// A country's register.
#[derive(Debug)]
pub struct Register {
    /// The country's alpha-2 code.
    pub country: &'static str,
    /// The marks, as printed.
    pub marks: &'static [&'static str],
}

impl Register {
    /// Whether a text has one of the marks.
    ///
    /// Several words count in any spelling. A single word may mean something else (`a siren`, `RCS messages`), so
    /// in other capitals than the register's it counts only before a number.
    fn is_named_in(&self, text: &str) -> bool {
        let folded = fold(text);
        let words = split(&folded);
        self.marks.iter().any(|mark| {
            let folded = fold(mark);
            let parts = split(&folded);
            let mut places = words
                .windows(parts.len())
                .enumerate()
                .filter(|(_, window)| *window == parts.as_slice());
            let as_printed = || {
                text.split(|c: char| !c.is_alphanumeric())
                    .any(|word| word == *mark)
            };
            if parts.len() > 1 {
                return places.next().is_some();
            }
            as_printed()
                || places.any(|(at, _)| {
                    let behind = words.get(at + 1..).unwrap_or_default();
                    begins_number(behind)
                })
        })
    }
}

/// Whether a number stands behind at most a few words.
fn begins_number(words: &[&str]) -> bool {
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let start = words
        .iter()
        .take(BEFORE_NUMBER)
        .position(|word| is_number(word));
    let digits = start
        .and_then(|start| words.get(start..))
        .unwrap_or_default();
    let digits = digits.iter().take_while(|word| is_number(word));
    digits.map(|word| word.len()).sum::<usize>() >= LEAST_DIGITS
}

/// Whether a text names a register of this country.
#[must_use]
pub fn is_registered_in(code: &str, text: &str) -> bool {
    let register = registers().iter().find(|known| known.country == code);
    register.is_some_and(|register| register.is_named_in(text))
        // Luxembourg's register has the same name as those of France.
        && !(code == "FR" && text.contains("Luxembourg"))
}

/// The country whose register a text names.
#[must_use]
pub fn country_of_register(text: &str) -> Option<&'static str> {
    registers()
        .iter()
        .map(|register| register.country)
        .find(|code| is_registered_in(code, text))
}

/// The labels that companies of a country put on a VAT number written without the country.
#[derive(Debug)]
pub struct VatLabels {
    /// The country's alpha-2 code.
    pub country: &'static str,
    /// Labels directly before the number, as printed.
    pub labels: &'static [&'static str],
    /// Further labels, in folded words, that stand alone in a table cell or on a line.
    pub cells: &'static [&'static str],
    pub(crate) length: usize,
    pub(crate) begins: Option<&'static str>,
}

impl VatLabels {
    /// Whether a number without its country, of letters and digits only, has the form of a company's.
    #[must_use]
    pub fn is_company_number(&self, number: &str) -> bool {
        number.len() == self.length
            && self
                .begins
                .is_none_or(|begins| number.starts_with(|c| begins.contains(c)))
    }
}

/// A register whose numbers stand right behind a label.
#[derive(Debug)]
pub struct Numbered {
    /// What the register is called beside a number.
    pub name: &'static str,
    /// The labels, as printed.
    pub labels: &'static [&'static str],
    pub(crate) least: usize,
    pub(crate) most: usize,
}

impl Numbered {
    /// Whether a number of the register may have this many digits.
    #[must_use]
    pub fn has_digits(&self, digits: usize) -> bool {
        (self.least..=self.most).contains(&digits)
    }
}

/// All registers. If a line has the marks of several countries, the first of them is meant.
#[must_use]
pub fn registers() -> &'static [Register] {
    crate::REGISTERS
}

/// Hosts of official registers.
#[must_use]
pub fn register_hosts() -> Words {
    crate::REGISTER_HOSTS
}

/// The countries whose companies write their VAT numbers without the country, with their labels.
#[must_use]
pub fn vat_labels() -> &'static [VatLabels] {
    crate::VAT_LABELS
}

/// The registers whose numbers stand right behind a label.
#[must_use]
pub fn numbered_registers() -> &'static [Numbered] {
    crate::NUMBERED
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::countries::Country;

    #[test]
    fn registers_tell_their_country() {
        for (code, text) in [
            ("DE", "Amtsgericht Ulm, HRB 734512"),
            ("DE", "Amtsgericht Ulm, Hrb 734512"),
            (
                "FR",
                "immatriculée au RCS de Nantes sous le numéro 812 345 676",
            ),
            ("FR", "N° Siren : 404 833 048"),
            ("FR", "siret 40483304800022"),
            ("NL", "KvK 12345678"),
            ("NL", "Kvk-nummer: 12345678"),
            ("IT", "P. IVA 00743110157"),
            ("CH", "Eingetragen im Handelsregister des Kantons Zug"),
            ("LU", "R.C.S. Luxembourg B 123456"),
        ] {
            assert!(is_registered_in(code, text), "{code}: {text}");
            assert_eq!(country_of_register(text), Some(code), "{text}");
        }
        for (code, text) in [
            ("FR", "R.C.S. Luxembourg B 123456"),
            ("CH", "Handelsregister: Amtsgericht Ulm, HRB 734512"),
            ("FR", "rcs messages"),
            ("FR", "Siren for fire alarms, 2024"),
            ("FR", "Amtsgericht Ulm, HRB 734512"),
            ("ES", "Registro Mercantil de Ávila"),
        ] {
            assert!(!is_registered_in(code, text), "{code}: {text}");
        }
    }

    /// A backend cites the line in which it finds a register, and the host looks for it there again.
    #[test]
    fn what_is_found_is_also_confirmed() {
        let marks = registers().iter().flat_map(|register| register.marks);
        for mark in marks {
            let capitalized: String = mark
                .chars()
                .take(1)
                .chain(mark.to_lowercase().chars().skip(1))
                .collect();
            for spelling in [
                (*mark).to_owned(),
                mark.to_lowercase(),
                mark.to_uppercase(),
                capitalized,
            ] {
                for text in [
                    format!("Acme, {spelling} 123 456 789"),
                    format!("Acme · {spelling} : 12345678"),
                    format!("Acme {spelling} HRB 1 Luxembourg"),
                ] {
                    let found = country_of_register(&text);
                    assert!(
                        found.is_none_or(|code| is_registered_in(code, &text)),
                        "{text}"
                    );
                }
                let numbered = format!("{spelling} 12345678");
                assert!(country_of_register(&numbered).is_some(), "{numbered}");
            }
        }
    }

    #[test]
    fn each_mark_is_that_of_one_country() {
        assert!(
            register_hosts()
                .iter()
                .is_sorted_by(|one, other| one < other)
        );
        let mut known = BTreeSet::new();
        for register in registers() {
            assert!(Country::of_code(register.country).is_some());
            assert!(register.marks.is_sorted_by(|one, other| one < other));
            assert!(register.marks.iter().all(|mark| known.insert(*mark)));
        }
        for vat in vat_labels() {
            assert!(Country::of_code(vat.country).is_some());
            assert!(vat.labels.is_sorted_by(|one, other| one < other));
            assert!(vat.cells.is_sorted_by(|one, other| one < other));
        }
        let mut labels = BTreeSet::new();
        assert!(numbered_registers().is_sorted_by(|one, other| one.name < other.name));
        for register in numbered_registers() {
            assert!(register.labels.is_sorted_by(|one, other| one < other));
            assert!(register.labels.iter().all(|label| labels.insert(*label)));
            assert!(register.has_digits(register.least) && !register.has_digits(register.most + 1));
        }
    }
}
