//! Charts: numbers and what they are called, never a picture.

use serde::{Deserialize, Serialize};

use crate::text::Run;

/// A chart. All kinds but `scatter` have categories and, in each series, one value for each of them; a
/// scatter has points instead. `bar`, `donut` and `waterfall` have exactly one series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Chart {
    pub kind: ChartKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 10000))]
    pub categories: Vec<String>,
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 50))]
    pub series: Vec<Series>,
    /// Of a waterfall: the indices of the categories whose value is the total so far, not a change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 10000))]
    pub totals: Vec<usize>,
    /// What the values count, such as `€` or `%`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub unit: Option<String>,
    /// Decimals with which values are shown.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "schema", schema(maximum = 6))]
    pub decimals: u8,
    /// What the horizontal axis shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub x_label: Option<String>,
    /// What the vertical axis shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub y_label: Option<String>,
    /// What the chart shows, for those who cannot see it.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 2000))]
    pub alt: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 1000))]
    pub caption: Vec<Run>,
    /// Ids of the sources of the numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 50))]
    pub cite: Vec<String>,
}

/// How the numbers are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChartKind {
    Bar,
    Stacked,
    Grouped,
    Line,
    Area,
    Donut,
    Scatter,
    Waterfall,
}

/// One series of numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Series {
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub name: String,
    /// One for each category; null where the number is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 10000))]
    pub values: Vec<Option<f64>>,
    /// Of a scatter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 10000))]
    pub points: Vec<Point>,
}

/// A point of a scatter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub label: Option<String>,
}

const fn is_zero(number: &u8) -> bool {
    *number == 0
}
