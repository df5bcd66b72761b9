//! What a chart shows beside its numbers: which way bars lie, whether there is room for values at them, what
//! needs an axis and a legend.

use gtm_document_model::Chart;
use gtm_document_model::chart::ChartKind;

use super::Look;
use super::data::{Data, Role};

/// Width of a character, as a part of the font's size: digits of most typefaces are a little narrower.
const CHARACTER: f64 = 0.56;
/// Height of a line, as a part of the font's size.
const LINE: f64 = 1.3;
/// A text part may be up to this many points; beyond, labels are noise and make files large.
const MOST_LABELS: usize = 200;
/// Part of the chart's width and height that bars and lines have.
const PLOT: f64 = 0.88;

/// Part of the highest number that the lowest one may have where the axis begins at zero.
const NEAR_ZERO: f64 = 0.7;

/// The plan of one chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plan {
    /// Whether bars lie.
    pub(super) horizontal: bool,
    /// Whether each value stands at its bar, slice or point.
    pub(super) values: Values,
    /// Whether the axis of values begins above zero, because the numbers are all far from it.
    pub(super) is_cut: bool,
    /// Whether the axis of values has numbers, with light gridlines.
    pub(super) value_axis: bool,
    /// Where the legend is.
    pub(super) legend: Option<&'static str>,
    /// Every how many categories one is named.
    pub(super) skip: usize,
}

/// Which values stand in the chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    All,
    /// Slices too narrow for their numbers have their share.
    Shares,
    /// Of each line the last one.
    Last,
    /// Of a line the first and the last one.
    Ends,
    None,
}

impl Plan {
    pub(super) fn new(chart: &Chart, look: &Look<'_>, data: &Data) -> Self {
        let named = data
            .series
            .iter()
            .filter(|series| series.is_named())
            .count();
        let horizontal = lies(chart, look.width, look.font_size);
        let room = Room::new(look, data, horizontal);
        let values = match chart.kind {
            ChartKind::Bar | ChartKind::Grouped if room.fits(named, horizontal) => Values::All,
            ChartKind::Stacked | ChartKind::Waterfall if room.fits(1, horizontal) => Values::All,
            ChartKind::Donut if room.fits_ring() => Values::All,
            ChartKind::Donut => Values::Shares,
            ChartKind::Line if named == 1 && room.fits(1, false) => Values::All,
            ChartKind::Line | ChartKind::Area if named == 1 => Values::Ends,
            ChartKind::Line if named > 1 && room.fits(1, false) && are_apart(data) => Values::Last,
            ChartKind::Scatter => Values::All,
            _ => Values::None,
        };
        let side = if look.is_rtl() { "l" } else { "r" };
        let is_cut = chart.kind == ChartKind::Line && is_far_from_zero(data);
        Self {
            horizontal,
            values,
            is_cut,
            // Who sees a line rise must see from where.
            value_axis: is_cut
                || values == Values::None
                || matches!(values, Values::Last | Values::Ends)
                || chart.kind == ChartKind::Scatter,
            legend: match chart.kind {
                ChartKind::Donut => Some(side),
                ChartKind::Waterfall => None,
                _ if named > 1 => Some("t"),
                _ => None,
            },
            skip: room.skip(horizontal),
        }
    }
}

/// Whether numbers are so far from zero that a line from there would be flat.
fn is_far_from_zero(data: &Data) -> bool {
    let low = data.numbers().fold(f64::INFINITY, f64::min);
    let high = data.numbers().fold(f64::NEG_INFINITY, f64::max);
    low < 0.0 || low > high * NEAR_ZERO
}

/// A height in points that suits a chart of this width: lying bars need a line each.
#[must_use]
pub fn height(chart: &Chart, width: f64, font_size: f64) -> f64 {
    let usual = (width * 0.5).clamp(160.0, 320.0);
    if !lies(chart, width, font_size) {
        return usual;
    }
    let lines = match chart.kind {
        ChartKind::Grouped => chart.categories.len().saturating_mul(chart.series.len()),
        _ => chart.categories.len(),
    };
    // At most 10,000 lines: exact.
    let needed = lines as f64 * font_size * LINE * 1.5 + font_size * 6.0;
    needed.clamp(140.0, usual.max(width * 0.9).min(480.0))
}

/// Whether bars lie: names that would be turned or cut under standing ones have room beside lying ones.
fn lies(chart: &Chart, width: f64, font_size: f64) -> bool {
    if !matches!(
        chart.kind,
        ChartKind::Bar | ChartKind::Grouped | ChartKind::Stacked
    ) {
        return false;
    }
    let count = chart.categories.len().max(1);
    let each = width * PLOT / count as f64;
    let longest_word = chart
        .categories
        .iter()
        .flat_map(|name| name.split_whitespace())
        .map(|word| text_width(word, font_size))
        .fold(0.0, f64::max);
    let longest = chart
        .categories
        .iter()
        .map(|name| text_width(name, font_size))
        .fold(0.0, f64::max);
    // Two lines of a name fit under a bar.
    count <= 40 && (longest_word > each * 0.95 || longest > each * 1.8)
}

/// The width of a text in points, by rule of thumb: full-width characters count twice.
fn text_width(text: &str, font_size: f64) -> f64 {
    let characters: usize = text
        .chars()
        .map(|c| if u32::from(c) >= 0x1100 { 2 } else { 1 })
        .sum();
    characters.min(1_000) as f64 * font_size * CHARACTER
}

/// The lines end far enough from each other for a number at each end.
fn are_apart(data: &Data) -> bool {
    let (low, high) = data.numbers().fold((f64::MAX, f64::MIN), |(low, high), n| {
        (low.min(n), high.max(n))
    });
    let mut ends = data
        .series
        .iter()
        .filter_map(|series| series.values.last().copied().flatten())
        .collect::<Vec<_>>();
    ends.sort_by(f64::total_cmp);
    ends.len() <= 6
        && ends
            .windows(2)
            .all(|pair| pair[1] - pair[0] > (high - low) * 0.09)
}

/// The room that a chart has.
struct Room {
    count: usize,
    width: f64,
    height: f64,
    font_size: f64,
    /// Width of the widest number.
    label: f64,
    /// Width of the longest name of a category.
    name: f64,
}

impl Room {
    fn new(look: &Look<'_>, data: &Data, horizontal: bool) -> Self {
        let font_size = look.font_size;
        let shown = data.series.iter().filter(|s| matches!(s.role, Role::Plain));
        let numbers = shown.flat_map(|series| series.values.iter().flatten());
        let mut label = numbers
            .map(|value| data.format.width(*value))
            .max()
            .unwrap_or(1);
        for (_, texts) in data
            .series
            .iter()
            .filter_map(|series| series.labels.as_ref())
        {
            label = label.max(
                texts
                    .iter()
                    .map(|text| text.chars().count())
                    .max()
                    .unwrap_or(1),
            );
        }
        let names = data.categories.iter().flat_map(|(_, names)| names);
        let name = names
            .map(|name| text_width(name, font_size))
            .fold(0.0, f64::max);
        let beside = if horizontal {
            name.min(look.width * 0.4)
        } else {
            0.0
        };
        Self {
            count: data.len().max(1),
            width: (look.width * PLOT - beside).max(1.0),
            height: look.height * 0.75,
            font_size,
            label: label as f64 * font_size * CHARACTER,
            name,
        }
    }

    /// Whether each of so many bars of a category has room for its number.
    fn fits(&self, bars: usize, horizontal: bool) -> bool {
        let all = self.count.saturating_mul(bars.max(1));
        let each = if horizontal { self.height } else { self.width } / all as f64;
        let needed = if horizontal {
            self.font_size * LINE
        } else {
            self.label * 1.05
        };
        all <= MOST_LABELS && needed <= each
    }

    /// Whether numbers fit into the ring of a donut.
    fn fits_ring(&self) -> bool {
        let radius = self.height.min(self.width * 0.6) / 2.0;
        self.label <= radius * 0.5
    }

    fn skip(&self, horizontal: bool) -> usize {
        let (room, needed) = if horizontal {
            (self.height, self.font_size * LINE)
        } else {
            (
                self.width,
                self.name.min(self.font_size * 7.0) + self.font_size,
            )
        };
        // Bounded by the number of categories.
        let fitting = (room / needed).floor().max(1.0) as usize;
        self.count.div_ceil(fitting).max(1)
    }
}
