//! What a brief that was read shows: how much it says, and whether its figures agree.

use gtm_document_model::block::Block;
use gtm_document_model::plain_text;

use super::totals::{self, Contradiction};
use super::{Brief, texts_of, words_of};

impl Brief {
    /// Totals of its tables that are not the sums of their rows.
    #[must_use]
    pub fn contradictions(&self) -> Vec<Contradiction> {
        let blocks = self.chapters.iter().flat_map(|chapter| &chapter.blocks);
        let tables = blocks.filter_map(|block| match block {
            Block::Table(table) => Some(totals::contradictions(table)),
            _ => None,
        });
        tables.flatten().collect()
    }

    /// Whether it has something that can be shown.
    #[must_use]
    pub fn has_content(&self) -> bool {
        self.chapters
            .iter()
            .any(|chapter| !chapter.blocks.is_empty())
    }

    /// Whether it is written slide by slide.
    #[must_use]
    pub fn has_slides(&self) -> bool {
        self.slides
    }

    /// How many words its content has.
    #[must_use]
    pub fn words(&self) -> usize {
        let texts = self
            .chapters
            .iter()
            .map(|chapter| words_of(&chapter.blocks));
        texts.sum()
    }

    /// The text of its content, a line for each text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines: Vec<String> = self.title.iter().cloned().collect();
        for chapter in &self.chapters {
            lines.extend(chapter.heading.clone());
            lines.extend(texts_of(&chapter.blocks));
            lines.push(plain_text(&chapter.notes));
        }
        lines.join("\n")
    }
}
