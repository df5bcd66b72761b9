//! Tables of a brief, with the kinds of their columns.

use gtm_document_model::block::{Block, Comparison, Criterion};
use gtm_document_model::bounds;
use gtm_document_model::plain_text;
use gtm_document_model::table::{Align, ColumnKind, Table, TableColumn};
use gtm_document_model::text::Run;
use pulldown_cmark::Alignment;

use super::charts::{self, Figure};
use super::one_line;

/// What stands for the heading of a column without one.
const NO_LABEL: &str = "–";
/// Longest heading of a column, in characters.
const LONGEST_LABEL: usize = 200;
/// Most criteria of a comparison; a longer table stays one.
const MOST_CRITERIA: usize = 8;
/// Longest text that stands at the end of its cell among amounts, in characters.
const LONGEST_EXCEPTION: usize = 24;

/// The blocks that show a table, several if it is longer than one may be.
pub fn blocks(
    alignments: &[Alignment],
    head: Vec<Vec<Run>>,
    rows: Vec<Vec<Vec<Run>>>,
) -> Vec<Block> {
    let width = head.len().min(bounds::TABLE_COLUMNS);
    let mut rows: Vec<Vec<Vec<Run>>> = rows;
    for row in &mut rows {
        row.resize(width, Vec::new());
    }
    // Empty rows and columns say nothing.
    rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
    if width == 0 || (rows.is_empty() && head.iter().all(Vec::is_empty)) {
        return Vec::new();
    }
    let labels: Vec<String> = head
        .iter()
        .take(width)
        .map(|label| label_of(label))
        .collect();
    let texts: Vec<Vec<String>> = (0..width).map(|column| column_of(&rows, column)).collect();
    let kinds: Vec<ColumnKind> = texts.iter().map(|texts| kind_of(texts)).collect();
    let header_column = names_rows(&labels, &texts, &kinds);
    if let Some(comparison) = comparison(&labels, &kinds, &rows) {
        return vec![Block::Comparison(comparison)];
    }
    let columns: Vec<TableColumn> = labels
        .into_iter()
        .zip(&kinds)
        .enumerate()
        .map(|(index, (label, kind))| TableColumn {
            label: match label.is_empty() && !(index == 0 && header_column) {
                true => NO_LABEL.to_owned(),
                false => label,
            },
            align: match alignments.get(index) {
                Some(Alignment::Center) => Some(Align::Center),
                Some(Alignment::Right) if *kind == ColumnKind::Text => Some(Align::End),
                Some(Alignment::None) | None
                    if *kind == ColumnKind::Text
                        && texts
                            .get(index)
                            .is_some_and(|texts| is_mostly_amounts(texts)) =>
                {
                    Some(Align::End)
                }
                _ => None,
            },
            kind: *kind,
        })
        .collect();
    let mut found = Vec::new();
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() || found.is_empty() {
        found.push(Block::Table(Table {
            columns: columns.clone(),
            rows: rows.by_ref().take(bounds::TABLE_ROWS).collect(),
            caption: Vec::new(),
            header_column,
        }));
    }
    found
}

fn label_of(runs: &[Run]) -> String {
    one_line(&plain_text(runs))
        .chars()
        .take(LONGEST_LABEL)
        .collect()
}

fn column_of(rows: &[Vec<Vec<Run>>], column: usize) -> Vec<String> {
    let cells = rows.iter().filter_map(|row| row.get(column));
    cells.map(|cell| one_line(&plain_text(cell))).collect()
}

/// What the cells of a column have in common.
pub fn kind_of(texts: &[String]) -> ColumnKind {
    let filled: Vec<&String> = texts.iter().filter(|text| !is_dash(text)).collect();
    if filled.is_empty() {
        return ColumnKind::Text;
    }
    if filled.iter().all(|text| charts::is_period(text)) {
        return ColumnKind::Date;
    }
    let figures: Vec<Figure> = filled
        .iter()
        .filter_map(|text| Figure::read(text))
        .collect();
    if figures.len() < filled.len() {
        return ColumnKind::Text;
    }
    let same = |pair: &[Figure]| matches!(pair, [one, other] if one.is_measured_as(other));
    if figures.iter().all(Figure::is_duration) && !figures.windows(2).all(same) {
        // Hours and weeks have no common measure.
        ColumnKind::Text
    } else if figures.iter().all(Figure::is_percent) {
        ColumnKind::Percent
    } else if figures.iter().any(Figure::is_money) {
        ColumnKind::Currency
    } else if figures.iter().all(Figure::has_short_unit)
        && !filled.iter().any(|it| has_word_first(it))
    {
        ColumnKind::Number
    } else {
        ColumnKind::Text
    }
}

/// Whether a figure has a word before it, so that its column reads as text: `最長12時間`, `up to 12`.
fn has_word_first(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
}

/// Whether a column has amounts, among which a word or two may stand where there is none: `n/a`, `on request`.
fn is_mostly_amounts(texts: &[String]) -> bool {
    let filled = || texts.iter().filter(|text| !is_dash(text));
    let is_amount = |text: &&String| Figure::read(text).is_some_and(|figure| figure.is_amount());
    let is_short = |text: &String| text.chars().count() <= LONGEST_EXCEPTION;
    let amounts = filled().filter(is_amount).count();
    amounts > 0 && 2 * amounts >= filled().count() && filled().all(is_short)
}

/// Whether a cell says that there is nothing to say.
fn is_dash(text: &str) -> bool {
    matches!(text, "" | "–" | "-")
}

/// Whether the first column names the rows.
fn names_rows(labels: &[String], texts: &[Vec<String>], kinds: &[ColumnKind]) -> bool {
    let (Some(label), Some(first)) = (labels.first(), texts.first()) else {
        return false;
    };
    let mut distinct = first.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let names = labels.len() > 1
        && distinct.len() == first.len()
        && first
            .iter()
            .all(|text| (1..=80).contains(&text.chars().count()))
        && matches!(kinds.first(), Some(ColumnKind::Text | ColumnKind::Date));
    names
        && (label.is_empty()
            || labels.len() > 2
            || kinds.iter().skip(1).any(|kind| *kind != ColumnKind::Text))
}

/// A table whose rows are criteria, and whose columns are things that are compared: its first heading is empty.
fn comparison(
    labels: &[String],
    kinds: &[ColumnKind],
    rows: &[Vec<Vec<Run>>],
) -> Option<Comparison> {
    let things = labels.get(1..)?;
    let fits = labels.first().is_some_and(String::is_empty)
        && (2..=4).contains(&things.len())
        && things.iter().all(|label| !label.is_empty())
        && (1..=MOST_CRITERIA).contains(&rows.len())
        && kinds.iter().skip(1).all(|kind| *kind == ColumnKind::Text);
    if !fits {
        return None;
    }
    let criteria = rows
        .iter()
        .map(|row| {
            let label = label_of(row.first()?);
            let cells: Vec<Vec<Run>> = row.iter().skip(1).cloned().collect();
            let whole = !label.is_empty() && cells.iter().all(|cell| !cell.is_empty());
            whole.then_some(Criterion { label, cells })
        })
        .collect::<Option<Vec<_>>>()?;
    Some(Comparison {
        items: things.to_vec(),
        criteria,
        highlight: None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    /// Where the second column of a table stands, whose first names three works.
    fn alignment(cells: [&str; 3]) -> Align {
        let row = |index: usize| {
            vec![
                vec![Run::plain(format!("Work {index}"))],
                vec![Run::plain(cells[index])],
            ]
        };
        let head = vec![vec![Run::plain("Work")], vec![Run::plain("Price")]];
        match &blocks(&[], head, (0..3).map(row).collect())[..] {
            [Block::Table(table)] => table.columns[1].alignment(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn prices_stand_at_the_end_of_their_cells_whatever_stands_among_them() {
        for cells in [
            ["£1,200", "£95", "£68.50"],
            ["£1,200", "from £95", "n/a"],
            ["1.200 €", "ab 95 €", "auf Anfrage"],
            ["£40–60", "£1,200", "£95"],
            ["12", "–", "n/a"],
        ] {
            assert_eq!(alignment(cells), Align::End, "{cells:?}");
        }
        for cells in [
            ["n/a", "on request", "£95"],
            ["£1,200", "£95", "what we agree on before the work begins"],
            ["March 2027", "2 weeks", "later"],
            ["Room 12", "Room 14", "the yard"],
        ] {
            assert_eq!(alignment(cells), Align::Start, "{cells:?}");
        }
    }
}
