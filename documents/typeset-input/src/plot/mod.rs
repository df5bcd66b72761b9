//! Charts as geometry: every length is a fraction of the drawing, every number is already written, every label has a
//! colour that can be read. The template only draws what stands here.

mod axis;
mod bars;
mod curves;
mod shares;

use gtm_document_model::Chart;
use gtm_document_model::chart::ChartKind;
use gtm_document_model::color::Rgb;
use gtm_document_model::theme::{TEXT_CONTRAST, Theme};
use serde_json::{Value, json};

use crate::numbers::Numbers;

/// Names in a legend; beyond, only their number is told.
const MOST_NAMES: usize = 12;
/// Characters of a name in a drawing.
const MOST_CHARACTERS: usize = 60;

/// The drawing of a chart.
pub fn of(chart: &Chart, theme: &Theme, numbers: Numbers) -> Value {
    let look = Look {
        theme,
        numbers,
        decimals: usize::from(chart.decimals),
        unit: chart.unit.as_deref().map(str::trim).unwrap_or_default(),
    };
    match chart.kind {
        ChartKind::Bar | ChartKind::Grouped | ChartKind::Stacked | ChartKind::Waterfall => {
            bars::draw(chart, &look)
        }
        ChartKind::Line | ChartKind::Area => curves::draw(chart, &look),
        ChartKind::Scatter => shares::points(chart, &look),
        ChartKind::Donut => shares::ring(chart, &look),
    }
}

/// How numbers and colours are written.
struct Look<'a> {
    theme: &'a Theme,
    numbers: Numbers,
    decimals: usize,
    unit: &'a str,
}

impl Look<'_> {
    /// A value as its label.
    fn label(&self, value: f64) -> String {
        let number = self.numbers.written(value, self.decimals);
        if self.unit == "%" {
            // Not broken between number and sign.
            format!("{number}\u{a0}%")
        } else {
            number
        }
    }

    /// What the values count, where it doesn't stand beside each of them.
    fn told_unit(&self) -> Option<String> {
        (!self.unit.is_empty() && self.unit != "%").then(|| short(self.unit))
    }

    fn color(&self, index: usize) -> Rgb {
        self.theme.chart[index % self.theme.chart.len()]
    }

    /// A colour for text on this one.
    fn ink(&self, ground: Rgb) -> Rgb {
        let colors = &self.theme.colors;
        [colors.background, colors.text]
            .into_iter()
            .find(|ink| ink.contrast(ground) >= TEXT_CONTRAST)
            .unwrap_or_else(|| ground.black_or_white())
    }

    fn legend<'n>(&self, names: impl Iterator<Item = &'n str>) -> (Vec<Value>, usize) {
        let names: Vec<&str> = names.collect();
        let shown = names.iter().take(MOST_NAMES).enumerate();
        let shown =
            shown.map(|(index, name)| json!({"name": short(name), "color": self.color(index)}));
        (shown.collect(), names.len().saturating_sub(MOST_NAMES))
    }
}

/// A name, cut where it would leave the drawing.
fn short(name: &str) -> String {
    if name.chars().count() <= MOST_CHARACTERS {
        return name.to_owned();
    }
    let mut cut: String = name.chars().take(MOST_CHARACTERS - 1).collect();
    cut.push('…');
    cut
}

/// Every how many of so many names one is written.
fn stride(names: usize, room: usize) -> usize {
    names.div_ceil(room.max(1)).max(1)
}
