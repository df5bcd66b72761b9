//! Texts that the product itself writes, by language.
//!
//! They are data, a TOML file for each purpose, and `gtm-fixed-texts-build` turns such a file into constants at build
//! time. The files lie with whoever writes the texts; here are only those that host and plug-ins both write.
#![forbid(unsafe_code)]

pub mod notices;

use gtm_language_tag::primary_language;

/// One text in several languages, English first.
#[derive(Debug, PartialEq, Eq)]
pub struct FixedText(&'static [(&'static str, &'static str)]);

impl FixedText {
    /// A text by language, English first.
    #[must_use]
    pub const fn new(texts: &'static [(&'static str, &'static str)]) -> Self {
        Self(texts)
    }

    /// The languages that have it.
    pub fn languages(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(language, _)| *language)
    }

    /// The text for a BCP 47 tag, with its language: the tag's own, else that of its primary language.
    fn known_for(&self, tag: &str) -> Option<(&'static str, &'static str)> {
        let of = |wanted: &str| {
            let mut texts = self.0.iter();
            texts.find(|(language, _)| language.eq_ignore_ascii_case(wanted))
        };
        of(tag).or_else(|| of(primary_language(tag))).copied()
    }

    /// The text in the language of a BCP 47 tag, if it has one in that language.
    #[must_use]
    pub fn known_in(&self, tag: &str) -> Option<&'static str> {
        self.known_for(tag).map(|(_, text)| text)
    }

    /// The text in the language of a BCP 47 tag; in English if it has none in that language.
    #[must_use]
    pub fn in_language(&self, tag: &str) -> &'static str {
        let english = || self.0.first().map_or("", |(_, text)| *text);
        self.known_in(tag).unwrap_or_else(english)
    }

    /// The language in which [`Self::in_language`] answers.
    #[must_use]
    pub fn language_for(&self, tag: &str) -> &'static str {
        self.known_for(tag).map_or("en", |(language, _)| language)
    }

    /// [`Self::in_language`] with its places filled.
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

    static GREETING: FixedText = FixedText::new(&[
        ("en", "Hello {name}"),
        ("de", "Hallo {name}"),
        ("en-GB", "Good day {name}"),
    ]);

    #[test]
    fn a_tag_has_its_own_text_or_that_of_its_language() {
        for (tag, text, language) in [
            ("de-CH", "Hallo {name}", "de"),
            ("DE", "Hallo {name}", "de"),
            ("en-gb", "Good day {name}", "en-GB"),
            ("en-US", "Hello {name}", "en"),
            ("fi", "Hello {name}", "en"),
            ("", "Hello {name}", "en"),
        ] {
            assert_eq!(GREETING.in_language(tag), text, "{tag}");
            assert_eq!(GREETING.language_for(tag), language, "{tag}");
        }
        assert_eq!(GREETING.known_in("de-CH"), Some("Hallo {name}"));
        assert_eq!(GREETING.known_in("fi"), None);
        assert_eq!(Vec::from_iter(GREETING.languages()), ["en", "de", "en-GB"]);
    }

    #[test]
    fn places_are_filled_once() {
        assert_eq!(
            GREETING.filled("de", &[("name", "{name}, 95")]),
            "Hallo {name}, 95"
        );
        assert_eq!(GREETING.filled("de", &[]), "Hallo ");
    }
}
