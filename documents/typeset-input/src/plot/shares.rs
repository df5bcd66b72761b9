//! Rings of shares, and points between two axes.

use std::collections::BTreeSet;

use gtm_document_model::Chart;
use serde_json::{Value, json};

use super::axis::Axis;
use super::{Look, short};

/// Slices that are named.
const MOST_NAMES: usize = 10;
/// Share of the ring that has room for its value.
const ROOMY: f64 = 0.06;
/// Points that are drawn: one for each place that can be told from the next.
const PLACES: f64 = 250.0;
/// Points that are named.
const MOST_NAMED: usize = 12;

pub fn ring(chart: &Chart, look: &Look<'_>) -> Value {
    let values = chart
        .series
        .first()
        .map(|series| series.values.as_slice())
        .unwrap_or_default();
    let sizes: Vec<f64> = values
        .iter()
        .map(|value| value.unwrap_or(0.0).clamp(0.0, 1e290))
        .collect();
    let total: f64 = sizes
        .iter()
        .map(|size| size / sizes.len().max(1) as f64)
        .sum();
    let mut at = 0.0;
    let mut slices = Vec::new();
    for (index, size) in sizes.iter().enumerate() {
        let share = if total > 0.0 {
            size / sizes.len() as f64 / total
        } else {
            0.0
        };
        let color = look.color(index);
        let value = values.get(index).copied().flatten();
        slices.push(json!({
            "from": at, "to": (at + share).min(1.0), "color": color, "ink": look.ink(color),
            "name": short(chart.categories.get(index).map_or("", String::as_str)),
            "label": value.map_or_else(|| "–".to_owned(), |value| look.label(value)),
            "roomy": share >= ROOMY,
            "named": index < MOST_NAMES,
        }));
        at += share;
    }
    json!({
        "kind": "ring", "slices": slices, "more": sizes.len().saturating_sub(MOST_NAMES), "unit": look.told_unit(),
    })
}

pub fn points(chart: &Chart, look: &Look<'_>) -> Value {
    let all = || chart.series.iter().flat_map(|series| &series.points);
    let horizontal = Axis::over(all().map(|point| point.x), false);
    let vertical = Axis::over(all().map(|point| point.y), false);
    let is_named = all().count() <= MOST_NAMED;
    let mut taken = BTreeSet::new();
    let mut dots = Vec::new();
    for (index, series) in chart.series.iter().enumerate() {
        for point in &series.points {
            let (x, y) = (horizontal.at(point.x), vertical.at(point.y));
            let place = (index, (x * PLACES) as u32, (y * PLACES) as u32);
            if !is_named && !taken.insert(place) {
                continue;
            }
            let label = point.label.as_deref().filter(|_| is_named).map(short);
            dots.push(json!({"x": x, "y": y, "color": look.color(index), "label": label}));
        }
    }
    let (legend, more) = if chart.series.len() > 1 {
        look.legend(chart.series.iter().map(|series| series.name.as_str()))
    } else {
        (Vec::new(), 0)
    };
    let plain = Look { unit: "", ..*look };
    json!({
        "kind": "dots", "dots": dots, "ticks": vertical.ticks(look), "across": horizontal.ticks(&plain),
        "legend": legend, "more": more, "unit": look.told_unit(),
    })
}
