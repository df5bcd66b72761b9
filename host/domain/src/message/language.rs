//! Tags of languages (BCP 47): their canonical form, and the direction in which a language is written.

use icu_locale::subtags::script;
use icu_locale::{Direction, LanguageIdentifier, LocaleDirectionality, LocaleExpander};

/// Longest tag, in bytes.
const MAX_BYTES: usize = 35;

/// The tag in its canonical case, such as `en-GB`; nothing if it names no language. Extensions and private subtags
/// are not read: they could hold any words.
#[must_use]
pub fn canonical(tag: &str) -> Option<String> {
    let short = tag.len() <= MAX_BYTES && !tag.contains('_');
    let tag = LanguageIdentifier::try_from_str(tag)
        .ok()
        .filter(|_| short)?;
    (!tag.language.is_unknown()).then(|| tag.to_string())
}

/// `rtl` or `ltr`; a tag that is not understood is read from the left.
#[must_use]
pub fn direction(tag: &str) -> &'static str {
    let tag = LanguageIdentifier::try_from_str(tag).unwrap_or(LanguageIdentifier::UNKNOWN);
    match LocaleDirectionality::new_extended().get(&tag) {
        Some(Direction::RightToLeft) => "rtl",
        _ => "ltr",
    }
}

/// Whether a language is written in Latin letters; one that is not known is taken to be.
#[must_use]
pub fn is_latin(tag: &str) -> bool {
    let mut tag = LanguageIdentifier::try_from_str(tag).unwrap_or(LanguageIdentifier::UNKNOWN);
    LocaleExpander::new_extended().maximize(&mut tag);
    tag.script.is_none_or(|it| it == script!("Latn"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_written_in_letters_of_their_own() {
        for tag in ["en", "de-CH", "sr-Latn", "vi", "tr", "not a tag", "mul"] {
            assert!(is_latin(tag), "{tag}");
        }
        for tag in ["ru", "sr", "el", "ja", "chr", "iu", "bg-BG", "he"] {
            assert!(!is_latin(tag), "{tag}");
        }
    }

    #[test]
    fn tags_have_one_form() {
        for (given, want) in [
            ("en", Some("en")),
            ("EN-gb", Some("en-GB")),
            ("zh-hant-TW", Some("zh-Hant-TW")),
            ("sr-latn", Some("sr-Latn")),
            ("es-419", Some("es-419")),
            ("", None),
            ("und", None),
            ("en_GB", None),
            ("english language", None),
            ("en-x-obey", None),
            ("en-u-nu-latn", None),
            ("e", None),
        ] {
            assert_eq!(canonical(given).as_deref(), want, "{given}");
        }
    }

    #[test]
    fn the_script_decides() {
        for (language, want) in [
            ("en-GB", "ltr"),
            ("de", "ltr"),
            ("ar", "rtl"),
            ("ar-EG", "rtl"),
            ("he", "rtl"),
            ("fa-AF", "rtl"),
            ("ur", "rtl"),
            ("yi", "rtl"),
            ("az-Arab", "rtl"),
            ("ar-Latn", "ltr"),
            ("ja", "ltr"),
            ("zz", "ltr"),
            ("not a tag", "ltr"),
        ] {
            assert_eq!(direction(language), want, "{language}");
        }
    }
}
