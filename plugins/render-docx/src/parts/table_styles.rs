//! Styles of tables.

use gtm_document_model::theme::Theme;
use gtm_ooxml::Xml;
use gtm_ooxml::theme::Role;

use crate::ink::Ink;

/// A table of data: a head in the brand's colour, bands, hairlines between rows and none between columns.
pub(crate) const DATA: &str = "BrandTable";
/// A table that only places things.
pub(crate) const PLAIN: &str = "PlainTable";

pub(super) fn write(xml: &mut Xml, theme: &Theme) {
    xml.constant(concat!(
        r#"<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/>"#,
        r#"<w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/>"#,
        r#"<w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="0" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/>"#,
        r#"<w:right w:w="0" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>"#,
    ));
    open(xml, PLAIN, "Plain Layout");
    xml.close();
    open(xml, DATA, "Brand Table");
    xml.open("w:tblPr", &[]);
    xml.empty("w:tblStyleRowBandSize", &[("w:val", &1)]);
    xml.empty("w:tblStyleColBandSize", &[("w:val", &1)]);
    xml.open("w:tblBorders", &[]);
    let rule = Ink::of(theme, Role::Rule);
    Ink::of(theme, Role::Primary).border(xml, "w:bottom", 8, 0);
    rule.border(xml, "w:insideH", 4, 0);
    xml.close();
    xml.constant(concat!(
        r#"<w:tblCellMar><w:top w:w="70" w:type="dxa"/><w:left w:w="100" w:type="dxa"/>"#,
        r#"<w:bottom w:w="70" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar>"#,
    ));
    xml.close();
    condition(
        xml,
        "firstRow",
        true,
        Some(Role::OnPrimary),
        Some(Role::Primary),
        theme,
    );
    condition(xml, "firstCol", true, None, None, theme);
    condition(xml, "band2Horz", false, None, Some(Role::Surface), theme);
    xml.close();
}

fn open(xml: &mut Xml, id: &'static str, name: &'static str) {
    xml.open(
        "w:style",
        &[
            ("w:type", &"table"),
            ("w:customStyle", &1),
            ("w:styleId", &id),
        ],
    );
    xml.empty("w:name", &[("w:val", &name)]);
    xml.empty("w:basedOn", &[("w:val", &"TableNormal")]);
    xml.empty("w:uiPriority", &[("w:val", &59)]);
    xml.empty("w:qFormat", &[]);
}

fn condition(
    xml: &mut Xml,
    kind: &'static str,
    bold: bool,
    color: Option<Role>,
    fill: Option<Role>,
    theme: &Theme,
) {
    xml.open("w:tblStylePr", &[("w:type", &kind)]);
    if bold || color.is_some() {
        xml.open("w:rPr", &[]);
        if bold {
            xml.empty("w:b", &[]).empty("w:bCs", &[]);
        }
        if let Some(role) = color {
            Ink::of(theme, role).color(xml);
        }
        xml.close();
    }
    if let Some(role) = fill {
        xml.open("w:tcPr", &[]);
        Ink::of(theme, role).shade(xml);
        xml.close();
    }
    xml.close();
}
