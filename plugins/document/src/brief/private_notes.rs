//! What a brief tells its writer in confidence: "(internal: never below 3.05)", "do not mention the trial".
//!
//! Danger: such a note would reach the very reader from whom it is to be kept. So it is looked for in the whole brief,
//! and the sentence around it is left out as a whole, though some of it might have been meant for the reader.

use std::ops::Range;

use gtm_document_model::block::{Block, Bullets, Item};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::{PRIVATE_LABELS, PRIVATE_ORDERS};
use gtm_lexicon::{fold, split};
use gtm_site_research::sentences;

use super::{Part, one_line, texts_of, wishes};
use crate::runs::{part_of, trimmed};

/// Longest label before a colon, in words.
const LABEL_WORDS: usize = 4;
const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('（', '）')];

/// The parts without what is told in confidence.
#[derive(Debug)]
pub struct Parted {
    pub parts: Vec<Part>,
    pub notes: Vec<String>,
    /// Orders to name no customers and no prices, which give nothing away.
    pub bans: Vec<String>,
}

/// Parts the content from what is told in confidence.
pub fn parted(parts: Vec<Part>, language: &str) -> Parted {
    let mut found = Found {
        language,
        notes: Vec::new(),
    };
    let kept = found.without(parts);
    let (bans, notes) = found
        .notes
        .into_iter()
        .partition(|note| wishes::is_ban(note));
    Parted {
        parts: kept,
        notes,
        bans,
    }
}

#[derive(Debug)]
struct Found<'l> {
    language: &'l str,
    notes: Vec<String>,
}

impl Found<'_> {
    /// The parts without the notes.
    fn without(&mut self, parts: Vec<Part>) -> Vec<Part> {
        let notes = self;
        let mut kept = Vec::new();
        // Deeper headings belong to a part that is private.
        let mut within: Option<u8> = None;
        for part in parts {
            match part {
                Part::Heading { level, runs } => {
                    if within.is_some_and(|outer| level > outer) {
                        continue;
                    }
                    within = is_label(&one_line(&plain_text(&runs))).then_some(level);
                    let runs = notes.public(runs);
                    if within.is_none() && !runs.is_empty() {
                        kept.push(Part::Heading { level, runs });
                    }
                }
                Part::Block(block) if within.is_some() => notes.notes.extend(texts_of(&[block])),
                Part::Block(block) => kept.extend(notes.block_without(block).map(Part::Block)),
            }
        }
        kept
    }

    fn block_without(&mut self, block: Block) -> Option<Block> {
        match block {
            Block::Paragraph(mut paragraph) => {
                paragraph.runs = self.public(paragraph.runs);
                (!paragraph.runs.is_empty()).then_some(Block::Paragraph(paragraph))
            }
            Block::Quote(mut quote) => {
                quote.runs = self.public(quote.runs);
                (!quote.runs.is_empty()).then_some(Block::Quote(quote))
            }
            Block::Callout(mut callout) => {
                callout.runs = self.public(callout.runs);
                (!callout.runs.is_empty()).then_some(Block::Callout(callout))
            }
            Block::Bullets(Bullets { ordered, items }) => {
                let items = self.items_without(items);
                (!items.is_empty()).then_some(Block::Bullets(Bullets { ordered, items }))
            }
            Block::Table(mut table) => {
                let cells = table.rows.iter_mut().flatten();
                for cell in cells.chain([&mut table.caption]) {
                    *cell = self.public(std::mem::take(cell));
                }
                Some(Block::Table(table))
            }
            other => Some(other),
        }
    }

    fn items_without(&mut self, items: Vec<Item>) -> Vec<Item> {
        let kept = items.into_iter().filter_map(|item| {
            let runs = self.public(item.runs);
            let items = self.items_without(item.items);
            (!runs.is_empty()).then_some(Item { runs, items })
        });
        kept.collect()
    }

    /// What of a text is for its reader.
    fn public(&mut self, runs: Vec<Run>) -> Vec<Run> {
        let text = plain_text(&runs);
        let brackets = private_brackets(&text);
        // Blanks of the same length, so that places stay the same and a bracket's full stop ends no sentence.
        let mut open: Vec<u8> = text.bytes().collect();
        for place in &brackets {
            open.get_mut(place.clone())
                .into_iter()
                .for_each(|bytes| bytes.fill(b' '));
        }
        let open = String::from_utf8_lossy(&open).replace(['\n', '\u{b}'], " ");
        let mut left_out = brackets;
        for place in sentence_places(&open, self.language) {
            let sentence = open.get(place.clone()).unwrap_or_default();
            if is_private(sentence) {
                left_out.push(place);
            }
        }
        if left_out.is_empty() {
            return runs;
        }
        left_out.sort_by_key(|place| place.start);
        let mut kept = Vec::new();
        let mut from = 0;
        for place in left_out {
            self.notes.extend(text.get(place.clone()).map(one_line));
            if place.start > from {
                kept.push(from..place.start);
            }
            from = from.max(place.end);
        }
        if from < text.len() {
            kept.push(from..text.len());
        }
        trimmed(part_of(&runs, &kept))
    }
}

/// Where a bracket says something in confidence, with the blank before it.
fn private_brackets(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (begin, end) in BRACKETS {
        for (at, _) in text.match_indices(begin) {
            let Some(rest) = text.get(at + begin.len_utf8()..) else {
                continue;
            };
            let Some(length) = rest.find(end) else {
                continue;
            };
            let inner = rest.get(..length).unwrap_or_default();
            let folded = fold(inner);
            if is_private(inner) || PRIVATE_LABELS.open(&split(&folded)) {
                let before = text.get(..at).unwrap_or_default();
                let blank = before.len() - before.trim_end_matches(' ').len();
                let whole = begin.len_utf8() + length + end.len_utf8();
                found.push(at - blank..at + whole);
            }
        }
    }
    found
}

fn sentence_places(text: &str, language: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for sentence in sentences::split(text, language) {
        if let Some(at) = text.get(from..).and_then(|rest| rest.find(sentence)) {
            found.push(from + at..from + at + sentence.len());
            from += at + sentence.len();
        }
    }
    found
}

fn is_private(sentence: &str) -> bool {
    let folded = fold(sentence);
    let label = sentence.split_once([':', '：']).map(|(label, _)| label);
    PRIVATE_ORDERS.any_in(&split(&folded))
        || label.is_some_and(is_label)
        || wishes::is_ban(sentence)
}

fn is_label(text: &str) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    (1..=LABEL_WORDS).contains(&words.len()) && PRIVATE_LABELS.are(&words)
}

#[cfg(test)]
mod tests {
    use super::super::{Brief, words_of};
    use super::*;

    fn read(brief: &str) -> (String, usize) {
        let brief = Brief::read(brief, "en");
        let texts = brief.chapters.iter();
        let texts = texts.flat_map(|chapter| texts_of(&chapter.blocks));
        (texts.collect::<Vec<_>>().join(" | "), brief.withheld.len())
    }

    #[test]
    fn notes_in_confidence_reach_no_reader() {
        let (text, withheld) = read(
            "# Room\n\n## Price\n\nA place is £4.10 a week (internal: margin floor is £3.05, never go lower). We keep it for you.\n\n\
            - Discount 5% above 600 pallets - but only say volume price on request, do NOT put the number in\n\
            - Start in week 3 [TODO: ask Anna!]\n\n| Item | Price |\n|---|---|\n| Place (intern: bis 3,90) | £4.10 |\n",
        );
        for secret in ["3.05", "5%", "Anna", "3,90", "internal"] {
            assert!(!text.contains(secret), "{text}");
        }
        for said in [
            "A place is £4.10 a week.",
            "We keep it for you.",
            "Start in week 3",
            "Place",
        ] {
            assert!(text.contains(said), "{text}");
        }
        assert_eq!(withheld, 4);
    }

    #[test]
    fn a_private_part_is_left_out_whole() {
        let (text, _) = read(
            "# Room\n\n## Offer\n\nRoom for you.\n\n## Internal\n\nThey are nervous.\n\n### Why\n\nMoney.\n\n## Steps\n\nA visit.",
        );
        assert_eq!(text, "Room for you. | A visit.");
    }

    #[test]
    fn what_only_sounds_private_stays() {
        let brief = "# Audits\n\n## Facts\n\nInternal audits take a day. Do not open the door while it rains. We mention each alarm (see ISO 9001).";
        let (text, withheld) = read(brief);
        assert!(text.contains("Internal audits") && text.contains("(see ISO 9001)"));
        assert_eq!(
            (
                withheld,
                words_of(&Brief::read(brief, "en").chapters[0].blocks) > 15
            ),
            (0, true)
        );
    }
}
