//! Rules for blocks.

use super::Check;
use crate::block::{Block, Columns, Comparison, Image, Item};
use crate::bounds;
use crate::fault::FaultCode;
use crate::link;
use crate::pointer::Pointer;
use crate::table::Table;

/// How many blocks these are, those inside columns included.
pub(super) fn count(blocks: &[Block]) -> usize {
    let inside = |block: &Block| match block {
        Block::Columns(columns) => columns.columns.iter().map(|c| c.blocks.len()).sum(),
        _ => 0,
    };
    blocks.iter().map(|block| 1 + inside(block)).sum()
}

impl Check {
    pub(super) fn block(&mut self, block: &Block, at: &mut Pointer) {
        match block {
            // Their texts are all there is to them.
            Block::Lead(_) | Block::Paragraph(_) | Block::Quote(_) | Block::Callout(_) => {}
            Block::Heading(heading) => self.range(at, "level", heading.level.into(), 2, 4),
            Block::Bullets(bullets) => self.items(&bullets.items, 1, at),
            Block::Table(table) => self.table(table, at),
            Block::Chart(chart) => self.chart(chart, at),
            Block::Kpis(kpis) => self.count(at, "items", kpis.items.len(), 1, bounds::KPIS),
            Block::Image(image) => self.image(image, at),
            Block::Steps(steps) => self.count(at, "items", steps.items.len(), 1, bounds::ENTRIES),
            Block::Timeline(timeline) => {
                self.count(at, "events", timeline.events.len(), 1, bounds::ENTRIES);
            }
            Block::Comparison(comparison) => self.comparison(comparison, at),
            Block::Columns(columns) => self.columns(columns, at),
            Block::Cta(cta) => {
                if !link::is_https(&cta.href) {
                    self.add_at(
                        at,
                        "href",
                        FaultCode::Link,
                        "expected an https address in ASCII",
                    );
                }
            }
        }
    }

    fn items(&mut self, items: &[Item], level: usize, at: &mut Pointer) {
        let least = usize::from(level == 1);
        self.count(at, "items", items.len(), least, bounds::ITEMS);
        if level > bounds::NESTING && !items.is_empty() {
            let message = format!(
                "a list at level {level}, at most {} allowed",
                bounds::NESTING
            );
            // What is deeper is not looked at: it goes as deep as the JSON does.
            return self.add_at(at, "items", FaultCode::Nesting, message);
        }
        at.each("items", items, |at, item| {
            self.items(&item.items, level + 1, at)
        });
    }

    fn table(&mut self, table: &Table, at: &mut Pointer) {
        self.count(at, "columns", table.columns.len(), 1, bounds::TABLE_COLUMNS);
        self.count(at, "rows", table.rows.len(), 0, bounds::TABLE_ROWS);
        at.each(
            "columns",
            table.columns.iter().enumerate(),
            |at, (index, column)| {
                let names_rows = index == 0 && table.header_column;
                if column.label.trim().is_empty() && !names_rows {
                    self.add_at(at, "label", FaultCode::Empty, "says nothing");
                }
            },
        );
        at.each("rows", &table.rows, |at, row| {
            if row.len() != table.columns.len() {
                let message = format!("{} cells in {} columns", row.len(), table.columns.len());
                self.add(at.as_str(), FaultCode::LengthMismatch, message);
            }
        });
    }

    fn image(&mut self, image: &Image, at: &mut Pointer) {
        at.member("asset", |at| self.required(&image.asset, bounds::LINE, at));
        if image.decorative == image.alt.is_some() {
            let message = "expected an alternative text, or decorative, and not both";
            self.add(at.as_str(), FaultCode::Alt, message);
        }
    }

    fn comparison(&mut self, comparison: &Comparison, at: &mut Pointer) {
        let compared = comparison.items.len();
        self.count(at, "items", compared, 2, bounds::COMPARED);
        self.count(
            at,
            "criteria",
            comparison.criteria.len(),
            1,
            bounds::ENTRIES,
        );
        at.each("criteria", &comparison.criteria, |at, criterion| {
            if criterion.cells.len() != compared {
                let message = format!("{} cells for {compared} things", criterion.cells.len());
                self.add_at(at, "cells", FaultCode::LengthMismatch, message);
            }
        });
        if comparison.highlight.is_some_and(|index| index >= compared) {
            self.add_at(
                at,
                "highlight",
                FaultCode::OutOfRange,
                "no thing has this index",
            );
        }
    }

    fn columns(&mut self, block: &Columns, at: &mut Pointer) {
        self.count(at, "columns", block.columns.len(), 2, 3);
        at.each("columns", &block.columns, |at, column| {
            self.count(at, "blocks", column.blocks.len(), 1, bounds::BLOCKS);
            at.each("blocks", &column.blocks, |at, block| match block {
                Block::Columns(_) => {
                    self.add(at.as_str(), FaultCode::Nesting, "columns inside columns");
                }
                other => self.block(other, at),
            });
        });
    }
}
