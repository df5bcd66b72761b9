//! Axes.

use gtm_document_model::Chart;
use gtm_document_model::chart::ChartKind;

use super::data::Data;
use super::number_format::unit_at_axis;
use super::plan::Plan;
use super::{Look, palette, text};
use crate::xml::Xml;

/// Ids of axes are unique in their chart, and positive: with others Office repairs the file.
pub(super) const ACROSS: u32 = 100_000_001;
pub(super) const UP: u32 = 100_000_002;

struct Axis<'a> {
    element: &'static str,
    id: u32,
    crossing: u32,
    position: &'static str,
    reversed: bool,
    /// Bounds that are given; the reader finds the others.
    bounds: (Option<f64>, Option<f64>),
    gridlines: bool,
    title: Option<String>,
    format: &'a str,
    /// Where its numbers or names stand, if they do.
    labels: Option<&'static str>,
    crosses: &'static str,
    line: bool,
}

/// The two axes of a chart with categories.
pub(super) fn by_category(xml: &mut Xml, chart: &Chart, look: &Look<'_>, data: &Data, plan: &Plan) {
    let rtl = look.is_rtl();
    let (position, value_position) = match (plan.horizontal, rtl) {
        (true, false) => ("l", "b"),
        (true, true) => ("r", "b"),
        (false, false) => ("b", "l"),
        (false, true) => ("b", "r"),
    };
    let code = data.format.code();
    let axis = Axis {
        element: "c:catAx",
        id: ACROSS,
        crossing: UP,
        position,
        // Lying bars are read from the top, standing ones in the direction of the text.
        reversed: plan.horizontal || rtl,
        bounds: (None, None),
        gridlines: false,
        title: chart.x_label.clone(),
        format: "General",
        labels: Some("low"),
        crosses: "autoZero",
        line: true,
    };
    axis.write(xml, look, |xml| {
        xml.empty("c:auto", &[("val", &0)]);
        xml.empty("c:lblAlgn", &[("val", &"ctr")]);
        xml.empty("c:lblOffset", &[("val", &100)]);
        if plan.skip > 1 {
            xml.empty("c:tickLblSkip", &[("val", &plan.skip)]);
            xml.empty("c:tickMarkSkip", &[("val", &plan.skip)]);
        }
        xml.empty("c:noMultiLvlLbl", &[("val", &1)]);
    });
    // Filled shapes that don't begin at zero would lie about their ratios.
    let is_line =
        chart.kind == ChartKind::Line || (chart.kind == ChartKind::Area && data.has_gaps());
    let from_zero = !is_line || !plan.is_cut;
    let bounds = (
        (from_zero && data.numbers().all(|value| value >= 0.0)).then_some(0.0),
        (!is_line && data.numbers().all(|value| value <= 0.0)).then_some(0.0),
    );
    let axis = Axis {
        element: "c:valAx",
        id: UP,
        crossing: ACROSS,
        position: value_position,
        reversed: plan.horizontal && rtl,
        bounds: if bounds.0 == bounds.1 {
            (None, None)
        } else {
            bounds
        },
        gridlines: plan.value_axis,
        title: with_unit(chart.y_label.as_deref(), chart),
        format: &code,
        labels: plan.value_axis.then_some("nextTo"),
        // The axis of names is upside down, so the bottom is its far end.
        crosses: if plan.horizontal { "max" } else { "autoZero" },
        line: false,
    };
    axis.write(xml, look, |xml| {
        xml.empty("c:crossBetween", &[("val", &"between")]);
    });
}

/// The two axes of a scatter. They run as in mathematics in every language.
pub(super) fn of_points(xml: &mut Xml, chart: &Chart, look: &Look<'_>, data: &Data) {
    let code = data.format.code();
    for (id, crossing, position, title, format) in [
        (ACROSS, UP, "b", chart.x_label.clone(), "General"),
        (
            UP,
            ACROSS,
            "l",
            with_unit(chart.y_label.as_deref(), chart),
            code.as_str(),
        ),
    ] {
        let axis = Axis {
            element: "c:valAx",
            id,
            crossing,
            position,
            reversed: false,
            bounds: (None, None),
            gridlines: id == UP,
            title,
            format,
            labels: Some("low"),
            crosses: "autoZero",
            line: id == ACROSS,
        };
        axis.write(xml, look, |xml| {
            xml.empty("c:crossBetween", &[("val", &"midCat")]);
        });
    }
}

/// The title of the axis of values. A unit that doesn't stand at the numbers stands here.
fn with_unit(label: Option<&str>, chart: &Chart) -> Option<String> {
    match (label, unit_at_axis(chart)) {
        (Some(label), Some(unit)) if !label.contains(unit) => Some(format!("{label} ({unit})")),
        (Some(label), _) => Some(label.to_owned()),
        (None, unit) => unit.map(str::to_owned),
    }
}

impl Axis<'_> {
    fn write(&self, xml: &mut Xml, look: &Look<'_>, last: impl FnOnce(&mut Xml)) {
        xml.open(self.element, &[]);
        xml.empty("c:axId", &[("val", &self.id)]);
        xml.open("c:scaling", &[]);
        let orientation = if self.reversed { "maxMin" } else { "minMax" };
        xml.empty("c:orientation", &[("val", &orientation)]);
        if let Some(most) = self.bounds.1 {
            xml.empty("c:max", &[("val", &most)]);
        }
        if let Some(least) = self.bounds.0 {
            xml.empty("c:min", &[("val", &least)]);
        }
        xml.close();
        let is_seen = self.labels.is_some() || self.line || self.title.is_some();
        xml.empty("c:delete", &[("val", &u8::from(!is_seen))]);
        xml.empty("c:axPos", &[("val", &self.position)]);
        let ink = palette::text(look.theme);
        if self.gridlines {
            xml.open("c:majorGridlines", &[]);
            line(xml, ink, 14);
            xml.close();
        }
        if let Some(title) = &self.title {
            let upright = matches!(self.position, "l" | "r");
            text::title(
                xml,
                title,
                look.font_size,
                false,
                upright.then_some(-90),
                look,
            );
        }
        let linked = u8::from(self.format == "General");
        xml.empty(
            "c:numFmt",
            &[("formatCode", &self.format), ("sourceLinked", &linked)],
        );
        xml.empty("c:majorTickMark", &[("val", &"none")]);
        xml.empty("c:minorTickMark", &[("val", &"none")]);
        xml.empty("c:tickLblPos", &[("val", &self.labels.unwrap_or("none"))]);
        if self.line {
            line(xml, ink, 40);
        } else {
            xml.constant("<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>");
        }
        // Names that were thinned out need not be turned.
        text::properties(xml, look.font_size, false, ink, Some(0), look);
        xml.empty("c:crossAx", &[("val", &self.crossing)]);
        xml.empty("c:crosses", &[("val", &self.crosses)]);
        last(xml);
        xml.close();
    }
}

/// A hairline.
fn line(xml: &mut Xml, color: palette::Color, alpha: u32) {
    xml.open("c:spPr", &[]).open("a:ln", &[("w", &6350)]);
    color.fill(xml, alpha);
    xml.close().close();
}
