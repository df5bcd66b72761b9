//! A chapter: what stands under one heading, before it is laid out as a section or as slides.

use gtm_document_model::block::{Block, Bullets, Item, Lead, Paragraph};
use gtm_document_model::text::Run;
use gtm_document_model::{Table, plain_text};
use gtm_writing::wording;

use crate::runs::{part_of, sentences_of, trimmed};

/// What a chapter is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    #[default]
    Content,
    /// What opens the document and has no heading but its title: a salutation, or what stands above the brief's own summary.
    Opening,
    /// What is known about the company that the document is for.
    Target,
    Offer,
    Price,
    AboutUs,
    /// What to do next; it closes the document.
    NextSteps,
    /// Who reads a letter and who writes it, above its salutation.
    LetterHead,
    /// A letter: nothing is added to it.
    Letter,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chapter {
    pub heading: String,
    pub blocks: Vec<Block>,
    pub notes: Vec<Run>,
    pub role: Role,
    /// Set if nobody asked for it: where there is no room, the highest goes first.
    pub unasked: Option<u8>,
}

impl Chapter {
    /// A chapter with these blocks; none without any.
    #[must_use]
    pub fn of(heading: String, role: Role, blocks: Vec<Block>) -> Option<Self> {
        (!blocks.is_empty()).then_some(Self {
            heading,
            blocks,
            notes: Vec::new(),
            role,
            unasked: None,
        })
    }
}

/// A lead of one text.
#[must_use]
pub fn lead(runs: Vec<Run>) -> Block {
    Block::Lead(Lead { runs })
}

#[must_use]
pub fn paragraph(runs: Vec<Run>) -> Block {
    Block::Paragraph(Paragraph::of(runs))
}

/// A list of texts; none without any.
#[must_use]
pub fn bullets(items: Vec<Vec<Run>>) -> Option<Block> {
    let items: Vec<Item> = items
        .into_iter()
        .map(|runs| Item {
            runs,
            items: Vec::new(),
        })
        .collect();
    (!items.is_empty()).then_some(Block::Bullets(Bullets {
        ordered: false,
        items,
    }))
}

/// The blocks without what must not be claimed, and that: of a text the sentence, of a list the item, of a table the row, and
/// of anything else the whole.
#[must_use]
pub fn without(
    blocks: Vec<Block>,
    forbidden: &[String],
    language: &str,
) -> (Vec<Block>, Vec<String>) {
    let mut dropped = Vec::new();
    if forbidden.is_empty() {
        return (blocks, dropped);
    }
    let mut kept = Vec::new();
    for block in blocks {
        let block = match block {
            Block::Paragraph(Paragraph { runs, align }) => {
                let runs = allowed(runs, forbidden, language, &mut dropped);
                (!runs.is_empty()).then_some(Block::Paragraph(Paragraph { runs, align }))
            }
            Block::Lead(Lead { runs }) => {
                let runs = allowed(runs, forbidden, language, &mut dropped);
                (!runs.is_empty()).then_some(Block::Lead(Lead { runs }))
            }
            Block::Bullets(mut list) => {
                list.items = items(list.items, forbidden, language, &mut dropped);
                (!list.items.is_empty()).then_some(Block::Bullets(list))
            }
            Block::Table(mut table) => {
                rows(&mut table, forbidden, &mut dropped);
                (!table.rows.is_empty()).then_some(Block::Table(table))
            }
            other => {
                let texts = crate::brief::texts_of(std::slice::from_ref(&other));
                let bad = texts.into_iter().find(|text| is_forbidden(text, forbidden));
                let good = bad.is_none();
                dropped.extend(bad);
                good.then_some(other)
            }
        };
        kept.extend(block);
    }
    (kept, dropped)
}

/// Whether a text has one of the claims in it.
#[must_use]
pub fn is_forbidden(text: &str, forbidden: &[String]) -> bool {
    forbidden
        .iter()
        .any(|claim| !claim.trim().is_empty() && wording::holds(text, claim))
}

fn allowed(
    runs: Vec<Run>,
    forbidden: &[String],
    language: &str,
    dropped: &mut Vec<String>,
) -> Vec<Run> {
    let text = plain_text(&runs);
    if !is_forbidden(&text, forbidden) {
        return runs;
    }
    let (bad, kept): (Vec<_>, Vec<_>) =
        sentences_of(&text, language)
            .into_iter()
            .partition(|place| {
                let sentence = text.get(place.clone()).unwrap_or_default();
                is_forbidden(sentence, forbidden)
            });
    let bad = bad.into_iter().filter_map(|place| text.get(place));
    dropped.extend(bad.map(crate::brief::one_line));
    // A claim that goes over a sentence's end stands in none of them.
    let rest = trimmed(part_of(&runs, &kept));
    match is_forbidden(&plain_text(&rest), forbidden) {
        true => {
            dropped.push(crate::brief::one_line(&plain_text(&rest)));
            Vec::new()
        }
        false => rest,
    }
}

fn items(
    list: Vec<Item>,
    forbidden: &[String],
    language: &str,
    dropped: &mut Vec<String>,
) -> Vec<Item> {
    let mut kept = Vec::new();
    for mut item in list {
        item.runs = allowed(item.runs, forbidden, language, dropped);
        item.items = items(item.items, forbidden, language, dropped);
        if !item.runs.is_empty() {
            kept.push(item);
        }
    }
    kept
}

fn rows(table: &mut Table, forbidden: &[String], dropped: &mut Vec<String>) {
    table.rows.retain(|row| {
        let text: Vec<String> = row.iter().map(|cell| plain_text(cell)).collect();
        let text = text.join(" ");
        let bad = is_forbidden(&text, forbidden);
        dropped.extend(bad.then_some(text));
        !bad
    });
}
