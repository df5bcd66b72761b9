//! Lines and areas.

use gtm_document_model::Chart;
use gtm_document_model::chart::{ChartKind, Series};
use serde_json::{Value, json};

use super::axis::Axis;
use super::{Look, short, stride};

/// Points of one line: more than dots of a printed page side by side add nothing.
const MOST_POINTS: usize = 1_200;
/// Points that have a dot and, on a single line, their value.
const MOST_DOTS: usize = 16;

pub fn draw(chart: &Chart, look: &Look<'_>) -> Value {
    let is_area = chart.kind == ChartKind::Area;
    let known = |series: &Series| {
        series
            .values
            .iter()
            .flatten()
            .copied()
            .collect::<Vec<f64>>()
    };
    let values = chart.series.iter().flat_map(known);
    let axis = Axis::over(values, is_area || starts_at_zero(chart));
    let count = chart.categories.len().max(1);
    let x = |index: usize| {
        if count == 1 {
            0.5
        } else {
            index as f64 / (count - 1) as f64
        }
    };
    let lines: Vec<Value> = (chart.series.iter().enumerate())
        .map(|(index, series)| {
            let parts = parts(&series.values, count);
            let drawn: Vec<Vec<[f64; 2]>> = parts
                .iter()
                .map(|part| {
                    part.iter()
                        .map(|(at, value)| [x(*at), axis.at(*value)])
                        .collect()
                })
                .collect();
            let last = series.values.iter().rposition(Option::is_some);
            let ends = [series.values.iter().position(Option::is_some), last];
            // A single line has room for all its values, several only for their ends.
            let labelled = |at: usize| {
                (chart.series.len() == 1 && count <= 12)
                    || (chart.series.len() <= 4 && ends.contains(&Some(at)))
            };
            let labels: Vec<Value> = (series.values.iter().enumerate())
                .filter(|(at, _)| labelled(*at))
                .filter_map(|(at, value)| {
                    let value = (*value)?;
                    Some(json!({"x": x(at), "y": axis.at(value), "label": look.label(value)}))
                })
                .collect();
            json!({
                "color": look.color(index), "parts": drawn, "labels": labels,
                "dots": !is_area && count <= MOST_DOTS,
            })
        })
        .collect();
    let (legend, more) = if chart.series.len() > 1 {
        look.legend(chart.series.iter().map(|series| series.name.as_str()))
    } else {
        (Vec::new(), 0)
    };
    let longest = chart
        .categories
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    let every = stride(count, if longest > 10 { 6 } else { 12 });
    let names: Vec<Value> = (chart.categories.iter().enumerate())
        .step_by(every)
        .map(|(index, name)| json!({"x": x(index), "name": short(name)}))
        .collect();
    json!({
        "kind": "lines", "filled": is_area, "zero": axis.at(0.0), "names": names, "lines": lines,
        "ticks": axis.ticks(look), "legend": legend, "more": more, "unit": look.told_unit(),
    })
}

/// Whether zero is near enough to the numbers that leaving it out would exaggerate.
fn starts_at_zero(chart: &Chart) -> bool {
    let all = || {
        chart
            .series
            .iter()
            .flat_map(|series| series.values.iter().flatten().copied())
    };
    let low = all().fold(f64::INFINITY, f64::min);
    let high = all().fold(f64::NEG_INFINITY, f64::max);
    low >= 0.0 && low <= high * 0.7
}

/// The stretches without gaps. Where there are too many points, the least and the greatest of each few stay.
fn parts(values: &[Option<f64>], count: usize) -> Vec<Vec<(usize, f64)>> {
    let mut parts: Vec<Vec<(usize, f64)>> = vec![Vec::new()];
    for (at, value) in values.iter().take(count).enumerate() {
        match (value, parts.last_mut()) {
            (Some(value), Some(part)) => part.push((at, *value)),
            (None, Some(part)) if !part.is_empty() => parts.push(Vec::new()),
            _ => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    let few = (2 * count).div_ceil(MOST_POINTS);
    if few > 2 {
        for part in &mut parts {
            *part = part.chunks(few).flat_map(extremes).collect();
        }
    }
    parts
}

fn extremes(few: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let least = few
        .iter()
        .copied()
        .min_by(|left, right| left.1.total_cmp(&right.1));
    let greatest = few
        .iter()
        .copied()
        .max_by(|left, right| left.1.total_cmp(&right.1));
    let mut both: Vec<(usize, f64)> = least.into_iter().chain(greatest).collect();
    both.sort_by_key(|(at, _)| *at);
    both.dedup_by_key(|(at, _)| *at);
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_part_a_line_and_thinning_keeps_its_peaks() {
        let values = [Some(1.0), None, None, Some(2.0), Some(3.0)];
        assert_eq!(
            parts(&values, 5),
            [vec![(0, 1.0)], vec![(3, 2.0), (4, 3.0)]]
        );
        let mut long = vec![Some(1.0); 10_000];
        long[7_777] = Some(99.0);
        let thinned = parts(&long, 10_000);
        assert!(thinned[0].len() <= MOST_POINTS, "{}", thinned[0].len());
        assert!(thinned[0].contains(&(7_777, 99.0)));
    }
}
