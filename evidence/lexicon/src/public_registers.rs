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
    }
}
