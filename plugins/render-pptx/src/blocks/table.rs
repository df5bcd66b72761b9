//! Tables, native ones: with a head that is repeated on every slide, and columns as wide as their words need.

mod widths;

use std::borrow::Cow;

use gtm_document_model::block::Comparison;
use gtm_document_model::table::Align as CellAlign;
use gtm_document_model::{Run, Table, plain_text};
use gtm_ooxml::theme::Role;

use super::{BoxedPiece, Growth, Kind, Piece, Place, Style};
use crate::context::{Context, Result};
use crate::diagnostics::Code;
use crate::geometry::{CONTENT_WIDTH, Emu, Rect, pt};
use crate::look::LEAST;
use crate::parts::TABLE_STYLE;
use crate::slide::{Alt, Shape, Words};
use crate::text::{Align, Inherited, Paragraph, Span, spans, split};

type Rows<'d> = Cow<'d, [Vec<Vec<Run>>]>;

#[derive(Debug, Clone)]
struct Column {
    label: String,
    align: Align,
    /// Its place among the cells of a row.
    index: usize,
}

/// A table, or the part of it that is not yet on a slide.
pub struct TablePiece<'d> {
    columns: Vec<Column>,
    rows: Rows<'d>,
    /// Rows that remain.
    range: std::ops::Range<usize>,
    /// What is left of a row that was higher than a slide: the cells in the order of the columns.
    carried: Option<Vec<Vec<Paragraph>>>,
    /// Widths of the columns once the table is split: all its parts have the same.
    set_widths: Option<Vec<Emu>>,
    has_header_column: bool,
    highlight: Option<usize>,
    caption: Vec<Span>,
    caption_text: String,
    pointer: String,
}

const PAD_X: Emu = pt(10);
const PAD_Y: Emu = pt(5);

/// The pieces of a table: one, or several where it has more columns than a slide.
pub fn tables<'d>(context: &Context<'_>, table: &'d Table, pointer: &str) -> Vec<BoxedPiece<'d>> {
    let columns = table
        .columns
        .iter()
        .enumerate()
        .map(|(index, column)| Column {
            label: column.label.clone(),
            align: match column.alignment() {
                CellAlign::Start => Align::Start,
                CellAlign::Center => Align::Center,
                CellAlign::End => Align::End,
            },
            index,
        });
    let whole = TablePiece {
        columns: columns.collect(),
        rows: Cow::Borrowed(&table.rows),
        range: 0..table.rows.len(),
        carried: None,
        set_widths: None,
        has_header_column: table.header_column,
        highlight: None,
        caption: spans(&table.caption, &context.citations),
        caption_text: plain_text(&table.caption),
        pointer: pointer.to_owned(),
    };
    whole.by_columns(context)
}

impl<'d> TablePiece<'d> {
    pub fn of_comparison(comparison: &'d Comparison, pointer: String) -> Self {
        let column = |(index, label): (usize, &String)| Column {
            label: label.clone(),
            align: Align::Start,
            index: index + 1,
        };
        let criteria = Column {
            label: String::new(),
            align: Align::Start,
            index: 0,
        };
        let compared = comparison.items.iter().enumerate().map(column);
        let rows: Vec<Vec<Vec<Run>>> = comparison
            .criteria
            .iter()
            .map(|criterion| {
                let mut row = vec![vec![Run::plain(&criterion.label)]];
                row.extend(criterion.cells.iter().cloned());
                row
            })
            .collect();
        Self {
            columns: std::iter::once(criteria).chain(compared).collect(),
            range: 0..rows.len(),
            rows: Cow::Owned(rows),
            carried: None,
            set_widths: None,
            has_header_column: true,
            highlight: comparison.highlight.map(|index| index + 1),
            caption: Vec::new(),
            caption_text: String::new(),
            pointer,
        }
    }

    /// Splits a table whose columns don't fit side by side. The column that names the rows is in every part.
    fn by_columns(self, context: &Context<'_>) -> Vec<BoxedPiece<'d>> {
        let least: Vec<Emu> = self
            .wants(context, Style { body: LEAST })
            .into_iter()
            .map(|(least, _)| least)
            .collect();
        if least.iter().sum::<Emu>() <= CONTENT_WIDTH {
            return vec![Box::new(self)];
        }
        let first = if self.has_header_column { 1 } else { 0 };
        let fixed: Emu = least.iter().take(first).sum();
        let mut parts: Vec<Vec<Column>> = Vec::new();
        let mut used = 0;
        for (column, least) in self.columns.iter().zip(&least).skip(first) {
            if parts.is_empty() || used + least > CONTENT_WIDTH {
                parts.push(self.columns.iter().take(first).cloned().collect());
                used = fixed;
            }
            used += least;
            if let Some(part) = parts.last_mut() {
                part.push(column.clone());
            }
        }
        let count = parts.len();
        let part = |(number, columns): (usize, Vec<Column>)| -> BoxedPiece<'d> {
            let is_last = number + 1 == count;
            Box::new(TablePiece {
                columns,
                rows: self.rows.clone(),
                range: self.range.clone(),
                carried: None,
                set_widths: None,
                has_header_column: self.has_header_column,
                highlight: self.highlight,
                caption: if is_last {
                    self.caption.clone()
                } else {
                    Vec::new()
                },
                caption_text: self.caption_text.clone(),
                pointer: self.pointer.clone(),
            })
        };
        parts.into_iter().enumerate().map(part).collect()
    }

    /// Text of cells in a style.
    fn size(style: Style) -> u32 {
        match style.body {
            2_000.. => 1_600,
            1_800.. => 1_500,
            1_600.. => 1_400,
            1_400.. => 1_200,
            _ => LEAST,
        }
    }

    /// Characters of a column's heading. A head that is higher than a third of a slide leaves no room for rows.
    fn most_in_head(&self) -> usize {
        if self.columns.len() > 3 { 80 } else { 160 }
    }

    fn head(&self, style: Style, column: &Column) -> Paragraph {
        let shown = match column.label.char_indices().nth(self.most_in_head()) {
            Some((end, _)) => format!("{}…", column.label[..end].trim_end()),
            None => column.label.clone(),
        };
        let role = if self.highlight == Some(column.index) {
            Role::OnAccent
        } else {
            Role::OnPrimary
        };
        Paragraph::plain(shown, Self::size(style))
            .bold()
            .role(role)
            .align(column.align)
    }

    fn cell(
        &self,
        context: &Context<'_>,
        style: Style,
        row: &[Vec<Run>],
        column: &Column,
    ) -> Paragraph {
        let runs = row.get(column.index).map_or(&[][..], Vec::as_slice);
        let cell = Paragraph::new(spans(runs, &context.citations), Self::size(style));
        let is_strong =
            (self.has_header_column && column.index == 0) || self.highlight == Some(column.index);
        let cell = cell.align(column.align);
        if is_strong { cell.bold() } else { cell }
    }

    fn row(&self, context: &Context<'_>, style: Style, index: usize) -> Vec<Vec<Paragraph>> {
        let row = self.rows.get(index).map_or(&[][..], Vec::as_slice);
        let cell = |column: &Column| vec![self.cell(context, style, row, column)];
        self.columns.iter().map(cell).collect()
    }

    fn head_row(&self, style: Style) -> Vec<Vec<Paragraph>> {
        let head = |column: &Column| vec![self.head(style, column)];
        self.columns.iter().map(head).collect()
    }

    /// What is still to be shown: the rest of a row, then whole rows.
    fn remaining<'s>(
        &'s self,
        context: &'s Context<'_>,
        style: Style,
    ) -> impl Iterator<Item = Vec<Vec<Paragraph>>> + 's {
        let rows = self.range.clone();
        let rows = rows.map(move |index| self.row(context, style, index));
        self.carried.clone().into_iter().chain(rows)
    }

    fn caption(&self, style: Style) -> Option<Paragraph> {
        let caption = || Paragraph::new(self.caption.clone(), style.small()).role(Role::Muted);
        (!self.caption.is_empty()).then(caption)
    }

    fn caption_height(&self, context: &Context<'_>, style: Style, width: Emu) -> Emu {
        let caption = self.caption(style);
        caption.map_or(0, |caption| context.measure.height(&caption, width) + pt(8))
    }

    fn part(&self, range: std::ops::Range<usize>, carried: Option<Vec<Vec<Paragraph>>>) -> Self {
        Self {
            columns: self.columns.clone(),
            rows: self.rows.clone(),
            range,
            carried,
            set_widths: self.set_widths.clone(),
            has_header_column: self.has_header_column,
            highlight: self.highlight,
            caption: Vec::new(),
            caption_text: self.caption_text.clone(),
            pointer: self.pointer.clone(),
        }
    }
}

fn row_height(context: &Context<'_>, widths: &[Emu], row: &[Vec<Paragraph>]) -> Emu {
    let cells = row.iter().zip(widths);
    let heights =
        cells.map(|(cell, width)| context.measure.total(cell, width - 2 * PAD_X, Emu::MAX / 4));
    heights.max().unwrap_or(0) + 2 * PAD_Y
}

impl<'d> Piece<'d> for TablePiece<'d> {
    fn height(&self, context: &Context<'_>, style: Style, width: Emu, limit: Emu) -> Emu {
        let widths = self.widths(context, style, width);
        let mut total = row_height(context, &widths, &self.head_row(style));
        for row in self.remaining(context, style) {
            total += row_height(context, &widths, &row);
            if total > limit {
                return total;
            }
        }
        total + self.caption_height(context, style, width)
    }

    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()> {
        let (context, style, rect) = (place.context, place.style, place.rect);
        let widths = self.widths(context, style, rect.w);
        let mut rows = vec![self.head_row(style)];
        rows.extend(self.remaining(context, style));
        let mut heights: Vec<Emu> = rows
            .iter()
            .map(|row| row_height(context, &widths, row))
            .collect();
        // The room that it was given goes to all rows.
        let below = self.caption_height(context, style, rect.w);
        let count = Emu::try_from(heights.len()).unwrap_or(1).max(1);
        let more = (rect.h - below - heights.iter().sum::<Emu>()) / count;
        for height in &mut heights {
            *height += more.clamp(0, pt(20));
        }
        let mut labels = self.columns.iter().map(|column| &column.label);
        if labels.any(|label| label.chars().count() > self.most_in_head()) {
            let message = "A heading of a column is too long for a slide; its end is not shown.";
            place
                .output
                .diagnostics
                .add(Code::Overflow, &self.pointer, message);
        }
        let height = heights.iter().sum();
        let frame = Rect::new(rect.x, rect.y, rect.w, height);
        let alt = if self.caption_text.is_empty() {
            Alt::None
        } else {
            Alt::Text(&self.caption_text)
        };
        let package = &mut place.output.package;
        place.canvas.table(frame, alt, |canvas| {
            let is_rtl = u8::from(context.is_rtl);
            let first_column = u8::from(self.has_header_column);
            canvas.xml.open(
                "a:tblPr",
                &[
                    ("rtl", &is_rtl),
                    ("firstRow", &1),
                    ("firstCol", &first_column),
                    ("bandRow", &1),
                ],
            );
            canvas.xml.leaf("a:tableStyleId", &[], TABLE_STYLE).close();
            canvas.xml.open("a:tblGrid", &[]);
            for width in &widths {
                canvas.xml.empty("a:gridCol", &[("w", width)]);
            }
            canvas.xml.close();
            for (number, (row, height)) in rows.iter().zip(&heights).enumerate() {
                canvas.xml.open("a:tr", &[("h", height)]);
                for (column, cell) in row.iter().enumerate() {
                    let is_named = self.has_header_column && column == 0;
                    // The head says its colour itself: where row and column meet, readers differ in
                    // whose style counts. Tables have no size of their own.
                    let inherited = Inherited {
                        size: 0,
                        bold: number > 0 && is_named,
                        role: if number == 0 {
                            Role::Background
                        } else {
                            Role::Text
                        },
                        is_heading: false,
                    };
                    // Some readers leave the band out where a column has a style of its own.
                    let is_band = is_named && number > 0 && number % 2 == 0;
                    let at = self.columns.get(column).map(|column| column.index);
                    let fill = if number == 0 && at.is_some() && at == self.highlight {
                        Some(Role::Accent)
                    } else {
                        is_band.then_some(Role::Surface)
                    };
                    let fill = fill.map(|role| context.palette.ink(role));
                    canvas.cell(package, cell, [PAD_X, PAD_Y], inherited, fill);
                }
                canvas.xml.close();
            }
        });
        if let Some(caption) = self.caption(style) {
            let height = context.measure.height(&caption, rect.w);
            let below = Rect::new(rect.x, frame.bottom() + pt(8), rect.w, height);
            let words = [caption];
            let shape = Shape::text("Caption", below, Words::new(&words));
            place.canvas.shape(package, &shape);
        }
        Ok(())
    }

    fn is_part(&self) -> bool {
        self.set_widths.is_some()
    }

    fn growth(&self) -> Growth {
        Growth::Percent(170)
    }

    fn kind(&self) -> Kind {
        if self.columns.len() <= 3 {
            Kind::Visual
        } else {
            Kind::Wide
        }
    }

    fn split(
        &mut self,
        context: &Context<'_>,
        style: Style,
        width: Emu,
        room: Emu,
    ) -> Option<BoxedPiece<'d>> {
        let widths = self.widths(context, style, width);
        self.set_widths = Some(widths.clone());
        let mut left = room - row_height(context, &widths, &self.head_row(style));
        let begin = self.range.start;
        let mut carried = self.carried.take();
        if let Some(row) = &mut carried {
            let height = row_height(context, &widths, row);
            if height > left {
                let first = cut_row(context, &widths, row, left)?;
                self.carried = carried;
                return Some(Box::new(self.part(begin..begin, Some(first))));
            }
            left -= height;
        }
        let mut end = begin;
        while end < self.range.end {
            let row = self.row(context, style, end);
            let height = row_height(context, &widths, &row);
            if height > left {
                break;
            }
            left -= height;
            end += 1;
        }
        if end == begin && carried.is_none() {
            // A row that is higher than a slide is cut between lines.
            let mut row = self.row(context, style, begin);
            let first = cut_row(context, &widths, &mut row, left)?;
            self.range.start += 1;
            self.carried = Some(row);
            return Some(Box::new(self.part(begin..begin, Some(first))));
        }
        self.range.start = end;
        Some(Box::new(self.part(begin..end, carried)))
    }

    fn pointer(&self) -> &str {
        &self.pointer
    }
}

/// Takes off each cell what fits into the height.
fn cut_row(
    context: &Context<'_>,
    widths: &[Emu],
    row: &mut [Vec<Paragraph>],
    height: Emu,
) -> Option<Vec<Vec<Paragraph>>> {
    let mut first = Vec::new();
    let mut is_cut = false;
    for (cell, width) in row.iter_mut().zip(widths) {
        let (width, room) = (width - 2 * PAD_X, height - 2 * PAD_Y);
        if context.measure.total(cell, width, room) <= room {
            first.push(std::mem::take(cell));
        } else {
            let head = split(&context.measure, cell, width, room)?;
            is_cut = true;
            first.push(head);
        }
    }
    is_cut.then_some(first)
}
