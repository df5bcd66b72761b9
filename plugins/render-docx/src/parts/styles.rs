//! Styles. Everything in the body has one of these, so that whoever changes a style changes the document.

use std::collections::BTreeMap;

use gtm_document_model::document::{Direction, Document};
use gtm_ooxml::Xml;
use gtm_ooxml::theme::{Role, script_of_language};

use super::{W, settings, table_styles};
use crate::design::{Design, size};
use crate::ink::Ink;

mod looks;

use looks::{Frames, Look, looks};

/// Ids of styles. Those that Word has itself have its names, so that its own commands find them.
pub mod id {
    pub const NORMAL: &str = "Normal";
    pub const BODY: &str = "BodyText";
    pub const TITLE: &str = "Title";
    /// For titles that are long, and those without a page of their own.
    pub const SMALL_TITLE: &str = "TitleSmall";
    pub const SUBTITLE: &str = "Subtitle";
    pub const COVER_LINE: &str = "CoverLine";
    pub const HEADINGS: [&str; 4] = ["Heading1", "Heading2", "Heading3", "Heading4"];
    pub const LEAD: &str = "Lead";
    pub const LIST: &str = "ListParagraph";
    pub const STEP: &str = "Step";
    pub const STEP_TEXT: &str = "StepText";
    pub const QUOTE: &str = "Quote";
    pub const QUOTE_SOURCE: &str = "QuoteSource";
    pub const CAPTION: &str = "Caption";
    pub const CALLOUT_TITLE: &str = "CalloutTitle";
    pub const CALLOUT: &str = "Callout";
    pub const CELL: &str = "TableText";
    pub const SMALL_CELL: &str = "TableTextSmall";
    pub const HEAD: &str = "TableHead";
    pub const SMALL_HEAD: &str = "TableHeadSmall";
    pub const FIGURE: &str = "Figure";
    pub const KPI_VALUE: &str = "KpiValue";
    /// For a row in which one value is long.
    pub const SMALL_KPI_VALUE: &str = "KpiValueSmall";
    pub const KPI_LABEL: &str = "KpiLabel";
    pub const KPI_DETAIL: &str = "KpiDetail";
    pub const ACTION: &str = "CallToAction";
    pub const NOTES: &str = "SpeakerNotes";
    pub const GAP: &str = "Gap";
    pub const TOC_HEADING: &str = "TOCHeading";
    pub const TOC: [&str; 3] = ["TOC1", "TOC2", "TOC3"];
    /// The sender's name at the head of a short text.
    pub const LETTERHEAD: &str = "Letterhead";
    pub const HEADER: &str = "Header";
    pub const FOOTER: &str = "Footer";
    pub const FOOTNOTE: &str = "FootnoteText";
    pub const FOOTNOTE_REFERENCE: &str = "FootnoteReference";
    pub const HYPERLINK: &str = "Hyperlink";
    pub const STRONG: &str = "Strong";
    pub const EMPHASIS: &str = "Emphasis";
}

/// `word/styles.xml`.
#[must_use]
pub fn write(document: &Document, design: &Design) -> Vec<u8> {
    let theme = &document.theme;
    let is_rtl = document.meta.direction == Direction::Rtl;
    let mut xml = Xml::document();
    xml.open("w:styles", &[("xmlns:w", &W)]);
    defaults(&mut xml, document, design);
    let start = if is_rtl { "w:right" } else { "w:left" };
    let quote = |xml: &mut Xml| {
        xml.open("w:pBdr", &[]);
        Ink::of(theme, Role::Accent).border(xml, start, 18, 12);
        xml.close();
    };
    let callout = |xml: &mut Xml| {
        xml.open("w:pBdr", &[]);
        let surface = Ink::of(theme, Role::Surface);
        surface.border(xml, "w:top", 4, 7);
        if is_rtl {
            surface.border(xml, "w:left", 4, 8);
            surface.border(xml, "w:bottom", 4, 7);
            Ink::of(theme, Role::Primary).border(xml, "w:right", 24, 8);
        } else {
            Ink::of(theme, Role::Primary).border(xml, "w:left", 24, 8);
            surface.border(xml, "w:bottom", 4, 7);
            surface.border(xml, "w:right", 4, 8);
        }
        xml.close();
        surface.shade(xml);
    };
    let notes = |xml: &mut Xml| {
        xml.open("w:pBdr", &[]);
        Ink::of(theme, Role::Rule).border(xml, start, 12, 10);
        xml.close();
    };
    let contents_tab = |xml: &mut Xml| {
        xml.open("w:tabs", &[]);
        let at = design.width * 20;
        xml.empty(
            "w:tab",
            &[("w:val", &"right"), ("w:leader", &"dot"), ("w:pos", &at)],
        )
        .close();
    };
    let frames = Frames {
        quote: &quote,
        callout: &callout,
        notes: &notes,
        contents_tab: &contents_tab,
    };
    for look in &looks(design, Some(&frames)) {
        paragraph_style(&mut xml, look, document);
    }
    character_styles(&mut xml, document);
    table_styles::write(&mut xml, theme);
    xml.constant(
        r#"<w:style w:type="numbering" w:default="1" w:styleId="NoList"><w:name w:val="No List"/><w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/></w:style>"#,
    );
    xml.finish()
}

/// What a paragraph of a style takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// Points.
    pub size: f64,
    pub bold: bool,
    pub is_heading: bool,
    pub before: f64,
    pub after: f64,
    pub indent: f64,
    /// Parts of a line.
    pub line: f64,
}

/// What paragraphs take, by the id of their style.
#[must_use]
pub fn measures(design: &Design) -> BTreeMap<&'static str, Measure> {
    let points = |(before, after): (u32, u32)| (f64::from(before), f64::from(after));
    let all = looks(design, None).into_iter().map(|look| {
        let (before, after) = points(look.space.unwrap_or_default());
        let (start, end) = points(look.indent.unwrap_or_default());
        let measure = Measure {
            size: f64::from(look.size.unwrap_or(size::BODY)) / 2.0,
            bold: look.bold,
            is_heading: look.heading_font,
            before,
            after,
            indent: (start + end) / 20.0,
            line: f64::from(look.line.unwrap_or(design.line())) / 240.0,
        };
        (look.id, measure)
    });
    all.collect()
}

fn defaults(xml: &mut Xml, document: &Document, design: &Design) {
    xml.open("w:docDefaults", &[])
        .open("w:rPrDefault", &[])
        .open("w:rPr", &[]);
    fonts(xml, false);
    Ink::of(&document.theme, Role::Text).color(xml);
    xml.empty("w:sz", &[("w:val", &size::BODY)]);
    xml.empty("w:szCs", &[("w:val", &size::BODY)]);
    settings::languages(xml, "w:lang", &document.meta.language);
    xml.close()
        .close()
        .open("w:pPrDefault", &[])
        .open("w:pPr", &[]);
    xml.empty("w:widowControl", &[]);
    xml.empty(
        "w:spacing",
        &[("w:line", &design.line()), ("w:lineRule", &"auto")],
    );
    xml.close().close().close();
}

/// The fonts of the theme.
pub fn fonts(xml: &mut Xml, is_heading: bool) {
    xml.constant(if is_heading {
        r#"<w:rFonts w:asciiTheme="majorHAnsi" w:hAnsiTheme="majorHAnsi" w:eastAsiaTheme="majorEastAsia" w:cstheme="majorBidi"/>"#
    } else {
        r#"<w:rFonts w:asciiTheme="minorHAnsi" w:hAnsiTheme="minorHAnsi" w:eastAsiaTheme="minorEastAsia" w:cstheme="minorBidi"/>"#
    });
}

fn paragraph_style(xml: &mut Xml, look: &Look<'_>, document: &Document) {
    let is_default = look.id == id::NORMAL;
    if is_default {
        xml.open(
            "w:style",
            &[
                ("w:type", &"paragraph"),
                ("w:default", &1),
                ("w:styleId", &look.id),
            ],
        );
    } else {
        let custom = u8::from(!is_built_in(look.name));
        if custom == 1 {
            xml.open(
                "w:style",
                &[
                    ("w:type", &"paragraph"),
                    ("w:customStyle", &1),
                    ("w:styleId", &look.id),
                ],
            );
        } else {
            xml.open(
                "w:style",
                &[("w:type", &"paragraph"), ("w:styleId", &look.id)],
            );
        }
    }
    xml.empty("w:name", &[("w:val", &look.name)]);
    if let Some(base) = look.based_on {
        xml.empty("w:basedOn", &[("w:val", &base)]);
    }
    if let Some(next) = look.next {
        xml.empty("w:next", &[("w:val", &next)]);
    }
    xml.empty(
        "w:uiPriority",
        &[("w:val", &if look.outline.is_some() { 9 } else { 10 })],
    );
    xml.empty("w:qFormat", &[]);
    xml.open("w:pPr", &[]);
    for (is_set, name) in [
        (look.keep_next, "w:keepNext"),
        (look.keep_lines, "w:keepLines"),
    ] {
        if is_set {
            xml.empty(name, &[]);
        }
    }
    if let Some(numbering) = look.numbering {
        xml.open("w:numPr", &[])
            .empty("w:numId", &[("w:val", &numbering)])
            .close();
    }
    if let Some(frame) = look.frame {
        frame(xml);
    }
    if let Some(tabs) = look.tabs {
        tabs(xml);
    }
    let is_rtl = document.meta.direction == Direction::Rtl;
    // In a paragraph from right to left, LibreOffice turns the numbers of charts around.
    let is_turned = is_rtl && look.id == id::FIGURE;
    if is_turned {
        xml.empty("w:bidi", &[("w:val", &0)]);
    } else if is_default && is_rtl {
        xml.empty("w:bidi", &[]);
    }
    match (look.space, look.line) {
        (Some((before, after)), Some(_)) if look.is_exact => {
            let line = look.size.unwrap_or(size::BODY) * 12;
            xml.empty(
                "w:spacing",
                &[
                    ("w:before", &(before * 20)),
                    ("w:after", &(after * 20)),
                    ("w:line", &line),
                    ("w:lineRule", &"exact"),
                ],
            );
        }
        (Some((before, after)), Some(line)) => {
            xml.empty(
                "w:spacing",
                &[
                    ("w:before", &(before * 20)),
                    ("w:after", &(after * 20)),
                    ("w:line", &line),
                    ("w:lineRule", &"auto"),
                ],
            );
        }
        (Some((before, after)), None) => {
            xml.empty(
                "w:spacing",
                &[("w:before", &(before * 20)), ("w:after", &(after * 20))],
            );
        }
        (None, Some(line)) => {
            xml.empty("w:spacing", &[("w:line", &line), ("w:lineRule", &"auto")]);
        }
        (None, None) => {}
    }
    if let Some((start, end)) = look.indent {
        xml.empty("w:ind", &[("w:left", &start), ("w:right", &end)]);
    }
    if look.is_contextual {
        xml.empty("w:contextualSpacing", &[]);
    }
    if is_turned {
        xml.empty("w:jc", &[("w:val", &"right")]);
    }
    if let Some(outline) = look.outline {
        xml.empty("w:outlineLvl", &[("w:val", &outline)]);
    }
    xml.close().open("w:rPr", &[]);
    if look.heading_font {
        fonts(xml, true);
    }
    // Scripts without italics would be slanted by machine.
    let script = script_of_language(&document.meta.language);
    let slants = !script.is_east_asian() && !script.is_complex();
    for (is_set, names) in [
        (look.bold, ["w:b", "w:bCs"]),
        (look.italic && slants, ["w:i", "w:iCs"]),
    ] {
        for name in names.into_iter().filter(|_| is_set) {
            xml.empty(name, &[]);
        }
    }
    if let Some(role) = look.color {
        Ink::of(&document.theme, role).color(xml);
    }
    if let Some(size) = look.size {
        xml.empty("w:sz", &[("w:val", &size)]);
        xml.empty("w:szCs", &[("w:val", &size)]);
    }
    xml.close().close();
}

/// Names of Word's own styles; with others it takes a style for the user's.
fn is_built_in(name: &str) -> bool {
    const NAMES: [&str; 10] = [
        "Body Text",
        "Title",
        "Subtitle",
        "List Paragraph",
        "Quote",
        "caption",
        "TOC Heading",
        "header",
        "footer",
        "footnote text",
    ];
    NAMES.contains(&name) || name.starts_with("heading ") || name.starts_with("toc ")
}

fn character_styles(xml: &mut Xml, document: &Document) {
    xml.constant(
        r#"<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/><w:unhideWhenUsed/></w:style>"#,
    );
    let mut character = |id: &'static str, name: &'static str, inside: &dyn Fn(&mut Xml)| {
        xml.open("w:style", &[("w:type", &"character"), ("w:styleId", &id)]);
        xml.empty("w:name", &[("w:val", &name)]);
        xml.empty("w:basedOn", &[("w:val", &"DefaultParagraphFont")]);
        xml.empty("w:uiPriority", &[("w:val", &22)]);
        xml.empty("w:qFormat", &[]);
        xml.open("w:rPr", &[]);
        inside(xml);
        xml.close().close();
    };
    character(id::HYPERLINK, "Hyperlink", &|xml| {
        Ink::of(&document.theme, Role::AccentText).color(xml);
        xml.empty("w:u", &[("w:val", &"single")]);
    });
    character(id::STRONG, "Strong", &|xml| {
        xml.empty("w:b", &[]).empty("w:bCs", &[]);
    });
    character(id::EMPHASIS, "Emphasis", &|xml| {
        xml.empty("w:i", &[]).empty("w:iCs", &[]);
    });
    character(id::FOOTNOTE_REFERENCE, "footnote reference", &|xml| {
        xml.empty("w:vertAlign", &[("w:val", &"superscript")]);
    });
}
