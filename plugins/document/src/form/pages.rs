//! Sections of a text that is read: each chapter is one.

use gtm_document_model::block::{Block, Lead};
use gtm_document_model::bounds;
use gtm_document_model::document::{Layout, Section};
use gtm_document_model::plain_text;

use super::section;
use crate::chapter::{Chapter, Role};
use crate::labels::CONTINUED;

/// Longest paragraph that may lead, in characters.
const LONGEST_LEAD: usize = 320;

/// The sections of the chapters.
#[must_use]
pub fn sections(chapters: Vec<Chapter>, language: &str) -> Vec<Section> {
    let mut found = Vec::new();
    for (index, chapter) in chapters.into_iter().enumerate() {
        let layout = match (chapter.role, chapter.blocks.as_slice()) {
            (Role::NextSteps, _) => Layout::Closing,
            (_, [Block::Kpis(_)]) => Layout::Figures,
            (_, [Block::Comparison(_)]) => Layout::Comparison,
            _ => Layout::Content,
        };
        let mut blocks = chapter.blocks;
        if index == 0 {
            lead_with_first(&mut blocks);
        }
        // A section holds so many blocks; what is more goes on in the next.
        let mut rest = blocks.into_iter().peekable();
        let mut title = chapter.heading.clone();
        let mut notes = chapter.notes;
        while rest.peek().is_some() {
            let part: Vec<Block> = rest.by_ref().take(bounds::BLOCKS).collect();
            found.push(section(&title, layout, part, std::mem::take(&mut notes)));
            title = CONTINUED.filled(language, &[("title", &chapter.heading)]);
        }
    }
    found
}

/// Makes a lead of the paragraph with which a document begins.
fn lead_with_first(blocks: &mut [Block]) {
    if let Some(first) = blocks.first_mut()
        && let Block::Paragraph(paragraph) = first
        && plain_text(&paragraph.runs).chars().count() <= LONGEST_LEAD
    {
        let runs = std::mem::take(&mut paragraph.runs);
        *first = Block::Lead(Lead { runs });
    }
}
