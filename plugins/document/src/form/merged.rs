//! Short parts of one chapter that stand together on one slide: a slide with a heading and one line below it says little.
//!
//! Only neighbours under the same heading go together. Chapters never do: whoever gave them headings of their own meant them
//! as subjects of their own.

use gtm_document_model::block::{Block, Bullets, Heading, Item};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;

use crate::brief::{count_words, words_of};
use crate::chapter::lead;

/// Most words of a part that is short, and most items of its list.
const SHORT_WORDS: usize = 24;
const SHORT_ITEMS: usize = 3;

/// What stands below one heading inside of a chapter, or before the first.
#[derive(Debug, Default)]
pub struct Part {
    pub heading: Option<Heading>,
    pub blocks: Vec<Block>,
}

/// The parts of a chapter; the first has no heading.
#[must_use]
pub fn parts_of(blocks: Vec<Block>) -> Vec<Part> {
    let mut parts: Vec<Part> = vec![Part::default()];
    for block in blocks {
        match (block, parts.last_mut()) {
            (Block::Heading(heading), _) => parts.push(Part {
                heading: Some(heading),
                blocks: Vec::new(),
            }),
            (block, Some(part)) => part.blocks.push(block),
            (_, None) => {}
        }
    }
    parts
}

impl Part {
    /// A short part as it stands below another text of its chapter: one sentence, or a short list.
    #[must_use]
    pub fn below(&self) -> Option<Vec<Block>> {
        let [block] = self.blocks.as_slice() else {
            return None;
        };
        let block = match block {
            Block::Paragraph(paragraph) => lead(paragraph.runs.clone()),
            Block::Bullets(list)
                if list.items.len() <= SHORT_ITEMS
                    && list.items.iter().all(|item| item.items.is_empty()) =>
            {
                Block::Bullets(list.clone())
            }
            _ => return None,
        };
        let is_short = words_of(std::slice::from_ref(&block)) <= SHORT_WORDS;
        let heading = self.heading.as_ref().filter(|_| is_short)?;
        let heading = Heading {
            level: 2,
            runs: heading.runs.clone(),
        };
        Some(vec![Block::Heading(heading), block])
    }
}

/// The chapter's blocks with its short parts as the items of a list.
#[must_use]
pub fn merged(blocks: Vec<Block>, chapter: &str) -> Vec<Block> {
    let parts = parts_of(blocks);
    let mut found = Vec::new();
    let mut below_heading = false;
    let mut rest = parts.into_iter().peekable();
    while let Some(part) = rest.next() {
        let level = part.heading.as_ref().map(|heading| heading.level);
        let mut items = Vec::new();
        if let Some(item) = item_of(&part) {
            items.push(item);
            while let Some(next) = rest.next_if(|next| {
                let same = next.heading.as_ref().map(|heading| heading.level) == level;
                same && item_of(next).is_some()
            }) {
                items.extend(item_of(&next));
            }
        }
        if items.len() > 1 {
            if below_heading {
                // The list is no part of what stands above it.
                found.push(Block::Heading(Heading {
                    level: 2,
                    runs: vec![Run::plain(chapter)],
                }));
            }
            found.push(Block::Bullets(Bullets {
                ordered: false,
                items,
            }));
            continue;
        }
        below_heading |= part.heading.is_some();
        found.extend(part.heading.map(Block::Heading));
        found.extend(part.blocks);
    }
    found
}

/// A short part as an item: its heading in bold, and what it says behind or below it.
fn item_of(part: &Part) -> Option<Item> {
    let heading = part.heading.as_ref()?;
    let [block] = part.blocks.as_slice() else {
        return None;
    };
    let text = plain_text(&heading.runs);
    let title = text.trim().trim_end_matches([':', '：']);
    if title.is_empty() || words_of(std::slice::from_ref(block)) + count_words(title) > SHORT_WORDS
    {
        return None;
    }
    let bold = Run {
        bold: true,
        ..Run::plain(title)
    };
    match block {
        Block::Paragraph(paragraph) if !plain_text(&paragraph.runs).contains('\n') => {
            let ends = title.ends_with(['?', '!', '.', '？', '！', '。']);
            let joint = Run::plain(if ends { " " } else { " – " });
            let mut runs = vec![bold, joint];
            runs.extend(paragraph.runs.clone());
            Some(Item {
                runs,
                items: Vec::new(),
            })
        }
        Block::Bullets(list)
            if list.items.len() <= SHORT_ITEMS
                && list.items.iter().all(|item| item.items.is_empty()) =>
        {
            Some(Item {
                runs: vec![bold],
                items: list.items.clone(),
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use gtm_document_model::block::Paragraph;

    use super::*;

    fn heading(level: u8, text: &str) -> Block {
        Block::Heading(Heading {
            level,
            runs: vec![Run::plain(text)],
        })
    }

    fn paragraph(text: &str) -> Block {
        Block::Paragraph(Paragraph::of(vec![Run::plain(text)]))
    }

    #[test]
    fn short_neighbours_under_one_heading_go_together() {
        let made = merged(
            vec![
                paragraph("Three points."),
                heading(2, "Quality"),
                paragraph("One in twelve is unreadable."),
                heading(2, "Why now?"),
                paragraph("The audit is in May."),
            ],
            "Stakes",
        );
        let [Block::Paragraph(_), Block::Bullets(list)] = made.as_slice() else {
            unreachable!("{made:?}")
        };
        let said: Vec<String> = list
            .items
            .iter()
            .map(|item| plain_text(&item.runs))
            .collect();
        assert_eq!(
            said,
            [
                "Quality – One in twelve is unreadable.",
                "Why now? The audit is in May."
            ]
        );
    }

    #[test]
    fn what_is_long_or_of_another_level_stays_apart() {
        let long = "word ".repeat(SHORT_WORDS + 1);
        for blocks in [
            vec![
                heading(2, "A"),
                paragraph("Short."),
                heading(2, "B"),
                paragraph(&long),
            ],
            vec![
                heading(2, "A"),
                paragraph("Short."),
                heading(3, "B"),
                paragraph("Short."),
            ],
            vec![heading(2, "A"), paragraph("Short."), paragraph("Short.")],
        ] {
            assert_eq!(merged(blocks.clone(), "C"), blocks);
        }
        // Behind a part that stays apart, the list has the chapter's heading again.
        let made = merged(
            vec![
                heading(2, "A"),
                paragraph(&long),
                heading(2, "B"),
                paragraph("Short."),
                heading(2, "D"),
                paragraph("Short."),
            ],
            "C",
        );
        assert_eq!(made.get(2), Some(&heading(2, "C")));
    }
}
