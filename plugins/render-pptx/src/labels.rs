//! The few words that no document brings along, in its language.

use gtm_ooxml::added_words;

/// Words of a slide that the renderer adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labels {
    pub agenda: &'static str,
    pub sources: &'static str,
}

/// The words in a language (BCP 47); in English where there are none.
pub fn of(language: &str) -> Labels {
    let words = added_words::of(language);
    Labels {
        agenda: words.contents,
        sources: words.sources,
    }
}
