//! Sections of the document, and sections of Word's: pages that lie for wide tables.

use gtm_document_model::block::Block;
use gtm_document_model::document::{Layout, Section};
use gtm_ooxml::paper::centers_subjects;
use gtm_ooxml::{PackageError, Xml, dates};

use super::{Body, Paragraph};
use crate::design::Cover;
use crate::parts::furniture::Furniture;
use crate::parts::styles::id;

impl<'d> Body<'d> {
    /// All sections.
    ///
    /// # Errors
    /// Where a part cannot be added.
    pub fn sections(&mut self) -> Result<(), PackageError> {
        for (index, section) in self.document.sections.iter().enumerate() {
            let step = format!("sections/{index}");
            self.within(&step, |body| body.section(section, index))?;
        }
        if self.notes.is_cut() {
            self.pointer.clear();
            let message = "Only the first 10,000 citations are in the file.";
            self.report(crate::diagnostics::Code::DroppedBlock, message);
        }
        Ok(())
    }

    fn section(&mut self, section: &'d Section, index: usize) -> Result<(), PackageError> {
        if section.layout == Some(Layout::Letter) && index == 0 {
            return self.letter_head(section);
        }
        let heading = section.heading(index, &self.document.meta.title);
        if section.blocks.is_empty() && heading.is_none() {
            self.speaker_notes(section);
            return Ok(());
        }
        if self.begins_with_wide_table(&section.blocks) {
            self.begin_wide();
        }
        if let Some(title) = heading {
            // The text after a table of contents begins on a page of its own.
            let breaks = std::mem::take(&mut self.breaks_page);
            let style = id::HEADINGS[0];
            let height = self.height(style, [title], 0.0);
            // A chart stands whole, and its section's heading with it.
            let following = match section.blocks.first() {
                Some(Block::Chart(chart)) => self.chart_height(chart),
                _ => 45.0,
            };
            self.flow.add_heading(height, following);
            let paragraph = Paragraph {
                page_break: breaks,
                space: breaks.then_some((0, 10)),
                ..Paragraph::of(style)
            };
            let phrased = self.phrased(style, title);
            self.with_bookmark(paragraph, 1, title.to_owned(), |body| body.text(&phrased));
        }
        self.blocks(&section.blocks)?;
        self.speaker_notes(section);
        Ok(())
    }

    /// The day and the letter's numbers at the end of their lines, who reads it, and what it is about.
    fn letter_head(&mut self, section: &'d Section) -> Result<(), PackageError> {
        let meta = &self.document.meta;
        let date = dates::of(meta);
        let lines: Vec<&str> = [Some(date.as_str()), meta.subtitle.as_deref()]
            .into_iter()
            .flatten()
            .collect();
        let at_the_end = Paragraph {
            align: Some("right"),
            space: Some((0, 14)),
            ..Paragraph::of(id::BODY)
        };
        self.of_text(at_the_end, &lines.join("\n"));
        let above = usize::from(self.design.has_sender_above);
        self.blocks(section.blocks.get(above..).unwrap_or_default())?;
        // Without a subject, the title is the sender's name, which stands above.
        if meta.organization.is_some() {
            let style = id::HEADINGS[0];
            let height = self.height(style, [meta.title.as_str()], 0.0);
            self.flow.add_heading(height, 45.0);
            let paragraph = Paragraph {
                align: centers_subjects(&meta.language).then_some("center"),
                ..Paragraph::of(style)
            };
            let phrased = self.phrased(style, &meta.title);
            let text = meta.title.clone();
            self.with_bookmark(paragraph, 1, text, |body| body.text(&phrased));
        }
        self.speaker_notes(section);
        Ok(())
    }

    /// What the speaker says is for whoever was there, so only a handout has it.
    fn speaker_notes(&mut self, section: &'d Section) {
        if !self.design.has_notes || section.notes.is_empty() {
            return;
        }
        let label = self.words.notes;
        let look = super::runs::Look {
            bold: true,
            ..Default::default()
        };
        let height = self.height(
            id::NOTES,
            section.notes.iter().map(|run| run.text.as_str()),
            30.0,
        );
        self.flow.add(height);
        self.paragraph(
            Paragraph {
                space: Some((8, 8)),
                ..Paragraph::of(id::NOTES)
            },
            |body| {
                body.styled(&format!("{label}  "), &look);
                body.runs(&section.notes);
            },
        );
    }

    /// Whether the first of these that isn't a heading is a table for a page that lies: its headings go with it.
    pub(super) fn begins_with_wide_table(&self, blocks: &'d [Block]) -> bool {
        let first = blocks
            .iter()
            .find(|block| !matches!(block, Block::Heading(_)));
        match first {
            Some(Block::Table(table)) if !self.is_inside => self.table_plan(table).is_wide,
            _ => false,
        }
    }

    /// From here on pages lie, unless they do already.
    pub(super) fn begin_wide(&mut self) {
        if !self.is_wide {
            // A section that begins with what lies ends the one before it, if that has anything.
            self.section_break(false);
            self.is_wide = true;
            self.width = self.design.wide();
            self.flow.set_height(f64::from(self.design.page.0) - 130.0);
        }
    }

    pub(super) fn end_wide(&mut self) {
        if self.is_wide {
            self.section_break(true);
            self.is_wide = false;
            self.width = self.design.width;
            self.flow.set_height(f64::from(self.design.height()));
        }
    }

    fn section_break(&mut self, is_wide: bool) {
        self.flow.turn();
        let furniture = self.next_furniture();
        let is_rtl = self.is_rtl();
        self.xml.open("w:p", &[]).open("w:pPr", &[]);
        self.xml.empty("w:pStyle", &[("w:val", &id::GAP)]);
        properties(&mut self.xml, self.design, &furniture, is_wide, is_rtl);
        self.xml.close().close();
    }

    /// Headers and footers of the section that ends here; only the first one has a first page of its own.
    fn next_furniture(&mut self) -> Furniture {
        let furniture = self.furniture.clone();
        self.furniture.first = None;
        furniture
    }

    /// Ends the section of the first page, which has neither header nor footer; one that a field of colour
    /// fills has no margins either.
    pub fn end_cover(&mut self) {
        let (width, height) = self.design.page;
        let has_field = self.design.cover == Cover::Field;
        let is_rtl = self.is_rtl();
        let margin = if has_field {
            0
        } else {
            self.design.margin() * 20
        };
        let (top, bottom) = if has_field {
            (0, 0)
        } else {
            (self.design.top * 20, self.design.bottom * 20)
        };
        let xml = &mut self.xml;
        xml.open("w:p", &[]).open("w:pPr", &[]);
        xml.empty("w:pStyle", &[("w:val", &id::GAP)]);
        xml.open("w:sectPr", &[]);
        xml.empty("w:type", &[("w:val", &"nextPage")]);
        xml.empty("w:pgSz", &[("w:w", &(width * 20)), ("w:h", &(height * 20))]);
        xml.empty(
            "w:pgMar",
            &[
                ("w:top", &top),
                ("w:right", &margin),
                ("w:bottom", &bottom),
                ("w:left", &margin),
                ("w:header", &0),
                ("w:footer", &0),
                ("w:gutter", &0),
            ],
        );
        if is_rtl {
            xml.empty("w:bidi", &[]);
        }
        xml.close().close().close();
    }

    /// Ends the pages that lie, if the text ends on one.
    pub fn end_wide_section(&mut self) {
        self.end_wide();
    }

    /// The properties of the last section.
    pub fn last_section(&mut self) {
        let furniture = self.next_furniture();
        let is_rtl = self.is_rtl();
        properties(&mut self.xml, self.design, &furniture, false, is_rtl);
    }
}

/// `w:sectPr`.
fn properties(
    xml: &mut Xml,
    design: &crate::design::Design,
    furniture: &Furniture,
    is_wide: bool,
    is_rtl: bool,
) {
    xml.open("w:sectPr", &[]);
    let (header, footer) = if is_wide {
        &furniture.wide
    } else {
        &furniture.upright
    };
    xml.empty(
        "w:headerReference",
        &[("w:type", &"default"), ("r:id", header)],
    );
    xml.empty(
        "w:footerReference",
        &[("w:type", &"default"), ("r:id", footer)],
    );
    if let Some((header, footer)) = &furniture.first {
        xml.empty(
            "w:headerReference",
            &[("w:type", &"first"), ("r:id", header)],
        );
        xml.empty(
            "w:footerReference",
            &[("w:type", &"first"), ("r:id", footer)],
        );
    }
    xml.empty("w:type", &[("w:val", &"nextPage")]);
    let (width, height) = design.page;
    let margin = design.margin() * 20;
    if is_wide {
        xml.empty(
            "w:pgSz",
            &[
                ("w:w", &(height * 20)),
                ("w:h", &(width * 20)),
                ("w:orient", &"landscape"),
            ],
        );
        xml.empty(
            "w:pgMar",
            &[
                ("w:top", &1400),
                ("w:right", &1200),
                ("w:bottom", &1200),
                ("w:left", &1200),
                ("w:header", &700),
                ("w:footer", &600),
                ("w:gutter", &0),
            ],
        );
    } else {
        xml.empty("w:pgSz", &[("w:w", &(width * 20)), ("w:h", &(height * 20))]);
        let edge = (design.bottom / 2).min(42) * 20;
        xml.empty(
            "w:pgMar",
            &[
                ("w:top", &(design.top * 20)),
                ("w:right", &margin),
                ("w:bottom", &(design.bottom * 20)),
                ("w:left", &margin),
                ("w:header", &edge),
                ("w:footer", &edge),
                ("w:gutter", &0),
            ],
        );
    }
    if furniture.first.is_some() {
        xml.empty("w:titlePg", &[]);
    }
    if is_rtl {
        xml.empty("w:bidi", &[]);
    }
    xml.close();
}
