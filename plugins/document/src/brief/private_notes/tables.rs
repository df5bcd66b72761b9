//! What of a table is told in confidence: cells, rows whose name is private, and columns whose head is.

use gtm_document_model::block::Comparison;
use gtm_document_model::plain_text;
use gtm_document_model::table::{Table, TableColumn};
use gtm_document_model::text::Run;

use super::super::one_line;
use super::Found;
use super::brackets::{blanked, private_brackets, tags_of};
use super::headings::is_private_heading;
use super::labels::{is_label, is_long_label};
use super::orders::is_private;
use super::values::Values;

impl Found<'_> {
    /// The table without private cells. Where the first cell of a row or the head of a column is private, all of it is.
    pub fn table_without(&mut self, mut table: Table) -> Option<Table> {
        let private: Vec<bool> = (0..table.columns.len())
            .map(|at| is_private_column(&table, at))
            .collect();
        for (column, _) in table.columns.iter().zip(&private).filter(|(_, is)| **is) {
            // A label alone gives nothing away.
            let says_more = !is_label(&column.label);
            self.notes.extend(says_more.then(|| column.label.clone()));
        }
        let filled = filled_columns(&table.rows, table.columns.len());
        let mut rows = Vec::with_capacity(table.rows.len());
        for row in table.rows {
            if is_private_row(&row) {
                let cells: Vec<String> = row.iter().map(|cell| plain_text(cell)).collect();
                self.notes.push(one_line(&cells.join(" ")));
                continue;
            }
            let open = row.into_iter().enumerate().filter_map(|(at, cell)| {
                match private.get(at).copied().unwrap_or(false) {
                    true => {
                        self.notes.push(one_line(&plain_text(&cell)));
                        None
                    }
                    false => Some(self.public(cell)),
                }
            });
            rows.push(open.collect());
        }
        if private.first().is_some_and(|is| *is) {
            table.header_column = false;
        }
        retain(&mut table.columns, &private);
        // Of a column in which nothing but notes stood, nothing is left.
        let mut before = filled;
        retain(&mut before, &private);
        let left = filled_columns(&rows, table.columns.len());
        let gone: Vec<bool> = before
            .iter()
            .zip(&left)
            .map(|(was, is)| *was && !is)
            .collect();
        if !rows.is_empty() {
            retain(&mut table.columns, &gone);
            rows.iter_mut().for_each(|row| retain(row, &gone));
        }
        table.caption = self.public(table.caption);
        table.rows = rows;
        (!table.columns.is_empty() && !table.rows.is_empty()).then_some(table)
    }
}

/// Which columns have a cell that says something.
fn filled_columns(rows: &[Vec<Vec<Run>>], width: usize) -> Vec<bool> {
    let filled = |at: usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(at));
        cells.any(|cell| !cell.is_empty())
    };
    (0..width).map(filled).collect()
}

/// Leaves out what is gone.
fn retain<T>(of: &mut Vec<T>, gone: &[bool]) {
    let mut at = 0;
    of.retain(|_| {
        at += 1;
        !gone.get(at - 1).copied().unwrap_or(false)
    });
}

fn is_private_column(table: &Table, at: usize) -> bool {
    let Some(column) = table.columns.get(at) else {
        return false;
    };
    let cells = || {
        let cells = table.rows.iter().filter_map(move |row| row.get(at));
        cells.map(|cell| plain_text(cell))
    };
    let private = is_private(&column.label) || is_private_heading(&column.label);
    private && !Values::of(cells()).has(&column.label)
}

/// Whether the first cell is private, or another one is nothing but a mark for the whole row.
fn is_private_row(row: &[Vec<Run>]) -> bool {
    let marked = row.iter().any(|cell| is_long_label(&plain_text(cell)));
    marked
        || row.first().is_some_and(|cell| {
            let text = plain_text(cell);
            let open = blanked(&text, &private_brackets(&text));
            is_private(&open) || is_label(&open) || !tags_of(&text).is_empty()
        })
}

/// A comparison as the table that it was.
pub fn as_table(comparison: &Comparison) -> Table {
    let labels = std::iter::once(String::new()).chain(comparison.items.iter().cloned());
    let columns = labels.map(|label| TableColumn {
        label,
        ..TableColumn::default()
    });
    let rows = comparison.criteria.iter().map(|criterion| {
        let label = vec![Run::plain(&criterion.label)];
        std::iter::once(label)
            .chain(criterion.cells.iter().cloned())
            .collect()
    });
    Table {
        columns: columns.collect(),
        rows: rows.collect(),
        caption: Vec::new(),
        header_column: true,
    }
}
