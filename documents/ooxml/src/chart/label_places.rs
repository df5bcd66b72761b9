//! Where the labels of points stand so that none lies over another.

use super::Look;
use super::data::Data;
use super::labels::MOST_TEXTS;

/// Sides of a point, in the order in which they are tried, with the direction from the point.
const SIDES: [(&str, f64, f64); 4] = [
    ("t", 0.0, 1.0),
    ("b", 0.0, -1.0),
    ("r", 1.0, 0.0),
    ("l", -1.0, 0.0),
];
/// Part of the chart's width and height that the points have, about.
const PLOT: (f64, f64) = (0.88, 0.68);

/// Half a point's side.
const POINT: f64 = 3.5;
/// Points that labels keep off; with more, there is no free place.
const MOST_POINTS: usize = 1_000;

/// A label's middle, half its width and half its height, in points.
type Place = (f64, f64, f64, f64);

/// For each series, the side of each of its labels; those without room on any side stand above.
pub(super) fn sides(data: &Data, look: &Look<'_>) -> Vec<Vec<&'static str>> {
    let (left, right) = range(
        data.series
            .iter()
            .filter_map(|drawn| drawn.across.as_ref())
            .flat_map(|(_, across)| across.iter().copied()),
    );
    let (low, high) = range(
        data.series
            .iter()
            .flat_map(|drawn| drawn.values.iter().flatten().copied()),
    );
    let across = |x: f64| (x - left) / (right - left) * look.width * PLOT.0;
    let up = |y: f64| (y - low) / (high - low) * look.height * PLOT.1;
    // No label stands on a point either.
    let points = data.series.iter().flat_map(|drawn| {
        let places = drawn.across.iter().flat_map(|(_, across)| across.iter());
        places.zip(&drawn.values)
    });
    let points = points.take(MOST_POINTS);
    let mut taken: Vec<Place> = points
        .filter_map(|(x, y)| Some((across(*x), up((*y)?), POINT, POINT)))
        .collect();
    let all = data.series.iter().map(|drawn| {
        let Some((_, labels)) = &drawn.labels else {
            return Vec::new();
        };
        let places = drawn.across.iter().flat_map(|(_, across)| across.iter());
        let points = places.zip(&drawn.values).zip(labels);
        let side = |((x, y), label): ((&f64, &Option<f64>), &String)| {
            let (Some(y), false) = (y, label.is_empty()) else {
                return SIDES[0].0;
            };
            let half = (
                label.chars().count() as f64 * look.font_size * 0.28,
                look.font_size * 0.65,
            );
            let of = |(_, right, above): (&str, f64, f64)| {
                (
                    across(*x) + right * (half.0 + 6.0),
                    up(*y) + above * (half.1 + 5.0),
                    half.0,
                    half.1,
                )
            };
            let is_free = |place: &Place| !taken.iter().any(|other| overlap(place, other));
            let found = SIDES.into_iter().find(|side| is_free(&of(*side)));
            let chosen = found.unwrap_or(SIDES[0]);
            taken.push(of(chosen));
            chosen.0
        };
        points.take(MOST_TEXTS).map(side).collect()
    });
    all.collect()
}

fn overlap(one: &Place, other: &Place) -> bool {
    (one.0 - other.0).abs() < one.2 + other.2 && (one.1 - other.1).abs() < one.3 + other.3
}

/// The least and the largest number, never the same; charts of points begin at zero where that is near.
fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut low, mut high) = (0.0_f64, f64::MIN_POSITIVE);
    for number in numbers {
        (low, high) = (low.min(number), high.max(number));
    }
    (low, high)
}
