//! Series: their names and numbers, as references to the workbook with what it says.

use super::data::{Data, Drawn};
use crate::workbook::number;
use crate::xml::Xml;

/// Opens `c:ser` and writes its index, order and name.
pub(super) fn open(xml: &mut Xml, index: usize, series: &Drawn, data: &Data) {
    xml.open("c:ser", &[]);
    xml.empty("c:idx", &[("val", &index)]);
    xml.empty("c:order", &[("val", &index)]);
    xml.open("c:tx", &[]);
    let formula = data.sheet.heading_reference(series.column);
    texts(xml, &formula, std::slice::from_ref(&series.name));
    xml.close();
}

/// `c:cat` and `c:val`.
pub(super) fn by_category(xml: &mut Xml, series: &Drawn, data: &Data) {
    if let Some((column, names)) = &data.categories {
        xml.open("c:cat", &[]);
        texts(xml, &data.sheet.cells_reference(*column), names);
        xml.close();
    }
    xml.open("c:val", &[]);
    numbers(
        xml,
        &data.sheet.cells_reference(series.column),
        &series.values,
        &data.format.code(),
    );
    xml.close();
}

/// `c:xVal` and `c:yVal`.
pub(super) fn by_place(xml: &mut Xml, series: &Drawn, data: &Data) {
    if let Some((column, across)) = &series.across {
        let across = across.iter().copied().map(Some).collect::<Vec<_>>();
        xml.open("c:xVal", &[]);
        numbers(
            xml,
            &data.sheet.cells_reference(*column),
            &across,
            "General",
        );
        xml.close();
    }
    xml.open("c:yVal", &[]);
    numbers(
        xml,
        &data.sheet.cells_reference(series.column),
        &series.values,
        &data.format.code(),
    );
    xml.close();
}

fn texts(xml: &mut Xml, formula: &str, texts: &[String]) {
    xml.open("c:strRef", &[]).leaf("c:f", &[], formula);
    xml.open("c:strCache", &[])
        .empty("c:ptCount", &[("val", &texts.len())]);
    for (index, text) in texts.iter().enumerate() {
        xml.open("c:pt", &[("idx", &index)])
            .leaf("c:v", &[], text)
            .close();
    }
    xml.close().close();
}

fn numbers(xml: &mut Xml, formula: &str, values: &[Option<f64>], format: &str) {
    xml.open("c:numRef", &[]).leaf("c:f", &[], formula);
    xml.open("c:numCache", &[])
        .leaf("c:formatCode", &[], format);
    xml.empty("c:ptCount", &[("val", &values.len())]);
    for (index, value) in values.iter().enumerate() {
        if let Some(value) = value {
            xml.open("c:pt", &[("idx", &index)])
                .leaf("c:v", &[], number(*value))
                .close();
        }
    }
    xml.close().close();
}
