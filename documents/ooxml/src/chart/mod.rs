//! Native charts: the chart part, which Office draws and lets people edit, and the workbook behind it.
//!
//! What is drawn follows from the numbers alone: values stand at bars and slices where there is room for them and
//! an axis with light gridlines where there isn't; names that are long make bars lie. Colours are accents of the
//! theme. Where a chart stands on a slide or page, and its caption, are its caller's.

mod axes;
mod data;
mod label_places;
mod labels;
mod number_format;
mod palette;
mod plan;
mod plot;
mod series;
mod text;

use gtm_document_model::chart::ChartKind;
use gtm_document_model::document::Direction;
use gtm_document_model::{Chart, Theme};

use crate::package::{Package, PackageError, PartId, relation};
use crate::workbook;
use crate::xml::Xml;

pub use plan::height;

const CHART_TYPE: &str = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml";
const WORKBOOK_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Namespace of charts, for the graphic that shows one.
pub const NAMESPACE: &str = "http://schemas.openxmlformats.org/drawingml/2006/chart";

/// What a chart must know of the place where it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look<'a> {
    /// Its chart colours are the accents 1 to 6 of the file's theme part, its text `tx1`, its background `bg1`.
    pub theme: &'a Theme,
    /// BCP 47 tag.
    pub language: &'a str,
    pub direction: Direction,
    /// Size of the chart in points.
    pub width: f64,
    pub height: f64,
    /// Size of its text in points.
    pub font_size: f64,
    /// Whether its title stands in the chart; if not, the caller has it elsewhere.
    pub with_title: bool,
}

impl Look<'_> {
    fn is_rtl(&self) -> bool {
        self.direction == Direction::Rtl
    }
}

/// Adds a chart part with this name, such as `/word/charts/chart1.xml`, and the part with its workbook, such as
/// `/word/embeddings/workbook1.xlsx`. What shows the chart relates to the part with [`relation::CHART`].
///
/// # Errors
/// Where the names are none or taken, or the workbook is larger than an archive can be.
pub fn add(
    package: &mut Package,
    name: &str,
    workbook_name: &str,
    chart: &Chart,
    look: &Look<'_>,
) -> Result<PartId, PackageError> {
    let data = data::Data::new(chart, look);
    let bytes = workbook::package(&data.sheet)?;
    let part = package.begin(name, CHART_TYPE)?;
    let workbook = package.add(workbook_name, WORKBOOK_TYPE, bytes)?;
    let id = package.relate(part, relation::PACKAGE, workbook);
    package.fill(part, space(chart, look, &data, &id));
    Ok(part)
}

/// The chart part.
fn space(chart: &Chart, look: &Look<'_>, data: &data::Data, workbook: &str) -> Vec<u8> {
    let plan = plan::Plan::new(chart, look, data);
    let mut xml = Xml::document();
    xml.open(
        "c:chartSpace",
        &[
            ("xmlns:c", &NAMESPACE),
            (
                "xmlns:a",
                &"http://schemas.openxmlformats.org/drawingml/2006/main",
            ),
            (
                "xmlns:r",
                &"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            ),
        ],
    );
    xml.empty("c:date1904", &[("val", &0)]);
    xml.empty("c:lang", &[("val", &look.language)]);
    xml.empty("c:roundedCorners", &[("val", &0)]);
    xml.open("c:chart", &[]);
    let title = chart.title.as_deref().filter(|_| look.with_title);
    if let Some(title) = title {
        // Slices have no axis at which a long unit could stand.
        let unit = number_format::unit_at_axis(chart).filter(|_| chart.kind == ChartKind::Donut);
        let title = &unit.map_or(title.to_owned(), |unit| format!("{title} ({unit})"));
        text::title(&mut xml, title, look.font_size * 1.15, true, None, look);
    }
    xml.empty("c:autoTitleDeleted", &[("val", &u8::from(title.is_none()))]);
    plot::area(&mut xml, chart, look, data, &plan);
    if let Some(side) = plan.legend {
        legend(&mut xml, side, look, data);
    }
    xml.empty("c:plotVisOnly", &[("val", &1)]);
    xml.empty("c:dispBlanksAs", &[("val", &"gap")]);
    xml.close();
    xml.constant("<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>");
    text::properties(
        &mut xml,
        look.font_size,
        false,
        palette::text(look.theme),
        None,
        look,
    );
    xml.open("c:externalData", &[("r:id", &workbook)]);
    xml.empty("c:autoUpdate", &[("val", &0)]);
    xml.finish()
}

fn legend(xml: &mut Xml, side: &'static str, look: &Look<'_>, data: &data::Data) {
    xml.open("c:legend", &[]);
    xml.empty("c:legendPos", &[("val", &side)]);
    for (index, _) in data
        .series
        .iter()
        .enumerate()
        .filter(|(_, series)| !series.is_named())
    {
        xml.open("c:legendEntry", &[]);
        xml.empty("c:idx", &[("val", &index)]);
        xml.empty("c:delete", &[("val", &1)]).close();
    }
    xml.empty("c:overlay", &[("val", &0)]);
    text::properties(
        xml,
        look.font_size,
        false,
        palette::text(look.theme),
        None,
        look,
    );
    xml.close();
}
