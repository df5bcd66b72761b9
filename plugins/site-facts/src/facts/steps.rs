//! Steps in which a company works, which look like a list of what buyers get.

use gtm_lexicon::offer::PROCESS_HEADINGS;
use gtm_site_research::words;

use super::numbering::place_of;
use super::outline::Section;

/// Most words of a heading that announces steps.
const LONGEST_HEADING: usize = 8;

/// Whether the heading of a section, or the label above it, announces steps.
pub fn announces(section: &Section<'_>) -> bool {
    section.announced().any(|text| {
        let folded = words::fold(text);
        let words = words::split(&folded);
        words.len() <= LONGEST_HEADING && PROCESS_HEADINGS.any_in(&words)
    })
}

/// Whether what stands in a section is numbered from one on: `1. Survey`, `2. Fitting`.
pub fn are_numbered(section: &Section<'_>) -> bool {
    let places: Vec<u32> = section
        .body
        .iter()
        .filter_map(|passage| place_of(passage))
        .collect();
    places.windows(2).any(|pair| pair == [1, 2])
}
