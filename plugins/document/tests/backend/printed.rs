//! A draft as text, for the eyes of whoever reads the tests' output.

use std::fmt::Write as _;

use gtm_document_model::block::{Block, Item};
use gtm_document_model::text::Run;
use gtm_document_model::{Document, plain_text};

fn text(runs: &[Run]) -> String {
    let marked = runs.iter().map(|run| match run.cite.is_empty() {
        true => run.text.clone(),
        false => format!("{}[{}]", run.text, run.cite.join(",")),
    });
    // Blanks that break no line look like all others.
    marked.collect::<String>().replace('\u{a0}', " ")
}

fn items(list: &[Item], depth: usize, out: &mut String) {
    for item in list {
        writeln!(out, "  {}- {}", "  ".repeat(depth), text(&item.runs)).unwrap();
        items(&item.items, depth + 1, out);
    }
}

/// The document as text.
pub fn print(document: &Document) -> String {
    let meta = &document.meta;
    let mut out = format!(
        "### {} | {:?} | {} {:?}\n",
        meta.title, meta.subtitle, meta.language, meta.direction
    );
    for section in &document.sections {
        writeln!(out, "\n[{:?}] {}", section.layout.unwrap(), section.title).unwrap();
        for block in &section.blocks {
            print_block(block, &mut out);
        }
        if !section.notes.is_empty() {
            writeln!(out, "  (notes: {})", plain_text(&section.notes)).unwrap();
        }
    }
    out
}

fn print_block(block: &Block, out: &mut String) {
    match block {
        Block::Lead(known) => writeln!(out, "  LEAD {}", text(&known.runs)).unwrap(),
        Block::Heading(known) => writeln!(out, "  H{} {}", known.level, text(&known.runs)).unwrap(),
        Block::Paragraph(known) => writeln!(out, "  {}", text(&known.runs)).unwrap(),
        Block::Bullets(known) => items(&known.items, 0, out),
        Block::Table(known) => {
            let head: Vec<String> = known
                .columns
                .iter()
                .map(|column| format!("{} <{:?}>", column.label, column.kind))
                .collect();
            writeln!(out, "  TABLE {}", head.join(" | ")).unwrap();
            for row in &known.rows {
                let cells: Vec<String> = row.iter().map(|cell| text(cell)).collect();
                writeln!(out, "    {}", cells.join(" | ")).unwrap();
            }
        }
        Block::Chart(known) => writeln!(
            out,
            "  CHART {:?} {:?} {:?} {:?} unit {:?} alt {}",
            known.kind,
            known.title,
            known.categories,
            known
                .series
                .iter()
                .map(|series| (&series.name, &series.values))
                .collect::<Vec<_>>(),
            known.unit,
            known.alt
        )
        .unwrap(),
        Block::Kpis(known) => {
            for kpi in &known.items {
                writeln!(
                    out,
                    "  KPI {} = {} {:?} {:?}",
                    kpi.value, kpi.label, kpi.detail, kpi.cite
                )
                .unwrap();
            }
        }
        Block::Quote(known) => writeln!(
            out,
            "  QUOTE {} -- {:?} {:?}",
            text(&known.runs),
            known.attribution,
            known.cite
        )
        .unwrap(),
        Block::Callout(known) => writeln!(
            out,
            "  CALLOUT {:?} {:?}: {}",
            known.tone,
            known.title,
            text(&known.runs)
        )
        .unwrap(),
        Block::Steps(known) => {
            for step in &known.items {
                writeln!(out, "  STEP {}: {}", step.title, text(&step.runs)).unwrap();
            }
        }
        Block::Timeline(known) => {
            for event in &known.events {
                writeln!(
                    out,
                    "  WHEN {}: {} {}",
                    event.when,
                    event.title,
                    text(&event.runs)
                )
                .unwrap();
            }
        }
        Block::Comparison(known) => {
            writeln!(out, "  COMPARE {:?}", known.items).unwrap();
            for criterion in &known.criteria {
                let cells: Vec<String> = criterion.cells.iter().map(|cell| text(cell)).collect();
                writeln!(out, "    {}: {}", criterion.label, cells.join(" | ")).unwrap();
            }
        }
        Block::Cta(known) => writeln!(out, "  CTA {} -> {}", known.label, known.href).unwrap(),
        Block::Columns(known) => {
            for column in &known.columns {
                writeln!(out, "  COLUMN").unwrap();
                for block in &column.blocks {
                    print_block(block, out);
                }
            }
        }
        Block::Image(_) => writeln!(out, "  ?").unwrap(),
    }
}
