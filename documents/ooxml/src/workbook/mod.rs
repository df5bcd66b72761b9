//! The workbook inside a chart: one sheet with the numbers that the chart shows, as Excel would write it, so that
//! "Edit Data" opens it. A sheet is a row of columns, each with a heading; nothing else is needed here. Reading
//! workbooks, formulas and several sheets are not this module's business.

mod package;
mod sheet;

pub use package::package;
pub use sheet::{Cell, Column, Sheet};
pub(crate) use sheet::{MAX_ROWS, number};
