//! What is drawn: the chart's numbers as columns of its workbook.

use gtm_document_model::Chart;
use gtm_document_model::chart::{ChartKind, Series};

use super::Look;
use super::number_format::NumberFormat;
use crate::workbook::{Cell, MAX_ROWS, Sheet};

/// The workbook, and which of its columns are drawn.
pub(super) struct Data {
    pub(super) sheet: Sheet,
    pub(super) format: NumberFormat,
    /// The column with the categories, and their names.
    pub(super) categories: Option<(usize, Vec<String>)>,
    pub(super) series: Vec<Drawn>,
}

/// A series as it is drawn.
pub(super) struct Drawn {
    pub(super) role: Role,
    pub(super) name: String,
    /// The column with the values, whose heading is the name.
    pub(super) column: usize,
    pub(super) values: Vec<Option<f64>>,
    /// Of a scatter: the column with the horizontal places, and these.
    pub(super) across: Option<(usize, Vec<f64>)>,
    /// The column with the texts of labels, and these; empty where a point has none.
    pub(super) labels: Option<(usize, Vec<String>)>,
}

/// What a series is in its chart. All but `Plain` are parts of a waterfall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// What lifts a step to where it begins; not seen.
    Base,
    Rise,
    Fall,
    Total,
    /// A line that isn't seen, at the top of each step, with the labels: Office puts none above stacked columns.
    Labels,
}

impl Drawn {
    /// Whether a legend names it.
    pub(super) fn is_named(&self) -> bool {
        self.role == Role::Plain
    }
}

impl Data {
    pub(super) fn new(chart: &Chart, look: &Look<'_>) -> Self {
        let format = NumberFormat::new(chart, look.language);
        let sheet = Sheet {
            number_format: format.code(),
            ..Sheet::default()
        };
        let mut data = Self {
            sheet,
            format,
            categories: None,
            series: Vec::new(),
        };
        if chart.kind == ChartKind::Scatter {
            for series in &chart.series {
                data.scatter(series);
            }
            return data;
        }
        let names = chart
            .categories
            .iter()
            .take(MAX_ROWS)
            .cloned()
            .collect::<Vec<_>>();
        let cells = names.iter().cloned().map(Cell::Text).collect();
        let column = data
            .sheet
            .push(chart.x_label.clone().unwrap_or_default(), cells);
        data.categories = Some((column, names));
        match (chart.kind, chart.series.first()) {
            (ChartKind::Waterfall, Some(series)) => data.waterfall(series, &chart.totals),
            _ => {
                for series in &chart.series {
                    data.add(Role::Plain, &series.name, series.values.clone());
                }
            }
        }
        data
    }

    /// How many categories there are, or points of the longest series.
    pub(super) fn len(&self) -> usize {
        let names = self.categories.as_ref().map(|(_, names)| names.len());
        names.unwrap_or_else(|| {
            self.series
                .iter()
                .map(|s| s.values.len())
                .max()
                .unwrap_or(0)
        })
    }

    /// Whether a number is not known.
    pub(super) fn has_gaps(&self) -> bool {
        self.series
            .iter()
            .any(|series| series.values.iter().any(Option::is_none))
    }

    /// All numbers that bars, lines and points show.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.series
            .iter()
            .flat_map(|series| series.values.iter().flatten().copied())
    }

    fn add(&mut self, role: Role, name: &str, mut values: Vec<Option<f64>>) -> &mut Drawn {
        values.truncate(MAX_ROWS);
        let cells = values
            .iter()
            .map(|value| value.map_or(Cell::Empty, Cell::Number))
            .collect();
        let column = self.sheet.push(name, cells);
        let index = self.series.len();
        self.series.push(Drawn {
            role,
            name: name.to_owned(),
            column,
            values,
            across: None,
            labels: None,
        });
        // Just pushed.
        &mut self.series[index]
    }

    fn scatter(&mut self, series: &Series) {
        let points = series.points.get(..MAX_ROWS).unwrap_or(&series.points);
        let across = points.iter().map(|point| point.x).collect::<Vec<_>>();
        let column = self
            .sheet
            .push("x", across.iter().copied().map(Cell::Number).collect());
        let values = points.iter().map(|point| Some(point.y)).collect();
        self.add(Role::Plain, &series.name, values).across = Some((column, across));
        if points.iter().any(|point| point.label.is_some()) {
            let labels = points
                .iter()
                .map(|point| point.label.clone().unwrap_or_default())
                .collect();
            self.label_last(labels);
        }
    }

    fn label_last(&mut self, labels: Vec<String>) {
        let cell = |text: &String| {
            if text.is_empty() {
                Cell::Empty
            } else {
                Cell::Text(text.clone())
            }
        };
        let column = self.sheet.push("", labels.iter().map(cell).collect());
        if let Some(series) = self.series.last_mut() {
            series.labels = Some((column, labels));
        }
    }

    /// Steps as stacked columns. A step that crosses zero has a part above it and a part below.
    fn waterfall(&mut self, series: &Series, totals: &[usize]) {
        let count = series.values.len().min(MAX_ROWS);
        let cells = series
            .values
            .iter()
            .map(|value| value.map_or(Cell::Empty, Cell::Number))
            .collect();
        self.sheet.push(&*series.name, cells);
        let empty = || vec![None; count];
        let (mut base, mut tops) = (empty(), empty());
        let (mut rise, mut fall, mut total) = (empty(), empty(), empty());
        let (mut rise_below, mut fall_below) = (empty(), empty());
        let mut labels = vec![String::new(); count];
        let mut sum = 0.0_f64;
        for (index, value) in series.values.iter().take(count).enumerate() {
            let Some(value) = *value else { continue };
            let is_total = totals.binary_search(&index).is_ok();
            let (from, to) = if is_total {
                (0.0, value)
            } else {
                (sum, finite(sum + value))
            };
            sum = to;
            let (low, high) = (from.min(to), from.max(to));
            let (above, below) = match () {
                () if is_total => (&mut total, &mut rise_below),
                () if to >= from => (&mut rise, &mut rise_below),
                () => (&mut fall, &mut fall_below),
            };
            if is_total {
                above[index] = Some(value);
            } else if low >= 0.0 {
                base[index] = Some(low);
                above[index] = Some(high - low);
            } else if high <= 0.0 {
                base[index] = Some(high);
                above[index] = Some(finite(low - high));
            } else {
                above[index] = Some(high);
                below[index] = Some(low);
            }
            tops[index] = Some(high);
            labels[index] = self.format.text(value, !is_total);
        }
        self.add(Role::Base, "Base", base);
        self.add(Role::Rise, "Increase", rise);
        self.add(Role::Fall, "Decrease", fall);
        self.add(Role::Total, "Total", total);
        for (role, name, values) in [
            (Role::Rise, "Increase below zero", rise_below),
            (Role::Fall, "Decrease below zero", fall_below),
        ] {
            if values.iter().any(Option::is_some) {
                self.add(role, name, values);
            }
        }
        self.add(Role::Labels, "Top", tops);
        self.label_last(labels);
    }
}

/// Sums of the largest numbers have no room.
fn finite(value: f64) -> f64 {
    value.clamp(f64::MIN, f64::MAX)
}
