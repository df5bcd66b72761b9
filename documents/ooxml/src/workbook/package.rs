//! The workbook as a file.

use super::sheet::{Sheet, Strings};
use crate::package::{Package, PackageError, relation};
use crate::xml::Xml;

const NAMESPACE: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORKSHEET: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet";
const STYLES: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles";
const STRINGS: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings";

const WORKBOOK_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";
const WORKSHEET_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml";
const STYLES_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml";
const STRINGS_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml";

/// The workbook with this one sheet, as the bytes of an `.xlsx` file.
///
/// # Errors
/// Where the sheet is larger than a ZIP archive can be.
pub fn package(sheet: &Sheet) -> Result<Vec<u8>, PackageError> {
    let mut package = Package::new();
    let workbook = package.begin("/xl/workbook.xml", WORKBOOK_TYPE)?;
    package.relate_root(relation::OFFICE_DOCUMENT, workbook);
    let mut strings = Strings::default();
    let worksheet = sheet.xml(&mut strings);
    let worksheet = package.add("/xl/worksheets/sheet1.xml", WORKSHEET_TYPE, worksheet)?;
    let sheet_id = package.relate(workbook, WORKSHEET, worksheet);
    let styles = package.add("/xl/styles.xml", STYLES_TYPE, styles(&sheet.number_format))?;
    package.relate(workbook, STYLES, styles);
    let strings = package.add("/xl/sharedStrings.xml", STRINGS_TYPE, strings.xml())?;
    package.relate(workbook, STRINGS, strings);

    let mut xml = Xml::document();
    xml.open(
        "workbook",
        &[("xmlns", &NAMESPACE), ("xmlns:r", &RELATIONSHIPS)],
    );
    xml.constant(
        r#"<bookViews><workbookView xWindow="0" yWindow="0" windowWidth="16000" windowHeight="9000"/></bookViews>"#,
    );
    xml.open("sheets", &[]);
    xml.empty(
        "sheet",
        &[
            ("name", &Sheet::name()),
            ("sheetId", &1),
            ("r:id", &sheet_id),
        ],
    );
    package.fill(workbook, xml.finish());
    package.write()
}

/// Cells without a default style make Excel repair the file.
fn styles(number_format: &str) -> Vec<u8> {
    let mut xml = Xml::document();
    xml.open("styleSheet", &[("xmlns", &NAMESPACE)]);
    xml.open("numFmts", &[("count", &1)]);
    xml.empty(
        "numFmt",
        &[("numFmtId", &164), ("formatCode", &number_format)],
    )
    .close();
    xml.constant(concat!(
        r#"<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>"#,
        r#"<fills count="2"><fill><patternFill patternType="none"/></fill>"#,
        r#"<fill><patternFill patternType="gray125"/></fill></fills>"#,
        r#"<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"#,
        r#"<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>"#,
        r#"<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>"#,
        r#"<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>"#,
        r#"<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>"#,
        r#"<dxfs count="0"/><tableStyles count="0" defaultTableStyle="TableStyleMedium2" defaultPivotStyle="PivotStyleLight16"/>"#,
    ));
    xml.finish()
}
