//! What a brief tells its writer in confidence: "(internal: never below 3.05)", "do not mention the trial".
//!
//! Danger: such a note would reach the very reader from whom it is to be kept. So it is looked for in the whole brief,
//! and the sentence around it is left out as a whole, though some of it might have been meant for the reader.

use std::ops::Range;

use gtm_document_model::block::{Block, Bullets, Item};
use gtm_document_model::plain_text;
use gtm_document_model::table::Table;
use gtm_document_model::text::Run;
use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{NEGATIONS, PRICE_LIMITS, PRIVATE_LABELS, PRIVATE_ORDERS};
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
        // `Internal:` alone on a line speaks of what stands below it.
        let mut below_label = false;
        for part in parts {
            match part {
                Part::Heading { level, runs } => {
                    below_label = false;
                    if within.is_some_and(|outer| level > outer) {
                        continue;
                    }
                    within = is_label(&one_line(&plain_text(&runs))).then_some(level);
                    let runs = notes.public(runs);
                    if within.is_none() && !runs.is_empty() {
                        kept.push(Part::Heading { level, runs });
                    }
                }
                Part::Block(block) if within.is_some() || below_label => {
                    below_label = false;
                    notes.notes.extend(texts_of(&[block]));
                }
                Part::Block(block) => {
                    below_label = is_only_label(&block);
                    if !below_label {
                        kept.extend(notes.block_without(block).map(Part::Block));
                    }
                }
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
            Block::Table(table) => self.table_without(table).map(Block::Table),
            other => Some(other),
        }
    }

    /// The table without private cells. Where the first cell of a row or the head of a column is private, all of it is.
    fn table_without(&mut self, mut table: Table) -> Option<Table> {
        let private: Vec<bool> = table
            .columns
            .iter()
            .map(|column| is_private(&column.label) || is_label(&column.label))
            .collect();
        let mut rows = Vec::with_capacity(table.rows.len());
        for row in table.rows {
            let first = row.first().map(|cell| plain_text(cell));
            if first.is_some_and(|first| is_private(&first) || is_label(&first)) {
                let cells: Vec<String> = row.iter().map(|cell| plain_text(cell)).collect();
                self.notes.push(one_line(&cells.join(" ")));
                continue;
            }
            let open = row.into_iter().enumerate().filter_map(|(at, cell)| {
                match private.get(at).copied().unwrap_or(false) {
                    true => {
                        self.notes.push(one_line(&plain_text(&cell)));
                        None
                    }
                    false => Some(self.public(cell)),
                }
            });
            rows.push(open.collect());
        }
        let mut at = 0;
        table.columns.retain(|_| {
            at += 1;
            !private.get(at - 1).copied().unwrap_or(false)
        });
        table.caption = self.public(table.caption);
        table.rows = rows;
        (!table.columns.is_empty() && !table.rows.is_empty()).then_some(table)
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
            // A label with which a text begins speaks of all of it.
            if place.start == 0 && has_private_label(sentence) {
                left_out.clear();
                left_out.push(0..text.len());
                break;
            }
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
    let words = split(&folded);
    // `We do not share your data` promises something; only `do not share` orders it.
    let promised = |at: usize, phrase: gtm_lexicon::Phrase| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        NEGATIONS.open(phrase) && before.is_some_and(|word| WE.has_word(word))
    };
    let ordered = PRIVATE_ORDERS
        .places(&words)
        .any(|(at, phrase)| !promised(at, phrase));
    ordered
        || has_private_label(sentence)
        || (PRICE_LIMITS.any_in(&words) && names_a_price(sentence))
        || wishes::is_ban(sentence)
}

/// Whether an amount or a percentage stands in a sentence: stores can go down to -20 °C, too.
fn names_a_price(sentence: &str) -> bool {
    let is_code = |word: &str| word.len() == 3 && word.bytes().all(|c| c.is_ascii_uppercase());
    let words = sentence.split(|c: char| !c.is_alphabetic());
    sentence.contains(char::is_numeric)
        && (sentence.contains(['%', '٪', '€', '£', '$', '¥', '₹'])
            || words.into_iter().any(is_code))
}

fn has_private_label(sentence: &str) -> bool {
    let label = sentence.split_once([':', '：']).map(|(label, _)| label);
    label.is_some_and(is_label)
}

/// Whether a block is a private label and nothing else.
fn is_only_label(block: &Block) -> bool {
    let Block::Paragraph(paragraph) = block else {
        return false;
    };
    let text = one_line(&plain_text(&paragraph.runs));
    text.strip_suffix([':', '：']).is_some_and(is_label)
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
    fn a_label_speaks_of_its_whole_text_and_of_what_stands_below_it() {
        let (text, withheld) = read(
            "# Room\n\n## Offer\n\nInternal: they pay late. Ask for a deposit of £900.\n\nRoom for you.\n\nInternal notes:\n\n\
            - Anna knows them\n- Never below £3\n\n| Item | Price | Internal |\n|---|---|---|\n| Place | £4 | £3 |\n\
            | Hall | £9 | £6 |\n| Discount limit | 15 % | |\n",
        );
        assert_eq!(
            text,
            "Room for you. | Item | Price | Place | £4 | Hall | £9"
        );
        assert_eq!(withheld, 6);
    }

    #[test]
    fn limits_of_prices_are_private_and_promises_are_none() {
        let (text, withheld) = read(
            "# Room\n\n## Offer\n\nWe can go down to 15 % for them. The rooms can go down to -20 °C. We do not share your data.",
        );
        assert_eq!(
            text,
            "The rooms can go down to -20 °C. We do not share your data."
        );
        assert_eq!(withheld, 1);
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
