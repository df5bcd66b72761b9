//! Blocks of a document as pieces of slides: each knows how high it must be in a width, whether it grows, how
//! it is split, and how it is drawn.

mod callout;
mod chart;
mod columns;
mod cta;
mod image;
mod kpis;
mod quote;
mod sequence;
mod table;
mod text;

use gtm_document_model::Block;

use crate::context::{Context, Output, Result};
use crate::geometry::{Emu, Rect, pt};
use crate::look::LEAST;
use crate::slide::Canvas;

pub use columns::ColumnsPiece;
pub use table::tables;
pub use text::{TextBlock, TextKind, TextPiece};

/// The size of text that a slide is tried with, in hundredths of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub body: u32,
}

impl Style {
    /// Captions, details, cells of large tables.
    pub fn small(self) -> u32 {
        (self.body * 4 / 5 / 100 * 100).clamp(LEAST, 1_600)
    }

    /// Between the body and what is small.
    pub fn medium(self) -> u32 {
        (self.body * 9 / 10 / 100 * 100).clamp(LEAST, 1_800)
    }

    /// Space between pieces.
    pub fn gap(self) -> Emu {
        match self.body {
            1_600.. => pt(20),
            1_200.. => pt(14),
            _ => pt(9),
        }
    }
}

/// How a piece takes space that is left over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    None,
    /// To so many percent of its least height.
    Percent(Emu),
    Any,
}

/// What a piece is among others on its slide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// Stands well beside text.
    Visual,
    /// Wants the whole width.
    Wide,
}

/// Where a piece is drawn.
pub struct Place<'a, 'c, 'o> {
    pub context: &'a Context<'a>,
    pub output: &'a mut Output<'o>,
    pub canvas: &'a mut Canvas<'c>,
    pub style: Style,
    pub rect: Rect,
    /// The layout's placeholder that is still empty and may take it.
    pub placeholder: Option<u32>,
    /// Whether the slide has the primary colour.
    pub on_primary: bool,
}

/// A piece of a slide.
pub trait Piece<'d> {
    /// The least height in this width. Counting may end where `limit` is passed.
    fn height(&self, context: &Context<'_>, style: Style, width: Emu, limit: Emu) -> Emu;

    /// Draws it.
    ///
    /// # Errors
    /// Where the package refuses a part.
    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()>;

    fn kind(&self) -> Kind {
        Kind::Wide
    }

    fn growth(&self) -> Growth {
        Growth::None
    }

    /// Whether it stands well in the middle of a slide that it doesn't fill.
    fn floats(&self) -> bool {
        false
    }

    /// Whether another part of it is on another slide.
    fn is_part(&self) -> bool {
        false
    }

    /// Takes a first part off that fits into `room`, and keeps the rest.
    fn split(
        &mut self,
        _context: &Context<'_>,
        _style: Style,
        _width: Emu,
        _room: Emu,
    ) -> Option<BoxedPiece<'d>> {
        None
    }

    /// The same in a plainer form that can be split, for where it does not fit on any slide.
    fn plainer(&self, _context: &Context<'_>) -> Option<Vec<BoxedPiece<'d>>> {
        None
    }

    /// Takes off the headings that it ends with, which belong to what follows, and whether anything remains.
    fn take_last_headings(&mut self) -> Option<(BoxedPiece<'d>, bool)> {
        None
    }

    /// The same as text for a body placeholder, if it is text.
    fn as_text(&self) -> Option<&TextPiece> {
        None
    }

    /// Where the document has it.
    fn pointer(&self) -> &str;
}

pub type BoxedPiece<'d> = Box<dyn Piece<'d> + 'd>;

/// The pieces of blocks; texts in a row become one.
pub fn pieces<'d>(
    context: &Context<'_>,
    blocks: &'d [Block],
    pointer: &str,
) -> Vec<BoxedPiece<'d>> {
    let mut pieces: Vec<BoxedPiece<'d>> = Vec::new();
    let mut text = Vec::new();
    let mut text_at = String::new();
    for (index, block) in blocks.iter().enumerate() {
        let at = format!("{pointer}/{index}");
        let found = text::blocks(context, block);
        if found.is_empty() {
            flush(&mut pieces, &mut text, &text_at);
            pieces.extend(piece(context, block, at));
        } else {
            if text.is_empty() {
                text_at = at;
            }
            text.extend(found);
        }
    }
    flush(&mut pieces, &mut text, &text_at);
    pieces
}

fn flush(pieces: &mut Vec<BoxedPiece<'_>>, text: &mut Vec<TextBlock>, pointer: &str) {
    if !text.is_empty() {
        let blocks = std::mem::take(text);
        pieces.push(Box::new(TextPiece::new(blocks, pointer.to_owned())));
    }
}

fn piece<'d>(context: &Context<'_>, block: &'d Block, at: String) -> Vec<BoxedPiece<'d>> {
    match block {
        // Their words are texts already; empty ones say nothing.
        Block::Lead(_) | Block::Heading(_) | Block::Paragraph(_) | Block::Bullets(_) => Vec::new(),
        Block::Table(table) => tables(context, table, &at),
        Block::Chart(chart) => vec![Box::new(chart::ChartPiece::new(chart, at))],
        Block::Kpis(kpis) => vec![Box::new(kpis::KpisPiece::new(kpis, at))],
        Block::Quote(quote) => vec![Box::new(quote::QuotePiece::new(context, quote, at))],
        Block::Callout(callout) => {
            vec![Box::new(callout::CalloutPiece::new(context, callout, at))]
        }
        Block::Image(image) => vec![Box::new(image::ImagePiece::new(context, image, at))],
        Block::Steps(steps) => vec![Box::new(sequence::SequencePiece::steps(context, steps, at))],
        Block::Timeline(timeline) => {
            vec![Box::new(sequence::SequencePiece::timeline(
                context, timeline, at,
            ))]
        }
        Block::Comparison(comparison) => {
            vec![Box::new(table::TablePiece::of_comparison(comparison, at))]
        }
        Block::Columns(columns) => {
            vec![Box::new(columns::ColumnsPiece::new(context, columns, at))]
        }
        Block::Cta(cta) => vec![Box::new(cta::CtaPiece::new(context, cta, at))],
    }
}
