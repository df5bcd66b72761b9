//! Paragraphs as DrawingML says them.

use std::fmt::Display;

use gtm_document_model::theme::{Font, FontClass};
use gtm_ooxml::Xml;
use gtm_ooxml::theme::{Palette, Role, script_of_language};

use super::{Align, Mark, Paragraph, Span};
use crate::look::LEAST;

/// What text has in a box without saying so, because master or layout do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inherited {
    pub size: u32,
    pub bold: bool,
    pub role: Role,
    pub is_heading: bool,
}

/// Writes paragraphs of a document.
#[derive(Debug, Clone)]
pub struct Writer {
    pub palette: Palette,
    pub language: String,
    pub is_rtl: bool,
    /// Thousandths of the size that a line of each typeface takes by itself.
    heading_line: u32,
    body_line: u32,
    /// Scripts whose typefaces differ too much in that: their lines have a height in points.
    is_exact: bool,
}

impl Writer {
    pub fn new(
        palette: Palette,
        language: &str,
        is_rtl: bool,
        heading: &Font,
        body: &Font,
    ) -> Self {
        let script = script_of_language(language);
        Self {
            palette,
            language: language.to_owned(),
            is_rtl,
            heading_line: natural_line(heading),
            body_line: natural_line(body),
            is_exact: script.is_east_asian() || script.is_complex(),
        }
    }

    /// Writes a paragraph. `link` gives the relationship of an address.
    pub fn paragraph(
        &self,
        xml: &mut Xml,
        paragraph: &Paragraph,
        inherited: Option<Inherited>,
        link: &mut dyn FnMut(&str) -> String,
    ) {
        xml.open("a:p", &[]);
        self.properties(xml, paragraph);
        for span in &paragraph.spans {
            let id = span.href.as_deref().map(&mut *link);
            for (index, line) in span.text.split('\n').enumerate() {
                if index > 0 {
                    xml.element("a:br", &[], |xml| {
                        self.run_properties(xml, "a:rPr", paragraph, span, inherited, None);
                    });
                }
                if !line.is_empty() {
                    xml.open("a:r", &[]);
                    self.run_properties(xml, "a:rPr", paragraph, span, inherited, id.as_deref());
                    xml.leaf("a:t", &[], line).close();
                }
            }
        }
        let end = Span::default();
        self.run_properties(xml, "a:endParaRPr", paragraph, &end, inherited, None);
        xml.close();
    }

    /// The style of a level in a master or layout: what text has there that says nothing.
    pub fn level_style(&self, xml: &mut Xml, name: &'static str, sample: &Paragraph) {
        self.open_properties(xml, name, sample);
        xml.open(
            "a:defRPr",
            &[("sz", &sample.size), ("b", &u8::from(sample.bold))],
        );
        self.palette.ink(sample.role).fill(xml);
        typefaces(xml, sample.is_heading);
        xml.close().close();
    }

    fn properties(&self, xml: &mut Xml, paragraph: &Paragraph) {
        self.open_properties(xml, "a:pPr", paragraph);
        xml.close();
    }

    fn open_properties(&self, xml: &mut Xml, name: &'static str, paragraph: &Paragraph) {
        let to_emu = |hundredths: u32| i64::from(hundredths) * 127;
        let margin = to_emu(paragraph.indent());
        let indent = -to_emu(paragraph.hanging());
        let level = paragraph.level.min(8);
        let align = self.align(paragraph.align);
        let rtl = u8::from(self.is_rtl);
        let mut attributes: Vec<(&'static str, &dyn Display)> = vec![("marL", &margin)];
        if name == "a:pPr" {
            attributes.push(("lvl", &level));
        }
        attributes.extend([
            ("indent", &indent as &dyn Display),
            ("algn", &align),
            ("rtl", &rtl),
        ]);
        xml.open(name, &attributes);
        xml.element("a:lnSpc", &[], |xml| self.line_spacing(xml, paragraph));
        xml.element("a:spcBef", &[], |xml| {
            xml.empty("a:spcPts", &[("val", &paragraph.before)]);
        });
        match paragraph.mark {
            Mark::None => {
                xml.empty("a:buNone", &[]);
            }
            Mark::Bullet => {
                self.mark_color(xml, paragraph.role);
                xml.empty("a:buFont", &[("typeface", &"Arial")]);
                let mark = if paragraph.level == 0 { "•" } else { "–" };
                xml.empty("a:buChar", &[("char", &mark)]);
            }
            Mark::Number(number) => {
                self.mark_color(xml, paragraph.role);
                xml.empty("a:buFont", &[("typeface", &"+mj-lt")]);
                let number = number.clamp(1, 32_767);
                let attributes: [(_, &dyn Display); 2] =
                    [("type", &"arabicPeriod"), ("startAt", &number)];
                xml.empty("a:buAutoNum", &attributes);
            }
        }
    }

    /// The accent has its contrast on the page; elsewhere a mark is as its text is.
    fn mark_color(&self, xml: &mut Xml, text: Role) {
        let role = if text == Role::Text {
            Role::AccentText
        } else {
            text
        };
        xml.element("a:buClr", &[], |xml| {
            self.palette.ink(role).write(xml);
        });
    }

    fn line_spacing(&self, xml: &mut Xml, paragraph: &Paragraph) {
        if self.is_exact {
            let points = paragraph.size * paragraph.line / 1_000;
            xml.empty("a:spcPts", &[("val", &points)]);
        } else {
            let natural = if paragraph.is_heading {
                self.heading_line
            } else {
                self.body_line
            };
            let percent = (paragraph.line * 100 / natural).clamp(80, 125) * 1_000;
            xml.empty("a:spcPct", &[("val", &percent)]);
        }
    }

    fn align(&self, align: Align) -> &'static str {
        match (align, self.is_rtl) {
            (Align::Center, _) => "ctr",
            (Align::Start, false) | (Align::End, true) => "l",
            (Align::Start, true) | (Align::End, false) => "r",
        }
    }

    fn run_properties(
        &self,
        xml: &mut Xml,
        name: &'static str,
        paragraph: &Paragraph,
        span: &Span,
        inherited: Option<Inherited>,
        link: Option<&str>,
    ) {
        let size = if span.is_reference {
            LEAST
        } else {
            paragraph.size
        };
        let role = if span.is_reference && paragraph.role == Role::Text {
            Role::Muted
        } else {
            paragraph.role
        };
        let bold = u8::from(!span.is_reference && (paragraph.bold || span.bold));
        let italic = 1;
        let mut attributes: Vec<(&'static str, &dyn Display)> = vec![("lang", &self.language)];
        if inherited.is_none_or(|inherited| inherited.size != size) {
            attributes.push(("sz", &size));
        }
        if inherited.is_none_or(|inherited| u8::from(inherited.bold) != bold) {
            attributes.push(("b", &bold));
        }
        if span.italic {
            attributes.push(("i", &italic));
        }
        let dirty = 0;
        attributes.push(("dirty", &dirty));
        xml.open(name, &attributes);
        if inherited.is_none_or(|inherited| inherited.role != role) {
            self.palette.ink(role).fill(xml);
        }
        if inherited.is_none_or(|inherited| inherited.is_heading != paragraph.is_heading) {
            typefaces(xml, paragraph.is_heading);
        }
        if let Some(id) = link {
            xml.open("a:hlinkClick", &[("r:id", &id)]);
            // The theme's colour of links is made for the page. Elsewhere a link has the colour of its text.
            if role != Role::Text {
                xml.constant(concat!(
                    "<a:extLst><a:ext uri=\"{A12FA001-AC4F-418D-AE19-62706E023703}\"><ahyp:hlinkClr ",
                    "xmlns:ahyp=\"http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor\" ",
                    "val=\"tx\"/></a:ext></a:extLst>"
                ));
            }
            xml.close();
        }
        xml.close();
    }
}

/// The typefaces of the theme for headings or for text.
fn typefaces(xml: &mut Xml, is_heading: bool) {
    let theme = if is_heading {
        ["+mj-lt", "+mj-ea", "+mj-cs"]
    } else {
        ["+mn-lt", "+mn-ea", "+mn-cs"]
    };
    for (slot, typeface) in ["a:latin", "a:ea", "a:cs"].into_iter().zip(theme) {
        xml.empty(slot, &[("typeface", &typeface)]);
    }
}

/// What a line of the family takes where nothing is said, in thousandths of the size.
fn natural_line(font: &Font) -> u32 {
    const KNOWN: [(&str, u32); 14] = [
        ("inter", 1_210),
        ("arial", 1_150),
        ("helvetica", 1_150),
        ("lato", 1_200),
        ("roboto", 1_172),
        ("open sans", 1_362),
        ("ibm plex", 1_300),
        ("source serif", 1_371),
        ("source sans", 1_257),
        ("georgia", 1_136),
        ("playfair", 1_333),
        ("montserrat", 1_219),
        ("poppins", 1_500),
        ("noto", 1_362),
    ];
    let family = font.family.to_lowercase();
    let known = KNOWN.iter().find(|(name, _)| family.starts_with(name));
    match (known, font.class) {
        (Some((_, natural)), _) => *natural,
        (None, FontClass::Serif) => 1_200,
        (None, FontClass::Sans | FontClass::Mono) => 1_220,
    }
}
