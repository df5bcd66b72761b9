//! How chapters become the sections of a document, or the slides of a deck.

pub mod agenda;
pub mod fit;
pub mod frame;
mod letter;
pub mod merged;
pub mod pages;
pub mod readers;
pub mod slides;
mod titles;

use gtm_document_model::block::Block;
use gtm_document_model::document::{Layout, Section};
use gtm_document_model::text::Run;

use crate::runs::cut;

/// Longest title of a section, in characters.
pub const LONGEST_TITLE: usize = 200;

/// A section without an id yet.
#[must_use]
pub fn section(title: &str, layout: Layout, blocks: Vec<Block>, notes: Vec<Run>) -> Section {
    Section {
        id: String::new(),
        title: cut(&crate::brief::one_line(title), LONGEST_TITLE),
        layout: Some(layout),
        notes,
        blocks,
    }
}
