//! The first page, or what stands above the text where there is none.

use gtm_document_model::theme::Mode;
use gtm_ooxml::theme::Role;
use gtm_ooxml::{PartId, Xml, dates};

use super::drawings::fitted;
use super::runs::Look;
use super::tables::{Cell, TableFrame};
use super::{Body, Graphic, Paragraph};
use crate::design::Cover;
use crate::ink::Ink;
use crate::parts::styles::id;
use crate::parts::table_styles::PLAIN;

/// Between what stands on one line.
const DOT: &str = "  \u{b7}  ";
/// Points between a block with the title and the text.
const BELOW_BLOCK: u32 = 14;
/// Characters of a title that fits the page at its full size.
const LONG_TITLE: usize = 70;

impl<'d> Body<'d> {
    /// What stands before the table of contents and the text.
    pub fn cover(&mut self, logo: Option<(PartId, u32, u32)>, is_in_header: bool) {
        match self.design.cover {
            Cover::Field => self.cover_with_field(logo),
            Cover::Rule => self.cover_with_rule(logo),
            Cover::Bar => self.cover_with_bar(logo),
            Cover::Band => self.band(logo),
            // The header of the same page has the logo already.
            Cover::Heading => self.title_above(logo.filter(|_| !is_in_header)),
            // The header of the first page has it, or the sender's name.
            Cover::Block => self.title_block(is_in_header),
            Cover::Letter => {}
        }
        if self.design.has_cover_page() {
            self.flow.turn();
        }
    }

    /// Who, when, and who may read it.
    fn lines(&mut self) {
        let meta = &self.document.meta;
        let date = dates::of(meta);
        let lines = [
            meta.organization.as_ref(),
            meta.author.as_ref(),
            Some(&date),
            meta.classification.as_ref(),
        ];
        for line in lines.into_iter().flatten() {
            let indent = self.cover_indent;
            self.of_text(
                Paragraph {
                    indent,
                    ..Paragraph::of(id::COVER_LINE)
                },
                line,
            );
        }
    }

    fn logo(
        &mut self,
        logo: Option<(PartId, u32, u32)>,
        most: (f64, f64),
        space: (u32, u32),
        align: Option<&'static str>,
    ) {
        let (Some((part, wide, high)), Some(mark)) = (logo, &self.document.theme.logo) else {
            return;
        };
        let (width, height) = fitted(wide, high, most);
        self.flow.add(height + f64::from(space.0 + space.1));
        let graphic = Graphic {
            width,
            height,
            alt: Some(&mark.alt),
            title: None,
        };
        let indent = self.cover_indent;
        let paragraph = Paragraph {
            space: Some(space),
            align,
            indent,
            ..Paragraph::of(id::COVER_LINE)
        };
        self.paragraph(paragraph, |body| body.picture(&graphic, part, (wide, high)));
    }

    /// Title and subtitle in their styles, in this colour where they stand on one.
    fn titles(&mut self, color: Option<Role>, frame: Option<&dyn Fn(&mut Xml)>, above: u32) {
        let look = Look {
            color: color.map(|role| Ink::of(&self.document.theme, role)),
            ..Look::default()
        };
        let meta = &self.document.meta;
        let is_small = meta.title.chars().count() > LONG_TITLE || self.design.has_small_headings();
        let style = if is_small { id::SMALL_TITLE } else { id::TITLE };
        let height = self.height(style, [meta.title.as_str()], 0.0);
        self.flow.add(height + f64::from(above));
        let below = match self.design.cover {
            Cover::Band => 4,
            Cover::Block => 6,
            _ => 14,
        };
        let space = Some((above, below));
        let title = self.phrased(style, &meta.title);
        self.paragraph(
            Paragraph {
                frame,
                space,
                ..Paragraph::of(style)
            },
            |body| body.styled(&title, &look),
        );
        if let Some(subtitle) = &meta.subtitle {
            let style = match self.design.cover {
                Cover::Band => id::BODY,
                Cover::Block => id::LEAD,
                _ => id::SUBTITLE,
            };
            let height = self.height(style, [subtitle.as_str()], 0.0);
            self.flow.add(height);
            let subtitle = self.phrased(style, subtitle);
            self.paragraph(
                Paragraph {
                    frame,
                    ..Paragraph::of(style)
                },
                |body| body.styled(&subtitle, &look),
            );
        }
    }

    /// A field of the brand's colour over the page's upper part, the title at its foot.
    fn cover_with_field(&mut self, logo: Option<(PartId, u32, u32)>) {
        let (page_width, page_height) = self.design.page;
        let primary = Ink::of(&self.document.theme, Role::Primary);
        let margin = self.design.margin() * 20;
        let is_rtl = self.is_rtl();
        let height = page_height * 62 / 100;
        let xml = &mut self.xml;
        xml.open("w:tbl", &[]).open("w:tblPr", &[]);
        xml.empty("w:tblStyle", &[("w:val", &PLAIN)]);
        if is_rtl {
            xml.empty("w:bidiVisual", &[]);
        }
        xml.empty("w:tblW", &[("w:w", &(page_width * 20)), ("w:type", &"dxa")]);
        xml.empty("w:tblLayout", &[("w:type", &"fixed")]).close();
        xml.open("w:tblGrid", &[])
            .empty("w:gridCol", &[("w:w", &(page_width * 20))])
            .close();
        xml.open("w:tr", &[])
            .open("w:trPr", &[])
            .empty("w:cantSplit", &[]);
        xml.empty(
            "w:trHeight",
            &[("w:val", &(height * 20)), ("w:hRule", &"exact")],
        )
        .close();
        self.rows.push(0.0);
        let margins = |xml: &mut Xml| {
            xml.open("w:tcMar", &[]);
            for (side, width) in [
                ("w:top", 1000),
                ("w:left", margin),
                ("w:bottom", 900),
                ("w:right", margin),
            ] {
                xml.empty(side, &[("w:w", &width), ("w:type", &"dxa")]);
            }
            xml.close();
        };
        let cell = Cell {
            shade: Some(&primary),
            margins: Some(&margins),
            vertical: Some("bottom"),
            ..Cell::of(page_width)
        };
        self.cell(&cell, |body| {
            body.width = body.design.width;
            body.titles(Some(Role::OnPrimary), None, 0);
        });
        self.rows.pop();
        self.xml.close().close();
        // The page has no margins, so what stands below the field is indented.
        self.cover_indent = margin;
        if logo.is_none() {
            self.flow.add(34.0);
            let below = Paragraph {
                space: Some((30, 0)),
                ..Paragraph::of(id::GAP)
            };
            self.paragraph(below, |_| {});
        }
        self.logo(logo, (170.0, 54.0), (30, 16), None);
        self.lines();
        self.cover_indent = 0;
    }

    /// A rule above the title, low on the page.
    fn cover_with_rule(&mut self, logo: Option<(PartId, u32, u32)>) {
        let has_logo = logo.is_some();
        self.logo(logo, (170.0, 54.0), (0, 0), None);
        let accent = Ink::of(&self.document.theme, Role::Accent);
        let rule = |xml: &mut Xml| {
            xml.open("w:pBdr", &[]);
            accent.border(xml, "w:top", 36, 16);
            xml.close();
        };
        let above = if has_logo { 190 } else { 250 };
        self.paragraph(
            Paragraph {
                space: Some((above, 0)),
                frame: Some(&rule),
                ..Paragraph::of(id::GAP)
            },
            |_| {},
        );
        self.titles(None, None, 0);
        self.paragraph(
            Paragraph {
                space: Some((40, 0)),
                ..Paragraph::of(id::GAP)
            },
            |_| {},
        );
        self.lines();
    }

    /// A bar along the title, from the top of the text.
    fn cover_with_bar(&mut self, logo: Option<(PartId, u32, u32)>) {
        self.logo(logo, (170.0, 54.0), (0, 0), None);
        let accent = Ink::of(&self.document.theme, Role::Accent);
        let (start, _) = self.sides();
        let bar = |xml: &mut Xml| {
            xml.open("w:pBdr", &[]);
            accent.border(xml, start, 72, 20);
            xml.close();
        };
        self.paragraph(
            Paragraph {
                space: Some((150, 0)),
                ..Paragraph::of(id::GAP)
            },
            |_| {},
        );
        self.titles(None, Some(&bar), 0);
        self.paragraph(
            Paragraph {
                space: Some((60, 0)),
                ..Paragraph::of(id::GAP)
            },
            |_| {},
        );
        self.lines();
    }

    /// A band of the brand's colour across the text, with the logo where it is made for such a ground.
    fn band(&mut self, logo: Option<(PartId, u32, u32)>) {
        let primary = Ink::of(&self.document.theme, Role::Primary);
        let is_dark = self.document.theme.colors.primary.luminance() < 0.3;
        let mark = self
            .document
            .theme
            .logo
            .as_ref()
            .and_then(|logo| logo.r#for);
        let fits = mark == Some(if is_dark { Mode::Dark } else { Mode::Light });
        let side = if fits && logo.is_some() { 110 } else { 0 };
        let widths = if side > 0 {
            vec![self.width - side, side]
        } else {
            vec![self.width]
        };
        let margins = |xml: &mut Xml| {
            xml.open("w:tcMar", &[]);
            for (side, width) in [
                ("w:top", 220),
                ("w:left", 280),
                ("w:bottom", 160),
                ("w:right", 200),
            ] {
                xml.empty(side, &[("w:w", &width), ("w:type", &"dxa")]);
            }
            xml.close();
        };
        if side == 0 {
            self.logo(logo, (110.0, 26.0), (0, 8), None);
        }
        self.open_table(&TableFrame {
            style: PLAIN,
            widths: &widths,
            looks: "0000",
        });
        self.open_row(false, true);
        let cell = Cell {
            shade: Some(&primary),
            margins: Some(&margins),
            vertical: Some("center"),
            ..Cell::of(widths[0])
        };
        self.cell(&cell, |body| {
            body.width = body.width.saturating_sub(24);
            body.flow.add(19.0);
            body.titles(Some(Role::OnPrimary), None, 0);
            body.imprint();
        });
        if side > 0 {
            let cell = Cell {
                shade: Some(&primary),
                vertical: Some("center"),
                ..Cell::of(side)
            };
            self.cell(&cell, |body| {
                body.logo(logo, (94.0, 34.0), (0, 0), Some("center"));
            });
        }
        self.close_row();
        self.close_table();
    }

    /// Who, when and who may read it, on one line in a field of colour.
    fn imprint(&mut self) {
        let meta = &self.document.meta;
        let date = dates::of(meta);
        let parts = [
            meta.organization.as_deref(),
            meta.author.as_deref(),
            Some(date.as_str()),
            meta.classification.as_deref(),
        ];
        let parts = parts.into_iter().flatten();
        // A letter without a subject has its sender for its title.
        let line = (parts.filter(|part| *part != meta.title).collect::<Vec<_>>()).join(DOT);
        let height = self.height(id::COVER_LINE, [line.as_str()], 0.0);
        self.flow.add(height);
        let look = Look {
            color: Some(Ink::of(&self.document.theme, Role::OnPrimary)),
            ..Look::default()
        };
        self.paragraph(Paragraph::of(id::COVER_LINE), |body| {
            body.styled(&line, &look);
        });
    }

    /// The title as a heading, with a rule below.
    fn title_above(&mut self, logo: Option<(PartId, u32, u32)>) {
        self.logo(logo, (120.0, 30.0), (0, 14), None);
        self.titles(None, None, 0);
        let rule_color = Ink::of(&self.document.theme, Role::Accent);
        let rule = |xml: &mut Xml| {
            xml.open("w:pBdr", &[]);
            rule_color.border(xml, "w:bottom", 18, 6);
            xml.close();
        };
        let meta = &self.document.meta;
        let date = dates::of(meta);
        let line = [meta.organization.as_ref(), Some(&date)]
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<_>>();
        let paragraph = Paragraph {
            frame: Some(&rule),
            ..Paragraph::of(id::COVER_LINE)
        };
        self.of_text(paragraph, &line.join(DOT));
    }

    /// Title, subtitle and what a cover says besides, as close as in a letter, with a rule below.
    fn title_block(&mut self, has_logo: bool) {
        self.titles(None, None, 0);
        let accent = Ink::of(&self.document.theme, Role::Accent);
        let rule = |xml: &mut Xml| {
            xml.open("w:pBdr", &[]);
            accent.border(xml, "w:bottom", 12, 8);
            xml.close();
        };
        let meta = &self.document.meta;
        let date = dates::of(meta);
        let who = [
            // Without a logo, the name stands at the head of the page.
            meta.organization.as_deref().filter(|_| has_logo),
            meta.author.as_deref(),
            Some(date.as_str()),
        ];
        let who = who.into_iter().flatten().collect::<Vec<_>>();
        let mut line = who.join(DOT);
        if let Some(classification) = &meta.classification {
            let whole = format!("{line}{DOT}{classification}");
            let height = |text: &str| self.height(id::COVER_LINE, [text], 0.0);
            // What is too long for one line parts where something else begins.
            line = if height(&whole) > height(&line) {
                format!("{line}\n{classification}")
            } else {
                whole
            };
        }
        let paragraph = Paragraph {
            frame: Some(&rule),
            space: Some((0, BELOW_BLOCK)),
            ..Paragraph::of(id::COVER_LINE)
        };
        self.flow.add(f64::from(BELOW_BLOCK));
        self.of_text(paragraph, &line);
    }
}
