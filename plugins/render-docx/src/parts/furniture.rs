//! What stands at the edge of each page: header and footer.

use gtm_document_model::Document;
use gtm_document_model::document::Direction;
use gtm_ooxml::added_words::AddedWords;
use gtm_ooxml::package::relation;
use gtm_ooxml::{Package, PackageError, PartId, Xml, letters};

use super::styles::id;
use super::table_styles::PLAIN;
use super::{A, R, W, WP};
use crate::body::Graphic;
use crate::body::{field, fitted, picture};
use crate::design::{Cover, Design};

const HEADER_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml";
const FOOTER_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml";
const HEADER: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/header";
const FOOTER: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footer";
/// Name of the property that the footer's field shows.
pub const CLASSIFICATION: &str = "Classification";
/// Ids of graphics at the edge; those of the body begin at 1.
const FIRST_ID: u32 = 900_000_000;
/// Most that the logo takes above a short text, in points.
const LOGO: (f64, f64) = (140.0, 32.0);

/// The relationships of headers and footers, each pair in this order.
#[derive(Debug, Clone, Default)]
pub struct Furniture {
    pub upright: (String, String),
    pub wide: (String, String),
    /// Of a first page with the title above its text, until a section has them.
    pub first: Option<(String, String)>,
}

impl Furniture {
    /// Adds the parts.
    ///
    /// # Errors
    /// Where a part of such a name is there already.
    pub fn add(
        package: &mut Package,
        document_part: PartId,
        document: &Document,
        design: &Design,
        words: AddedWords,
        logo: Option<(PartId, u32, u32)>,
        pages: usize,
    ) -> Result<Self, PackageError> {
        let mut all = Self::default();
        let margin = design.wide();
        let variants = [
            (&mut all.upright, design.width, 1),
            (&mut all.wide, margin, 2),
        ];
        for (pair, width, number) in variants {
            let part = package.begin(&format!("/word/header{number}.xml"), HEADER_TYPE)?;
            let logo = logo.map(|(picture, wide, high)| {
                (package.relate(part, relation::IMAGE, picture), wide, high)
            });
            package.fill(
                part,
                header(document, design, width, logo, FIRST_ID + number),
            );
            pair.0 = package.relate(document_part, HEADER, part);
            let name = format!("/word/footer{number}.xml");
            let content = footer(document, width, Some((words, pages)));
            let part = package.add(&name, FOOTER_TYPE, content)?;
            pair.1 = package.relate(document_part, FOOTER, part);
        }
        if design.begins_on_first_page() {
            let part = package.begin("/word/header3.xml", HEADER_TYPE)?;
            let logo = logo.map(|(picture, wide, high)| {
                (package.relate(part, relation::IMAGE, picture), wide, high)
            });
            package.fill(part, letterhead(document, design, logo));
            let header = package.relate(document_part, HEADER, part);
            let content = footer(document, design.width, None);
            let part = package.add("/word/footer3.xml", FOOTER_TYPE, content)?;
            all.first = Some((header, package.relate(document_part, FOOTER, part)));
        }
        Ok(all)
    }
}

fn open(root: &'static str) -> Xml {
    let mut xml = Xml::document();
    xml.open(
        root,
        &[
            ("xmlns:w", &W),
            ("xmlns:r", &R),
            ("xmlns:wp", &WP),
            ("xmlns:a", &A),
        ],
    );
    xml
}

fn begin(xml: &mut Xml, style: &'static str, width: u32) {
    xml.open("w:p", &[])
        .open("w:pPr", &[])
        .empty("w:pStyle", &[("w:val", &style)]);
    xml.open("w:tabs", &[]);
    xml.empty("w:tab", &[("w:val", &"right"), ("w:pos", &(width * 20))]);
    xml.close().close();
}

fn text(xml: &mut Xml, words: &str) {
    xml.open("w:r", &[])
        .leaf("w:t", &[("xml:space", &"preserve")], words)
        .close();
}

fn tab(xml: &mut Xml) {
    xml.open("w:r", &[]).empty("w:tab", &[]).close();
}

/// The title at the start and the logo at the end.
fn header(
    document: &Document,
    design: &Design,
    width: u32,
    logo: Option<(String, u32, u32)>,
    id_number: u32,
) -> Vec<u8> {
    let mut xml = open("w:hdr");
    begin(&mut xml, id::HEADER, width);
    // Above the band with the title, it would stand there twice.
    if !design.has_header() {
        return xml.finish();
    }
    field(&mut xml, " TITLE ", &document.meta.title, None);
    if let (Some((relationship, wide, high)), Some(mark)) = (logo, &document.theme.logo)
        && document.meta.title.chars().count() <= 60
    {
        tab(&mut xml);
        let (width, height) = fitted(wide, high, (90.0, 18.0));
        let graphic = Graphic {
            width,
            height,
            alt: Some(&mark.alt),
            title: None,
        };
        picture(&mut xml, &graphic, id_number, &relationship);
    }
    xml.finish()
}

/// Who sends a short text: the logo, or the name where there is none, and across from it a letter's sender. A band has both.
fn letterhead(document: &Document, design: &Design, logo: Option<(String, u32, u32)>) -> Vec<u8> {
    let mut xml = open("w:hdr");
    if design.cover == Cover::Band {
        begin(&mut xml, id::HEADER, design.width);
        return xml.finish();
    }
    let lines = letters::sender(document).filter(|_| design.has_sender_above);
    let Some(lines) = lines else {
        mark(&mut xml, document, logo);
        return xml.finish();
    };
    // The name stands there already where it takes the logo's place.
    let is_named = logo.is_none();
    let half = design.width * 10;
    xml.open("w:tbl", &[]).open("w:tblPr", &[]);
    xml.empty("w:tblStyle", &[("w:val", &PLAIN)]);
    if document.meta.direction == Direction::Rtl {
        xml.empty("w:bidiVisual", &[]);
    }
    xml.empty("w:tblW", &[("w:w", &(2 * half)), ("w:type", &"dxa")]);
    xml.empty("w:tblLayout", &[("w:type", &"fixed")]).close();
    xml.open("w:tblGrid", &[]);
    for _ in 0..2 {
        xml.empty("w:gridCol", &[("w:w", &half)]);
    }
    xml.close().open("w:tr", &[]);
    let cell = |xml: &mut Xml| {
        xml.open("w:tc", &[]).open("w:tcPr", &[]);
        xml.empty("w:tcW", &[("w:w", &half), ("w:type", &"dxa")])
            .close();
    };
    cell(&mut xml);
    mark(&mut xml, document, logo);
    xml.close().close();
    cell(&mut xml);
    xml.open("w:p", &[]).open("w:pPr", &[]);
    xml.empty("w:pStyle", &[("w:val", &id::HEADER)]);
    xml.empty("w:jc", &[("w:val", &"right")]).close();
    for (index, line) in lines.iter().skip(usize::from(is_named)).enumerate() {
        if index > 0 {
            xml.open("w:r", &[]).empty("w:br", &[]).close();
        }
        text(&mut xml, line);
    }
    xml.close().close().close().close();
    // A table does not end a header.
    xml.open("w:p", &[]).open("w:pPr", &[]);
    xml.empty("w:pStyle", &[("w:val", &id::GAP)]);
    xml.finish()
}

/// The sender's logo, or its name.
fn mark(xml: &mut Xml, document: &Document, logo: Option<(String, u32, u32)>) {
    xml.open("w:p", &[]).open("w:pPr", &[]);
    xml.empty("w:pStyle", &[("w:val", &id::LETTERHEAD)]).close();
    if let (Some((relationship, wide, high)), Some(mark)) = (logo, &document.theme.logo) {
        let (width, height) = fitted(wide, high, LOGO);
        let graphic = Graphic {
            width,
            height,
            alt: Some(&mark.alt),
            title: None,
        };
        picture(xml, &graphic, FIRST_ID + 3, &relationship);
    } else if let Some(sender) = sender(document) {
        text(xml, sender);
    }
}

/// Who sends a document. A letter about nothing in particular has its sender for its title.
fn sender(document: &Document) -> Option<&str> {
    let meta = &document.meta;
    let title = document.is_letter().then_some(meta.title.as_str());
    meta.organization.as_deref().or(title)
}

/// Whose document it is and who may read it at the start; at the end the page, of so many, unless it is a first one.
fn footer(document: &Document, width: u32, page: Option<(AddedWords, usize)>) -> Vec<u8> {
    let mut xml = open("w:ftr");
    begin(&mut xml, id::FOOTER, width);
    let meta = &document.meta;
    if let Some(organization) = &meta.organization {
        text(&mut xml, organization);
    }
    if let Some(classification) = &meta.classification {
        if meta.organization.is_some() {
            text(&mut xml, "  \u{b7}  ");
        }
        field(
            &mut xml,
            &format!(" DOCPROPERTY {CLASSIFICATION} "),
            classification,
            None,
        );
    }
    if let Some((words, pages)) = page {
        tab(&mut xml);
        text(&mut xml, &format!("{} ", words.page));
        field(&mut xml, " PAGE ", "1", None);
        text(&mut xml, &format!(" {} ", words.of));
        field(&mut xml, " NUMPAGES ", &pages.to_string(), None);
    }
    xml.finish()
}
