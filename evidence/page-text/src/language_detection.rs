//! Detects the language of a text that declares none.

use whatlang::Lang;

/// Fewest characters from which a language can be told.
const MIN_CHARS: usize = 200;
/// Most characters that are read.
const MAX_CHARS: usize = 6000;

/// The BCP 47 tag of the language in which the texts, taken together, are written. `None` if they are short
/// or the language is in doubt.
#[must_use]
pub fn detect_language<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<&'static str> {
    let mut sample = String::new();
    for text in texts {
        sample.extend(text.chars().take(MAX_CHARS));
        sample.push('\n');
        if sample.len() >= MAX_CHARS {
            break;
        }
    }
    let end = sample.char_indices().nth(MAX_CHARS);
    sample.truncate(end.map_or(sample.len(), |(end, _)| end));
    if sample.chars().count() < MIN_CHARS {
        return None;
    }
    let found = whatlang::detect(&sample)?;
    found.is_reliable().then(|| tag(found.lang()))
}

/// BCP 47 requires the two-letter code if there is one.
fn tag(language: Lang) -> &'static str {
    match language {
        Lang::Afr => "af",
        Lang::Aka => "ak",
        Lang::Amh => "am",
        Lang::Ara => "ar",
        Lang::Aze => "az",
        Lang::Bel => "be",
        Lang::Ben => "bn",
        Lang::Bul => "bg",
        Lang::Cat => "ca",
        Lang::Ces => "cs",
        Lang::Cmn => "zh",
        Lang::Cym => "cy",
        Lang::Dan => "da",
        Lang::Deu => "de",
        Lang::Ell => "el",
        Lang::Eng => "en",
        Lang::Epo => "eo",
        Lang::Est => "et",
        Lang::Fin => "fi",
        Lang::Fra => "fr",
        Lang::Guj => "gu",
        Lang::Heb => "he",
        Lang::Hin => "hi",
        Lang::Hrv => "hr",
        Lang::Hun => "hu",
        Lang::Hye => "hy",
        Lang::Ind => "id",
        Lang::Ita => "it",
        Lang::Jav => "jv",
        Lang::Jpn => "ja",
        Lang::Kan => "kn",
        Lang::Kat => "ka",
        Lang::Khm => "km",
        Lang::Kor => "ko",
        Lang::Lat => "la",
        Lang::Lav => "lv",
        Lang::Lit => "lt",
        Lang::Mal => "ml",
        Lang::Mar => "mr",
        Lang::Mkd => "mk",
        Lang::Mya => "my",
        Lang::Nep => "ne",
        Lang::Nld => "nl",
        Lang::Nob => "nb",
        Lang::Ori => "or",
        Lang::Pan => "pa",
        Lang::Pes => "fa",
        Lang::Pol => "pl",
        Lang::Por => "pt",
        Lang::Ron => "ro",
        Lang::Rus => "ru",
        Lang::Sin => "si",
        Lang::Slk => "sk",
        Lang::Slv => "sl",
        Lang::Sna => "sn",
        Lang::Spa => "es",
        Lang::Srp => "sr",
        Lang::Swe => "sv",
        Lang::Tam => "ta",
        Lang::Tel => "te",
        Lang::Tgl => "tl",
        Lang::Tha => "th",
        Lang::Tuk => "tk",
        Lang::Tur => "tr",
        Lang::Ukr => "uk",
        Lang::Urd => "ur",
        Lang::Uzb => "uz",
        Lang::Vie => "vi",
        Lang::Yid => "yi",
        Lang::Zul => "zu",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const GERMAN: &str =
        "Wir bauen Zähler für Wohnhäuser und rechnen den Verbrauch für Vermieter ab.";

    #[test]
    fn sure_languages_are_detected() {
        for (text, expected) in [
            (GERMAN, "de"),
            (
                "We build the tools that keep the cold chain cold for our customers and for you.",
                "en",
            ),
            (
                "Nous fabriquons des compteurs pour les immeubles et nous calculons la consommation.",
                "fr",
            ),
            (
                "当社は住宅用のメーターを製造し、家主のために消費量を計算しています。",
                "ja",
            ),
        ] {
            assert_eq!(detect_language([text; 8]), Some(expected), "{text}");
        }
    }

    #[test]
    fn short_texts_count_together() {
        assert_eq!(detect_language([GERMAN]), None);
        assert_eq!(detect_language([GERMAN; 3]), Some("de"));
        assert_eq!(detect_language(["Kühlkette"]), None);
        assert_eq!(detect_language([]), None);
    }

    #[test]
    fn what_comes_late_is_not_looked_at() {
        let german = GERMAN.repeat(100);
        let english = "We keep the cold chain cold for our customers. ".repeat(1000);
        assert_eq!(
            detect_language([german.as_str(), english.as_str()]),
            Some("de")
        );
        assert_eq!(
            detect_language([format!("{german}{english}").as_str()]),
            Some("de")
        );
    }

    #[test]
    fn every_language_has_a_two_letter_tag_of_its_own() {
        let tags: BTreeSet<&str> = Lang::all().iter().map(|known| tag(*known)).collect();
        assert_eq!(tags.len(), Lang::all().len());
        for tag in tags {
            assert_eq!(tag.len(), 2, "{tag}");
            assert_eq!(crate::canonical_tag(tag).as_deref(), Some(tag));
        }
    }
}
