//! Figures in a row, quotes, callouts and calls to action.

use gtm_document_model::block::{Callout, Cta, Kpi, Kpis, Quote, Tone};
use gtm_ooxml::theme::Role;
use gtm_ooxml::{PackageError, Xml};

use super::runs::Look;
use super::tables::{Cell, TableFrame};
use super::{Body, Graphic, MOST_CHARTS, Paragraph};
use crate::diagnostics::Code;
use crate::ink::Ink;
use crate::parts::styles::id;
use crate::parts::table_styles::PLAIN;
use crate::qr;

impl<'d> Body<'d> {
    /// Figures, at most four in a row and rows of equal length.
    pub(super) fn kpis(&mut self, kpis: &'d Kpis) {
        let most = if self.width < 300 { 2 } else { 4 };
        let rows = kpis.items.len().div_ceil(most).max(1);
        let per_row = kpis.items.len().div_ceil(rows).max(1);
        self.lead_in();
        for row in kpis.items.chunks(per_row) {
            self.kpi_row(row, per_row);
        }
    }

    fn kpi_row(&mut self, items: &'d [Kpi], per_row: usize) {
        const GAP: u32 = 14;
        let count = u32::try_from(per_row).unwrap_or(4).max(1);
        let each = (self.width - GAP * (count - 1)) / count;
        let mut widths = Vec::new();
        for index in 0..items.len() {
            if index > 0 {
                widths.push(GAP);
            }
            widths.push(each);
        }
        // Where a figure is too long for its size, all of the row are smaller.
        let width = std::mem::replace(&mut self.width, each);
        let fits = |style: &&'static str| {
            let one_line = self.height(style, ["0"], 0.0) + 1.0;
            items
                .iter()
                .all(|kpi| self.height(style, [kpi.value.as_str()], 4.0) < one_line)
        };
        let style = [id::KPI_VALUE, id::SMALL_KPI_VALUE]
            .into_iter()
            .find(|style| fits(style));
        let style = style.unwrap_or(id::ACTION);
        self.width = width;
        let accent = Ink::of(&self.document.theme, Role::Accent);
        let rule = |xml: &mut Xml| {
            xml.open("w:tcBorders", &[]);
            accent.border(xml, "w:top", 18, 0);
            xml.close();
        };
        let margins = |xml: &mut Xml| {
            xml.open("w:tcMar", &[]);
            xml.empty("w:top", &[("w:w", &100), ("w:type", &"dxa")]);
            xml.empty("w:bottom", &[("w:w", &120), ("w:type", &"dxa")]);
            xml.close();
        };
        self.open_table(&TableFrame {
            style: PLAIN,
            widths: &widths,
            looks: "0000",
        });
        self.open_row(false, true);
        for (index, kpi) in items.iter().enumerate() {
            if index > 0 {
                self.cell(&Cell::of(GAP), |body| {
                    body.of_text(Paragraph::of(id::KPI_LABEL), "")
                });
            }
            let cell = Cell {
                borders: Some(&rule),
                margins: Some(&margins),
                ..Cell::of(each)
            };
            self.cell(&cell, |body| {
                body.width = each;
                body.flow.add(11.0);
                body.of_text(Paragraph::of(style), &kpi.value);
                let height = body.height(id::KPI_LABEL, [kpi.label.as_str()], 0.0);
                body.flow.add(height);
                body.paragraph(Paragraph::of(id::KPI_LABEL), |body| {
                    body.text(&kpi.label);
                    body.cite(&kpi.cite);
                });
                if let Some(detail) = &kpi.detail {
                    body.of_text(Paragraph::of(id::KPI_DETAIL), detail);
                }
            });
        }
        self.close_row();
        self.close_table();
    }

    /// A quote; `leads` to the call to action below it.
    pub(super) fn quote(&mut self, quote: &'d Quote, leads: bool) {
        let has_source = quote.attribution.is_some();
        let height = self.height(
            id::QUOTE,
            quote.runs.iter().map(|run| run.text.as_str()),
            0.0,
        );
        self.flow.add_whole(height);
        let space = (!has_source).then_some((14, 14));
        let paragraph = Paragraph {
            keep_next: has_source || leads,
            space,
            ..Paragraph::of(id::QUOTE)
        };
        self.paragraph(paragraph, |body| {
            body.runs(&quote.runs);
            if !has_source {
                body.cite(&quote.cite);
            }
        });
        if let Some(attribution) = &quote.attribution {
            let height = self.height(id::QUOTE_SOURCE, [attribution.as_str()], 0.0);
            self.flow.add(height);
            let paragraph = Paragraph {
                keep_next: leads,
                ..Paragraph::of(id::QUOTE_SOURCE)
            };
            self.paragraph(paragraph, |body| {
                body.text("\u{2014} ");
                body.text(attribution);
                body.cite(&quote.cite);
            });
        }
    }

    pub(super) fn callout(&mut self, callout: &'d Callout) {
        let role = match callout.tone {
            Tone::Info => Role::Primary,
            Tone::Success => Role::Secondary,
            Tone::Warning => Role::Accent,
            Tone::Note => Role::Muted,
        };
        let bar = Ink::of(&self.document.theme, role);
        let surface = Ink::of(&self.document.theme, Role::Surface);
        let is_rtl = self.is_rtl();
        let frame = |xml: &mut Xml| {
            xml.open("w:pBdr", &[]);
            surface.border(xml, "w:top", 4, 7);
            if is_rtl {
                surface.border(xml, "w:left", 4, 8);
                surface.border(xml, "w:bottom", 4, 7);
                bar.border(xml, "w:right", 24, 8);
            } else {
                bar.border(xml, "w:left", 24, 8);
                surface.border(xml, "w:bottom", 4, 7);
                surface.border(xml, "w:right", 4, 8);
            }
            xml.close();
            surface.shade(xml);
        };
        if let Some(title) = &callout.title {
            self.of_text(
                Paragraph {
                    frame: Some(&frame),
                    ..Paragraph::of(id::CALLOUT_TITLE)
                },
                title,
            );
        }
        let space = callout.title.is_none().then_some((12, 14));
        let height = self.height(
            id::CALLOUT,
            callout.runs.iter().map(|run| run.text.as_str()),
            0.0,
        );
        self.flow.add_whole(height + 14.0);
        let paragraph = Paragraph {
            frame: Some(&frame),
            space,
            ..Paragraph::of(id::CALLOUT)
        };
        self.paragraph(paragraph, |body| body.runs(&callout.runs));
    }

    /// A box with the words, the link, its address for those who read on paper, and the code for phones.
    pub(super) fn call_to_action(&mut self, cta: &'d Cta) -> Result<(), PackageError> {
        let code = if cta.qr && self.charts < MOST_CHARTS {
            qr::png(&cta.href)
        } else {
            None
        };
        if cta.qr && code.is_none() {
            self.report(
                Code::ImageUnusable,
                "The address is too long for a QR code.",
            );
        }
        let accent = Ink::of(&self.document.theme, Role::Accent);
        let surface = Ink::of(&self.document.theme, Role::Surface);
        self.lead_in();
        let side = if code.is_some() { 84 } else { 0 };
        let widths = if code.is_some() {
            vec![self.width - side, side]
        } else {
            vec![self.width]
        };
        let rule = |xml: &mut Xml| {
            xml.open("w:tcBorders", &[]);
            accent.border(xml, "w:top", 18, 0);
            xml.close();
        };
        let margins = |xml: &mut Xml| {
            xml.open("w:tcMar", &[]);
            for (side, width) in [
                ("w:top", 200),
                ("w:left", 240),
                ("w:bottom", 200),
                ("w:right", 160),
            ] {
                xml.empty(side, &[("w:w", &width), ("w:type", &"dxa")]);
            }
            xml.close();
        };
        self.open_table(&TableFrame {
            style: PLAIN,
            widths: &widths,
            looks: "0000",
        });
        self.open_row(false, true);
        let cell = Cell {
            borders: Some(&rule),
            shade: Some(&surface),
            margins: Some(&margins),
            vertical: Some("center"),
            ..Cell::of(widths[0])
        };
        self.cell(&cell, |body| {
            body.flow.add(20.0);
            if !cta.text.is_empty() {
                body.plain(id::BODY, &cta.text, true);
            }
            let height = body.height(id::ACTION, [cta.label.as_str()], 20.0);
            body.flow.add(height + 12.0);
            let look = Look {
                style: Some(id::HYPERLINK),
                ..Look::default()
            };
            body.paragraph(Paragraph::of(id::ACTION), |body| {
                body.link(&cta.href, &cta.label, &look)
            });
            let shown = cta
                .href
                .get("https://".len()..)
                .unwrap_or(&cta.href)
                .trim_end_matches('/');
            if shown.chars().count() <= 90 {
                body.paragraph(Paragraph::of(id::KPI_DETAIL), |body| body.text(shown));
            }
        });
        if let Some((bytes, pixels)) = code {
            let part = self.picture_part(&bytes, "image/png", "png")?;
            let cell = Cell {
                borders: Some(&rule),
                shade: Some(&surface),
                vertical: Some("center"),
                ..Cell::of(side)
            };
            self.cell(&cell, |body| {
                body.flow.add(90.0);
                let paragraph = Paragraph {
                    align: Some("center"),
                    ..Paragraph::of(id::CELL)
                };
                body.paragraph(paragraph, |body| {
                    let graphic = Graphic {
                        width: 68.0,
                        height: 68.0,
                        alt: Some(&cta.href),
                        title: None,
                    };
                    body.picture(&graphic, part, (pixels, pixels));
                });
            });
        }
        self.close_row();
        self.close_table();
        Ok(())
    }
}
