//! Texts that a backend puts into a result or a search in the language of the result (`fixed_texts.toml`).

pub use gtm_fixed_texts::FixedText;

include!(concat!(env!("OUT_DIR"), "/fixed_texts.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_said_in_each_language_and_has_no_number() {
        assert!(ALL.len() > 10);
        let mut languages: Vec<&str> = ALL[0].languages().collect();
        languages.sort_unstable();
        assert_eq!(languages.join(" "), "de en es fr it ja nl pt");
        for text in ALL {
            let english = text.in_language("en");
            assert!(!english.is_empty());
            for language in text.languages() {
                let said = text.in_language(language);
                assert!(!said.is_empty(), "{english} in {language}");
                assert!(
                    !said.contains(|c: char| c.is_numeric()),
                    "a number in: {said}"
                );
                let ends = |text: &str| text.ends_with(['.', '。']);
                assert_eq!(ends(said), ends(english), "{said}");
                // Whole sentences are never alike in two languages.
                if english.contains(' ') && ends(english) && language != "en" {
                    assert_ne!(said, english, "{language}");
                }
            }
        }
    }

    #[test]
    fn a_language_without_texts_gets_english() {
        let said = |tag| SAID_IN_REQUEST.in_language(tag);
        assert_eq!(said("de-CH"), "Steht in den Produktangaben der Anfrage.");
        assert_eq!(said("fi"), "Said in the request's product information.");
        assert_eq!(said("und"), said("fi"));
    }

    #[test]
    fn places_are_filled_once() {
        assert_eq!(
            DIFFERENT_HEADCOUNTS.filled("de", &[("values", "{values}, 95")]),
            "Die Website nennt verschiedene Zahlen von Beschäftigten: {values}, 95."
        );
    }
}
