//! Milestones in the language of their document (`milestones.json`), in English where there are none in it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gtm_page_text::primary_language;

/// A text by language.
type Text = BTreeMap<String, String>;

/// The language in which every text is there.
const ENGLISH: &str = "en";

static TEXTS: LazyLock<BTreeMap<String, Text>> =
    LazyLock::new(|| serde_json::from_str(include_str!("milestones.json")).unwrap_or_default());

/// The text of a name in a language, with its places filled. `None` if no text has this name.
pub(super) fn said(name: &str, language: &str, places: &[(&str, &str)]) -> Option<String> {
    let text = TEXTS.get(name)?;
    let in_language = text.get(primary_language(language));
    let mut rest = in_language.or_else(|| text.get(ENGLISH))?.as_str();
    let mut filled = String::new();
    // A value is not searched for places: it may be a renderer's words.
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let (place, after) = behind.split_once('}')?;
        let value = places.iter().find(|(known, _)| *known == place);
        filled.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    filled.push_str(rest);
    Some(filled)
}

/// Whether a document in this language is told of in English.
pub(super) fn is_told_in_english(language: &str) -> bool {
    let primary = primary_language(language);
    primary == ENGLISH || !TEXTS.values().any(|text| text.contains_key(primary))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn each_text_is_said_in_each_language_with_the_places_of_the_english_one() {
        let texts: BTreeMap<String, Text> =
            serde_json::from_str(include_str!("milestones.json")).unwrap();
        assert!(texts.len() > 15);
        for (name, text) in &texts {
            let languages: Vec<&str> = text.keys().map(String::as_str).collect();
            assert_eq!(languages.join(" "), "de en es fr it ja nl pt", "{name}");
            let places = |said: &str| -> Vec<String> {
                let parts = said.split('{').skip(1);
                let mut names: Vec<String> = parts
                    .map(|part| part.split_once('}').unwrap().0.to_owned())
                    // Only the English texts name what a colour is for.
                    .filter(|name| !matches!(name.as_str(), "role" | "ground"))
                    .collect();
                names.sort_unstable();
                names
            };
            let wanted = places(&text["en"]);
            for (language, said) in text {
                assert_eq!(places(said), wanted, "{name} in {language}");
                assert!(said.chars().count() < 180, "{said}");
            }
        }
    }

    #[test]
    fn places_are_filled_once_and_an_unknown_language_is_told_in_english() {
        let places = [("kind", "PDF"), ("count", "{kind}")];
        assert_eq!(
            said("made_pages", "de-AT", &places).as_deref(),
            Some("PDF ist fertig: {kind} Seiten.")
        );
        assert_eq!(
            said("made", "fi", &places).as_deref(),
            Some("The PDF is made.")
        );
        assert!(is_told_in_english("en-GB") && is_told_in_english("fi"));
        assert!(!is_told_in_english("ja"));
        assert_eq!(said("unknown", "en", &places), None);
    }
}
