//! A deck's list of contents: every chapter, in two columns where one would be too long, and on further slides where two are.

use gtm_document_model::block::{Block, Column, Columns};
use gtm_document_model::document::{DocumentType, Layout, Section};
use gtm_document_model::text::Run;

use super::section;
use crate::chapter::bullets;
use crate::kind::Kind;
use crate::labels;
use crate::runs::excerpt;

/// Fewest chapters for an agenda, and most entries of a column.
const LEAST: usize = 4;
const MOST_ENTRIES: usize = 8;
/// Longest entry of one column and of one of two, in characters.
const LONGEST: usize = 80;
const LONGEST_OF_TWO: usize = 44;

/// The slides of the agenda; none where the deck is too short to need one. Texts have a table of contents, which renderers
/// make.
#[must_use]
pub fn slides(headings: &[String], kind: &Kind, language: &str) -> Vec<Section> {
    if !kind.has_slides() || kind.document_type == DocumentType::OnePager || headings.len() < LEAST
    {
        return Vec::new();
    }
    let label = labels::AGENDA.in_language(language);
    let pages = headings.len().div_ceil(2 * MOST_ENTRIES);
    let most = headings.len().div_ceil(pages).max(MOST_ENTRIES);
    let pages = headings.chunks(most).enumerate();
    pages
        .map(|(page, headings)| {
            let title = match page {
                0 => label.to_owned(),
                _ => labels::CONTINUED.filled(language, &[("title", label)]),
            };
            let blocks = listed(headings, language);
            section(&title, Layout::Agenda, blocks, Vec::new())
        })
        .collect()
}

fn listed(headings: &[String], language: &str) -> Vec<Block> {
    let entries = |headings: &[String], longest: usize| {
        let entry = |heading: &String| vec![Run::plain(excerpt(heading, longest, language))];
        bullets(headings.iter().map(entry).collect())
    };
    if headings.len() <= MOST_ENTRIES {
        return entries(headings, LONGEST).into_iter().collect();
    }
    let columns = headings.chunks(headings.len().div_ceil(2));
    let columns = columns.filter_map(|headings| {
        let blocks: Vec<Block> = entries(headings, LONGEST_OF_TWO).into_iter().collect();
        (!blocks.is_empty()).then_some(Column { blocks })
    });
    vec![Block::Columns(Columns {
        columns: columns.collect(),
    })]
}
