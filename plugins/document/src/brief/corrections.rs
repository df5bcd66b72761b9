//! Figures that a brief corrects by others: `14 sensors, sorry 12`, `14 sensors. Correction: 12.` The reader gets the right one.
//!
//! Danger: printed together they contradict each other, and the wrong one put right prints what nobody said. So one takes the
//! place of another only where it is clear which: it stands alone in its sentence, directly before the words that correct it,
//! or both have the same unit. Elsewhere both stay, and the doubt is told.

use gtm_document_model::block::{Block, Item};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;

mod chains;
mod denied;
mod denied_places;
mod pieces;
mod places;
#[cfg(test)]
mod tests;

use super::{Part, one_line};
use chains::Chain;
use pieces::pieces_of;
use places::{Found, found_in};

/// Longest text whose figure a paragraph or an item below it corrects, in bytes.
const MOST_BEFORE: usize = 2_000;
/// Most corrections of one text.
const MOST: usize = 8;

/// Parts with the right figures, and what was told of it.
#[derive(Debug, Default)]
pub struct Corrected {
    pub parts: Vec<Part>,
    /// The corrections with what they correct, as the brief has them.
    pub corrected: Vec<String>,
    /// Those of which nobody can tell what they correct. They stay.
    pub doubtful: Vec<String>,
}

/// Puts the right figures in the place of those that the parts correct.
pub fn made(mut parts: Vec<Part>, language: &str) -> Corrected {
    let corrected = denied::made(&mut parts, language);
    continued(parts, corrected)
}

/// Puts the right figures in the place of those directly before them. Elsewhere a letter tells its reader of a figure that it put
/// right.
pub fn made_in_a_letter(parts: Vec<Part>) -> Corrected {
    continued(parts, Vec::new())
}

fn continued(parts: Vec<Part>, corrected: Vec<String>) -> Corrected {
    let mut made = Corrected {
        corrected,
        ..Corrected::default()
    };
    for part in parts {
        let part = match part {
            Part::Heading { level, runs } => Part::Heading {
                level,
                runs: made.text(runs),
            },
            Part::Block(block) => Part::Block(made.block(block)),
        };
        made.push(part);
    }
    made
}

impl Corrected {
    /// Takes a part on; a paragraph that only corrects the one before it is no part of its own.
    fn push(&mut self, part: Part) {
        if let (Some(Part::Block(Block::Paragraph(before))), Part::Block(Block::Paragraph(own))) =
            (self.parts.last_mut(), &part)
            && let Some((runs, told)) = corrected_by_the_next(&before.runs, &own.runs)
        {
            before.runs = runs;
            self.corrected.push(told);
            return;
        }
        self.parts.push(part);
    }

    fn block(&mut self, block: Block) -> Block {
        match block {
            Block::Paragraph(mut paragraph) => {
                paragraph.runs = self.text(paragraph.runs);
                Block::Paragraph(paragraph)
            }
            Block::Bullets(mut list) => {
                list.items = self.items(list.items);
                Block::Bullets(list)
            }
            Block::Table(mut table) => {
                for cell in table.rows.iter_mut().flatten() {
                    *cell = self.text(std::mem::take(cell));
                }
                Block::Table(table)
            }
            other => other,
        }
    }

    fn items(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut kept: Vec<Item> = Vec::with_capacity(items.len());
        for mut item in items {
            item.runs = self.text(item.runs);
            item.items = self.items(item.items);
            if item.items.is_empty()
                && let Some(before) = kept.last_mut()
                && let Some((runs, told)) = corrected_by_the_next(&before.runs, &item.runs)
            {
                before.runs = runs;
                self.corrected.push(told);
                continue;
            }
            kept.push(item);
        }
        kept
    }

    fn text(&mut self, mut runs: Vec<Run>) -> Vec<Run> {
        for _ in 0..MOST {
            let text = plain_text(&runs);
            match found_in(&text) {
                Some(Found::Clear(correction)) => {
                    self.corrected.push(correction.told(&text));
                    runs = correction.applied(&runs, text.len());
                }
                Some(Found::Doubtful(place)) => {
                    self.doubtful
                        .extend(text.get(place).map(one_line).filter(|it| !it.is_empty()));
                    break;
                }
                None => break,
            }
        }
        runs
    }
}

/// Whether a text only corrects a figure, and says nothing behind the right one but a unit: `sorry, 12`, `sorry, 12 sensors`.
/// `Sorry, 5 min late` is of somebody.
pub fn opens(text: &str) -> bool {
    let pieces = pieces_of(text);
    let Some(end) = Chain::at(text, &pieces, 0).map(|chain| chain.end) else {
        return false;
    };
    match pieces.get(end..).unwrap_or_default() {
        [right] => right.is_number,
        [right, unit] => {
            let figure = right.of(text);
            right.is_number && !unit.is_number && figure.ends_with(|c: char| c.is_ascii_digit())
        }
        _ => false,
    }
}

/// The text before a text that only corrects its figure, with the right one, and both as they were.
fn corrected_by_the_next(before: &[Run], next: &[Run]) -> Option<(Vec<Run>, String)> {
    let own = plain_text(next);
    let pieces = pieces_of(&own);
    let chain = Chain::at(&own, &pieces, 0)?;
    // `Korrektur: 90 €` below `Übersetzung: 400 €` is another price.
    if chain.takes_back
        || chain.may_name_work
        || plain_text(before).len() > MOST_BEFORE
        || !pieces.get(chain.end).is_some_and(|piece| piece.is_number)
    {
        return None;
    }
    let mut runs = before.to_vec();
    runs.push(Run::plain("\n"));
    runs.extend(next.iter().cloned());
    let text = plain_text(&runs);
    match found_in(&text) {
        Some(Found::Clear(correction)) if correction.gone.end + 1 >= text.trim_end().len() => {
            let told = correction.told(&text);
            Some((correction.applied(&runs, text.len()), told))
        }
        _ => None,
    }
}
