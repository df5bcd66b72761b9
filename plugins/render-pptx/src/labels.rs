//! The few words that no document brings along, in its language.

use gtm_ooxml::added_headings::contents_and_sources;

/// Words of a slide that the renderer adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labels {
    pub agenda: &'static str,
    pub sources: &'static str,
}

/// The words in a language (BCP 47); in English where there are none.
pub fn of(language: &str) -> Labels {
    let (agenda, sources) = contents_and_sources(language);
    Labels { agenda, sources }
}
