//! Public registers: marks that only one country's companies put on their pages.

use crate::Words;

/// The register of a country.
#[derive(Debug)]
pub struct Register {
    /// Its alpha-2 code.
    pub country: &'static str,
    /// The marks, as they are printed.
    pub marks: &'static [&'static str],
}

/// How the companies of a country label a VAT number that they write without the country.
#[derive(Debug)]
pub struct VatLabels {
    /// Its alpha-2 code.
    pub country: &'static str,
    /// Labels right before the number, as they are printed.
    pub labels: &'static [&'static str],
    /// Labels that have a cell of a table or a line of their own besides those, in folded words.
    pub cells: &'static [&'static str],
}

/// All registers. Of several countries whose marks a line has, the first is meant.
#[must_use]
pub fn registers() -> &'static [Register] {
    crate::REGISTERS
}

/// Hosts of official registers.
#[must_use]
pub fn register_hosts() -> Words {
    crate::REGISTER_HOSTS
}

/// The countries whose companies write their VAT number without the country.
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
