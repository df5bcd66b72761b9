//! What of a brief is printed where no model writes: what has the form of content. That is what stands below a heading, and
//! besides it tables, lists, lines of prices and lines with labels.
//!
//! Danger: a mail, a chat or a dictation tells its writer in whole sentences what the reader must never see, and no list of words
//! knows them all. So prose above the first heading is never printed, and a paragraph is printed as a whole or not at all: where
//! a sentence of it is for the writer, nobody can tell how far that goes. What is left out is told.

use std::collections::BTreeSet;

use gtm_document_model::block::{Block, Bullets, Item};
use gtm_document_model::plain_text;

use super::line_kinds::{is_heading, slide_mark, without_emphasis};
use super::{Part, lines, mails, markdown, marks, notations, one_line, price_lines, texts_of};
use crate::runs::sentences_of;

/// Fewest lines, or paragraphs, with labels that are content by their form alone.
const LABELED_LINES: usize = 2;
/// Signs around words in bold.
const BOLD_SIGNS: usize = 4;
/// Longest label of such a line, and longest text behind it, in words.
const LABEL_WORDS: usize = 5;
const VALUE_WORDS: usize = 12;

/// The blocks of a brief as they were written, before anything was taken out of them.
#[derive(Debug)]
pub struct Written {
    blocks: BTreeSet<String>,
    items: BTreeSet<String>,
    /// All headings, and those with a mark.
    headings: BTreeSet<String>,
    marked: BTreeSet<String>,
}

impl Written {
    /// Reads a text, which may be a mail.
    pub fn of(text: &str) -> Self {
        let mails = mails::Mails::of(text);
        let text = mails.as_ref().map_or(text, |mails| mails.text.as_str());
        let plain = notations::without(text);
        let plain = price_lines::without_leaders(&plain);
        let marked_text = marks::as_markdown(&plain);
        let mut written = Self {
            blocks: BTreeSet::new(),
            items: BTreeSet::new(),
            headings: BTreeSet::new(),
            marked: marked_in(&marked_text),
        };
        for part in markdown::read(&lines::as_markdown(&marked_text)).parts {
            match part {
                Part::Heading { runs, .. } => {
                    written.headings.insert(bare(&plain_text(&runs)));
                }
                Part::Block(block) => {
                    if let Block::Bullets(list) = &block {
                        written.add_items(&list.items);
                    }
                    written.blocks.insert(bare_of(&block));
                }
            }
        }
        written
    }

    fn add_items(&mut self, items: &[Item]) {
        for item in items {
            self.items.insert(bare(&plain_text(&item.runs)));
            self.add_items(&item.items);
        }
    }

    fn has_whole(&self, block: &Block) -> bool {
        self.blocks.contains(&bare_of(block))
    }

    /// Whether a heading stands in the brief. In a message, a line without a mark only looks like one.
    fn has_heading(&self, text: &str, addressed: bool) -> bool {
        let headings = match addressed {
            true => &self.marked,
            false => &self.headings,
        };
        headings.contains(&bare(text)) || slide_mark(text).is_some()
    }

    /// Whether a paragraph begins with a label in the brief, and what stands behind that.
    fn has_behind(&self, label: &str, block: &Block) -> bool {
        !label.is_empty() && self.blocks.contains(&(bare(label) + &bare_of(block)))
    }

    fn has_labeled(&self, pair: &[Part]) -> bool {
        match pair {
            [Part::Heading { runs, .. }, Part::Block(block)] => {
                self.has_behind(&plain_text(runs), block)
            }
            _ => false,
        }
    }

    /// The items that stand in the brief as they are, and the texts of the others.
    fn whole_items(&self, items: Vec<Item>, cut: &mut Vec<String>) -> Vec<Item> {
        let mut kept = Vec::with_capacity(items.len());
        for mut item in items {
            let text = plain_text(&item.runs);
            if self.items.contains(&bare(&text)) {
                item.items = self.whole_items(std::mem::take(&mut item.items), cut);
                kept.push(item);
            } else {
                let list = Bullets {
                    ordered: false,
                    items: vec![item],
                };
                cut.extend(texts_of(&[Block::Bullets(list)]));
            }
        }
        kept
    }
}

/// The parts that are printed, and the texts of those that are not.
pub fn without(
    parts: Vec<Part>,
    written: &Written,
    addressed: bool,
    language: &str,
) -> (Vec<Part>, Vec<String>) {
    let mut kept: Vec<Part> = Vec::with_capacity(parts.len());
    let mut left_out = Vec::new();
    // The headings below which something is left out.
    let mut lessened = BTreeSet::new();
    let mut last_heading = None;
    let mut headed = false;
    let labels = parts.windows(2).filter(|pair| written.has_labeled(pair));
    let by_labels = !addressed && labels.count() >= LABELED_LINES;
    let mut label = String::new();
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        let block = match part {
            Part::Heading { level, runs } => {
                let text = plain_text(&runs);
                headed = written.has_heading(&text, addressed);
                label = if by_labels && !headed {
                    text
                } else {
                    String::new()
                };
                last_heading = Some(kept.len());
                kept.push(Part::Heading { level, runs });
                continue;
            }
            Part::Block(block) => block,
        };
        let announces = matches!(
            parts.peek(),
            Some(Part::Block(Block::Bullets(_) | Block::Table(_)))
        );
        let is_labeled = written.has_behind(&std::mem::take(&mut label), &block);
        if is_labeled {
            kept.push(Part::Block(block));
            continue;
        }
        match printed(block, written, headed, announces) {
            Ok((block, cut)) => {
                kept.extend(block.map(Part::Block));
                if !cut.is_empty() {
                    lessened.extend(last_heading);
                }
                left_out.extend(cut);
            }
            Err(block) => {
                lessened.extend(last_heading);
                left_out.extend(told(&block, written, language));
            }
        }
    }
    (with_content(kept, &lessened), left_out)
}

/// What of a block is printed, with the texts of items that are not; the block itself if nothing is.
fn printed(
    block: Block,
    written: &Written,
    headed: bool,
    announces: bool,
) -> Result<(Option<Block>, Vec<String>), Block> {
    let mut cut = Vec::new();
    match block {
        Block::Bullets(Bullets { ordered, items }) if headed => {
            let items = written.whole_items(items, &mut cut);
            let list = (!items.is_empty()).then_some(Block::Bullets(Bullets { ordered, items }));
            Ok((list, cut))
        }
        Block::Paragraph(_) | Block::Quote(_) | Block::Lead(_) | Block::Callout(_) if headed => {
            match written.has_whole(&block) {
                true => Ok((Some(block), cut)),
                false => Err(block),
            }
        }
        Block::Paragraph(paragraph) => {
            let text = plain_text(&paragraph.runs);
            let leads = announces && text.trim_end().ends_with([':', '：']);
            let block = Block::Paragraph(paragraph);
            match written.has_whole(&block) && (leads || is_of_rows(&text)) {
                true => Ok((Some(block), cut)),
                false => Err(block),
            }
        }
        Block::Bullets(_) if !written.has_whole(&block) => Err(block),
        Block::Quote(_) | Block::Lead(_) | Block::Callout(_) => Err(block),
        other => Ok((Some(other), cut)),
    }
}

/// Whether the lines of a text are prices, or labels with what they say.
fn is_of_rows(text: &str) -> bool {
    let rows: Vec<String> = text
        .split(['\n', super::soft_breaks::SOFT_BREAK_CHAR])
        .map(str::to_owned)
        .collect();
    price_lines::are_priced(&rows)
        || rows.len() >= LABELED_LINES && rows.iter().all(|row| is_labeled(row))
}

fn is_labeled(row: &str) -> bool {
    row.split_once([':', '：']).is_some_and(|(label, value)| {
        (1..=LABEL_WORDS).contains(&label.split_whitespace().count())
            && (1..=VALUE_WORDS).contains(&value.split_whitespace().count())
    })
}

/// The texts of what is left out, in words that stand in the brief in a row.
fn told(block: &Block, written: &Written, language: &str) -> Vec<String> {
    let is_whole = written.has_whole(block);
    let texts = texts_of(std::slice::from_ref(block));
    texts
        .iter()
        .flat_map(|text| match is_whole {
            true => vec![one_line(text)],
            false => {
                let places = sentences_of(text, language).into_iter();
                let said = places.filter_map(|place| text.get(place));
                said.map(one_line).collect()
            }
        })
        .filter(|text| !text.is_empty())
        .collect()
}

/// The parts without headings below which nothing is left of what stood there.
fn with_content(parts: Vec<Part>, lessened: &BTreeSet<usize>) -> Vec<Part> {
    let mut kept: Vec<Part> = Vec::with_capacity(parts.len());
    for (at, part) in parts.into_iter().enumerate().rev() {
        let is_emptied = match &part {
            Part::Heading { level, .. } if lessened.contains(&at) => match kept.last() {
                None => true,
                Some(Part::Heading { level: next, .. }) => next <= level,
                Some(Part::Block(_)) => false,
            },
            _ => false,
        };
        if !is_emptied {
            kept.push(part);
        }
    }
    kept.reverse();
    kept
}

/// The headings with a mark.
fn marked_in(text: &str) -> BTreeSet<String> {
    let mut marked = BTreeSet::new();
    let mut above = "";
    for line in text.lines() {
        if is_heading(line) {
            let named = line.trim_start().trim_start_matches('#');
            let is_underline = named.trim().chars().all(|c| c == '=');
            marked.insert(bare(if is_underline { above } else { named }));
        }
        let bare_line = without_emphasis(line);
        let is_bold = line.trim().len() >= bare_line.len() + BOLD_SIGNS;
        if is_bold && line.trim().starts_with(['*', '_']) {
            marked.insert(bare(bare_line));
        }
        above = line;
    }
    marked
}

fn bare_of(block: &Block) -> String {
    bare(&texts_of(std::slice::from_ref(block)).concat())
}

/// The letters and figures of a text in small letters, but for those in brackets: a remark in brackets is taken out without
/// touching the rest, and a capital put at the beginning changes no word.
fn bare(text: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' | '[' | '（' | '【' => depth += 1,
            ')' | ']' | '）' | '】' => depth = depth.saturating_sub(1),
            c if depth == 0 && c.is_alphanumeric() => out.extend(c.to_lowercase()),
            _ => {}
        }
    }
    out
}
