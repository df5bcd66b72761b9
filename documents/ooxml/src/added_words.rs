//! The few words that renderers add and no document brings along (`added_words.toml`).

use gtm_fixed_texts::FixedText;
use gtm_language_tag::{is_traditional_chinese, primary_language};

include!(concat!(env!("OUT_DIR"), "/added_words.rs"));

/// The words in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddedWords {
    /// Title of the table of contents.
    pub contents: &'static str,
    /// Stands in brackets behind the title of what goes on.
    pub continued: &'static str,
    pub figure: &'static str,
    pub table: &'static str,
    pub notes: &'static str,
    pub page: &'static str,
    /// Stands between the number of a page and how many there are.
    pub of: &'static str,
    /// Title of the list of sources.
    pub sources: &'static str,
}

/// The words in a language (BCP 47); in English where there are none.
#[must_use]
pub fn of(language: &str) -> AddedWords {
    let language = language_of_texts(language);
    let word = |text: &FixedText| text.in_language(language);
    AddedWords {
        contents: word(&CONTENTS),
        continued: word(&CONTINUED),
        figure: word(&FIGURE),
        table: word(&TABLE),
        notes: word(&NOTES),
        page: word(&PAGE),
        of: word(&OF),
        sources: word(&SOURCES),
    }
}

/// The tag under which texts stand: Chinese has two kinds of characters, and all of Norwegian is read in one form.
pub(crate) fn language_of_texts(tag: &str) -> &str {
    if is_traditional_chinese(tag) {
        return "zh-Hant";
    }
    let is_norwegian = ["nn", "no"]
        .iter()
        .any(|code| primary_language(tag).eq_ignore_ascii_case(code));
    if is_norwegian { "nb" } else { tag }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_its_words() {
        for (language, contents, sources) in [
            ("de-AT", "Inhalt", "Quellen"),
            ("NN", "Innhold", "Kilder"),
            ("zh-HK", "目錄", "來源"),
            ("zh-CN", "目录", "来源"),
            ("en-HK", "Contents", "Sources"),
            ("xh", "Contents", "Sources"),
        ] {
            let words = of(language);
            assert_eq!((words.contents, words.sources), (contents, sources));
        }
        assert_eq!((of("fr").page, of("fr").of), ("Page", "sur"));
    }

    #[test]
    fn no_word_is_empty() {
        for text in ALL {
            for language in text.languages() {
                assert!(!text.in_language(language).trim().is_empty(), "{language}");
            }
        }
    }
}
