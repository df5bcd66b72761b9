//! What a brief without parts asks of the reader in a line of its own: `Ask: decision by 15 March`. It ends the document,
//! wherever it was written down.

use gtm_document_model::block::{Block, Bullets, Item, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::{ASKS, NEXT_STEPS};
use gtm_lexicon::{fold, split};

use super::Part;
use crate::runs::{part_of, trimmed};

/// Parts the lines that ask for something from a brief that has no headings.
pub fn parted(parts: Vec<Part>) -> (Vec<Part>, Vec<Vec<Run>>) {
    let mut asks = Vec::new();
    if parts
        .iter()
        .any(|part| matches!(part, Part::Heading { .. }))
    {
        return (parts, asks);
    }
    let mut kept = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Block(Block::Paragraph(Paragraph { runs })) => match asked(&runs) {
                Some(ask) => asks.push(ask),
                None => kept.push(Part::Block(Block::Paragraph(Paragraph { runs }))),
            },
            Part::Block(Block::Bullets(Bullets { ordered, items })) => {
                let (found, items): (Vec<Item>, Vec<Item>) = items
                    .into_iter()
                    .partition(|item| item.items.is_empty() && asked(&item.runs).is_some());
                asks.extend(found.iter().filter_map(|item| asked(&item.runs)));
                if !items.is_empty() {
                    kept.push(Part::Block(Block::Bullets(Bullets { ordered, items })));
                }
            }
            other => kept.push(other),
        }
    }
    (kept, asks)
}

/// What stands behind a label that asks.
fn asked(runs: &[Run]) -> Option<Vec<Run>> {
    let text = plain_text(runs);
    let (label, rest) = text.split_once([':', '：'])?;
    let folded = fold(label);
    let words = split(&folded);
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let place = text.len() - rest.len()..text.len();
    let ask = trimmed(part_of(runs, &[place]));
    ((ASKS.are(&words) || NEXT_STEPS.are(&words)) && !ask.is_empty()).then_some(ask)
}
