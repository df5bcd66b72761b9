//! Identifiers of companies: which of them a guideline may state. The check-digit rules come from
//! `gtm-site-signals`, which the backend uses too.

use gtm_lexicon::others::NUMBERS;
use gtm_lexicon::vat_labels;
use gtm_site_signals::identifiers;

use crate::verdict::stands_in;

pub use gtm_site_signals::identifiers::{compact as bare, lei as is_lei};

/// Whether a VAT number is possible: it starts with its country's two letters and, for countries whose rule
/// is known, has the right check digits. White space, dots and hyphens are ignored.
#[must_use]
pub fn is_vat(text: &str) -> bool {
    let number = bare(text);
    let Some((country, rest)) = number.split_at_checked(2) else {
        return false;
    };
    // The longest is a Swiss number followed by the name of the tax.
    if !country.bytes().all(|b| b.is_ascii_uppercase()) || !(2..=14).contains(&rest.len()) {
        return false;
    }
    // A number of a country whose rule is unknown must have at least some digits.
    let has_digits = || rest.bytes().filter(u8::is_ascii_digit).count() >= 5;
    identifiers::vat(&number).unwrap_or_else(has_digits)
}

/// Whether a number without its country is a VAT number under the rule of a country whose label the text
/// contains.
#[must_use]
pub fn is_vat_of(label: &str, number: &str) -> bool {
    let number = bare(number);
    vat_labels().iter().any(|vat| {
        vat.labels.iter().any(|known| stands_in(known, label))
            && identifiers::vat(&format!("{}{number}", vat.country)) == Some(true)
    })
}

/// Whether the words before a number say that it belongs to somebody else. If the number is not found in the
/// text as written (it may be grouped differently), the whole text decides.
#[must_use]
pub fn is_of_another(text: &str, number: &str) -> bool {
    let before = text.find(number).map_or(text, |at| &text[..at]);
    NUMBERS.iter().any(|words| stands_in(words, before))
        // For example, `a Globex company (NYSE: GLX)`.
        || stands_in("company (", before) && before.trim_end().ends_with("company (")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_without_their_country_have_its_label() {
        assert!(is_vat_of("CIF: B50917467", "B50917467"));
        assert!(is_vat_of("P. IVA 00743110157", "00743110157"));
        assert!(is_vat_of("NIPC 501 964 843", "501 964 843"));
        assert!(!is_vat_of("CIF: B50917468", "B50917468"));
        assert!(!is_vat_of("Pedido B50917467", "B50917467"));
        assert!(!is_vat_of("CIF 00743110157", "00743110157"));
    }

    #[test]
    fn numbers_of_hosts_and_parents() {
        for (text, number) in [
            (
                "Hébergement : Globex SAS, RCS Lille 424 761 419",
                "RCS Lille 424 761 419",
            ),
            (
                "alojado en servidores de Globex, S.A., con CIF A28015865",
                "A28015865",
            ),
            ("Hosted by Globex Ltd, company number 07654321", "07654321"),
            (
                "Acme is a wholly owned subsidiary of Globex (NYSE: GLX).",
                "NYSE: GLX",
            ),
            ("Acme, a Globex company (NYSE: GLX)", "NYSE: GLX"),
        ] {
            assert!(is_of_another(text, number), "{text}");
        }
        for (text, number) in [
            (
                "Acme SAS, RCS Lyon 404 833 048. Hébergeur : Globex",
                "RCS Lyon 404 833 048",
            ),
            ("Acme, Inc. (NASDAQ: ACM)", "NASDAQ: ACM"),
            ("Acme Hosting Ltd, company number 09123456", "09123456"),
            ("DE136695976, HRB 12345.", "HRB 12345"),
        ] {
            assert!(!is_of_another(text, number), "{text}");
        }
    }

    #[test]
    fn check_digits() {
        // Computed from each rule by hand, or published by the authority as an example.
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
