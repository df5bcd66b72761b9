//! Text in charts: titles, and how labels look.

use super::Look;
use super::palette::{self, Color};
use crate::xml::Xml;

/// `c:txPr`: how the text of a part looks.
pub(super) fn properties(
    xml: &mut Xml,
    size: f64,
    bold: bool,
    color: Color,
    rotation: Option<i32>,
    look: &Look<'_>,
) {
    xml.open("c:txPr", &[]);
    body(xml, rotation);
    xml.empty("a:lstStyle", &[]).open("a:p", &[]);
    // Numbers in a paragraph from right to left are turned around by LibreOffice; names find their direction.
    xml.open("a:pPr", &[]);
    character(xml, "a:defRPr", None, size, bold, color);
    xml.close();
    xml.empty("a:endParaRPr", &[("lang", &look.language)]);
    xml.close().close();
}

/// `c:title` with its words; `rotation` in degrees.
pub(super) fn title(
    xml: &mut Xml,
    words: &str,
    size: f64,
    bold: bool,
    rotation: Option<i32>,
    look: &Look<'_>,
) {
    xml.open("c:title", &[])
        .open("c:tx", &[])
        .open("c:rich", &[]);
    body(xml, rotation);
    xml.empty("a:lstStyle", &[]).open("a:p", &[]);
    let color = palette::text(look.theme);
    paragraph(xml, size, bold, color, look);
    run(xml, words, size, bold, color, look);
    xml.close().close().close();
    xml.empty("c:overlay", &[("val", &0)]);
    xml.close();
}

/// One run of text.
pub(super) fn run(
    xml: &mut Xml,
    words: &str,
    size: f64,
    bold: bool,
    color: Color,
    look: &Look<'_>,
) {
    xml.open("a:r", &[]);
    character(xml, "a:rPr", Some(look.language), size, bold, color);
    xml.leaf("a:t", &[], words).close();
}

pub(super) fn paragraph(xml: &mut Xml, size: f64, bold: bool, color: Color, look: &Look<'_>) {
    let rtl = if look.is_rtl() { "1" } else { "0" };
    xml.open("a:pPr", &[("rtl", &rtl)]);
    character(xml, "a:defRPr", None, size, bold, color);
    xml.close();
}

pub(super) fn character(
    xml: &mut Xml,
    element: &'static str,
    language: Option<&str>,
    size: f64,
    bold: bool,
    color: Color,
) {
    let size = hundredths(size);
    let bold = u8::from(bold);
    match language {
        Some(language) => xml.open(element, &[("lang", &language), ("sz", &size), ("b", &bold)]),
        None => xml.open(element, &[("sz", &size), ("b", &bold)]),
    };
    color.fill(xml, 100);
    xml.constant(
        r#"<a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/>"#,
    );
    xml.close();
}

fn body(xml: &mut Xml, rotation: Option<i32>) {
    match rotation {
        Some(degrees) => xml.empty(
            "a:bodyPr",
            &[("rot", &degrees.saturating_mul(60_000)), ("vert", &"horz")],
        ),
        None => xml.empty("a:bodyPr", &[]),
    };
}

/// Sizes are in hundredths of a point, from 1 to 4,000 points.
fn hundredths(size: f64) -> u32 {
    (size * 100.0).round().clamp(100.0, 400_000.0) as u32
}
