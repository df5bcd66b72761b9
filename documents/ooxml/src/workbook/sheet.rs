//! The one sheet: its columns, its cells, and how formulas refer to them.

use std::collections::BTreeMap;

use crate::xml::Xml;

const NAMESPACE: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/// Rows below the heading that a chart may have; the model allows 10,000 numbers in all.
pub(crate) const MAX_ROWS: usize = 10_000;
/// Name of the sheet. It needs no quotes in a formula.
const NAME: &str = "Data";
/// Beyond these, Excel calls a number damaged.
const LARGEST: f64 = 9.999_999_999_999_99e307;
const SMALLEST: f64 = 1e-307;

/// A sheet of one table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sheet {
    pub columns: Vec<Column>,
    /// How numbers are shown, as a format code of spreadsheets.
    pub number_format: String,
}

/// A column and its heading.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Column {
    pub heading: String,
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub enum Cell {
    #[default]
    Empty,
    Text(String),
    Number(f64),
}

impl Sheet {
    /// The name of the sheet.
    #[must_use]
    pub const fn name() -> &'static str {
        NAME
    }

    /// Adds a column and says which one it is.
    pub fn push(&mut self, heading: impl Into<String>, cells: Vec<Cell>) -> usize {
        self.columns.push(Column {
            heading: heading.into(),
            cells,
        });
        self.columns.len() - 1
    }

    /// The formula that refers to a column's heading.
    #[must_use]
    pub fn heading_reference(&self, column: usize) -> String {
        format!("{NAME}!${}$1", letters(column))
    }

    /// The formula that refers to a column's cells.
    #[must_use]
    pub fn cells_reference(&self, column: usize) -> String {
        let letters = letters(column);
        let rows = self.columns.get(column).map_or(1, |c| c.cells.len().max(1));
        format!("{NAME}!${letters}$2:${letters}${}", rows + 1)
    }

    /// The part `xl/worksheets/sheet1.xml`; texts go to the shared strings.
    pub(super) fn xml(&self, strings: &mut Strings) -> Vec<u8> {
        let rows = self.columns.iter().map(|column| column.cells.len()).max();
        let rows = rows.unwrap_or(0).min(MAX_ROWS);
        let last = letters(self.columns.len().saturating_sub(1));
        let mut xml = Xml::document();
        xml.open("worksheet", &[("xmlns", &NAMESPACE)]);
        xml.empty("dimension", &[("ref", &format!("A1:{last}{}", rows + 1))]);
        xml.constant(
            r#"<sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/>"#,
        );
        xml.open("sheetData", &[]);
        for row in 0..=rows {
            let mut cells = Xml::fragment();
            for (index, column) in self.columns.iter().enumerate() {
                let at = format!("{}{}", letters(index), row + 1);
                let below = row.checked_sub(1).map(|row| column.cells.get(row));
                match below {
                    None => strings.cell(&mut cells, &at, &column.heading),
                    Some(Some(Cell::Text(text))) => strings.cell(&mut cells, &at, text),
                    Some(Some(Cell::Number(value))) => {
                        cells.open("c", &[("r", &at), ("s", &1)]);
                        cells.leaf("v", &[], number(*value)).close();
                    }
                    Some(Some(Cell::Empty) | None) => {}
                }
            }
            if !cells.is_empty() {
                xml.open("row", &[("r", &(row + 1))]).append(cells).close();
            }
        }
        xml.close();
        xml.constant(
            r#"<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>"#,
        );
        xml.finish()
    }
}

/// The texts of a workbook, each held once.
#[derive(Debug, Default)]
pub(super) struct Strings {
    order: Vec<String>,
    index: BTreeMap<String, usize>,
    uses: usize,
}

impl Strings {
    fn cell(&mut self, xml: &mut Xml, at: &str, text: &str) {
        self.uses += 1;
        let index = self.index.get(text).copied().unwrap_or_else(|| {
            self.order.push(text.to_owned());
            self.index.insert(text.to_owned(), self.order.len() - 1);
            self.order.len() - 1
        });
        xml.open("c", &[("r", &at), ("t", &"s")]);
        xml.leaf("v", &[], index).close();
    }

    /// The part `xl/sharedStrings.xml`.
    pub(super) fn xml(&self) -> Vec<u8> {
        let mut xml = Xml::document();
        let (uses, count) = (self.uses, self.order.len());
        xml.open(
            "sst",
            &[
                ("xmlns", &NAMESPACE),
                ("count", &uses),
                ("uniqueCount", &count),
            ],
        );
        for text in &self.order {
            xml.open("si", &[]);
            xml.leaf("t", &[("xml:space", &"preserve")], without_escapes(text))
                .close();
        }
        xml.finish()
    }
}

/// Excel reads `_x0041_` in a text as the letter A, so the underscore that begins such a form is written as one.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, character) in text.char_indices() {
        let is_escape = character == '_'
            && text.as_bytes().get(index + 1) == Some(&b'x')
            && text.as_bytes().get(index + 6) == Some(&b'_')
            && text.as_bytes()[index + 2..index + 6]
                .iter()
                .all(u8::is_ascii_hexdigit);
        out.push_str(if is_escape { "_x005F_" } else { "" });
        if !is_escape {
            out.push(character);
        }
    }
    out
}

/// The letters of a column: A to Z, AA and so on.
pub(super) fn letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column;
    loop {
        // The remainder is below 26.
        letters.push(b'A' + (rest % 26) as u8);
        if rest < 26 {
            break;
        }
        rest = rest / 26 - 1;
    }
    letters.iter().rev().map(|byte| char::from(*byte)).collect()
}

/// A number as Office writes it, within what Excel can hold.
pub(crate) fn number(value: f64) -> String {
    let value = if value.is_nan() {
        0.0
    } else {
        value.clamp(-LARGEST, LARGEST)
    };
    match value.abs() {
        size if size < SMALLEST => "0".to_owned(),
        size if (1e-5..1e15).contains(&size) => value.to_string(),
        _ => format!("{value:E}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_letters() {
        for (column, expected) in [
            (0, "A"),
            (25, "Z"),
            (26, "AA"),
            (51, "AZ"),
            (52, "BA"),
            (701, "ZZ"),
            (702, "AAA"),
        ] {
            assert_eq!(letters(column), expected);
        }
    }

    #[test]
    fn numbers_stay_within_what_excel_holds() {
        assert_eq!(number(1234.5), "1234.5");
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(1e20), "1E20");
        assert_eq!(number(f64::MAX), "9.99999999999999E307");
        assert_eq!(number(f64::MIN_POSITIVE), "0");
        assert_eq!(number(0.1 + 0.2), "0.30000000000000004");
    }

    #[test]
    fn a_text_that_looks_like_an_escape_stays_text() {
        assert_eq!(without_escapes("_x0041_"), "_x005F_x0041_");
        assert_eq!(without_escapes("_x00é_ _x"), "_x00é_ _x");
        assert_eq!(without_escapes("_x0041"), "_x0041");
    }
}
