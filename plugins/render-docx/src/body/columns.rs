//! Blocks side by side: a table that only places them.

use gtm_document_model::block::Columns;
use gtm_ooxml::PackageError;

use super::tables::{Cell, TableFrame};
use super::{Body, Paragraph};
use crate::parts::styles::id;
use crate::parts::table_styles::PLAIN;

impl<'d> Body<'d> {
    pub(super) fn columns(&mut self, block: &'d Columns) -> Result<(), PackageError> {
        const GAP: u32 = 20;
        let count = u32::try_from(block.columns.len()).unwrap_or(2).max(1);
        let each = (self.width - GAP * (count - 1)) / count;
        let mut widths = Vec::new();
        for index in 0..block.columns.len() {
            if index > 0 {
                widths.push(GAP);
            }
            widths.push(each);
        }
        self.open_table(&TableFrame {
            style: PLAIN,
            widths: &widths,
            looks: "0000",
        });
        self.open_row(false, false);
        for (index, column) in block.columns.iter().enumerate() {
            if index > 0 {
                self.cell(&Cell::of(GAP), |body| {
                    body.of_text(Paragraph::of(id::GAP), "")
                });
            }
            let step = format!("columns/{index}");
            self.cell(&Cell::of(each), |body| {
                body.width = each;
                body.within(&step, |body| body.blocks(&column.blocks))?;
                // Word wants a paragraph at the end of a cell, and text at its beginning would not line up.
                body.paragraph(Paragraph::of(id::GAP), |_| {});
                Ok(())
            })?;
        }
        self.close_row();
        self.close_table();
        Ok(())
    }
}
