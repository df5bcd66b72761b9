//! Shapes with and without text, lines, and placeholders.

use std::fmt::Display;

use gtm_ooxml::Xml;
use gtm_ooxml::package::Package;
use gtm_ooxml::theme::Ink;

use super::{Alt, Canvas};
use crate::geometry::{Emu, Rect};
use crate::text::{Inherited, Paragraph};

/// Where text stands in its box, from top to bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Top,
    Middle,
    Bottom,
}

impl Anchor {
    const fn value(self) -> &'static str {
        match self {
            Self::Top => "t",
            Self::Middle => "ctr",
            Self::Bottom => "b",
        }
    }
}

/// The text of a shape.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    pub paragraphs: &'a [Paragraph],
    pub anchor: Anchor,
    /// Left, top, right and bottom; left is where lines begin.
    pub insets: [Emu; 4],
}

impl<'a> Words<'a> {
    /// Text at the top of a box without insets.
    pub const fn new(paragraphs: &'a [Paragraph]) -> Self {
        Self {
            paragraphs,
            anchor: Anchor::Top,
            insets: [0; 4],
        }
    }

    pub const fn anchor(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub const fn insets(self, insets: [Emu; 4]) -> Self {
        Self { insets, ..self }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Shape<'a> {
    pub name: &'a str,
    pub rect: Rect,
    /// A preset geometry, such as `rect`, and its adjustment, if it has one.
    pub geometry: (&'a str, Option<u32>),
    pub fill: Option<Ink>,
    pub line: Option<(Ink, Emu)>,
    pub words: Option<Words<'a>>,
    pub alt: Alt<'a>,
    /// Where a click on the shape leads.
    pub href: Option<&'a str>,
}

impl<'a> Shape<'a> {
    /// A rectangle without fill, line and text.
    pub const fn new(name: &'a str, rect: Rect) -> Self {
        Self {
            name,
            rect,
            geometry: ("rect", None),
            fill: None,
            line: None,
            words: None,
            alt: Alt::None,
            href: None,
        }
    }

    /// A field of colour that says nothing.
    pub const fn field(name: &'a str, rect: Rect, fill: Ink) -> Self {
        Self {
            fill: Some(fill),
            alt: Alt::Decorative,
            ..Self::new(name, rect)
        }
    }

    /// A box of text.
    pub const fn text(name: &'a str, rect: Rect, words: Words<'a>) -> Self {
        Self {
            words: Some(words),
            ..Self::new(name, rect)
        }
    }

    pub const fn geometry(self, geometry: (&'a str, Option<u32>)) -> Self {
        Self { geometry, ..self }
    }

    pub const fn fill(self, ink: Ink) -> Self {
        Self {
            fill: Some(ink),
            ..self
        }
    }
}

/// A placeholder of the layout that a slide fills.
#[derive(Debug, Clone, Copy)]
pub struct Placeholder<'a> {
    pub name: &'a str,
    /// `title`, `body` and so on; none for one that takes anything.
    pub kind: Option<&'a str>,
    pub index: Option<u32>,
    /// Where it is, if not where the layout has it.
    pub rect: Option<Rect>,
    pub inherited: Inherited,
}

/// The insets are the layout's; they are said again because some readers take their own where a slide is silent.
const PLACEHOLDER_BODY: &str = concat!(
    "<a:bodyPr lIns=\"0\" tIns=\"0\" rIns=\"0\" bIns=\"0\"><a:normAutofit/></a:bodyPr>",
    "<a:lstStyle/>"
);

impl Canvas<'_> {
    /// Draws a shape.
    pub fn shape(&mut self, package: &mut Package, shape: &Shape<'_>) {
        let link = shape.href.map(|href| self.link(package, href));
        self.xml.open("p:sp", &[]).open("p:nvSpPr", &[]);
        self.identity(shape.name, shape.alt, link.as_deref());
        let is_box = shape.words.is_some() && shape.fill.is_none() && shape.line.is_none();
        if is_box {
            self.xml.empty("p:cNvSpPr", &[("txBox", &1)]);
        } else {
            self.xml.empty("p:cNvSpPr", &[]);
        }
        self.xml.empty("p:nvPr", &[]).close();
        self.xml.open("p:spPr", &[]);
        self.transform("a:xfrm", shape.rect);
        let (preset, adjustment) = shape.geometry;
        self.xml.open("a:prstGeom", &[("prst", &preset)]);
        self.xml.open("a:avLst", &[]);
        if let Some(value) = adjustment {
            let formula = format!("val {value}");
            self.xml
                .empty("a:gd", &[("name", &"adj"), ("fmla", &formula)]);
        }
        self.xml.close().close();
        self.paint(shape.fill, shape.line);
        self.xml.close();
        self.body(package, shape.words, None);
        self.xml.close();
    }

    /// Fills a placeholder.
    pub fn placeholder(
        &mut self,
        package: &mut Package,
        placeholder: &Placeholder<'_>,
        paragraphs: &[Paragraph],
    ) {
        self.xml.open("p:sp", &[]).open("p:nvSpPr", &[]);
        self.identity(placeholder.name, Alt::None, None);
        self.xml
            .constant("<p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr>");
        self.xml.open("p:nvPr", &[]);
        self.placeholder_mark(placeholder.kind, placeholder.index);
        self.xml.close().close();
        self.xml.open("p:spPr", &[]);
        if let Some(rect) = placeholder.rect {
            self.transform("a:xfrm", rect);
        }
        self.xml.close();
        self.xml.open("p:txBody", &[]);
        self.xml.constant(PLACEHOLDER_BODY);
        self.paragraphs(package, paragraphs, Some(placeholder.inherited));
        self.xml.close().close();
    }

    /// A cell of a table, with its horizontal and vertical margins.
    pub fn cell(
        &mut self,
        package: &mut Package,
        paragraphs: &[Paragraph],
        [x, y]: [Emu; 2],
        inherited: Inherited,
        fill: Option<Ink>,
    ) {
        self.xml.open("a:tc", &[]);
        self.xml.open("a:txBody", &[]);
        self.xml.constant("<a:bodyPr/><a:lstStyle/>");
        self.paragraphs(package, paragraphs, Some(inherited));
        self.xml.close();
        let attributes: [(_, &dyn Display); 5] = [
            ("marL", &x),
            ("marR", &x),
            ("marT", &y),
            ("marB", &y),
            ("anchor", &"ctr"),
        ];
        self.xml.element("a:tcPr", &attributes, |xml| {
            if let Some(ink) = fill {
                ink.fill(xml);
            }
        });
        self.xml.close();
    }

    /// A placeholder of a master or layout, with the style of its text and what it says while it is empty.
    pub fn prompt(
        &mut self,
        name: &str,
        (kind, index): (Option<&str>, Option<u32>),
        rect: Rect,
        anchor: Anchor,
        style: impl FnOnce(&mut Xml),
        text: impl FnOnce(&mut Xml),
    ) {
        self.xml.open("p:sp", &[]).open("p:nvSpPr", &[]);
        self.identity(name, Alt::None, None);
        self.xml
            .constant("<p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr>");
        self.xml.open("p:nvPr", &[]);
        self.placeholder_mark(kind, index);
        self.xml.close().close();
        self.xml.open("p:spPr", &[]);
        self.transform("a:xfrm", rect);
        self.xml
            .constant("<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom>");
        self.xml.close();
        self.xml.open("p:txBody", &[]);
        let rtl = u8::from(self.writer.is_rtl);
        self.xml.open(
            "a:bodyPr",
            &[
                ("wrap", &"square"),
                ("lIns", &0),
                ("tIns", &0),
                ("rIns", &0),
                ("bIns", &0),
                ("rtlCol", &rtl),
                ("anchor", &anchor.value()),
            ],
        );
        self.xml.empty("a:normAutofit", &[]).close();
        self.xml.element("a:lstStyle", &[], style);
        self.xml.open("a:p", &[]);
        let language = self.writer.language.clone();
        if kind == Some("sldNum") {
            let id = "{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}";
            self.xml
                .open("a:fld", &[("id", &id), ("type", &"slidenum")]);
        } else {
            self.xml.open("a:r", &[]);
        }
        self.xml.empty("a:rPr", &[("lang", &language)]);
        text(&mut self.xml);
        self.xml.close();
        self.xml.empty("a:endParaRPr", &[("lang", &language)]);
        self.xml.close().close().close();
    }

    /// The notes of a slide: its picture, and the text.
    pub fn notes(&mut self, package: &mut Package, paragraphs: &[Paragraph]) {
        self.xml.open("p:sp", &[]).open("p:nvSpPr", &[]);
        self.identity("Slide Image", Alt::None, None);
        self.xml.constant(concat!(
            "<p:cNvSpPr><a:spLocks noGrp=\"1\" noRot=\"1\" noChangeAspect=\"1\"/></p:cNvSpPr>",
            "<p:nvPr><p:ph type=\"sldImg\"/></p:nvPr>"
        ));
        self.xml.close().constant("<p:spPr/>").close();
        self.xml.open("p:sp", &[]).open("p:nvSpPr", &[]);
        self.identity("Notes", Alt::None, None);
        self.xml.constant(concat!(
            "<p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr>",
            "<p:nvPr><p:ph type=\"body\" idx=\"1\"/></p:nvPr>"
        ));
        self.xml.close().constant("<p:spPr/>");
        self.xml.open("p:txBody", &[]);
        self.xml.constant("<a:bodyPr/><a:lstStyle/>");
        self.paragraphs(package, paragraphs, None);
        self.xml.close().close();
    }

    /// The field with the slide's number.
    pub fn slide_number(&mut self, number: usize) {
        self.xml.open("p:sp", &[]).open("p:nvSpPr", &[]);
        self.identity("Slide Number", Alt::None, None);
        self.xml.constant(concat!(
            "<p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr>",
            "<p:nvPr><p:ph type=\"sldNum\" sz=\"quarter\" idx=\"12\"/></p:nvPr>"
        ));
        self.xml.close().constant("<p:spPr/>");
        self.xml.open("p:txBody", &[]);
        self.xml.constant(PLACEHOLDER_BODY).open("a:p", &[]);
        let language = self.writer.language.clone();
        let id = "{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}";
        self.xml
            .open("a:fld", &[("id", &id), ("type", &"slidenum")]);
        self.xml.empty("a:rPr", &[("lang", &language)]);
        self.xml.leaf("a:t", &[], number).close();
        self.xml.empty("a:endParaRPr", &[("lang", &language)]);
        self.xml.close().close().close();
    }

    /// What marks a shape as a placeholder.
    pub fn placeholder_mark(&mut self, kind: Option<&str>, index: Option<u32>) {
        let mut attributes: Vec<(&'static str, &dyn Display)> = Vec::new();
        if let Some(kind) = &kind {
            attributes.push(("type", kind));
        }
        if let Some(index) = &index {
            attributes.push(("idx", index));
        }
        self.xml.empty("p:ph", &attributes);
    }

    pub(super) fn paint(&mut self, fill: Option<Ink>, line: Option<(Ink, Emu)>) {
        match fill {
            Some(ink) => ink.fill(&mut self.xml),
            None => {
                self.xml.empty("a:noFill", &[]);
            }
        }
        match line {
            Some((ink, width)) => {
                self.xml.open("a:ln", &[("w", &width)]);
                ink.fill(&mut self.xml);
                self.xml.close();
            }
            None => {
                self.xml.element("a:ln", &[], |xml| {
                    xml.empty("a:noFill", &[]);
                });
            }
        }
    }

    fn body(
        &mut self,
        package: &mut Package,
        words: Option<Words<'_>>,
        inherited: Option<Inherited>,
    ) {
        let words = words.unwrap_or(Words::new(&[]));
        let [start, top, end, bottom] = words.insets;
        let (left, right) = if self.writer.is_rtl {
            (end, start)
        } else {
            (start, end)
        };
        let rtl = u8::from(self.writer.is_rtl);
        self.xml.open("p:txBody", &[]);
        self.xml.open(
            "a:bodyPr",
            &[
                ("wrap", &"square"),
                ("lIns", &left),
                ("tIns", &top),
                ("rIns", &right),
                ("bIns", &bottom),
                ("rtlCol", &rtl),
                ("anchor", &words.anchor.value()),
            ],
        );
        self.xml.empty("a:noAutofit", &[]).close();
        self.xml.empty("a:lstStyle", &[]);
        self.paragraphs(package, words.paragraphs, inherited);
        self.xml.close();
    }
}
