//! Texts that a backend puts into a result or a search in the language of the result (`fixed_texts.toml`).

use gtm_page_text::primary_language;

/// One text in several languages, English first.
#[derive(Debug, PartialEq, Eq)]
pub struct FixedText(&'static [(&'static str, &'static str)]);

include!(concat!(env!("OUT_DIR"), "/fixed_texts.rs"));

impl FixedText {
    /// A text by language, English first: for backends with fixed texts of their own.
    #[must_use]
    pub const fn new(texts: &'static [(&'static str, &'static str)]) -> Self {
        Self(texts)
    }

    /// The languages that have it.
    pub fn languages(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(language, _)| *language)
    }

    /// The text in the language of a BCP 47 tag; in English if it has none in that language.
    #[must_use]
    pub fn in_language(&self, tag: &str) -> &'static str {
        let wanted = primary_language(tag);
        let text = self.0.iter().find(|(language, _)| *language == wanted);
        text.or(self.0.first()).map_or("", |(_, text)| text)
    }

    /// The same with its places filled.
    #[must_use]
    pub fn filled(&self, tag: &str, places: &[(&str, &str)]) -> String {
        let mut rest = self.in_language(tag);
        let mut text = String::new();
        // A value is not searched for places: it may be words of a page.
        while let Some((before, behind)) = rest.split_once('{') {
            text.push_str(before);
            let Some((name, after)) = behind.split_once('}') else {
                break;
            };
            let value = places.iter().find(|(place, _)| *place == name);
            text.push_str(value.map_or("", |(_, value)| value));
            rest = after;
        }
        text.push_str(rest);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_said_in_each_language_and_has_no_number() {
        assert!(ALL.len() > 10);
        let mut languages: Vec<&str> = ALL[0].0.iter().map(|(language, _)| *language).collect();
        languages.sort_unstable();
        assert_eq!(languages.join(" "), "de en es fr it ja nl pt");
        for text in ALL {
            let english = text.in_language("en");
            assert!(!english.is_empty());
            for (language, said) in text.0 {
                assert!(!said.is_empty(), "{english} in {language}");
                assert!(
                    !said.contains(|c: char| c.is_numeric()),
                    "a number in: {said}"
                );
                let ends = |text: &str| text.ends_with(['.', '。']);
                assert_eq!(ends(said), ends(english), "{said}");
                // Whole sentences are never alike in two languages.
                if english.contains(' ') && ends(english) && *language != "en" {
                    assert_ne!(*said, english, "{language}");
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
