//! The theme part of a package.

use gtm_document_model::theme::{Font, FontClass, Theme};

use super::{Script, hex, script_of_language};
use crate::xml::Xml;

/// Content type of a theme part.
pub const CONTENT_TYPE: &str = "application/vnd.openxmlformats-officedocument.theme+xml";

/// Fills, lines and effects that shapes may refer to. Flat, as everything that the renderers draw.
const FORMATS: &str = concat!(
    "<a:fmtScheme name=\"Flat\"><a:fillStyleLst>",
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>",
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>",
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>",
    "</a:fillStyleLst><a:lnStyleLst>",
    "<a:ln w=\"6350\"><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:ln>",
    "<a:ln w=\"12700\"><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:ln>",
    "<a:ln w=\"19050\"><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:ln>",
    "</a:lnStyleLst><a:effectStyleLst>",
    "<a:effectStyle><a:effectLst/></a:effectStyle>",
    "<a:effectStyle><a:effectLst/></a:effectStyle>",
    "<a:effectStyle><a:effectLst/></a:effectStyle>",
    "</a:effectStyleLst><a:bgFillStyleLst>",
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>",
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>",
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>",
    "</a:bgFillStyleLst></a:fmtScheme>",
);

/// The theme of a document in this language. The names that people see are the brand's.
#[must_use]
pub fn write(theme: &Theme, name: &str, language: &str) -> Vec<u8> {
    let colors = &theme.colors;
    let chart = &theme.chart;
    // `dk1` is the darker one, as in the themes that Office has; a master of a dark theme maps it to the page.
    let is_dark = theme.mode == gtm_document_model::theme::Mode::Dark;
    let [dark1, light1, dark2, light2] = if is_dark {
        [colors.background, colors.text, colors.surface, colors.muted]
    } else {
        [colors.text, colors.background, colors.muted, colors.surface]
    };
    let slots = [
        ("a:dk1", dark1),
        ("a:lt1", light1),
        ("a:dk2", dark2),
        ("a:lt2", light2),
        ("a:accent1", chart[0]),
        ("a:accent2", chart[1]),
        ("a:accent3", chart[2]),
        ("a:accent4", chart[3]),
        ("a:accent5", chart[4]),
        ("a:accent6", chart[5]),
        ("a:hlink", colors.accent_text),
        ("a:folHlink", colors.primary),
    ];
    let script = script_of_language(language);
    let mut xml = Xml::document();
    let namespace = "http://schemas.openxmlformats.org/drawingml/2006/main";
    xml.open("a:theme", &[("xmlns:a", &namespace), ("name", &name)]);
    xml.open("a:themeElements", &[]);
    xml.element("a:clrScheme", &[("name", &name)], |xml| {
        for (slot, color) in slots {
            xml.element(slot, &[], |xml| {
                xml.empty("a:srgbClr", &[("val", &hex(color))]);
            });
        }
    });
    xml.element("a:fontScheme", &[("name", &name)], |xml| {
        xml.element("a:majorFont", &[], |xml| {
            font(xml, &theme.fonts.heading, script)
        });
        xml.element("a:minorFont", &[], |xml| {
            font(xml, &theme.fonts.body, script)
        });
    });
    xml.constant(FORMATS).close();
    xml.empty("a:objectDefaults", &[]);
    xml.empty("a:extraClrSchemeLst", &[]);
    xml.finish()
}

/// A typeface, and for each script the one that Office has for it.
fn font(xml: &mut Xml, font: &Font, script: Script) {
    let family = typeface(&font.family);
    // Where the family is missing, Office takes one of the same kind by its PANOSE number.
    let panose = match font.class {
        FontClass::Serif => "02020603050405020304",
        FontClass::Sans => "020B0604020202020204",
        FontClass::Mono => "02070309020205020404",
    };
    xml.empty("a:latin", &[("typeface", &family), ("panose", &panose)]);
    let of = |wanted: bool| {
        if wanted {
            script.typeface(font.class)
        } else {
            ""
        }
    };
    xml.empty("a:ea", &[("typeface", &of(script.is_east_asian()))]);
    xml.empty("a:cs", &[("typeface", &of(script.is_complex()))]);
    for script in Script::ALL {
        let typeface = script.typeface(font.class);
        xml.empty(
            "a:font",
            &[("script", &script.tag()), ("typeface", &typeface)],
        );
    }
}

/// A name of a family as the format can have it.
fn typeface(family: &str) -> String {
    let plain: String = family.chars().filter(|c| *c != '\n').take(80).collect();
    // A leading plus means a font of the theme.
    plain.trim_start_matches('+').trim().to_owned()
}
