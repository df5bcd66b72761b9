//! Certificates: a named standard, or a statement that the company is certified.

use gtm_lexicon::offer::ALONE;
use gtm_lexicon::proofs::{
    CERTIFIED, CERTIFIED_BY, NATIONAL_STANDARDS, NUMBERED_STANDARDS, PRODUCT_LABELS, STANDARDS,
};
use gtm_site_research::words;

use super::speaker::says_what_it_is;
use crate::site::Site;

/// Most words of a line that names a label and tells nothing else.
const LEAST_TOLD: usize = 2;

/// Whether a text names a certificate that the company has. Headings such as `Certifications` and sentences
/// that merely mention certification don't count.
pub fn is_certificate(text: &str, is_heading: bool, site: &Site) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    !text.ends_with('?')
        && (names_standard(&words)
            || !is_heading && says_certified(&words, says_what_it_is(text, site)))
}

/// Whether the words name a known standard; `ISO` counts only with its number.
fn names_standard(words: &[&str]) -> bool {
    let is_number = |word: &&&str| word.len() >= 4 && word.chars().all(|c| c.is_ascii_digit());
    let iso = words
        .iter()
        .position(|word| NUMBERED_STANDARDS.contains(word))
        .is_some_and(|at| {
            let behind = words.get(at + 1..).unwrap_or_default();
            behind.iter().take(3).any(|word| is_number(&word))
        });
    // `EN 1090`, `DIN EN 9100`: these count only next to a word such as `certified`.
    let european = words.windows(2).any(|pair| match pair {
        [mark, number] => NATIONAL_STANDARDS.contains(mark) && is_number(&number),
        _ => false,
    });
    let labelled = words.iter().any(|word| PRODUCT_LABELS.contains(word));
    let certified = || CERTIFIED.any_in(words);
    iso || STANDARDS.any_in(words)
        || european && certified()
        || labelled && (words.len() <= LEAST_TOLD || certified())
}

/// Whether the company says that it is certified, or an item says who certified it.
fn says_certified(words: &[&str], speaks: bool) -> bool {
    let mut places = CERTIFIED.places(words).peekable();
    // What sets the company apart from others is no certificate.
    if places.peek().is_none() || ALONE.any_in(words) {
        return false;
    }
    // What comes late in a long sentence is certified, not the company: products, a service.
    let first = places.peek().map_or(0, |(at, _)| *at);
    let by = places.any(|(at, _)| {
        let behind = words.get(at + 1..).unwrap_or_default();
        behind
            .iter()
            .take(3)
            .any(|word| CERTIFIED_BY.contains(word))
    });
    words.len() >= 3 && (first <= 3 || words.len() <= 12) && (speaks && words.len() >= 4 || by)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_have_a_standard_or_say_so() {
        let is = |text: &str, speaks: bool| {
            let folded = words::fold(text);
            let words = words::split(&folded);
            names_standard(&words) || says_certified(&words, speaks)
        };
        for text in [
            "ISO 9001:2015",
            "ISO/IEC 27001",
            "Certified B Corp",
            "Certified organic by the Soil Association",
            "Zertifiziert nach DIN EN 1090",
            "Certifié Ecocert",
            "FSC-zertifiziert (FSC C123456)",
            "Licensed by Elmham District Council",
            "PEFC",
        ] {
            assert!(is(text, false), "{text}");
        }
        for text in [
            "We are an authorised economic operator.",
            "Wir sind seit 2014 als Fachbetrieb zertifiziert.",
            "Every one of our fitters is fully licensed.",
            "Siamo un’impresa abilitata per gli impianti a gas.",
            "Wir sind von der Stadt konzessioniert und versichert.",
            "Nous sommes agréés et notre atelier est labellisé depuis 2015.",
            "Onze werkplaats is gecertificeerd voor gas en warmte.",
        ] {
            assert!(is(text, true), "{text}");
        }
        for text in [
            "Certifications",
            "Our certificates",
            "Zertifizierungen",
            "Certificaciones",
            "Isolated pipes",
            "We cut stairs from PEFC oak and local ash.",
            "Licensed software for stairs",
            "We read meters.",
            "Le registre est prêt pour les visites de certification.",
            "We prepare you for every certification audit.",
            "All products that we use for cleaning come from known makers and are certified and approved by the authorities.",
            "We sell new and used lifting trucks, rent them by the day, and offer certified service and parts.",
            "Download the certificate of conformity.",
            "Unlike others, our fitters are certified and insured.",
            "Wir sind anders als andere, weil jeder von uns zertifiziert ist.",
        ] {
            assert!(!is(text, true), "{text}");
        }
        assert!(!is("Certified technicians repair it", false));
    }
}
