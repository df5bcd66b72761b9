//! What a brief tells its writer in confidence: "(internal: never below 3.05)", "do not mention the trial".
//!
//! Danger: such a note would reach the very reader from whom it is to be kept. So it is looked for in the whole brief,
//! and the sentence around it is left out as a whole, though some of it might have been meant for the reader.

use std::ops::Range;

use gtm_document_model::block::{Block, Bullets, Comparison, Item};
use gtm_document_model::plain_text;
use gtm_document_model::table::{Table, TableColumn};
use gtm_document_model::text::Run;
use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{NEGATIONS, PRICE_LIMITS, PRIVATE_LABELS, PRIVATE_ORDERS};
use gtm_lexicon::{fold, split};
use gtm_site_research::sentences;

use super::markdown::SOFT_BREAK_CHAR;
use super::{Part, mentions, one_line, texts_of, wishes};
use crate::runs::{part_of, trimmed};

/// Longest label before a colon, in words.
const LABEL_WORDS: usize = 4;
/// As much of a bracket's beginning as is compared with labels, in characters.
const LABEL_LETTERS: usize = 80;
const BRACKETS: [(char, char); 6] = [
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('（', '）'),
    ('［', '］'),
    ('【', '】'),
];

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
        forbidding: false,
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

/// What of a title is for its reader, and the notes.
pub fn of_title(runs: Vec<Run>, language: &str) -> (Vec<Run>, Vec<String>) {
    let text = one_line(&plain_text(&runs));
    // `Offer without prices` is a title: it only sounds like a ban.
    if !is_private_heading(&text) {
        return (runs, Vec::new());
    }
    let mut found = Found {
        language,
        notes: Vec::new(),
        forbidding: false,
    };
    let kept = found.public(runs);
    (kept, found.notes)
}

/// The private label with which a line begins: `Internal` of `Internal: our margins`.
pub fn opening_label(line: &str) -> Option<&str> {
    let label = label_in(line).filter(|label| label.sign.is_none())?;
    Some(line.get(label.words)?.trim_matches(is_no_letter))
}

#[derive(Debug)]
struct Found<'l> {
    language: &'l str,
    notes: Vec<String>,
    /// Whether what stands above forbids to say what is asked for here.
    forbidding: bool,
}

impl Found<'_> {
    /// The parts without the notes.
    fn without(&mut self, parts: Vec<Part>) -> Vec<Part> {
        let notes = self;
        let mut kept = Vec::new();
        // Deeper headings belong to a part that is private.
        let mut within: Option<u8> = None;
        // `Internal:` alone on a line speaks of what stands below it, and a long table is several.
        let mut below_label = false;
        let mut columns: Option<Vec<TableColumn>> = None;
        let mut forbidden_part = false;
        for part in parts {
            match part {
                Part::Heading { level, runs } => {
                    below_label = false;
                    columns = None;
                    if within.is_some_and(|outer| level > outer) {
                        continue;
                    }
                    let text = one_line(&plain_text(&runs));
                    forbidden_part = mentions::forbids(&text);
                    notes.forbidding = forbidden_part;
                    within = is_private_heading(&text).then_some(level);
                    if within.is_some() {
                        // A label alone gives nothing away.
                        notes.notes.extend((!is_label(&text)).then_some(text));
                        continue;
                    }
                    let runs = notes.public(runs);
                    if !runs.is_empty() {
                        kept.push(Part::Heading { level, runs });
                    }
                }
                Part::Block(block)
                    if within.is_some() || below_label || goes_on(columns.as_ref(), &block) =>
                {
                    columns = match &block {
                        Block::Table(table) => Some(table.columns.clone()),
                        _ => None,
                    };
                    below_label = false;
                    notes.notes.extend(texts_of(&[block]));
                }
                Part::Block(block) => {
                    columns = None;
                    below_label = is_only_label(&block);
                    let forbids_below =
                        label_alone(&block).is_some_and(|label| mentions::forbids(&label));
                    if !below_label {
                        kept.extend(notes.block_without(block).map(Part::Block));
                    }
                    notes.forbidding = forbidden_part || forbids_below;
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
            Block::Comparison(comparison) => {
                let table = as_table(&comparison);
                let kept = self.table_without(table.clone());
                if kept.as_ref() == Some(&table) {
                    return Some(Block::Comparison(comparison));
                }
                kept.map(Block::Table)
            }
            other => Some(other),
        }
    }

    /// The table without private cells. Where the first cell of a row or the head of a column is private, all of it is.
    fn table_without(&mut self, mut table: Table) -> Option<Table> {
        let private: Vec<bool> = table
            .columns
            .iter()
            .map(|column| is_private(&column.label) || is_private_heading(&column.label))
            .collect();
        for (column, _) in table.columns.iter().zip(&private).filter(|(_, is)| **is) {
            // A label alone gives nothing away.
            let says_more = !is_label(&column.label);
            self.notes.extend(says_more.then(|| column.label.clone()));
        }
        let mut rows = Vec::with_capacity(table.rows.len());
        for row in table.rows {
            let is_private_row = row.first().is_some_and(|cell| {
                let text = plain_text(cell);
                let open = blanked(&text, &private_brackets(&text));
                is_private(&open) || is_label(&open) || !tags_of(&text).is_empty()
            });
            if is_private_row {
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
        if private.first().is_some_and(|is| *is) {
            table.header_column = false;
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
        let outside = self.forbidding;
        let kept = items.into_iter().filter_map(|item| {
            let text = one_line(&plain_text(&item.runs));
            let runs = self.public(item.runs);
            self.forbidding = outside
                || text
                    .strip_suffix([':', '：'])
                    .is_some_and(mentions::forbids);
            let items = self.items_without(item.items);
            self.forbidding = outside;
            (!runs.is_empty()).then_some(Item { runs, items })
        });
        kept.collect()
    }

    /// What of a text is for its reader.
    fn public(&mut self, runs: Vec<Run>) -> Vec<Run> {
        let text = plain_text(&runs);
        let brackets = private_brackets(&text);
        // A label alone in a bracket speaks of its sentence.
        let tags = tags_of(&text);
        let brackets: Vec<Range<usize>> = brackets
            .into_iter()
            .filter(|place| {
                tags.binary_search_by_key(&place.end, |tag| tag.end)
                    .is_err()
            })
            .collect();
        let open = blanked(&text, &brackets);
        let flat = open.replace(['\n', SOFT_BREAK_CHAR], " ");
        let mut left_out = brackets;
        for place in sentence_places(&flat, self.language) {
            let sentence = open.get(place.clone()).unwrap_or_default();
            let label = label_in(sentence);
            // A label with which a line or a sentence begins speaks of all that follows; another of its sentence.
            let reaches_on = label.as_ref().is_some_and(|label| label.sign.is_none());
            let begin = label.map_or(place.end, |label| place.start + label.begin);
            let before = flat.get(place.start..begin).unwrap_or_default();
            let asked = self.forbidding && mentions::asks(before);
            let tagged = has_tag(&tags, &place);
            let tag_opens = tags
                .binary_search_by_key(&place.start, |tag| tag.start)
                .is_ok();
            // `[Internal] They pay late. …`
            let reaches_on = reaches_on || tag_opens;
            let from = match tagged || asked || is_ordered_private(before) || wishes::is_ban(before)
            {
                true => place.start,
                false => begin,
            };
            let end = if reaches_on { text.len() } else { place.end };
            if from < end {
                left_out.push(from..end);
            }
            if reaches_on {
                break;
            }
        }
        if left_out.is_empty() {
            return runs;
        }
        left_out.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
        let mut kept = Vec::new();
        let mut from = 0;
        for place in left_out {
            // It stands within another.
            if place.end <= from {
                continue;
            }
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

/// The text with blanks of the same length in these places, so that all others stay the same and a bracket's full stop ends
/// no sentence.
fn blanked(text: &str, places: &[Range<usize>]) -> String {
    let mut open: Vec<u8> = text.bytes().collect();
    for place in places {
        open.get_mut(place.clone())
            .into_iter()
            .for_each(|bytes| bytes.fill(b' '));
    }
    String::from_utf8_lossy(&open).into_owned()
}

/// Where a bracket says something in confidence, with the blank before it: in order, and none within another.
fn private_brackets(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (begin, end) in BRACKETS {
        for bracket in outer_brackets(text, begin, end) {
            let inner = bracket.start + begin.len_utf8()..bracket.end - end.len_utf8();
            let inner = text.get(inner).unwrap_or_default();
            if is_private_within(inner) {
                let before = text.get(..bracket.start).unwrap_or_default();
                found.push(before.trim_end_matches(' ').len()..bracket.end);
            }
        }
    }
    found.sort_by_key(|place| place.start);
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for place in found {
        match apart.last_mut().filter(|last| place.start < last.end) {
            Some(last) => last.end = last.end.max(place.end),
            None => apart.push(place),
        }
    }
    apart
}

/// Where a bracket has a private label and nothing else: `[internal]`.
fn tags_of(text: &str) -> Vec<Range<usize>> {
    let brackets = BRACKETS.into_iter();
    let brackets = brackets.flat_map(|(begin, end)| outer_brackets(text, begin, end));
    let mut tags: Vec<Range<usize>> = brackets
        .filter(|place| text.get(place.clone()).is_some_and(is_label))
        .collect();
    tags.sort_by_key(|tag| tag.start);
    tags
}

/// Whether one of the tags, which are in order, begins in a place.
fn has_tag(tags: &[Range<usize>], place: &Range<usize>) -> bool {
    let next = tags.partition_point(|tag| tag.start < place.start);
    tags.get(next).is_some_and(|tag| tag.start < place.end)
}

/// The closed brackets of a kind that stand in no other closed one. Each letter is looked at once.
fn outer_brackets(text: &str, begin: char, end: char) -> Vec<Range<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut closed: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices() {
        if c == begin {
            open.push(at);
        } else if c == end
            && let Some(from) = open.pop()
        {
            while closed.last().is_some_and(|inner| inner.start > from) {
                closed.pop();
            }
            closed.push(from..at + c.len_utf8());
        }
    }
    closed
}

/// Whether what stands in a bracket is private, or something in a bracket within it.
fn is_private_within(inner: &str) -> bool {
    let opens = |part: &str| {
        let begin: String = part.chars().take(LABEL_LETTERS).collect();
        let folded = fold(&begin);
        let words: Vec<&str> = split(&folded);
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        PRIVATE_LABELS.open(&words)
    };
    let is_bracket = |c: char| BRACKETS.iter().any(|(begin, _)| c == *begin);
    is_private(inner) || inner.split(is_bracket).any(opens)
}

/// A private label before a colon.
#[derive(Debug, Clone)]
struct Label {
    /// Where what it speaks of begins: at the sign before the label.
    begin: usize,
    words: Range<usize>,
    /// The bracket, dash, bar or comma before it; none where it begins a line or a sentence.
    sign: Option<char>,
}

impl Label {
    /// Whether nothing stands between the beginning of a line and a place.
    fn is_at_the_start(&self, text: &str, at: usize) -> bool {
        let between = text.get(self.words.start..at).unwrap_or_default();
        self.sign.is_none() && between.trim().is_empty()
    }
}

/// The first private label before a colon, at the beginning or behind a bracket, a dash, a bar or another sign.
fn label_in(text: &str) -> Option<Label> {
    let mut label = Label {
        begin: 0,
        words: 0..0,
        sign: None,
    };
    // What stands before the last bracket: `Internal (sales): …`.
    let mut outer: Option<Label> = None;
    let mut before = None;
    for (at, c) in text.char_indices() {
        let behind = at + c.len_utf8();
        let is_colon = matches!(c, ':' | '：');
        if is_colon {
            label.words.end = at;
            let words = text.get(label.words.clone()).unwrap_or_default();
            if is_label(words) {
                return Some(label);
            }
            let around = outer.take().filter(|_| words.trim().is_empty());
            if let Some(around) = around
                && text.get(around.words.clone()).is_some_and(is_label)
            {
                return Some(around);
            }
        }
        let ends = matches!(
            c,
            '.' | '!' | '?' | '…' | '。' | '！' | '？' | '\n' | SOFT_BREAK_CHAR
        );
        let opens = BRACKETS.iter().any(|(begin, _)| c == *begin);
        let closes = BRACKETS.iter().any(|(_, end)| c == *end);
        let figure = |c: char| c.is_numeric() || matches!(c, '%' | '€' | '£' | '$' | '¥');
        let clauses = matches!(
            c,
            '–' | '—' | '―' | '|' | '｜' | ',' | '，' | '、' | ';' | '；'
        );
        let quotes = matches!(c, '"' | '“' | '„' | '«' | '<' | '#' | '→');
        let parts = clauses
            || quotes
            || (matches!(c, '-' | '/') && before.is_none_or(char::is_whitespace))
            // `£4.10 internal: …`
            || (c == ' ' && before.is_some_and(figure));
        if opens {
            label.words.end = at;
            outer = Some(label.clone());
        }
        if ends || opens || closes || parts || is_colon {
            label = Label {
                begin: if ends { behind } else { at },
                words: behind..behind,
                // A dash may stand before an item.
                sign: (!(ends || parts && label.is_at_the_start(text, at))).then_some(c),
            };
        }
        before = Some(c);
    }
    None
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
    label_in(sentence).is_some() || is_ordered_private(sentence) || wishes::is_ban(sentence)
}

/// Whether a heading, or a part of it, is private: then all that stands below it is.
fn is_private_heading(text: &str) -> bool {
    let parts = text.replace(" - ", "|");
    let is_sign = |c: char| {
        matches!(c, ':' | '：' | '|' | '｜' | '–' | '—')
            || BRACKETS.iter().any(|(begin, end)| c == *begin || c == *end)
    };
    parts.split(is_sign).any(is_label)
        || !private_brackets(text).is_empty()
        || label_in(text).is_some()
        || is_ordered_private(text)
}

/// Whether the words of a sentence say that it is private, without a label.
fn is_ordered_private(sentence: &str) -> bool {
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
        || mentions::is_forbidden(sentence)
        || (PRICE_LIMITS.any_in(&words) && names_a_price(sentence))
}

/// Whether an amount or a percentage stands in a sentence: stores can go down to -20 °C, too.
fn names_a_price(sentence: &str) -> bool {
    let is_code = |word: &str| word.len() == 3 && word.bytes().all(|c| c.is_ascii_uppercase());
    let words = sentence.split(|c: char| !c.is_alphabetic());
    sentence.contains(char::is_numeric)
        && (sentence.contains(['%', '٪', '€', '£', '$', '¥', '₹'])
            || words.into_iter().any(is_code))
}

/// Whether a block is a private label and nothing else.
fn is_only_label(block: &Block) -> bool {
    label_alone(block).is_some_and(|label| is_label(&label))
}

/// The text of a paragraph that ends with a colon, without it.
fn label_alone(block: &Block) -> Option<String> {
    let Block::Paragraph(paragraph) = block else {
        return None;
    };
    let text = one_line(&plain_text(&paragraph.runs));
    text.strip_suffix([':', '：']).map(str::to_owned)
}

/// Whether a block goes on with a table of these columns.
fn goes_on(columns: Option<&Vec<TableColumn>>, block: &Block) -> bool {
    matches!(block, Block::Table(table) if columns == Some(&table.columns))
}

fn is_label(text: &str) -> bool {
    let folded = fold(text.trim_matches(is_no_letter));
    let words: Vec<&str> = split(&folded);
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    (1..=LABEL_WORDS).contains(&words.len()) && PRIVATE_LABELS.are(&words)
}

fn is_no_letter(c: char) -> bool {
    !c.is_alphanumeric()
}

/// A comparison as the table that it was.
fn as_table(comparison: &Comparison) -> Table {
    let labels = std::iter::once(String::new()).chain(comparison.items.iter().cloned());
    let columns = labels.map(|label| TableColumn {
        label,
        ..TableColumn::default()
    });
    let rows = comparison.criteria.iter().map(|criterion| {
        let label = vec![Run::plain(&criterion.label)];
        std::iter::once(label)
            .chain(criterion.cells.iter().cloned())
            .collect()
    });
    Table {
        columns: columns.collect(),
        rows: rows.collect(),
        caption: Vec::new(),
        header_column: true,
    }
}

#[cfg(test)]
mod tests;
