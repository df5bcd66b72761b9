//! What the backend itself writes into a document, in the document's language (`labels.toml`).

use gtm_site_research::fixed_texts::FixedText;

include!(concat!(env!("OUT_DIR"), "/labels.rs"));

/// Whether the labels exist in a language.
#[must_use]
pub fn know(language: &str) -> bool {
    let primary = gtm_page_text::primary_language(language);
    AGENDA.languages().any(|known| known == primary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_brings_a_number_into_a_document() {
        assert!(ALL.len() > 30);
        for label in ALL {
            for language in label.languages() {
                let said = label.in_language(language);
                assert!(!said.contains(char::is_numeric), "{said}");
            }
        }
        assert_eq!(NEXT_STEPS.in_language("de-AT"), "Nächste Schritte");
        assert_eq!(NEXT_STEPS.in_language("fi"), "Next steps");
        assert!(know("ar") && !know("fi"));
    }
}
