//! A slide, layout or master as it is being drawn: shapes in reading order, each with an id of its own.

mod frame;
mod shape;

use std::fmt::Display;

use gtm_ooxml::Xml;
use gtm_ooxml::package::{Package, PartId, relation};

use crate::geometry::{Emu, Rect};
use crate::text::{Inherited, Paragraph, Writer};

pub use shape::{Anchor, Placeholder, Shape, Words};

/// Namespaces of a presentation's parts.
pub const NAMESPACES: [(&str, &str); 3] = [
    (
        "xmlns:a",
        "http://schemas.openxmlformats.org/drawingml/2006/main",
    ),
    (
        "xmlns:r",
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    ),
    (
        "xmlns:p",
        "http://schemas.openxmlformats.org/presentationml/2006/main",
    ),
];

/// The attributes that declare the namespaces.
pub fn namespaces() -> [(&'static str, &'static dyn Display); 3] {
    [0, 1, 2].map(|index: usize| {
        let (name, value) = &NAMESPACES[index];
        (*name, value as &dyn Display)
    })
}

/// What is said of a picture or shape for those who cannot see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alt<'a> {
    /// Its own text says it.
    None,
    Text(&'a str),
    Decorative,
}

/// The shapes of a slide.
pub struct Canvas<'a> {
    pub xml: Xml,
    pub part: PartId,
    pub writer: &'a Writer,
    next_id: u32,
}

impl<'a> Canvas<'a> {
    pub fn new(part: PartId, writer: &'a Writer) -> Self {
        Self {
            xml: Xml::fragment(),
            part,
            writer,
            // The tree of shapes itself has id 1.
            next_id: 2,
        }
    }

    /// Name and id of a shape, and what is said of it.
    fn identity(&mut self, name: &str, alt: Alt<'_>, link: Option<&str>) {
        let id = self.next_id;
        self.next_id += 1;
        let name = format!("{name} {}", id - 1);
        let mut attributes: Vec<(&'static str, &dyn Display)> = vec![("id", &id), ("name", &name)];
        if let Alt::Text(text) = &alt {
            attributes.push(("descr", text));
        }
        self.xml.open("p:cNvPr", &attributes);
        if let Some(link) = link {
            self.xml.empty("a:hlinkClick", &[("r:id", &link)]);
        }
        if alt == Alt::Decorative {
            self.xml.constant(concat!(
                "<a:extLst><a:ext uri=\"{C183D7F6-B498-43B3-948B-1728B52AA6E4}\">",
                "<adec:decorative ",
                "xmlns:adec=\"http://schemas.microsoft.com/office/drawing/2017/decorative\" ",
                "val=\"1\"/></a:ext></a:extLst>"
            ));
        }
        self.xml.close();
    }

    /// Where a shape is; mirrored where the document is read from the right.
    fn transform(&mut self, name: &'static str, rect: Rect) {
        let rect = if self.writer.is_rtl {
            rect.mirrored()
        } else {
            rect
        };
        let length = |length: Emu| length.max(0);
        self.xml.open(name, &[]);
        self.xml.empty("a:off", &[("x", &rect.x), ("y", &rect.y)]);
        self.xml
            .empty("a:ext", &[("cx", &length(rect.w)), ("cy", &length(rect.h))]);
        self.xml.close();
    }

    /// Paragraphs, and an empty one where there are none: a body of text has at least one.
    fn paragraphs(
        &mut self,
        package: &mut Package,
        paragraphs: &[Paragraph],
        inherited: Option<Inherited>,
    ) {
        let part = self.part;
        let mut link = |address: &str| package.relate_external(part, relation::HYPERLINK, address);
        for paragraph in paragraphs {
            self.writer
                .paragraph(&mut self.xml, paragraph, inherited, &mut link);
        }
        if paragraphs.is_empty() {
            let language = &self.writer.language;
            self.xml.element("a:p", &[], |xml| {
                xml.empty("a:endParaRPr", &[("lang", language)]);
            });
        }
    }

    /// The relationship of a link.
    pub fn link(&self, package: &mut Package, address: &str) -> String {
        package.relate_external(self.part, relation::HYPERLINK, address)
    }

    /// The common slide data: background, if it has one of its own, and all shapes.
    pub fn finish(
        self,
        xml: &mut Xml,
        name: Option<&str>,
        background: Option<gtm_ooxml::theme::Ink>,
    ) {
        match name {
            Some(name) => xml.open("p:cSld", &[("name", &name)]),
            None => xml.open("p:cSld", &[]),
        };
        if let Some(ink) = background {
            xml.open("p:bg", &[]).open("p:bgPr", &[]);
            ink.fill(xml);
            xml.empty("a:effectLst", &[]).close().close();
        }
        xml.open("p:spTree", &[]);
        xml.constant(concat!(
            "<p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>",
            "<p:grpSpPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"0\" cy=\"0\"/>",
            "<a:chOff x=\"0\" y=\"0\"/><a:chExt cx=\"0\" cy=\"0\"/></a:xfrm></p:grpSpPr>"
        ));
        xml.append(self.xml);
        xml.close().close();
    }
}
