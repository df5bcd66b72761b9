//! How many lines of a slide its text takes.

use gtm_document_model::block::{Block, Item};
use gtm_document_model::plain_text;

use crate::brief::{count_words, words_of};

/// Words of a line of a list, of a lead and of a quotation.
const ITEM_LINE: usize = 14;
pub(super) const LEAD_LINE: usize = 12;
const QUOTE_LINE: usize = 10;

pub(super) fn words_in(item: &Item) -> usize {
    count_words(&plain_text(&item.runs)) + item.items.iter().map(words_in).sum::<usize>()
}

/// Lines of an item of a list as they are set.
pub(super) fn item_lines(item: &Item) -> usize {
    let own = count_words(&plain_text(&item.runs))
        .div_ceil(ITEM_LINE)
        .max(1);
    own + item.items.iter().map(item_lines).sum::<usize>()
}

/// Lines that a block takes, or displaces.
pub(super) fn block_lines(block: &Block) -> usize {
    let words = || words_of(std::slice::from_ref(block));
    match block {
        Block::Lead(_) | Block::Paragraph(_) | Block::Heading(_) => words().div_ceil(LEAD_LINE),
        Block::Bullets(list) => list.items.iter().map(item_lines).sum(),
        Block::Quote(_) => words().div_ceil(QUOTE_LINE) + 2,
        Block::Callout(_) => words().div_ceil(LEAD_LINE) + 2,
        Block::Kpis(_) => 4,
        Block::Table(table) => table.rows.len() + 2,
        Block::Steps(_) | Block::Timeline(_) => 6,
        Block::Cta(_) => 2,
        Block::Chart(_) | Block::Comparison(_) | Block::Columns(_) | Block::Image(_) => 8,
    }
}

pub(super) fn lines_in(item: &Item) -> usize {
    1 + item.items.iter().map(lines_in).sum::<usize>()
}
