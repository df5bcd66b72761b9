//! Paragraphs: their style, and what differs from it.

use gtm_document_model::Run;
use gtm_ooxml::Xml;
use gtm_ooxml::measure::{Face, lines};
use gtm_ooxml::phrases::in_lines;

use super::{Body, Entry};
use crate::parts::styles::id;

/// EMU in a point.
const EMU: f64 = 12_700.0;
/// Height of a line of most typefaces, as a part of their size.
const NATURAL_LINE: f64 = 1.2;

/// A paragraph's properties. What isn't set is the style's.
#[derive(Default, Clone, Copy)]
pub struct Paragraph<'a> {
    pub style: &'static str,
    pub keep_next: bool,
    pub page_break: bool,
    /// Level and number of a list.
    pub list: Option<(usize, u32)>,
    pub frame: Option<&'a dyn Fn(&mut Xml)>,
    /// Points above and below.
    pub space: Option<(u32, u32)>,
    /// Twips at both sides; none is the style's.
    pub indent: u32,
    /// `left` is the start of a line and `right` its end, whatever the direction.
    pub align: Option<&'static str>,
}

impl<'a> Paragraph<'a> {
    #[must_use]
    pub fn of(style: &'static str) -> Self {
        Self {
            style,
            ..Self::default()
        }
    }

    pub fn write(&self, xml: &mut Xml) {
        xml.open("w:pPr", &[]);
        xml.empty("w:pStyle", &[("w:val", &self.style)]);
        if self.keep_next {
            xml.empty("w:keepNext", &[]);
        }
        if self.page_break {
            xml.empty("w:pageBreakBefore", &[]);
        }
        if let Some((level, number)) = self.list {
            xml.open("w:numPr", &[]);
            xml.empty("w:ilvl", &[("w:val", &level)]);
            xml.empty("w:numId", &[("w:val", &number)]).close();
        }
        if let Some(frame) = self.frame {
            frame(xml);
        }
        if let Some((before, after)) = self.space {
            xml.empty(
                "w:spacing",
                &[("w:before", &(before * 20)), ("w:after", &(after * 20))],
            );
        }
        if self.indent > 0 {
            xml.empty(
                "w:ind",
                &[("w:left", &self.indent), ("w:right", &self.indent)],
            );
        }
        if let Some(align) = self.align {
            xml.empty("w:jc", &[("w:val", &align)]);
        }
        xml.close();
    }
}

impl<'d> Body<'d> {
    /// A paragraph with what `inside` writes.
    pub(super) fn paragraph(&mut self, paragraph: Paragraph<'_>, inside: impl FnOnce(&mut Self)) {
        self.xml.open("w:p", &[]);
        paragraph.write(&mut self.xml);
        inside(self);
        self.xml.close();
    }

    /// A paragraph of runs.
    pub(super) fn plain(&mut self, style: &'static str, runs: &'d [Run], keep_next: bool) {
        self.of_runs(
            Paragraph {
                keep_next,
                ..Paragraph::of(style)
            },
            runs,
        );
    }

    /// A paragraph of runs, with its height.
    pub(super) fn of_runs(&mut self, paragraph: Paragraph<'_>, runs: &'d [Run]) {
        let height = self.height(
            paragraph.style,
            runs.iter().map(|run| run.text.as_str()),
            0.0,
        );
        self.flow.add(height);
        self.paragraph(paragraph, |body| body.runs(runs));
    }

    /// A paragraph of one text, with its height.
    pub(super) fn of_text(&mut self, paragraph: Paragraph<'_>, text: &str) {
        let height = self.height(paragraph.style, [text], 0.0);
        self.flow.add(height);
        self.paragraph(paragraph, |body| body.text(text));
    }

    /// A heading below the section's.
    pub(super) fn heading(&mut self, level: u8, runs: &'d [Run]) {
        let index = usize::from(level.clamp(1, 4)) - 1;
        let style = id::HEADINGS[index];
        let texts = runs.iter().map(|run| run.text.as_str());
        let height = self.height(style, texts.clone(), 0.0);
        self.flow.add_heading(height, 45.0);
        let text = texts.collect::<String>();
        let phrased = self.phrased(style, &text);
        let is_plain = matches!(runs, [run] if *run == Run::plain(&run.text));
        self.with_bookmark(
            Paragraph::of(style),
            index + 1,
            text,
            |body| match is_plain {
                true => body.text(&phrased),
                false => body.runs(runs),
            },
        );
    }

    /// A heading with a bookmark around it, which the table of contents names unless it stands in a cell.
    pub(super) fn with_bookmark(
        &mut self,
        paragraph: Paragraph<'_>,
        level: usize,
        text: String,
        inside: impl FnOnce(&mut Self),
    ) {
        if level > 2 {
            return self.paragraph(paragraph, inside);
        }
        let number = self.next_id();
        let bookmark = format!("_Toc{number:08}");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.entries.push(Entry {
                level,
                text,
                bookmark: bookmark.clone(),
                page: self.page(),
            });
        }
        self.paragraph(paragraph, |body| {
            body.xml.empty(
                "w:bookmarkStart",
                &[("w:id", &number), ("w:name", &bookmark)],
            );
            inside(body);
            body.xml.empty("w:bookmarkEnd", &[("w:id", &number)]);
        });
    }

    /// A small paragraph, because two tables without one between them become one.
    pub(super) fn gap(&mut self) {
        let after = 10 * self.design.density / 100;
        self.flow.add(5.0 + f64::from(after));
        self.paragraph(
            Paragraph {
                space: Some((0, after)),
                ..Paragraph::of(id::GAP)
            },
            |_| {},
        );
    }

    /// Room above a box whose upper edge is a rule.
    pub(super) fn lead_in(&mut self) {
        self.flow.add(8.0);
        self.paragraph(
            Paragraph {
                keep_next: true,
                space: Some((0, 2)),
                ..Paragraph::of(id::GAP)
            },
            |_| {},
        );
    }

    /// A title in lines that end between phrases, in a language without blanks.
    pub(super) fn phrased(&self, style: &'static str, text: &str) -> String {
        let Some((face, size, width)) = self.setting(style, 0.0) else {
            return text.to_owned();
        };
        let language = &self.document.meta.language;
        in_lines(text, language, width, |text| face.width(text, size))
    }

    /// Typeface, size in hundredths of a point, and width of the lines of a style.
    fn setting(&self, style: &'static str, indent: f64) -> Option<(Face, u32, i64)> {
        let measure = self.measures.get(style)?;
        let fonts = &self.document.theme.fonts;
        let font = if measure.is_heading {
            &fonts.heading
        } else {
            &fonts.body
        };
        let face = Face::new(font, measure.bold);
        let width = (f64::from(self.width) - measure.indent - indent).max(20.0) * EMU;
        // Sizes are a few points: exact.
        Some((face, (measure.size * 100.0) as u32, width as i64))
    }

    /// The height of a paragraph of this style, in points.
    pub(super) fn height<'t>(
        &self,
        style: &'static str,
        texts: impl IntoIterator<Item = &'t str>,
        indent: f64,
    ) -> f64 {
        let (Some(measure), Some((face, size, width))) =
            (self.measures.get(style), self.setting(style, indent))
        else {
            return 0.0;
        };
        let spans = texts.into_iter().map(|text| (text, face, size));
        let count = lines(spans, width).len();
        // At most one line for each of 50,000 characters: exact.
        measure.before + measure.after + count as f64 * measure.size * NATURAL_LINE * measure.line
    }
}
