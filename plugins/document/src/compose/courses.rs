//! What goes on from time to time, in a list: `- January: 120 pallets`. A reader sees it in a chart, like any course.

use gtm_document_model::Chart;
use gtm_document_model::block::{Block, Timeline};
use gtm_document_model::plain_text;
use gtm_document_model::table::{ColumnKind, Table, TableColumn};
use gtm_document_model::text::Run;

use crate::brief::{chart_of, column_kind, one_line};

/// Longest name of what is counted, in characters.
const LONGEST_NAME: usize = 60;

/// The table and the chart of a list of times that says nothing but a figure of each; none where it says something else.
/// `before` stands directly above the list: `Pallets by month:`.
pub fn of_list(
    timeline: &Timeline,
    before: Option<&Block>,
    heading: &str,
    language: &str,
) -> Option<(Table, Chart)> {
    if timeline.events.iter().any(|event| !event.runs.is_empty()) {
        return None;
    }
    let announced = before.and_then(|block| match block {
        Block::Paragraph(paragraph) => {
            let text = one_line(&plain_text(&paragraph.runs));
            let name = text.strip_suffix([':', '：'])?.trim().to_owned();
            (name.chars().count() <= LONGEST_NAME).then_some(name)
        }
        _ => None,
    });
    let name = announced.unwrap_or_else(|| heading.to_owned());
    let figures: Vec<String> = timeline
        .events
        .iter()
        .map(|event| event.title.clone())
        .collect();
    let column = |label: String, kind: ColumnKind| TableColumn {
        label,
        align: None,
        kind,
    };
    let rows = timeline.events.iter().map(|event| {
        vec![
            vec![Run::plain(&event.when)],
            vec![Run::plain(&event.title)],
        ]
    });
    let table = Table {
        columns: vec![
            column(String::new(), ColumnKind::Date),
            column(name, column_kind(&figures)),
        ],
        rows: rows.collect(),
        caption: Vec::new(),
        header_column: true,
    };
    let chart = chart_of(&table, None, language)?;
    Some((table, chart))
}
