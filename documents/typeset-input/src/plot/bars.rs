//! Columns and bars: single, grouped, stacked, and as a waterfall.

use gtm_document_model::Chart;
use gtm_document_model::chart::ChartKind;
use gtm_document_model::color::Rgb;
use serde_json::{Value, json};

use super::axis::Axis;
use super::{Look, short, stride};

/// Bars that are drawn; what is beyond cannot be told apart on any page.
const MOST_BARS: usize = 4_000;
/// Bars that have their values written.
const MOST_LABELS: usize = 36;
/// Part of a slot that its bars take.
const FILLED: f64 = 0.68;
/// Height of a segment that has room for its value.
const ROOMY: f64 = 0.075;

/// One bar: its slot, its place in the slot, and from where to where it goes.
struct Bar {
    slot: usize,
    start: f64,
    width: f64,
    from: f64,
    to: f64,
    color: Rgb,
    label: String,
    /// Whether its value stands in it, not beyond its end.
    inside: bool,
}

pub fn draw(chart: &Chart, look: &Look<'_>) -> Value {
    let slots = (chart.categories.len()).clamp(1, MOST_BARS / chart.series.len().max(1));
    let longest = chart
        .categories
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    // Long names and many of them are read beside their bars, not below.
    let lies = chart.kind != ChartKind::Waterfall
        && (4..=16).contains(&slots)
        && longest * slots > 90
        && chart.series.len() * slots <= 32;
    let is_stacked = chart.kind == ChartKind::Stacked;
    let values = |slot: usize| {
        chart
            .series
            .iter()
            .enumerate()
            .filter_map(move |(index, series)| {
                Some((index, series.values.get(slot).copied().flatten()?))
            })
    };
    let mut bars: Vec<(usize, usize, f64, f64, f64)> = Vec::new();
    let mut total = 0.0_f64;
    for slot in 0..slots {
        let (mut above, mut below) = (0.0_f64, 0.0_f64);
        for (series, value) in values(slot) {
            let (from, to) = match chart.kind {
                ChartKind::Waterfall if chart.totals.contains(&slot) => {
                    total = value;
                    (0.0, value)
                }
                ChartKind::Waterfall => {
                    let from = total;
                    total += value;
                    (from, total)
                }
                ChartKind::Stacked if value < 0.0 => {
                    let from = below;
                    below += value;
                    (from, below)
                }
                ChartKind::Stacked => {
                    let from = above;
                    above += value;
                    (from, above)
                }
                _ => (0.0, value),
            };
            bars.push((slot, series, from, to, value));
        }
    }
    let axis = Axis::over(bars.iter().flat_map(|bar| [bar.2, bar.3]), true);
    let together = if chart.kind == ChartKind::Grouped {
        chart.series.len().max(1)
    } else {
        1
    };
    let width = FILLED / together as f64;
    let is_labelled = bars.len() <= MOST_LABELS;
    let drawn: Vec<Value> = bars
        .iter()
        .map(|&(slot, series, from, to, value)| {
            let color = color(chart, look, slot, series, value);
            let (from, to) = (axis.at(from), axis.at(to));
            let place = if together > 1 { series as f64 } else { 0.0 };
            let fits = !is_stacked || (to - from).abs() >= ROOMY;
            bar(
                &Bar {
                    slot,
                    start: (1.0 - FILLED) / 2.0 + width * place,
                    width,
                    from,
                    to,
                    color,
                    label: if is_labelled && fits {
                        signed(chart, look, slot, value)
                    } else {
                        String::new()
                    },
                    inside: is_stacked,
                },
                look,
            )
        })
        .collect();
    let (legend, more) = if chart.series.len() > 1 {
        look.legend(chart.series.iter().map(|series| series.name.as_str()))
    } else {
        (Vec::new(), 0)
    };
    let every = if lies {
        1
    } else {
        stride(slots, if longest > 10 { 8 } else { 16 })
    };
    let names: Vec<Value> = (chart.categories.iter().take(slots).enumerate())
        .map(|(index, name)| {
            json!(if index % every == 0 {
                short(name)
            } else {
                String::new()
            })
        })
        .collect();
    json!({
        "kind": if lies { "bars" } else { "columns" },
        "slots": slots,
        "every": every,
        "names": names,
        "bars": drawn,
        // With its value at each bar, lines say nothing more.
        "ticks": if is_labelled && !is_stacked { Vec::new() } else { axis.ticks(look) },
        "zero": axis.at(0.0),
        "legend": legend,
        "more": more,
        "unit": look.told_unit(),
    })
}

/// A change of a waterfall has its sign.
fn signed(chart: &Chart, look: &Look<'_>, slot: usize, value: f64) -> String {
    let label = look.label(value);
    let is_change = chart.kind == ChartKind::Waterfall && !chart.totals.contains(&slot);
    if is_change && value > 0.0 {
        format!("+{label}")
    } else {
        label
    }
}

fn color(chart: &Chart, look: &Look<'_>, slot: usize, series: usize, value: f64) -> Rgb {
    if chart.kind != ChartKind::Waterfall {
        return look.color(series);
    }
    match (chart.totals.contains(&slot), value < 0.0) {
        (true, _) => look.color(0),
        (false, true) => look.color(1),
        (false, false) => look.color(2),
    }
}

fn bar(bar: &Bar, look: &Look<'_>) -> Value {
    json!({
        "slot": bar.slot, "start": bar.start, "width": bar.width, "from": bar.from, "to": bar.to,
        "color": bar.color, "label": bar.label, "inside": bar.inside, "ink": look.ink(bar.color),
    })
}
