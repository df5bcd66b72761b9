//! How wide the columns of a table are.

use super::{Column, PAD_X, TablePiece};
use crate::blocks::Style;
use crate::context::Context;
use crate::geometry::{Emu, pt};

/// Rows that the widths of columns are taken from.
const SAMPLE: usize = 40;

impl TablePiece<'_> {
    /// The least width of each column, and the one that it wants.
    pub(super) fn wants(&self, context: &Context<'_>, style: Style) -> Vec<(Emu, Emu)> {
        let sample = self.rows.get(self.range.clone()).unwrap_or_default();
        let of = |column: &Column| {
            let (mut wide, mut word) = context.measure.widths(&self.head(style, column));
            for row in sample.iter().take(SAMPLE) {
                let cell = self.cell(context, style, row, column);
                let (line, longest) = context.measure.widths(&cell);
                wide = wide.max(line);
                word = word.max(longest);
            }
            let least = (word + 2 * PAD_X + pt(2)).clamp(pt(36), pt(160));
            let wanted = (wide + 2 * PAD_X + pt(2)).clamp(least, pt(420));
            (least, wanted)
        };
        self.columns.iter().map(of).collect()
    }

    /// Widths of the columns, which fill the whole width.
    pub(super) fn widths(&self, context: &Context<'_>, style: Style, width: Emu) -> Vec<Emu> {
        let is_set = |widths: &&Vec<Emu>| widths.iter().sum::<Emu>() == width;
        if let Some(set) = self.set_widths.as_ref().filter(is_set) {
            return set.clone();
        }
        let wants = self.wants(context, style);
        let least: Emu = wants.iter().map(|(least, _)| least).sum();
        let wanted: Emu = wants.iter().map(|(_, wanted)| wanted).sum();
        let share = |part: Emu, of: Emu, whole: Emu| part.saturating_mul(whole) / of.max(1);
        let mut widths: Vec<Emu> = wants
            .iter()
            .map(|&(narrow, wide)| {
                if wanted <= width {
                    // What is left over goes to all, half of it evenly.
                    let count = Emu::try_from(wants.len()).unwrap_or(1);
                    let left = width - wanted;
                    wide + left / 2 / count + share(wide, wanted, left / 2)
                } else if least <= width {
                    narrow + share(wide - narrow, wanted - least, width - least)
                } else {
                    share(narrow, least, width)
                }
            })
            .collect();
        let rest = width - widths.iter().sum::<Emu>();
        if let Some(last) = widths.last_mut() {
            *last += rest;
        }
        widths
    }
}
