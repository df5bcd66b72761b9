//! Sections of a text that is read: each chapter is one.

use gtm_document_model::block::{Block, Lead};
use gtm_document_model::bounds;
use gtm_document_model::document::{Layout, Section};
use gtm_document_model::plain_text;

use gtm_lexicon::documents::BENEFITS;
use gtm_lexicon::{fold, split};

use super::section;
use super::titles::statement;
use crate::chapter::{Chapter, Role};
use crate::labels::CONTINUED;
use crate::runs::{part_of, sentences_of, trimmed};

/// Longest paragraph that may lead, in characters.
const LONGEST_LEAD: usize = 320;

/// The sections of the chapters.
#[must_use]
pub fn sections(chapters: Vec<Chapter>, language: &str) -> Vec<Section> {
    let mut found = Vec::new();
    for (index, chapter) in chapters.into_iter().enumerate() {
        let layout = match (chapter.role, chapter.blocks.as_slice()) {
            (Role::NextSteps, _) => Layout::Closing,
            (Role::LetterHead, _) => Layout::Letter,
            (_, [Block::Kpis(_)]) => Layout::Figures,
            (_, [Block::Comparison(_)]) => Layout::Comparison,
            _ => Layout::Content,
        };
        let mut blocks = chapter.blocks;
        let mut title = chapter.heading.clone();
        if let Some(stated) = benefit(&title, &mut blocks, language) {
            title = stated;
        }
        if index == 0 && !matches!(chapter.role, Role::LetterHead | Role::Letter) {
            lead_with_first(&mut blocks);
        }
        // A section holds so many blocks; what is more goes on in the next.
        let mut rest = blocks.into_iter().peekable();
        let heading = title.clone();
        let mut notes = chapter.notes;
        // The day and the subject stand at a letter's head, be there nothing else.
        if layout == Layout::Letter && rest.peek().is_none() {
            found.push(section(&title, layout, Vec::new(), Vec::new()));
        }
        while rest.peek().is_some() {
            let part: Vec<Block> = rest.by_ref().take(bounds::BLOCKS).collect();
            found.push(section(&title, layout, part, std::mem::take(&mut notes)));
            title = CONTINUED.filled(language, &[("title", &heading)]);
        }
    }
    found
}

/// The sentence that states the benefit, for the title of a chapter that is only called so: `Benefits`. It is taken from the
/// text, if that says more.
fn benefit(heading: &str, blocks: &mut [Block], language: &str) -> Option<String> {
    let folded = fold(heading);
    let Some(Block::Paragraph(paragraph)) = blocks.first_mut() else {
        return None;
    };
    if !BENEFITS.are(&split(&folded)) {
        return None;
    }
    let text = plain_text(&paragraph.runs);
    let places = sentences_of(&text, language);
    let [first, _, ..] = places.as_slice() else {
        return None;
    };
    let title = statement(&paragraph.runs, &text, first.clone())?;
    let rest = first.end..text.len();
    paragraph.runs = trimmed(part_of(&paragraph.runs, &[rest]));
    Some(title)
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
