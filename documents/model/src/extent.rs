//! About how much room blocks take on a page, without fonts or a theme: whoever asks gets the same answer, so that
//! all formats of a document decide alike.
//!
//! Lengths are points of a column of [`WIDTH`] in which text is 10 pt high, rounded to whole ones.

use std::collections::BTreeSet;

use crate::block::{Block, Item};
use crate::table::Table;
use crate::text::Run;
use crate::walk::{Visitor, walk_blocks};

/// Width of the text: twelve columns of 34 pt.
const WIDTH: usize = 408;
/// Height of the text on a page, A4 or Letter.
pub const PAGE: usize = 640;

/// Hundredths of an em that letters of most scripts take on average, and those that fill a square.
const LETTER: usize = 56;
const SQUARE: usize = 100;
/// Lines are never quite full.
const RAGGED: (usize, usize) = (21, 20);

/// Charts and pictures with the space around them.
const CHART: usize = 240;
const PICTURE: usize = 220;
const CAPTION: usize = 22;
const NOTE: usize = 13;

/// A size of text: its height, its lines, and the space around a paragraph of it.
#[derive(Clone, Copy)]
struct Setting {
    size: usize,
    line: usize,
    around: usize,
}

const HEADING: [Setting; 3] = [
    Setting {
        size: 17,
        line: 21,
        around: 28,
    },
    Setting {
        size: 13,
        line: 17,
        around: 20,
    },
    Setting {
        size: 10,
        line: 14,
        around: 14,
    },
];
const LEAD: Setting = Setting {
    size: 13,
    line: 18,
    around: 14,
};
const TEXT: Setting = Setting {
    size: 10,
    line: 14,
    around: 8,
};
const CELL: Setting = Setting {
    size: 10,
    line: 13,
    around: 8,
};

impl Setting {
    /// The height of a text that breaks at a width.
    fn height(self, text: &str, width: usize) -> usize {
        self.of_advance(lines(text, self.size, width))
    }

    fn of_advance(self, lines: usize) -> usize {
        self.line.saturating_mul(lines).saturating_add(self.around)
    }

    fn of_runs(self, runs: &[Run], width: usize) -> usize {
        self.height(&crate::plain_text(runs), width)
    }
}

/// The height of a section's title.
#[must_use]
pub fn title_height(title: &str) -> usize {
    HEADING[0].height(title, WIDTH)
}

/// The height of blocks, one below the other.
#[must_use]
pub fn height(blocks: &[Block]) -> usize {
    height_in(blocks, WIDTH)
}

/// The height of the notes that blocks of sections have: one for each source.
#[must_use]
pub fn notes_height<'d>(sections: impl IntoIterator<Item = &'d [Block]>) -> usize {
    struct Cited<'d>(BTreeSet<&'d str>);
    impl<'d> Visitor<'d> for Cited<'d> {
        fn cites(&mut self, _: &str, ids: &'d [String]) {
            self.0.extend(ids.iter().map(String::as_str));
        }
    }
    let mut cited = Cited(BTreeSet::new());
    for blocks in sections {
        walk_blocks(blocks, &mut cited);
    }
    cited.0.len().saturating_mul(NOTE)
}

fn height_in(blocks: &[Block], width: usize) -> usize {
    sum(blocks.iter().map(|block| block_height(block, width)))
}

fn block_height(block: &Block, width: usize) -> usize {
    // Symbols, bars and edges beside the text.
    let beside = width.saturating_sub(28);
    let caption = |runs: &[Run]| match runs.is_empty() {
        true => 0,
        false => TEXT.of_runs(runs, width).min(CAPTION * 4),
    };
    match block {
        Block::Lead(lead) => LEAD.of_runs(&lead.runs, width),
        Block::Heading(heading) => {
            let index = usize::from(heading.level.clamp(1, 3)) - 1;
            HEADING[index].of_runs(&heading.runs, width)
        }
        Block::Paragraph(paragraph) => TEXT.of_runs(&paragraph.runs, width),
        Block::Bullets(bullets) => items_height(&bullets.items, beside) + 4,
        Block::Table(table) => table_height(table, width) + caption(&table.caption),
        Block::Chart(chart) => CHART + caption(&chart.caption),
        Block::Kpis(kpis) => {
            let per_row = (width / 90).clamp(1, 4);
            let room = width / per_row;
            let each = kpis.items.iter().map(|kpi| {
                let detail = kpi.detail.as_deref().map(|text| CELL.height(text, room));
                36 + CELL.height(&kpi.label, room) + detail.unwrap_or(0)
            });
            let highest = each.max().unwrap_or(0);
            kpis.items.len().div_ceil(per_row).saturating_mul(highest)
        }
        Block::Quote(quote) => {
            let attribution = quote.attribution.as_ref().map_or(0, |_| 22);
            LEAD.of_runs(&quote.runs, beside) + 16 + attribution
        }
        Block::Callout(callout) => {
            let title = callout.title.as_deref();
            let title = title.map_or(0, |title| TEXT.height(title, beside));
            TEXT.of_runs(&callout.runs, beside) + title + 26
        }
        Block::Image(image) => PICTURE + caption(&image.caption),
        Block::Steps(steps) => sum((steps.items.iter())
            .map(|step| TEXT.height(&step.title, beside) + detail_height(&step.runs, beside))),
        Block::Timeline(timeline) => {
            let room = width.saturating_sub(100);
            sum((timeline.events.iter()).map(|event| {
                TEXT.height(&event.title, room) + detail_height(&event.runs, room) + 6
            }))
        }
        Block::Comparison(comparison) => {
            let room = width / (comparison.items.len() + 1);
            let rows = comparison.criteria.iter().map(|criterion| {
                let cells = criterion.cells.iter().map(|cell| CELL.of_runs(cell, room));
                let label = CELL.height(&criterion.label, room);
                cells.max().unwrap_or(0).max(label)
            });
            sum(rows).saturating_add(40)
        }
        Block::Columns(columns) => {
            let room = width / columns.columns.len().max(1);
            let each = columns.columns.iter();
            each.map(|column| height_in(&column.blocks, room.saturating_sub(20)))
                .max()
                .unwrap_or(0)
        }
        Block::Cta(cta) => {
            let text = detail_height(&cta.text, width);
            (44 + text).max(if cta.qr { 100 } else { 0 })
        }
    }
}

fn detail_height(runs: &[Run], width: usize) -> usize {
    if runs.is_empty() {
        0
    } else {
        TEXT.of_runs(runs, width)
    }
}

fn items_height(items: &[Item], width: usize) -> usize {
    const ITEM: Setting = Setting { around: 5, ..TEXT };
    sum(items.iter().map(|item| {
        let inner = items_height(&item.items, width.saturating_sub(20));
        ITEM.of_runs(&item.runs, width).saturating_add(inner)
    }))
}

/// Columns share the width by what stands in them, so a row has about as many lines as all of its texts in one.
fn table_height(table: &Table, width: usize) -> usize {
    let columns = table.columns.len().max(1);
    let room = width.saturating_sub(columns * 10).max(1);
    let row = |advances: &[usize]| {
        let all = advances
            .iter()
            .fold(0, |all: usize, one| all.saturating_add(*one));
        CELL.of_advance(all.div_ceil(room * 100).max(1))
    };
    let labels = table.columns.iter().map(|it| advance(&it.label, CELL.size));
    let head = row(&labels.collect::<Vec<_>>());
    let rows = table.rows.iter().map(|cells| {
        let texts = cells
            .iter()
            .map(|cell| advance(&crate::plain_text(cell), CELL.size));
        row(&texts.collect::<Vec<_>>())
    });
    sum(rows).saturating_add(head).saturating_add(16)
}

/// Lines of a text of a size.
fn lines(text: &str, size: usize, width: usize) -> usize {
    let room = width.max(20) * 100;
    sum(text
        .split('\n')
        .map(|line| advance(line, size).div_ceil(room).max(1)))
}

/// Hundredths of a point that a text of a size takes in one line.
fn advance(text: &str, size: usize) -> usize {
    let ems = sum(text.chars().map(|character| match u32::from(character) {
        0x1100..=0x11ff
        | 0x2e80..=0x9fff
        | 0xac00..=0xd7ff
        | 0xf900..=0xfaff
        | 0xff01..=0xff60
        | 0x1f000..=0x3ffff => SQUARE,
        _ => LETTER,
    }));
    ems.saturating_mul(size).saturating_mul(RAGGED.0) / RAGGED.1
}

fn sum(heights: impl Iterator<Item = usize>) -> usize {
    heights.fold(0, usize::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{Bullets, Column, Columns, Paragraph};
    use crate::table::TableColumn;

    fn paragraph(text: &str) -> Block {
        Block::Paragraph(Paragraph::of(vec![Run::plain(text)]))
    }

    #[test]
    fn a_line_has_some_seventy_letters_or_forty_squares() {
        assert_eq!(lines(&"a".repeat(69), 10, WIDTH), 1);
        assert_eq!(lines(&"a".repeat(75), 10, WIDTH), 2);
        assert_eq!(lines(&"字".repeat(38), 10, WIDTH), 1);
        assert_eq!(lines(&"字".repeat(42), 10, WIDTH), 2);
        assert_eq!(lines("a\n\nb", 10, WIDTH), 3);
        assert_eq!(lines("", 10, 0), 1);
    }

    #[test]
    fn more_text_is_higher() {
        let few = height(&[paragraph("A few words.")]);
        let many = height(&[paragraph(&"Many words. ".repeat(40))]);
        assert_eq!(few, 22);
        assert!(many > 4 * few, "{many}");
        let item = |text| Item {
            runs: vec![Run::plain(text)],
            items: Vec::new(),
        };
        let list = Block::Bullets(Bullets {
            ordered: false,
            items: vec![item("One"), item("Two")],
        });
        assert_eq!(height(&[list]), 42);
    }

    #[test]
    fn what_stands_side_by_side_is_as_high_as_the_highest() {
        let column = |words: usize| Column {
            blocks: vec![paragraph(&"word ".repeat(words))],
        };
        let block = Block::Columns(Columns {
            columns: vec![column(5), column(100)],
        });
        let alone = height_in(&column(100).blocks, WIDTH / 2 - 20);
        assert_eq!(height(&[block]), alone);
    }

    #[test]
    fn a_row_with_long_cells_has_more_lines() {
        let table = |cell: &str| {
            Block::Table(Table {
                columns: vec![TableColumn::default(), TableColumn::default()],
                rows: vec![vec![vec![Run::plain(cell)]; 2]; 3],
                ..Table::default()
            })
        };
        let (short, long) = (
            height(&[table("1,200")]),
            height(&[table(&"word ".repeat(30))]),
        );
        assert_eq!(short, 4 * 21 + 16);
        assert!(long > 2 * short, "{long}");
    }

    #[test]
    fn a_source_has_one_note() {
        let cited = |id: &str| {
            let run = Run {
                cite: vec![id.to_owned()],
                ..Run::plain("A fact.")
            };
            vec![Block::Paragraph(Paragraph::of(vec![run]))]
        };
        let sections = [cited("a"), cited("b"), cited("a")];
        assert_eq!(notes_height(sections.iter().map(Vec::as_slice)), 2 * NOTE);
    }
}
