//! Tables.

use gtm_document_model::Run;
use gtm_document_model::block::Comparison;
use gtm_document_model::table::{Align, Table};
use gtm_ooxml::Xml;
use gtm_ooxml::theme::Role;

use super::figures::Caption;
use super::table_plan::{self, TablePlan};
use super::{Body, MOST_CELLS, Paragraph};
use crate::diagnostics::Code;
use crate::ink::Ink;
use crate::parts::styles::id;
use crate::parts::table_styles::DATA;

/// A table that is opened.
pub(super) struct TableFrame<'a> {
    pub(super) style: &'static str,
    /// Points.
    pub(super) widths: &'a [u32],
    /// Which conditions of the style hold: first row, first column, bands.
    pub(super) looks: &'static str,
}

/// A cell that is opened.
#[derive(Clone, Copy, Default)]
pub(super) struct Cell<'a> {
    pub(super) width: u32,
    pub(super) borders: Option<&'a dyn Fn(&mut Xml)>,
    pub(super) shade: Option<&'a Ink>,
    pub(super) margins: Option<&'a dyn Fn(&mut Xml)>,
    pub(super) vertical: Option<&'static str>,
}

impl Cell<'_> {
    pub(super) fn of(width: u32) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }
}

/// The conditions of the style for data.
const WITH_HEAD: &str = "0420";
const WITH_HEADS: &str = "04A0";

impl<'d> Body<'d> {
    pub(super) fn open_table(&mut self, frame: &TableFrame<'_>) {
        let is_rtl = self.is_rtl();
        let xml = &mut self.xml;
        xml.open("w:tbl", &[]).open("w:tblPr", &[]);
        xml.empty("w:tblStyle", &[("w:val", &frame.style)]);
        if is_rtl {
            xml.empty("w:bidiVisual", &[]);
        }
        let width = frame.widths.iter().sum::<u32>() * 20;
        xml.empty("w:tblW", &[("w:w", &width), ("w:type", &"dxa")]);
        xml.empty("w:tblLayout", &[("w:type", &"fixed")]);
        let flag = |bit: u16| u16::from_str_radix(frame.looks, 16).unwrap_or(0) & bit != 0;
        xml.empty(
            "w:tblLook",
            &[
                ("w:val", &frame.looks),
                ("w:firstRow", &u8::from(flag(0x20))),
                ("w:lastRow", &0),
                ("w:firstColumn", &u8::from(flag(0x80))),
                ("w:lastColumn", &0),
                ("w:noHBand", &u8::from(flag(0x200))),
                ("w:noVBand", &u8::from(flag(0x400))),
            ],
        );
        xml.close().open("w:tblGrid", &[]);
        for width in frame.widths {
            xml.empty("w:gridCol", &[("w:w", &(width * 20))]);
        }
        xml.close();
    }

    pub(super) fn close_table(&mut self) {
        self.xml.close();
        self.gap();
    }

    /// A row; one that stays whole unless it is higher than a page.
    pub(super) fn open_row(&mut self, is_head: bool, is_whole: bool) {
        self.rows.push(0.0);
        self.xml.open("w:tr", &[]);
        if is_head || is_whole {
            self.xml.open("w:trPr", &[]).empty("w:cantSplit", &[]);
            if is_head {
                self.xml.empty("w:tblHeader", &[]);
            }
            self.xml.close();
        }
    }

    pub(super) fn close_row(&mut self) {
        self.xml.close();
        let height = self.rows.pop().unwrap_or(0.0);
        self.flow.add_whole(height + 1.0);
    }

    /// A cell with what `inside` writes, at least one paragraph, which stands last.
    pub(super) fn cell<R>(&mut self, cell: &Cell<'_>, inside: impl FnOnce(&mut Self) -> R) -> R {
        self.xml.open("w:tc", &[]).open("w:tcPr", &[]);
        self.xml
            .empty("w:tcW", &[("w:w", &(cell.width * 20)), ("w:type", &"dxa")]);
        if let Some(borders) = cell.borders {
            borders(&mut self.xml);
        }
        if let Some(shade) = cell.shade {
            shade.shade(&mut self.xml);
        }
        if let Some(margins) = cell.margins {
            margins(&mut self.xml);
        }
        if let Some(vertical) = cell.vertical {
            self.xml.empty("w:vAlign", &[("w:val", &vertical)]);
        }
        self.xml.close();
        let (width, was_inside) = (self.width, self.is_inside);
        (self.width, self.is_inside) = (cell.width.saturating_sub(10).max(20), true);
        self.flow.open_cell();
        let result = inside(self);
        let height = self.flow.close_cell();
        if let Some(row) = self.rows.last_mut() {
            *row = row.max(height);
        }
        (self.width, self.is_inside) = (width, was_inside);
        self.xml.close();
        result
    }

    /// How the table fits where it stands.
    pub(super) fn table_plan(&self, table: &Table) -> TablePlan {
        let wide = (!self.is_inside).then(|| self.design.wide());
        table_plan::plan(table, &self.document.theme.fonts.body, self.width, wide)
    }

    pub(super) fn table(&mut self, table: &'d Table) {
        let plan = self.table_plan(table);
        let is_wide = plan.is_wide && !self.is_inside;
        if is_wide {
            self.begin_wide();
        }
        if !table.caption.is_empty() {
            let (words, number) = (self.words.table, self.tables + 1);
            self.tables = number;
            self.caption(&Caption::table(words, number, &table.caption));
        }
        if plan.groups.len() > 1 {
            let message = format!(
                "The table's {} columns stand in {} tables, each with the first column.",
                table.columns.len(),
                plan.groups.len()
            );
            self.report(Code::Overflow, message);
        }
        for group in &plan.groups {
            self.group(table, group, plan.is_small);
        }
        if is_wide {
            self.end_wide();
        }
    }

    fn group(&mut self, table: &'d Table, group: &[(usize, u32)], is_small: bool) {
        let widths = group.iter().map(|(_, width)| *width).collect::<Vec<_>>();
        let looks = if table.header_column {
            WITH_HEADS
        } else {
            WITH_HEAD
        };
        let (head, cell_style) = if is_small {
            (id::SMALL_HEAD, id::SMALL_CELL)
        } else {
            (id::HEAD, id::CELL)
        };
        let primary = Ink::of(&self.document.theme, Role::Primary);
        let surface = Ink::of(&self.document.theme, Role::Surface);
        self.open_table(&TableFrame {
            style: DATA,
            widths: &widths,
            looks,
        });
        self.open_row(true, true);
        for (index, width) in group {
            let Some(column) = table.columns.get(*index) else {
                continue;
            };
            let cell = Cell {
                shade: Some(&primary),
                vertical: Some("bottom"),
                ..Cell::of(*width)
            };
            self.cell(&cell, |body| {
                let paragraph = Paragraph {
                    align: align(column.alignment()),
                    ..Paragraph::of(head)
                };
                body.of_text(paragraph, &column.label);
                body.flow.add(7.0);
            });
        }
        self.close_row();
        let left = MOST_CELLS.saturating_sub(self.cells) / group.len().max(1);
        if left < table.rows.len() {
            let message = format!(
                "Only {left} of the table's {} rows are in the file.",
                table.rows.len()
            );
            self.report(Code::DroppedBlock, message);
        }
        let count = table.rows.len().min(left);
        for (number, row) in table.rows.iter().take(left).enumerate() {
            self.cells += group.len();
            // A row of long texts may be higher than a page.
            let length = row
                .iter()
                .flatten()
                .map(|run| run.text.len())
                .sum::<usize>();
            self.open_row(false, length < 2_000);
            for (index, width) in group {
                let shade = (number % 2 == 1).then_some(&surface);
                let cell = Cell {
                    shade,
                    ..Cell::of(*width)
                };
                let alignment = table
                    .columns
                    .get(*index)
                    .and_then(|column| align(column.alignment()));
                let runs = row.get(*index).map_or(&[][..], Vec::as_slice);
                let is_head = *index == 0 && table.header_column;
                self.cell(&cell, |body| {
                    // Short tables stay whole, of others the first two and the last two rows.
                    let keep_next =
                        count - number > 1 && (count <= 10 || number == 0 || number + 2 == count);
                    let paragraph = Paragraph {
                        align: alignment,
                        keep_next,
                        ..Paragraph::of(cell_style)
                    };
                    body.cell_runs(paragraph, runs, is_head);
                    body.flow.add(7.0);
                });
            }
            self.close_row();
        }
        self.close_table();
    }

    /// The paragraph of a cell. A style's condition makes the first column bold in Word, but not everywhere.
    fn cell_runs(&mut self, paragraph: Paragraph<'_>, runs: &'d [Run], is_head: bool) {
        let height = self.height(
            paragraph.style,
            runs.iter().map(|run| run.text.as_str()),
            0.0,
        );
        self.flow.add(height);
        self.paragraph(paragraph, |body| {
            if is_head {
                body.bold_runs(runs);
            } else {
                body.runs(runs);
            }
        });
    }

    /// Things side by side; the one that the document argues for stands out.
    pub(super) fn comparison(&mut self, comparison: &'d Comparison) {
        let count = u32::try_from(comparison.items.len()).unwrap_or(1).max(1);
        let is_small = count > 3 || self.width < 300;
        let head_row = std::iter::once(String::new()).chain(comparison.items.iter().cloned());
        let rows = std::iter::once(head_row.collect()).chain(comparison.criteria.iter().map(
            |criterion| {
                let cells = criterion
                    .cells
                    .iter()
                    .map(|runs| gtm_document_model::plain_text(runs));
                std::iter::once(criterion.label.clone())
                    .chain(cells)
                    .collect::<Vec<_>>()
            },
        ));
        let rows = rows.collect::<Vec<_>>();
        let scale = if is_small { 0.9 } else { 1.0 };
        let body_font = &self.document.theme.fonts.body;
        let widths = table_plan::widths_of(&rows, body_font, scale, self.width);
        let (head, cell_style) = if is_small {
            (id::SMALL_HEAD, id::SMALL_CELL)
        } else {
            (id::HEAD, id::CELL)
        };
        let theme = &self.document.theme;
        let primary = Ink::of(theme, Role::Primary);
        let accent = Ink::of(theme, Role::Accent);
        let surface = Ink::of(theme, Role::Surface);
        let on_accent = Ink::of(theme, Role::OnAccent);
        let bold = |color| super::runs::Look {
            bold: true,
            color,
            ..Default::default()
        };
        self.open_table(&TableFrame {
            style: DATA,
            widths: &widths,
            looks: "06A0",
        });
        self.open_row(true, true);
        self.cell(
            &Cell {
                shade: Some(&primary),
                ..Cell::of(widths[0])
            },
            |body| {
                body.of_text(Paragraph::of(head), "");
            },
        );
        for (index, item) in comparison.items.iter().enumerate() {
            let is_best = comparison.highlight == Some(index);
            let shade = if is_best { &accent } else { &primary };
            let cell = Cell {
                shade: Some(shade),
                vertical: Some("bottom"),
                ..Cell::of(widths[index + 1])
            };
            self.cell(&cell, |body| {
                let look = if is_best {
                    bold(Some(on_accent.clone()))
                } else {
                    Default::default()
                };
                let height = body.height(head, [item.as_str()], 0.0);
                body.flow.add(height + 7.0);
                body.paragraph(Paragraph::of(head), |body| body.styled(item, &look));
            });
        }
        self.close_row();
        for criterion in &comparison.criteria {
            self.open_row(false, true);
            self.cell(&Cell::of(widths[0]), |body| {
                let height = body.height(cell_style, [criterion.label.as_str()], 0.0);
                body.flow.add(height + 7.0);
                body.paragraph(Paragraph::of(cell_style), |body| {
                    body.styled(&criterion.label, &bold(None))
                });
            });
            for (index, runs) in criterion.cells.iter().enumerate() {
                let shade = (comparison.highlight == Some(index)).then_some(&surface);
                self.cell(
                    &Cell {
                        shade,
                        ..Cell::of(widths[index + 1])
                    },
                    |body| {
                        body.of_runs(Paragraph::of(cell_style), runs);
                        body.flow.add(7.0);
                    },
                );
            }
            self.close_row();
        }
        self.close_table();
    }
}

fn align(align: Align) -> Option<&'static str> {
    match align {
        Align::Start => None,
        Align::Center => Some("center"),
        Align::End => Some("right"),
    }
}
