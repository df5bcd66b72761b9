//! The plot: what each kind of chart is drawn as.

use gtm_document_model::Chart;
use gtm_document_model::chart::ChartKind;

use super::axes::{self, ACROSS, UP};
use super::data::{Data, Drawn, Role};
use super::labels::{self, Labels, SLIVER};
use super::palette::{self, Color};
use super::plan::{Plan, Values};
use super::{Look, label_places, series};
use crate::xml::Xml;

/// Lines with more points than this have no markers.
const MOST_MARKERS: usize = 24;

struct Plot<'a> {
    chart: &'a Chart,
    look: &'a Look<'a>,
    data: &'a Data,
    plan: &'a Plan,
    colors: Vec<Color>,
}

/// `c:plotArea`.
pub(super) fn area(xml: &mut Xml, chart: &Chart, look: &Look<'_>, data: &Data, plan: &Plan) {
    let plot = Plot {
        chart,
        look,
        data,
        plan,
        colors: palette::series(look.theme),
    };
    xml.open("c:plotArea", &[]).empty("c:layout", &[]);
    match chart.kind {
        ChartKind::Bar | ChartKind::Grouped => plot.bars(xml, "clustered"),
        ChartKind::Stacked => plot.bars(xml, "stacked"),
        ChartKind::Waterfall => plot.waterfall(xml),
        ChartKind::Line => plot.lines(xml),
        // Office draws what is not known in an area as zero, in a line as a gap.
        ChartKind::Area if data.has_gaps() => plot.lines(xml),
        ChartKind::Area => plot.areas(xml),
        ChartKind::Donut => plot.donut(xml),
        ChartKind::Scatter => plot.points(xml),
    }
    match chart.kind {
        ChartKind::Donut => {}
        ChartKind::Scatter => axes::of_points(xml, chart, look, data),
        _ => axes::by_category(xml, chart, look, data, plan),
    }
    xml.constant("<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>");
    xml.close();
}

impl Plot<'_> {
    fn color(&self, index: usize) -> Color {
        // There are six at least.
        self.colors[index % self.colors.len()]
    }

    fn bars(&self, xml: &mut Xml, grouping: &'static str) {
        let stacked = grouping == "stacked";
        xml.open("c:barChart", &[]);
        let direction = if self.plan.horizontal { "bar" } else { "col" };
        xml.empty("c:barDir", &[("val", &direction)]);
        xml.empty("c:grouping", &[("val", &grouping)]);
        xml.empty("c:varyColors", &[("val", &0)]);
        for (index, drawn) in self.data.series.iter().enumerate() {
            let color = self.color(index);
            series::open(xml, index, drawn, self.data);
            fill(xml, color, stacked.then(|| palette::page(self.look.theme)));
            xml.empty("c:invertIfNegative", &[("val", &0)]);
            match (self.plan.values, stacked) {
                (Values::All, true) => self.layers(xml, drawn, color),
                (Values::All, false) => {
                    let labels = Labels {
                        position: Some("outEnd"),
                        color: palette::text(self.look.theme),
                        bold: self.chart.kind == ChartKind::Bar,
                        share: false,
                        only: None,
                    };
                    labels::values(xml, &labels, drawn, self.data, self.look);
                }
                _ => labels::none(xml),
            }
            series::by_category(xml, drawn, self.data);
            xml.close();
        }
        let gap = if self.data.series.len() > 1 && !stacked {
            70
        } else {
            55
        };
        xml.empty("c:gapWidth", &[("val", &gap)]);
        xml.empty("c:overlap", &[("val", &if stacked { 100 } else { -6 })]);
        axis_ids(xml);
    }

    /// Labels in the layers of stacked bars that are thick enough for them.
    fn layers(&self, xml: &mut Xml, drawn: &Drawn, color: Color) {
        let heights = |sign: f64| {
            (0..self.data.len()).map(move |row| {
                let layers = self
                    .data
                    .series
                    .iter()
                    .filter_map(|s| s.values.get(row).copied().flatten());
                layers.map(|value| (value * sign).max(0.0)).sum::<f64>()
            })
        };
        let tallest = heights(1.0).fold(0.0, f64::max) + heights(-1.0).fold(0.0, f64::max);
        // A layer has room for a number where it is thicker than a line of text, or wider than the number.
        let room = if self.plan.horizontal {
            self.look.width * 0.6
        } else {
            self.look.height * 0.58
        };
        let size = self.look.font_size;
        let thick = drawn.values.iter().enumerate().filter_map(|(row, value)| {
            let value = (*value)?;
            let digits = self.data.format.width(value) as f64;
            let needed = if self.plan.horizontal {
                digits * size * 0.6
            } else {
                size * 1.3
            };
            (value.abs() / tallest * room >= needed).then_some((row, None))
        });
        let thick = thick.collect::<Vec<_>>();
        let labels = Labels {
            position: Some("ctr"),
            color: palette::label_on(color, self.look.theme),
            bold: false,
            share: false,
            only: Some(&thick),
        };
        labels::values(xml, &labels, drawn, self.data, self.look);
    }

    fn waterfall(&self, xml: &mut Xml) {
        xml.open("c:barChart", &[]);
        xml.empty("c:barDir", &[("val", &"col")]);
        xml.empty("c:grouping", &[("val", &"stacked")]);
        xml.empty("c:varyColors", &[("val", &0)]);
        let is_bar = |drawn: &Drawn| drawn.role != Role::Labels;
        for (index, drawn) in self
            .data
            .series
            .iter()
            .enumerate()
            .filter(|(_, drawn)| is_bar(drawn))
        {
            series::open(xml, index, drawn, self.data);
            match drawn.role {
                Role::Base | Role::Labels => {
                    xml.constant("<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>");
                }
                Role::Total | Role::Plain => fill(xml, self.color(0), None),
                Role::Rise => fill(xml, self.color(1), None),
                Role::Fall => fill(xml, self.color(2), None),
            }
            xml.empty("c:invertIfNegative", &[("val", &0)]);
            labels::none(xml);
            series::by_category(xml, drawn, self.data);
            xml.close();
        }
        xml.empty("c:gapWidth", &[("val", &45)]);
        xml.empty("c:overlap", &[("val", &100)]);
        axis_ids(xml);
        let tops = self
            .data
            .series
            .iter()
            .enumerate()
            .find(|(_, drawn)| drawn.role == Role::Labels);
        if let Some((index, drawn)) = tops.filter(|_| self.plan.values == Values::All) {
            xml.open("c:lineChart", &[]);
            xml.empty("c:grouping", &[("val", &"standard")]);
            xml.empty("c:varyColors", &[("val", &0)]);
            series::open(xml, index, drawn, self.data);
            xml.constant("<c:spPr><a:ln w=\"28575\"><a:noFill/></a:ln></c:spPr>");
            xml.constant("<c:marker><c:symbol val=\"none\"/></c:marker>");
            if let Some((column, texts)) = &drawn.labels {
                labels::texts(xml, texts, true, &[], self.look);
                series::by_category(xml, drawn, self.data);
                xml.empty("c:smooth", &[("val", &0)]);
                labels::range(xml, *column, texts, self.data);
            }
            xml.close();
            xml.empty("c:marker", &[("val", &1)]);
            axis_ids(xml);
        }
    }

    fn lines(&self, xml: &mut Xml) {
        xml.open("c:lineChart", &[]);
        xml.empty("c:grouping", &[("val", &"standard")]);
        xml.empty("c:varyColors", &[("val", &0)]);
        for (index, drawn) in self.data.series.iter().enumerate() {
            let color = self.color(index);
            series::open(xml, index, drawn, self.data);
            xml.open("c:spPr", &[]);
            line(xml, color);
            xml.close();
            let alone = |row: usize| {
                let is_known = |row: Option<usize>| {
                    row.and_then(|row| drawn.values.get(row))
                        .is_some_and(Option::is_some)
                };
                !is_known(row.checked_sub(1)) && !is_known(row.checked_add(1))
            };
            // A value between two gaps is a point of no line, so it must be seen as such.
            let has_lone_values = (0..drawn.values.len()).any(alone);
            if self.data.len() <= MOST_MARKERS || has_lone_values {
                marker(xml, color, 6, self.look);
            } else {
                xml.constant("<c:marker><c:symbol val=\"none\"/></c:marker>");
            }
            let last = drawn
                .values
                .iter()
                .rposition(Option::is_some)
                .map(|row| [(row, None)]);
            let first = drawn.values.iter().position(Option::is_some);
            let mut ends = first.map(|row| (row, None)).into_iter().collect::<Vec<_>>();
            ends.extend(
                last.iter()
                    .flatten()
                    .filter(|(row, _)| Some(*row) != first)
                    .copied(),
            );
            let (position, color, only) = match (self.plan.values, &last) {
                (Values::All, _) => ("t", palette::text(self.look.theme), None),
                (Values::Ends, Some(_)) => {
                    ("t", palette::text(self.look.theme), Some(ends.as_slice()))
                }
                (Values::Last, Some(last)) => {
                    let side = if self.look.is_rtl() { "l" } else { "r" };
                    (side, palette::text(self.look.theme), Some(last.as_slice()))
                }
                _ => ("t", palette::text(self.look.theme), Some([].as_slice())),
            };
            if self.plan.values == Values::None {
                labels::none(xml);
            } else {
                let labels = Labels {
                    position: Some(position),
                    color,
                    bold: true,
                    share: false,
                    only,
                };
                labels::values(xml, &labels, drawn, self.data, self.look);
            }
            series::by_category(xml, drawn, self.data);
            xml.empty("c:smooth", &[("val", &0)]).close();
        }
        xml.empty("c:marker", &[("val", &1)]);
        axis_ids(xml);
    }

    fn areas(&self, xml: &mut Xml) {
        xml.open("c:areaChart", &[]);
        xml.empty("c:grouping", &[("val", &"standard")]);
        xml.empty("c:varyColors", &[("val", &0)]);
        for (index, drawn) in self.data.series.iter().enumerate() {
            let color = self.color(index);
            series::open(xml, index, drawn, self.data);
            xml.open("c:spPr", &[]);
            // Areas that stand before others let these be seen.
            color.fill(xml, if self.data.series.len() > 1 { 45 } else { 70 });
            line(xml, color);
            xml.close();
            labels::none(xml);
            series::by_category(xml, drawn, self.data);
            xml.close();
        }
        axis_ids(xml);
    }

    fn donut(&self, xml: &mut Xml) {
        xml.open("c:doughnutChart", &[]);
        xml.empty("c:varyColors", &[("val", &1)]);
        for (index, drawn) in self.data.series.iter().enumerate() {
            series::open(xml, index, drawn, self.data);
            for row in 0..drawn.values.len() {
                xml.open("c:dPt", &[]);
                xml.empty("c:idx", &[("val", &row)]);
                xml.empty("c:bubble3D", &[("val", &0)]);
                fill(xml, self.color(row), Some(palette::page(self.look.theme)));
                xml.close();
            }
            let whole = drawn
                .values
                .iter()
                .flatten()
                .map(|value| value / 1e6)
                .sum::<f64>()
                * 1e6;
            let wide = drawn.values.iter().enumerate().filter_map(|(row, value)| {
                let color = palette::label_on(self.color(row), self.look.theme);
                value
                    .filter(|value| *value >= whole * SLIVER)
                    .map(|_| (row, Some(color)))
            });
            let wide = wide.collect::<Vec<_>>();
            let labels = Labels {
                position: None,
                color: palette::text(self.look.theme),
                bold: true,
                share: self.plan.values == Values::Shares,
                only: Some(&wide),
            };
            labels::values(xml, &labels, drawn, self.data, self.look);
            series::by_category(xml, drawn, self.data);
            xml.close();
        }
        xml.empty("c:firstSliceAng", &[("val", &0)]);
        xml.empty("c:holeSize", &[("val", &52)]);
        xml.close();
    }

    fn points(&self, xml: &mut Xml) {
        xml.open("c:scatterChart", &[]);
        xml.empty("c:scatterStyle", &[("val", &"lineMarker")]);
        xml.empty("c:varyColors", &[("val", &0)]);
        let size = if self.data.len() > 200 { 4 } else { 8 };
        let sides = label_places::sides(self.data, self.look);
        for (index, drawn) in self.data.series.iter().enumerate() {
            series::open(xml, index, drawn, self.data);
            xml.constant("<c:spPr><a:ln w=\"19050\"><a:noFill/></a:ln></c:spPr>");
            marker(xml, self.color(index), size, self.look);
            match &drawn.labels {
                Some((column, texts)) => {
                    let positions = sides.get(index).map_or(&[][..], Vec::as_slice);
                    labels::texts(xml, texts, false, positions, self.look);
                    series::by_place(xml, drawn, self.data);
                    xml.empty("c:smooth", &[("val", &0)]);
                    labels::range(xml, *column, texts, self.data);
                }
                None => {
                    labels::none(xml);
                    series::by_place(xml, drawn, self.data);
                    xml.empty("c:smooth", &[("val", &0)]);
                }
            }
            xml.close();
        }
        axis_ids(xml);
    }
}

/// Ends a chart with its axes.
fn axis_ids(xml: &mut Xml) {
    xml.empty("c:axId", &[("val", &ACROSS)]);
    xml.empty("c:axId", &[("val", &UP)]);
    xml.close();
}

/// `c:spPr` of a filled shape, with a seam where it touches others.
fn fill(xml: &mut Xml, color: Color, seam: Option<Color>) {
    xml.open("c:spPr", &[]);
    color.fill(xml, 100);
    match seam {
        Some(seam) => {
            xml.open("a:ln", &[("w", &9525)]);
            seam.fill(xml, 100);
            xml.close();
        }
        None => {
            xml.constant("<a:ln><a:noFill/></a:ln>");
        }
    }
    xml.close();
}

fn line(xml: &mut Xml, color: Color) {
    xml.open("a:ln", &[("w", &28575), ("cap", &"rnd")]);
    color.fill(xml, 100);
    xml.empty("a:round", &[]).close();
}

fn marker(xml: &mut Xml, color: Color, size: u32, look: &Look<'_>) {
    xml.open("c:marker", &[]);
    xml.empty("c:symbol", &[("val", &"circle")]);
    xml.empty("c:size", &[("val", &size)]);
    fill(xml, color, Some(palette::page(look.theme)));
    xml.close();
}
