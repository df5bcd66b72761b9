//! Paper and letters as a language's countries have them.

use gtm_language_tag::{primary_language, region_subtag};

/// Countries that print on Letter.
#[must_use]
pub fn uses_letter(language: &str) -> bool {
    // A region of three digits is a part of the world: `es-419`.
    let country = region_subtag(language).filter(|region| region.len() == 2);
    match country {
        Some(country) => matches!(
            country.to_ascii_uppercase().as_str(),
            "US" | "CA" | "MX" | "PH" | "CO" | "CL"
        ),
        None => primary_language(language).eq_ignore_ascii_case("en"),
    }
}

/// Whether a letter's subject stands in the middle of its line.
#[must_use]
pub fn centers_subjects(language: &str) -> bool {
    primary_language(language).eq_ignore_ascii_case("ja")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_its_paper() {
        assert!(uses_letter("en-US") && !uses_letter("en-GB") && !uses_letter("de"));
        assert!(centers_subjects("ja-JP") && !centers_subjects("en"));
        assert!(uses_letter("en") && uses_letter("fr-ca") && !uses_letter("es-419"));
    }
}
