//! Tables.

use serde::{Deserialize, Serialize};

use crate::text::{Run, is_false};

/// A table. Each row has one cell, a list of runs, for each column.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Table {
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 200))]
    pub columns: Vec<TableColumn>,
    #[cfg_attr(feature = "schema", schema(max_items = 5000))]
    pub rows: Vec<Vec<Vec<Run>>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 1000))]
    pub caption: Vec<Run>,
    /// Whether the first column names its rows.
    #[serde(default, skip_serializing_if = "is_false")]
    pub header_column: bool,
}

/// A column of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TableColumn {
    /// Its heading; empty only for a column that names the rows.
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub label: String,
    /// Where its cells stand; by default where its kind wants them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub align: Option<Align>,
    #[serde(default, skip_serializing_if = "ColumnKind::is_text")]
    pub kind: ColumnKind,
}

impl TableColumn {
    /// The alignment to use: numbers stand at the end of their cells, so that their digits line up.
    #[must_use]
    pub const fn alignment(&self) -> Align {
        match (self.align, self.kind) {
            (Some(align), _) => align,
            (None, ColumnKind::Text | ColumnKind::Date) => Align::Start,
            (None, ColumnKind::Number | ColumnKind::Currency | ColumnKind::Percent) => Align::End,
        }
    }
}

/// Where text stands in its cell; start and end follow the direction of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Align {
    Start,
    Center,
    End,
}

/// What the cells of a column contain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    #[default]
    Text,
    Number,
    Currency,
    Percent,
    Date,
}

impl ColumnKind {
    const fn is_text(&self) -> bool {
        matches!(self, Self::Text)
    }
}
