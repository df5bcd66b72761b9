//! Identifiers of companies: which of them a guideline may state. The check digits are those of
//! `gtm-site-signals`, where the backend has them from too.

use gtm_site_signals::identifiers;

pub use gtm_site_signals::identifiers::{compact as bare, lei as is_lei};

/// Whether a VAT number is possible: two letters of its country and, for countries whose rule is
/// known, right check digits. White space, dots and hyphens are no part of it.
#[must_use]
pub fn is_vat(text: &str) -> bool {
    let number = bare(text);
    let Some((country, rest)) = number.split_at_checked(2) else {
        return false;
    };
    // The longest is a Swiss one with its tax behind it.
    if !country.bytes().all(|b| b.is_ascii_uppercase()) || !(2..=14).contains(&rest.len()) {
        return false;
    }
    // A number of a country whose rule isn't known has at least some digits.
    let has_digits = || rest.bytes().filter(u8::is_ascii_digit).count() >= 5;
    identifiers::vat(&number).unwrap_or_else(has_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits() {
        // Made from each rule by hand, or published by the authority as its example.
        for good in [
            "DE136695976",
            "DE 136 695 976",
            "ATU13585627",
            "BE0428759497",
            "NL004495445B01",
            "FR40303265045",
            "GB980780684",
            "IT00743110157",
            "LU15027442",
            "DK13585628",
            "FI20774740",
            "SE123456789701",
            "PL8567346215",
            "PT501964843",
            "EL094259216",
            "CHE-109.322.551 MWST",
            "NO 974760673 MVA",
        ] {
            assert!(is_vat(good), "{good}");
        }
        for bad in [
            "DE136695977",
            "DE12345",
            "ATU13585626",
            "BE0428759498",
            "FR41303265045",
            "GB980780685",
            "IT00743110158",
            "LU15027443",
            "DK13585629",
            "PL8567346216",
            "PT501964844",
            "EL094259217",
            "CHE-109.322.552 MWST",
            "136695976",
            "",
            "D",
            "ÄÖ123456789",
        ] {
            assert!(!is_vat(bad), "{bad}");
        }
        assert!(is_lei("5493001KJTIIGC8Y1R12"));
        assert!(!is_lei("5493001KJTIIGC8Y1R13"));
        assert!(!is_lei("5493001KJTIIGC8Y1R1"));
    }
}
