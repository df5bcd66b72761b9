//! What texts cite, and taking citations out that readers have no use for.

use std::collections::BTreeMap;

use gtm_document_model::block::{Block, Item};
use gtm_document_model::walk::Visitor;
use gtm_document_model::{Document, Run};

/// The texts that cite each id, by their pointers into the document, in its order.
#[must_use]
pub fn bearings(document: &Document) -> BTreeMap<String, Vec<String>> {
    #[derive(Default)]
    struct Found(BTreeMap<String, Vec<String>>);
    impl<'d> Visitor<'d> for Found {
        fn cites(&mut self, pointer: &str, ids: &'d [String]) {
            let text = pointer.strip_suffix("/cite").unwrap_or(pointer);
            for id in ids {
                self.0.entry(id.clone()).or_default().push(text.to_owned());
            }
        }
    }
    let mut found = Found::default();
    document.walk(&mut found);
    found.0
}

/// Removes all citations but those of these ids.
pub fn keep_only(document: &mut Document, keep: impl Fn(&str) -> bool) {
    let mut retain = |ids: &mut Vec<String>| ids.retain(|id| keep(id));
    for section in &mut document.sections {
        of_runs_mut(&mut section.notes, &mut retain);
        section
            .blocks
            .iter_mut()
            .for_each(|block| of_block_mut(block, &mut retain));
    }
}

/// Calls `found` with each list of citations of a block.
pub(super) fn of_block(block: &Block, found: &mut impl FnMut(&[String])) {
    // One traversal serves both; blocks are small.
    let mut copy = block.clone();
    of_block_mut(&mut copy, &mut |ids: &mut Vec<String>| found(ids));
}

type Change<'c> = &'c mut dyn FnMut(&mut Vec<String>);

fn of_runs_mut(runs: &mut [Run], change: Change<'_>) {
    runs.iter_mut().for_each(|run| change(&mut run.cite));
}

fn of_item_mut(item: &mut Item, change: Change<'_>) {
    of_runs_mut(&mut item.runs, change);
    for inner in &mut item.items {
        of_item_mut(inner, change);
    }
}

fn of_block_mut(block: &mut Block, change: Change<'_>) {
    match block {
        Block::Lead(lead) => of_runs_mut(&mut lead.runs, change),
        Block::Heading(heading) => of_runs_mut(&mut heading.runs, change),
        Block::Paragraph(paragraph) => of_runs_mut(&mut paragraph.runs, change),
        Block::Bullets(list) => {
            for item in &mut list.items {
                of_item_mut(item, change);
            }
        }
        Block::Table(table) => {
            for cell in table.rows.iter_mut().flatten() {
                of_runs_mut(cell, change);
            }
            of_runs_mut(&mut table.caption, change);
        }
        Block::Chart(chart) => {
            of_runs_mut(&mut chart.caption, change);
            change(&mut chart.cite);
        }
        Block::Kpis(kpis) => kpis.items.iter_mut().for_each(|kpi| change(&mut kpi.cite)),
        Block::Quote(quote) => {
            of_runs_mut(&mut quote.runs, change);
            change(&mut quote.cite);
        }
        Block::Callout(callout) => of_runs_mut(&mut callout.runs, change),
        Block::Image(image) => of_runs_mut(&mut image.caption, change),
        Block::Steps(steps) => {
            for step in &mut steps.items {
                of_runs_mut(&mut step.runs, change);
            }
        }
        Block::Timeline(timeline) => {
            for event in &mut timeline.events {
                of_runs_mut(&mut event.runs, change);
            }
        }
        Block::Comparison(comparison) => {
            for cell in comparison.criteria.iter_mut().flat_map(|c| &mut c.cells) {
                of_runs_mut(cell, change);
            }
        }
        Block::Columns(columns) => {
            for inner in columns
                .columns
                .iter_mut()
                .flat_map(|column| &mut column.blocks)
            {
                of_block_mut(inner, change);
            }
        }
        Block::Cta(cta) => of_runs_mut(&mut cta.text, change),
    }
}
