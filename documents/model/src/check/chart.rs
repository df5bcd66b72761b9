//! Rules for charts: each kind has exactly the numbers that it can show.

use super::Check;
use crate::bounds;
use crate::chart::{Chart, ChartKind, Series};
use crate::fault::FaultCode;
use crate::pointer::Pointer;

impl Check {
    pub(super) fn chart(&mut self, chart: &Chart, at: &mut Pointer) {
        self.range(
            at,
            "decimals",
            chart.decimals.into(),
            0,
            bounds::DECIMALS.into(),
        );
        self.count(at, "series", chart.series.len(), 1, bounds::SERIES);
        let has_one_series = matches!(
            chart.kind,
            ChartKind::Bar | ChartKind::Donut | ChartKind::Waterfall
        );
        if has_one_series && chart.series.len() > 1 {
            self.add_at(
                at,
                "series",
                FaultCode::NotOfThisKind,
                "this kind has one series",
            );
        }
        self.count(at, "categories", chart.categories.len(), 0, bounds::POINTS);
        let numbers = chart
            .series
            .iter()
            .map(|s| s.values.len() + s.points.len())
            .sum::<usize>();
        if numbers > bounds::POINTS {
            let message = format!("{numbers} numbers, at most {} allowed", bounds::POINTS);
            self.add_at(at, "series", FaultCode::TooMany, message);
        }
        if chart.kind == ChartKind::Scatter {
            self.scatter(chart, at);
        } else {
            self.by_category(chart, at);
        }
        if chart.kind == ChartKind::Waterfall {
            self.waterfall(chart, at);
        } else if !chart.totals.is_empty() {
            self.add_at(
                at,
                "totals",
                FaultCode::NotOfThisKind,
                "only a waterfall has totals",
            );
        }
    }

    fn scatter(&mut self, chart: &Chart, at: &mut Pointer) {
        if !chart.categories.is_empty() {
            self.add_at(
                at,
                "categories",
                FaultCode::NotOfThisKind,
                "a scatter has none",
            );
        }
        at.each("series", &chart.series, |at, series| {
            if !series.values.is_empty() {
                self.add_at(
                    at,
                    "values",
                    FaultCode::NotOfThisKind,
                    "a scatter has points",
                );
            }
            if series.points.is_empty() {
                self.add_at(at, "points", FaultCode::Empty, "a scatter has points");
            }
            at.each("points", &series.points, |at, point| {
                at.member("x", |at| self.finite(point.x, at));
                at.member("y", |at| self.finite(point.y, at));
            });
        });
    }

    fn by_category(&mut self, chart: &Chart, at: &mut Pointer) {
        if chart.categories.is_empty() {
            self.add_at(
                at,
                "categories",
                FaultCode::Empty,
                "this kind has categories",
            );
        }
        at.each("series", &chart.series, |at, series| {
            if !series.points.is_empty() {
                self.add_at(
                    at,
                    "points",
                    FaultCode::NotOfThisKind,
                    "only a scatter has points",
                );
            }
            let (values, categories) = (series.values.len(), chart.categories.len());
            if values != categories {
                let message = format!("{values} values for {categories} categories");
                self.add_at(at, "values", FaultCode::LengthMismatch, message);
            }
            if series.values.iter().all(Option::is_none) && values > 0 {
                self.add_at(at, "values", FaultCode::Empty, "no number is known");
            }
            at.each("values", &series.values, |at, value| {
                if let Some(value) = value {
                    self.finite(*value, at);
                }
            });
            if chart.kind == ChartKind::Donut {
                self.slices(series, at);
            }
        });
    }

    /// Slices are parts of a whole.
    fn slices(&mut self, series: &Series, at: &mut Pointer) {
        at.each("values", &series.values, |at, value| {
            if value.is_none_or(|value| value < 0.0) {
                self.add(
                    at.as_str(),
                    FaultCode::OutOfRange,
                    "a slice is known and not negative",
                );
            }
        });
        if series.values.iter().flatten().all(|value| *value <= 0.0) {
            self.add_at(
                at,
                "values",
                FaultCode::OutOfRange,
                "the slices add up to nothing",
            );
        }
    }

    /// A total shows what stands before it added up; a chart that says otherwise would draw a lie.
    fn waterfall(&mut self, chart: &Chart, at: &mut Pointer) {
        let is_ascending = chart.totals.windows(2).all(|pair| pair[0] < pair[1]);
        let is_in_range = |index: &usize| *index < chart.categories.len();
        if !is_ascending || !chart.totals.iter().all(is_in_range) {
            let message = "expected indices of categories, ascending";
            return self.add_at(at, "totals", FaultCode::OutOfRange, message);
        }
        let Some(series) = chart.series.first() else {
            return;
        };
        at.member("series", |at| {
            at.index(0, |at| self.steps(series, chart, at));
        });
    }

    fn steps(&mut self, series: &Series, chart: &Chart, at: &mut Pointer) {
        // Half of the last digit that is shown, for each number that was rounded.
        let rounding = 0.5 * 10_f64.powi(-i32::from(chart.decimals.min(bounds::DECIMALS)));
        let (mut sum, mut slack) = (Some(0.0), rounding);
        at.each(
            "values",
            series.values.iter().enumerate(),
            |at, (index, value)| {
                let Some(value) = value else {
                    sum = None;
                    let message = "a step of a waterfall is known";
                    return self.add(at.as_str(), FaultCode::OutOfRange, message);
                };
                slack += rounding;
                // After a step that is not known, neither is the sum.
                let Some(before) = sum else { return };
                if chart.totals.binary_search(&index).is_err() {
                    sum = Some(before + value);
                } else if index == 0 {
                    sum = Some(*value);
                } else if (before - value).abs() > slack + before.abs() * 1e-9 {
                    let message = format!("{value} shown as the total, but {before} added up");
                    self.add(at.as_str(), FaultCode::TotalMismatch, message);
                }
            },
        );
    }
}
