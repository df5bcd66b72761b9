//! What a brief tells its writer in confidence: "(internal: never below 3.05)", "do not mention the trial".
//!
//! Danger: such a note would reach the very reader from whom it is to be kept. So it is looked for in the whole brief,
//! and the sentence around it is left out as a whole, though some of it might have been meant for the reader. Where it is
//! doubtful how far it goes, it goes on; how much was left out is told.

use gtm_document_model::block::{Block, Bullets, Item, Paragraph, Quote};
use gtm_document_model::plain_text;
use gtm_document_model::table::TableColumn;
use gtm_document_model::text::Run;

use super::texts::text_of;
use super::{Part, mentions, one_line, texts_of, wishes};
use crate::runs::{part_of, trimmed};

mod among_parts;
mod bargains;
mod below;
mod brackets;
mod clauses;
mod colleagues;
mod confided;
mod habits;
mod headings;
mod labels;
mod left_out;
mod made_asides;
mod made_labels;
mod made_orders;
mod made_tasks;
mod orders;
mod others;
mod placeholders;
mod places;
mod postscripts;
mod signed;
mod tables;
mod values;

pub use brackets::{begins_in_confidence, closings};
use clauses::is_colon;
pub use colleagues::is_said_to_one as is_said_to_a_colleague;
use headings::is_private_heading;
pub use labels::{BRACKETS, is_label};
use labels::{has_long_label, is_label_line, is_long_label, label_in};
pub use made_tasks::is_task_with_somebody;
use orders::is_private;
use places::private_in;
pub use postscripts::is_one as is_postscript;
use values::Values;

/// Longest order to name no customers or no prices that says nothing else, in words.
const BAN_WORDS: usize = 12;
/// Longest line that stands for a heading, in words.
const SUBHEAD_WORDS: usize = 8;

/// The parts without what is told in confidence.
#[derive(Debug)]
pub struct Parted {
    pub parts: Vec<Part>,
    pub notes: Vec<String>,
    /// Orders to name no customers and no prices, which give nothing away.
    pub bans: Vec<String>,
}

/// What a text is: what is private depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Document,
    Letter,
    /// It advises whoever sells, and tells what to answer.
    Advice,
}

/// Parts the content from what is told in confidence.
pub fn parted(parts: Vec<Part>, language: &str, kind: Kind) -> Parted {
    let mut found = Found::new(language, kind);
    let kept = found.without(parts);
    let (bans, notes) = found.notes.into_iter().partition(|note| is_only_ban(note));
    Parted {
        parts: kept,
        notes,
        bans,
    }
}

/// Whether a note is an order to name no customers or no prices, and says nothing else: then it may be told.
fn is_only_ban(note: &str) -> bool {
    let labeled = label_in(note).is_some() || has_long_label(note);
    let tells = labeled || !brackets::tags_of(note).is_empty();
    let short = note.split_whitespace().count() <= BAN_WORDS;
    let plain = !tells && short && !note.contains(char::is_numeric);
    wishes::is_ban(note) && plain && !mentions::forbids_a_clause(note)
}

/// What of a title is for its reader, and the notes.
pub fn of_title(runs: Vec<Run>, language: &str) -> (Vec<Run>, Vec<String>) {
    let text = one_line(&plain_text(&runs));
    // `Offer without prices` is a title: it only sounds like a ban.
    if !is_private_heading(&text) {
        return (runs, Vec::new());
    }
    let mut found = Found::new(language, Kind::Document);
    let kept = found.public(runs);
    if found.notes.is_empty() && has_long_label(&text) {
        return (Vec::new(), vec![text]);
    }
    (kept, found.notes)
}

/// The private label of a line, which speaks of what stands directly below it, too: `Internal` of `Internal: our margins`.
pub fn opening_label(line: &str) -> Option<&str> {
    let words = match label_in(line).filter(|label| !label.of_sentence) {
        Some(label) => line.get(label.words)?,
        None if is_label_line(line) => line,
        None => brackets::opening_tag(line)?,
    };
    Some(words.trim_matches(labels::is_no_letter))
}

/// Whether a line begins with a private label: nobody can tell which of the lines directly below it belong to the note.
pub fn opens(line: &str) -> bool {
    let begins = |label: &labels::Label| {
        let before = line.get(..label.begin).unwrap_or_default();
        !label.of_sentence && places::is_led_to(label, before)
    };
    is_label_line(line)
        || labels::is_shouted(line)
        || brackets::opening_tag(line).is_some()
        || label_in(line).as_ref().is_some_and(begins)
}

/// Whether what stands between marks begins with whoever says it.
pub fn is_signed(inner: &str) -> bool {
    signed::is_one(inner, false)
}

/// Whether what stands in a bracket says that something is missing.
pub fn is_missing(inner: &str) -> bool {
    placeholders::ends_bracket(inner)
}

/// Whether a line is a private label and nothing else: it speaks of the lines below it.
pub fn is_label_alone(line: &str) -> bool {
    is_label_line(line)
}

/// How much of what stands below a label alone is private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    Nothing,
    /// A list or a table, if it follows directly: the note announces it.
    Exhibit,
    /// What follows. Is it text, then all up to what begins something new: nobody can tell where the note ends.
    Next,
    /// All up to what begins something new.
    Rest,
}

impl Below {
    /// Whether a block is private, and what of those below it.
    fn of(self, block: &Block) -> (bool, Self) {
        let is_text = matches!(block, Block::Paragraph(_));
        match self {
            Self::Nothing => (false, Self::Nothing),
            Self::Exhibit => (!is_text, Self::Nothing),
            Self::Next if is_text => (true, Self::Rest),
            Self::Next => (true, Self::Nothing),
            Self::Rest if is_subhead(block) => (false, Self::Nothing),
            Self::Rest => (true, Self::Rest),
        }
    }
}

#[derive(Debug)]
struct Found<'l> {
    language: &'l str,
    kind: Kind,
    notes: Vec<String>,
    /// Whether what stands above forbids to say what is asked for here.
    forbidding: bool,
    /// Whether a note goes on below the text that was parted last.
    goes_on: bool,
    /// Whether that text says that what stands around it is private.
    states: bool,
}

impl<'l> Found<'l> {
    const fn new(language: &'l str, kind: Kind) -> Self {
        Self {
            language,
            kind,
            notes: Vec::new(),
            forbidding: false,
            goes_on: false,
            states: false,
        }
    }

    /// The parts without the notes.
    fn without(&mut self, parts: Vec<Part>) -> Vec<Part> {
        let notes = self;
        // `Training: internal` beside `Hosting: external`; `Internal` beside `External` says for whom a part is.
        let headings = parts.iter().filter_map(|part| match part {
            Part::Heading { runs, .. } => Some(plain_text(runs)).filter(|it| it.contains(is_colon)),
            Part::Block(_) => None,
        });
        let values = Values::of(headings);
        let is_value = |text: &str| text.contains(is_colon) && values.has(text);
        let mut kept = Vec::new();
        // Deeper headings belong to a part that is private.
        let mut within: Option<u8> = None;
        let mut below = Below::Nothing;
        // A long table is several.
        let mut columns: Option<Vec<TableColumn>> = None;
        let mut forbidden_part = false;
        let to_colleagues = among_parts::notes_among(&parts, notes.kind == Kind::Letter);
        for (at, part) in parts.into_iter().enumerate() {
            match part {
                Part::Heading { level, runs } => {
                    below = Below::Nothing;
                    columns = None;
                    let text = one_line(&plain_text(&runs));
                    if within.is_some_and(|outer| level > outer) {
                        notes.notes.push(text);
                        continue;
                    }
                    forbidden_part = mentions::forbids(&text);
                    notes.forbidding = forbidden_part;
                    let private = is_private_heading(&text) && !is_value(&text);
                    within = private.then_some(level);
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
                Part::Block(block) => {
                    let (private, next) = below.of(&block);
                    below = next;
                    if private || within.is_some() || goes_on(columns.as_ref(), &block) {
                        columns = match &block {
                            Block::Table(table) => Some(table.columns.clone()),
                            _ => None,
                        };
                        notes.notes.extend(texts_of(&[block]));
                        continue;
                    }
                    columns = None;
                    if to_colleagues.contains(&at) {
                        notes.notes.extend(texts_of(&[block]));
                        continue;
                    }
                    if line_of(&block).is_some_and(|text| below::speaks_of_all(&text)) {
                        notes.notes.extend(texts_of(&[block]));
                        within = Some(0);
                        continue;
                    }
                    let announces = ends_with_colon(&block);
                    let forbids_below = line_of(&block)
                        .filter(|_| announces)
                        .is_some_and(|label| mentions::forbids(label.trim_end_matches(is_colon)));
                    if let Some(label) = line_of(&block).filter(|it| is_label_line(it)) {
                        below = if is_bold(&block) {
                            Below::Rest
                        } else {
                            Below::Next
                        };
                        notes.notes.extend((!is_label(&label)).then_some(label));
                    } else {
                        notes.goes_on = false;
                        notes.states = false;
                        kept.extend(notes.block_without(block).map(Part::Block));
                        if notes.states || notes.goes_on && announces {
                            below = Below::Exhibit;
                        }
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
            Block::Quote(quote) => self.quote_without(quote).map(Block::Quote),
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
                let table = tables::as_table(&comparison);
                let kept = self.table_without(table.clone());
                if kept.as_ref() == Some(&table) {
                    return Some(Block::Comparison(comparison));
                }
                kept.map(Block::Table)
            }
            other => Some(other),
        }
    }

    /// The quotation without notes; a note at its end goes on in the line that names who said it.
    fn quote_without(&mut self, mut quote: Quote) -> Option<Quote> {
        self.goes_on = false;
        quote.runs = self.public(quote.runs);
        let goes_on = self.goes_on;
        let private = |who: &String| goes_on || is_private(who) || is_label(who);
        if let Some(who) = quote.attribution.take_if(|who| private(who)) {
            self.notes.push(who);
        }
        (!quote.runs.is_empty()).then_some(quote)
    }

    fn items_without(&mut self, items: Vec<Item>) -> Vec<Item> {
        let outside = self.forbidding;
        let mut kept = Vec::with_capacity(items.len());
        // Items that stand beside a label alone, not below it.
        let mut beside = false;
        for item in items {
            let text = one_line(&plain_text(&item.runs));
            let announces = text.ends_with(is_colon);
            if is_label_line(&text) {
                // One word may be a value of a list: `internal`.
                let is_value = !announces && item.items.is_empty() && !is_long_label(&text);
                if is_value && !beside {
                    kept.push(item);
                    continue;
                }
                beside = item.items.is_empty();
                self.withhold(item.items);
                continue;
            }
            beside &= !announces;
            if beside {
                self.withhold(vec![item]);
                continue;
            }
            self.goes_on = false;
            let runs = self.public(item.runs);
            let goes_on = self.goes_on || runs.is_empty();
            self.forbidding = outside
                || text
                    .strip_suffix([':', '：'])
                    .is_some_and(mentions::forbids);
            let items = match goes_on {
                true => {
                    self.withhold(item.items);
                    Vec::new()
                }
                false => self.items_without(item.items),
            };
            self.forbidding = outside;
            if !runs.is_empty() {
                kept.push(Item { runs, items });
            }
        }
        kept
    }

    /// Leaves items out as a whole.
    fn withhold(&mut self, items: Vec<Item>) {
        if items.is_empty() {
            return;
        }
        let ordered = false;
        let block = Block::Bullets(Bullets { ordered, items });
        self.notes.extend(texts_of(&[block]));
    }

    /// What of a text is for its reader.
    fn public(&mut self, runs: Vec<Run>) -> Vec<Run> {
        let text = plain_text(&runs);
        let mut private = private_in(&text, self.language, self.kind, self.forbidding);
        if let Some(begin) = emphasized_label(&runs, &text) {
            private.places.push(begin..text.len());
            private.places.sort_by_key(|place| place.start);
            private.goes_on = true;
        }
        self.goes_on |= private.goes_on;
        self.states |= private.states;
        if private.places.is_empty() {
            return runs;
        }
        let mut kept = Vec::new();
        let mut from = 0;
        for place in private.places {
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

/// Where a label in bold or italics begins a line or a sentence, so that it needs no sign behind it.
fn emphasized_label(runs: &[Run], text: &str) -> Option<usize> {
    let mut begin = 0;
    runs.iter().find_map(|run| {
        let from = begin;
        begin += run.text.len();
        let before = text.get(..from)?.trim_end_matches(' ');
        let opens = before.is_empty()
            || before.ends_with(['.', '!', '?', '\n', super::soft_breaks::SOFT_BREAK_CHAR]);
        let follows = text.get(begin..).is_some_and(labels::says_something);
        ((run.bold || run.italic) && opens && follows && is_label(&run.text)).then_some(from)
    })
}

/// The text of a paragraph in one line.
fn line_of(block: &Block) -> Option<String> {
    text_of(block).map(|text| one_line(&text))
}

fn ends_with_colon(block: &Block) -> bool {
    line_of(block).is_some_and(|text| text.ends_with(is_colon))
}

/// Whether all of a paragraph is in bold.
fn is_bold(block: &Block) -> bool {
    let Block::Paragraph(Paragraph { runs, .. }) = block else {
        return false;
    };
    let mut said = runs.iter().filter(|run| labels::says_something(&run.text));
    said.all(|run| run.bold)
}

/// Whether a line in bold stands for a heading. One with a colon may announce what the note goes on with.
fn is_subhead(block: &Block) -> bool {
    let text = line_of(block).unwrap_or_default();
    (1..=SUBHEAD_WORDS).contains(&text.split_whitespace().count()) && is_bold(block)
}

/// Whether a block goes on with a table of these columns.
fn goes_on(columns: Option<&Vec<TableColumn>>, block: &Block) -> bool {
    matches!(block, Block::Table(table) if columns == Some(&table.columns))
}

#[cfg(test)]
mod tests;
