//! Public registers: marks that only companies of one country put on their pages.

use crate::Words;

/// A country's register.
#[derive(Debug)]
pub struct Register {
    /// The country's alpha-2 code.
    pub country: &'static str,
    /// The marks, as printed.
    pub marks: &'static [&'static str],
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
