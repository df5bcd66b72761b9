//! Steps and timelines.

use gtm_document_model::block::{Steps, Timeline};
use gtm_ooxml::Xml;
use gtm_ooxml::measure::Face;
use gtm_ooxml::theme::Role;

use super::tables::{Cell, TableFrame};
use super::{Body, Paragraph};
use crate::design::size;
use crate::ink::Ink;
use crate::parts::styles::id;
use crate::parts::table_styles::PLAIN;

/// Points of a cell's own sides, and before the line of a timeline.
const PADDING: u32 = 22;

impl<'d> Body<'d> {
    pub(super) fn steps(&mut self, steps: &'d Steps) {
        let number = self.lists.ordered(true);
        for step in &steps.items {
            let has_text = !step.runs.is_empty();
            let height = self.height(id::STEP, [step.title.as_str()], 24.0);
            self.flow.add_heading(height, 15.0);
            let paragraph = Paragraph {
                list: Some((0, number)),
                keep_next: has_text,
                ..Paragraph::of(id::STEP)
            };
            self.paragraph(paragraph, |body| body.text(&step.title));
            if has_text {
                self.plain(id::STEP_TEXT, &step.runs, false);
            }
        }
    }

    /// A table: when, and beside a line what.
    pub(super) fn timeline(&mut self, timeline: &'d Timeline) {
        // As wide as the longest of them and the space before the line; at most a third of the width.
        let face = Face::new(&self.document.theme.fonts.body, true);
        let points = |text: &str| face.width(text, size::BODY * 50) as f64 / 12_700.0;
        let whens = timeline.events.iter().take(200);
        let longest = whens.map(|event| points(&event.when)).fold(0.0, f64::max);
        let when = (longest * 1.1).ceil().min(1_000.0) as u32 + PADDING;
        let when = when.max(60).min(self.width / 3);
        let widths = [when, self.width - when];
        let accent = Ink::of(&self.document.theme, Role::Accent);
        self.open_table(&TableFrame {
            style: PLAIN,
            widths: &widths,
            looks: "0000",
        });
        for event in &timeline.events {
            self.open_row(false, true);
            let margins = |xml: &mut Xml| {
                xml.open("w:tcMar", &[]);
                for (side, width) in [("w:top", 60), ("w:bottom", 60)] {
                    xml.empty(side, &[("w:w", &width), ("w:type", &"dxa")]);
                }
                xml.close();
            };
            self.cell(
                &Cell {
                    margins: Some(&margins),
                    ..Cell::of(widths[0])
                },
                |body| {
                    let look = super::runs::Look {
                        bold: true,
                        color: Some(Ink::of(&body.document.theme, Role::AccentText)),
                        ..Default::default()
                    };
                    let height = body.height(id::CELL, [event.when.as_str()], 6.0);
                    body.flow.add(height + 6.0);
                    body.paragraph(Paragraph::of(id::CELL), |body| {
                        body.styled(&event.when, &look)
                    });
                },
            );
            let line = |xml: &mut Xml| {
                xml.open("w:tcBorders", &[]);
                // In a table that is read from the right, Word takes the left for the right.
                accent.border(xml, "w:left", 12, 0);
                xml.close();
            };
            let wide_margins = |xml: &mut Xml| {
                xml.open("w:tcMar", &[]);
                xml.empty("w:top", &[("w:w", &60), ("w:type", &"dxa")]);
                xml.empty("w:left", &[("w:w", &220), ("w:type", &"dxa")]);
                xml.empty("w:bottom", &[("w:w", &60), ("w:type", &"dxa")]);
                xml.empty("w:right", &[("w:w", &220), ("w:type", &"dxa")]);
                xml.close();
            };
            let cell = Cell {
                borders: Some(&line),
                margins: Some(&wide_margins),
                ..Cell::of(widths[1])
            };
            self.cell(&cell, |body| {
                let look = super::runs::Look {
                    bold: true,
                    ..Default::default()
                };
                let height = body.height(id::CELL, [event.title.as_str()], 22.0);
                body.flow.add(height + 6.0);
                body.paragraph(Paragraph::of(id::CELL), |body| {
                    body.styled(&event.title, &look)
                });
                if !event.runs.is_empty() {
                    body.plain(id::CELL, &event.runs, false);
                }
            });
            self.close_row();
        }
        self.close_table();
    }
}
