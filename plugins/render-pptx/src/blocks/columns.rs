//! Blocks side by side.

use gtm_document_model::Block;
use gtm_document_model::block::Columns;

use super::{BoxedPiece, Growth, Piece, Place, Style, pieces};
use crate::compose::{heights, stack_height};
use crate::context::{Context, Result};
use crate::geometry::{Emu, GUTTER, Rect};

pub struct ColumnsPiece<'d> {
    columns: Vec<Vec<BoxedPiece<'d>>>,
    /// The blocks of each column, and where the document has them.
    blocks: Vec<(&'d [Block], String)>,
    pointer: String,
}

impl<'d> ColumnsPiece<'d> {
    pub fn new(context: &Context<'_>, block: &'d Columns, pointer: String) -> Self {
        let numbered = block.columns.iter().enumerate();
        let blocks = numbered.map(|(index, column)| {
            let at = format!("{pointer}/columns/{index}/blocks");
            (column.blocks.as_slice(), at)
        });
        Self::of_blocks(context, blocks.collect(), pointer)
    }

    /// Blocks that the document has below each other.
    pub fn of_blocks(
        context: &Context<'_>,
        blocks: Vec<(&'d [Block], String)>,
        pointer: String,
    ) -> Self {
        let columns = blocks
            .iter()
            .map(|(blocks, at)| pieces(context, blocks, at));
        Self {
            columns: columns.collect(),
            blocks,
            pointer,
        }
    }

    fn places(&self, rect: Rect) -> Vec<Rect> {
        rect.side_by_side(self.columns.len(), 2 * GUTTER)
    }
}

impl<'d> Piece<'d> for ColumnsPiece<'d> {
    fn height(&self, context: &Context<'_>, style: Style, width: Emu, limit: Emu) -> Emu {
        let places = self.places(Rect::new(0, 0, width, 0));
        let columns = self.columns.iter().zip(places);
        let heights =
            columns.map(|(column, place)| stack_height(context, style, column, place.w, limit));
        heights.max().unwrap_or(0)
    }

    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()> {
        let (context, style) = (place.context, place.style);
        for (column, rect) in self.columns.iter().zip(self.places(place.rect)) {
            let heights = heights(context, style, column, rect.w, rect.h);
            let mut y = rect.y;
            for (piece, height) in column.iter().zip(heights) {
                piece.draw(&mut Place {
                    context,
                    output: &mut *place.output,
                    canvas: &mut *place.canvas,
                    style,
                    rect: Rect::new(rect.x, y, rect.w, height),
                    placeholder: None,
                    on_primary: false,
                })?;
                y += height + style.gap();
            }
        }
        Ok(())
    }

    fn growth(&self) -> Growth {
        let mut all = self.columns.iter().flatten();
        if all.any(|piece| piece.growth() == Growth::Any) {
            Growth::Any
        } else {
            Growth::None
        }
    }

    fn plainer(&self, context: &Context<'_>) -> Option<Vec<BoxedPiece<'d>>> {
        let mut all = Vec::new();
        for (blocks, at) in &self.blocks {
            all.extend(pieces(context, blocks, at));
        }
        Some(all)
    }

    fn pointer(&self) -> &str {
        &self.pointer
    }
}
