//! Tiles with each name in two scripts, one above the other: `精密切削加工`, `MACHINING`.

use gtm_lexicon::numbers::is_unspaced;
use gtm_site_research::evidence::Passage;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::{Item, Section};

/// Fewest tiles.
const LEAST: usize = 3;
/// Most signs of a name without blanks, and most words of its rendering.
const LONGEST_NAME: usize = 20;
const LONGEST_RENDERING: usize = 5;

impl<'a> Section<'a> {
    /// The names in the script without blanks, if nothing but such tiles stands under the heading.
    pub fn tiles_in_two_scripts(&self) -> Vec<Item<'a>> {
        let is_plain = |passage: &&Passage| {
            matches!(
                passage.kind,
                BlockKind::Paragraph | BlockKind::Other | BlockKind::ListItem
            )
        };
        let is_name = |passage: &Passage| {
            let text = passage.text.trim();
            text.chars().count() <= LONGEST_NAME
                && text.starts_with(is_unspaced)
                && !text.ends_with(['。', '！', '？', '、'])
        };
        let is_rendering = |passage: &Passage| {
            passage.text.is_ascii()
                && passage.text.contains(|c: char| c.is_ascii_alphabetic())
                && words::count(&passage.text) <= LONGEST_RENDERING
        };
        let (pairs, rest) = self.body.as_chunks::<2>();
        let fits = rest.is_empty()
            && pairs.len() >= LEAST
            && self.body.iter().all(is_plain)
            && (pairs
                .iter()
                .all(|[one, other]| is_name(one) && is_rendering(other))
                || pairs
                    .iter()
                    .all(|[one, other]| is_rendering(one) && is_name(other)));
        if !fits {
            return Vec::new();
        }
        let names = self.body.iter().filter(|passage| is_name(passage));
        names
            .map(|passage| Item {
                name_passage: passage,
                name: &passage.text,
                text_passage: None,
                text: None,
            })
            .collect()
    }
}
