//! The style of tables, as Office offers it for every table of the file.

use gtm_ooxml::Xml;
use gtm_ooxml::theme::{Ink, Palette, Role};

/// Its id: only that it is the same in the file matters.
pub const TABLE_STYLE: &str = "{3B4B98B0-60AC-42C2-AFA5-B58CD77FA1E5}";

/// The part with the style.
pub fn part(palette: &Palette) -> Vec<u8> {
    let mut xml = Xml::document();
    let namespace = "http://schemas.openxmlformats.org/drawingml/2006/main";
    xml.open(
        "a:tblStyleLst",
        &[("xmlns:a", &namespace), ("def", &TABLE_STYLE)],
    );
    xml.open(
        "a:tblStyle",
        &[("styleId", &TABLE_STYLE), ("styleName", &"Document")],
    );
    xml.element("a:wholeTbl", &[], |xml| {
        text(xml, palette.ink(Role::Text), false);
        xml.element("a:tcStyle", &[], |xml| {
            xml.element("a:tcBdr", &[], |xml| {
                for side in ["a:left", "a:right"] {
                    border(xml, side, None);
                }
                border(xml, "a:top", None);
                border(xml, "a:bottom", Some(palette.ink(Role::Rule)));
                border(xml, "a:insideH", Some(palette.ink(Role::Rule)));
                border(xml, "a:insideV", None);
            });
            xml.element("a:fill", &[], |xml| {
                xml.empty("a:noFill", &[]);
            });
        });
    });
    xml.element("a:band2H", &[], |xml| {
        xml.element("a:tcStyle", &[], |xml| {
            xml.empty("a:tcBdr", &[]);
            xml.element("a:fill", &[], |xml| palette.ink(Role::Surface).fill(xml));
        });
    });
    xml.element("a:firstCol", &[], |xml| {
        text(xml, palette.ink(Role::Text), true);
    });
    xml.element("a:firstRow", &[], |xml| {
        text(xml, palette.ink(Role::OnPrimary), true);
        xml.element("a:tcStyle", &[], |xml| {
            xml.empty("a:tcBdr", &[]);
            xml.element("a:fill", &[], |xml| palette.ink(Role::Primary).fill(xml));
        });
    });
    xml.finish()
}

fn text(xml: &mut Xml, ink: Ink, is_bold: bool) {
    let bold = if is_bold { "on" } else { "off" };
    xml.element("a:tcTxStyle", &[("b", &bold)], |xml| {
        xml.constant("<a:fontRef idx=\"minor\"/>");
        ink.write(xml);
    });
}

fn border(xml: &mut Xml, side: &'static str, ink: Option<Ink>) {
    xml.element(side, &[], |xml| match ink {
        Some(ink) => {
            xml.element("a:ln", &[("w", &6_350)], |xml| ink.fill(xml));
        }
        None => {
            xml.element("a:ln", &[], |xml| {
                xml.empty("a:noFill", &[]);
            });
        }
    });
}
