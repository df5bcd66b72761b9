//! Labels at bars, slices and points.

use super::data::{Data, Drawn};
use super::palette::{self, Color};
use super::{Look, text};
use crate::xml::Xml;

/// Namespace of what Office 2013 added to charts: labels whose text stands in cells.
const C15: &str = "http://schemas.microsoft.com/office/drawing/2012/chart";
const LABEL_EXTENSION: &str = "{CE6537A1-D6FC-4f65-9D91-7224C49458BB}";
const RANGE_EXTENSION: &str = "{02D57815-91ED-43cb-92C2-25804820EDAC}";
/// Labels with words of their own that one series has at most.
pub(super) const MOST_TEXTS: usize = 60;
/// A slice or layer that is smaller than this part of the whole has no room for a number.
pub(super) const SLIVER: f64 = 0.05;

/// What the labels of a series show, and where.
pub(super) struct Labels<'a> {
    pub(super) position: Option<&'static str>,
    pub(super) color: Color,
    pub(super) bold: bool,
    pub(super) share: bool,
    /// The points with a label, each with a colour of its own if it needs one; all others have none.
    pub(super) only: Option<&'a [(usize, Option<Color>)]>,
}

/// `c:dLbls` that show no value.
pub(super) fn none(xml: &mut Xml) {
    xml.open("c:dLbls", &[]);
    shows(xml, false, false);
    xml.close();
}

/// `c:dLbls` with the values of the series.
pub(super) fn values(
    xml: &mut Xml,
    labels: &Labels<'_>,
    series: &Drawn,
    data: &Data,
    look: &Look<'_>,
) {
    xml.open("c:dLbls", &[]);
    if let Some(only) = labels.only {
        let mut only = only.iter().peekable();
        for index in 0..series.values.len() {
            match only.next_if(|(at, _)| *at == index) {
                Some((_, None)) => {}
                Some((_, Some(color))) => {
                    xml.open("c:dLbl", &[]).empty("c:idx", &[("val", &index)]);
                    shape(xml, labels, *color, data, look);
                    xml.close();
                }
                None if series.values[index].is_some() => {
                    xml.open("c:dLbl", &[]).empty("c:idx", &[("val", &index)]);
                    xml.empty("c:delete", &[("val", &1)]).close();
                }
                None => {}
            }
        }
    }
    shape(xml, labels, labels.color, data, look);
    xml.close();
}

fn shape(xml: &mut Xml, labels: &Labels<'_>, color: Color, data: &Data, look: &Look<'_>) {
    let code = if labels.share {
        "0%".to_owned()
    } else {
        data.format.code()
    };
    xml.empty("c:numFmt", &[("formatCode", &code), ("sourceLinked", &0)]);
    xml.constant("<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>");
    text::properties(xml, look.font_size, labels.bold, color, None, look);
    if let Some(position) = labels.position {
        xml.empty("c:dLblPos", &[("val", &position)]);
    }
    shows(xml, !labels.share, labels.share);
}

fn shows(xml: &mut Xml, value: bool, share: bool) {
    xml.empty("c:showLegendKey", &[("val", &0)]);
    xml.empty("c:showVal", &[("val", &u8::from(value))]);
    xml.empty("c:showCatName", &[("val", &0)]);
    xml.empty("c:showSerName", &[("val", &0)]);
    xml.empty("c:showPercent", &[("val", &u8::from(share))]);
    xml.empty("c:showBubbleSize", &[("val", &0)]);
}

/// `c:dLbls` with texts that stand in cells of the workbook, so that whoever edits these changes the labels; above
/// their points, or where `positions` says.
pub(super) fn texts(
    xml: &mut Xml,
    labels: &[String],
    bold: bool,
    positions: &[&'static str],
    look: &Look<'_>,
) {
    let color = palette::text(look.theme);
    let usual = "t";
    xml.open("c:dLbls", &[]);
    for (index, label) in labels
        .iter()
        .enumerate()
        .filter(|(_, label)| !label.is_empty())
        .take(MOST_TEXTS)
    {
        xml.open("c:dLbl", &[]).empty("c:idx", &[("val", &index)]);
        xml.open("c:tx", &[])
            .open("c:rich", &[])
            .empty("a:bodyPr", &[])
            .empty("a:lstStyle", &[]);
        xml.open("a:p", &[]);
        text::paragraph(xml, look.font_size, bold, color, look);
        // The id tells the fields of a file apart, nothing else.
        let id = format!("{{5B1D8C60-0000-4000-8000-{index:012X}}}");
        xml.open("a:fld", &[("id", &id), ("type", &"CELLRANGE")]);
        text::character(
            xml,
            "a:rPr",
            Some(look.language),
            look.font_size,
            bold,
            color,
        );
        xml.leaf("a:t", &[], label).close();
        xml.close().close().close();
        xml.constant("<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>");
        let position = positions.get(index).unwrap_or(&usual);
        xml.empty("c:dLblPos", &[("val", position)]);
        shows(xml, false, false);
        xml.open("c:extLst", &[])
            .open("c:ext", &[("uri", &LABEL_EXTENSION), ("xmlns:c15", &C15)]);
        xml.empty("c15:showDataLabelsRange", &[("val", &1)]);
        xml.close().close().close();
    }
    xml.constant("<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>");
    text::properties(xml, look.font_size, bold, color, None, look);
    xml.empty("c:dLblPos", &[("val", &usual)]);
    shows(xml, false, false);
    xml.open("c:extLst", &[])
        .open("c:ext", &[("uri", &LABEL_EXTENSION), ("xmlns:c15", &C15)]);
    xml.empty("c15:showDataLabelsRange", &[("val", &1)]);
    xml.close().close();
    xml.close();
}

/// `c:extLst` of a series that names the cells with the texts of its labels.
pub(super) fn range(xml: &mut Xml, column: usize, labels: &[String], data: &Data) {
    xml.open("c:extLst", &[])
        .open("c:ext", &[("uri", &RANGE_EXTENSION), ("xmlns:c15", &C15)]);
    xml.open("c15:datalabelsRange", &[]);
    xml.leaf("c15:f", &[], data.sheet.cells_reference(column));
    xml.open("c15:dlblRangeCache", &[]);
    xml.empty("c:ptCount", &[("val", &labels.len())]);
    for (index, label) in labels
        .iter()
        .enumerate()
        .filter(|(_, label)| !label.is_empty())
    {
        xml.open("c:pt", &[("idx", &index)])
            .leaf("c:v", &[], label)
            .close();
    }
    xml.close().close().close().close();
}
