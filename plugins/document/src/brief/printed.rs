//! What of a brief is printed where no language model writes: only what has the form of content (decision 0130).
//!
//! Danger: a private note that is printed reaches the very reader from whom it is to be kept, and no list of words finds every
//! one. So nothing is cut out of sentences here: in a brief that is addressed to its writer, prose is printed only below a real
//! heading, and a paragraph, an item or a section with one sign of being meant for the writer is left out whole. What is left
//! out is told whole.

use gtm_document_model::block::{Block, Bullets, Item, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::NOTE_WORDS;
use gtm_lexicon::{fold, split};
use gtm_site_research::fixed_texts::FixedText;

use super::addressed::Addressed;
use super::soft_breaks::SOFT_BREAK_CHAR;
use super::{
    Part, addressed, asides, chats, directions, line_kinds, mails, markdown, mentions, one_line,
    price_lines, private_notes, texts_of,
};
use crate::milestones;

/// Longest label and longest value of a line that has both, in words.
const LABEL_WORDS: usize = 4;
const VALUE_WORDS: usize = 14;
/// Fewest such lines below one another.
const FEWEST_LINES: usize = 2;

/// Why something was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It is said in confidence.
    Confidential,
    /// It speaks to whoever writes the document.
    ToTheWriter,
    /// It is running prose in a brief that is addressed to its writer.
    RunningProse,
}

impl Reason {
    /// As the result has it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Confidential => "confidential",
            Self::ToTheWriter => "to_the_writer",
            Self::RunningProse => "running_prose",
        }
    }

    /// What tells it.
    #[must_use]
    pub const fn milestone(self) -> &'static FixedText {
        match self {
            Self::Confidential => &milestones::CONFIDENTIAL,
            Self::ToTheWriter => &milestones::TO_THE_WRITER,
            Self::RunningProse => &milestones::RUNNING_PROSE,
        }
    }
}

/// A part of the brief that is printed nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub reason: Reason,
    /// All that it says.
    pub text: String,
}

/// What of a brief is printed.
#[derive(Debug, Default)]
pub struct Sorted {
    pub parts: Vec<Part>,
    pub left_out: Vec<LeftOut>,
    pub is_addressed: bool,
    pub pictures: usize,
    pub unlinked: Vec<String>,
    /// What the brief itself struck out.
    pub struck: Vec<String>,
}

/// Sorts what a brief says into what is printed and what is not.
pub fn sorted(text: &str, language: &str) -> Sorted {
    let how = addressed::of(text, &prose_of(text), language);
    let is_addressed = how != Addressed::No;
    let mails = mails::Mails::of(text);
    // What others wrote below a mail is only what it answers.
    let own = mails.as_ref().map(|mails| match mails.own.trim() {
        "" => mails.text.as_str(),
        _ => mails.own.as_str(),
    });
    let source = own.unwrap_or(text);
    let is_chat = chats::Chat::of(source, language).is_some();
    let plain = super::notations::without(source);
    let plain = price_lines::without_leaders(&plain);
    let marked = super::marks::as_markdown(&plain);
    let lines = match is_addressed {
        true => super::lines::as_markdown_of_a_message(&marked),
        false => super::lines::as_markdown(&marked),
    };
    let read = markdown::read(&lines);
    let mut sorting = Sorting {
        is_addressed,
        is_message: how == Addressed::Message,
        is_chat,
        real_headings: real_headings(source),
        title: title_of(&read.parts),
        ..Sorting::new(language)
    };
    let mut above: Option<Part> = None;
    for (at, part) in read.parts.into_iter().enumerate() {
        sorting.take(at, part.clone(), above.as_ref());
        above = Some(part);
    }
    if is_addressed {
        without_empty_headings(&mut sorting.kept);
    }
    Sorted {
        parts: sorting.kept,
        left_out: sorting.left_out,
        is_addressed,
        pictures: read.pictures,
        unlinked: read.unlinked,
        struck: read.struck,
    }
}

/// The paragraphs and items of a text as Markdown alone has them.
fn prose_of(text: &str) -> Vec<String> {
    let parts = markdown::read(text).parts.into_iter();
    let blocks = parts.filter_map(|part| match part {
        Part::Block(block @ (Block::Paragraph(_) | Block::Bullets(_) | Block::Callout(_))) => {
            Some(block)
        }
        Part::Block(_) | Part::Heading { .. } => None,
    });
    texts_of(&blocks.collect::<Vec<_>>())
}

/// The headings that somebody set off as such, with Markdown's signs or in bold on a line of their own. A short line of a
/// message, or one with a colon, is none: `One more thing:` stands above what is for nobody else.
fn real_headings(source: &str) -> Vec<String> {
    let is_bold = |line: &str| {
        let bare = line.trim().trim_end_matches([':', '：']);
        bare.starts_with("**") && line_kinds::without_emphasis(bare).len() < bare.len()
    };
    let lines: Vec<&str> = source.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let is_underlined = lines.get(at + 1).is_some_and(|below| {
            let below = below.trim();
            below.len() >= 3 && (below.chars().all(|c| c == '=') || below.chars().all(|c| c == '-'))
        });
        if line_kinds::is_heading(line) || is_bold(line) || is_underlined {
            found.push(bare_heading(line));
        }
    }
    found.retain(|heading| !heading.is_empty());
    found
}

/// A heading without signs of Markdown, to compare it.
fn bare_heading(line: &str) -> String {
    let said: String = line.chars().filter(|c| c.is_alphanumeric()).collect();
    fold(&said)
}

/// Where the one heading stands that names the whole: what stands directly below it opens no part.
fn title_of(parts: &[Part]) -> Option<usize> {
    let is_first_level = |part: &Part| matches!(part, Part::Heading { level: 1, .. });
    let alone = parts.iter().filter(|part| is_first_level(part)).count() == 1;
    let first = parts
        .iter()
        .position(|part| matches!(part, Part::Heading { .. }));
    first.filter(|at| alone && parts.get(*at).is_some_and(is_first_level))
}

/// Takes off headings below which nothing is left, but for a title.
fn without_empty_headings(parts: &mut Vec<Part>) {
    let title = title_of(parts);
    let mut kept: Vec<Part> = Vec::with_capacity(parts.len());
    // The levels of headings below which something stands, from the end.
    let mut filled: Option<u8> = None;
    for (at, part) in parts
        .drain(..)
        .enumerate()
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
    {
        match &part {
            Part::Block(_) => {
                filled = Some(u8::MAX);
                kept.push(part);
            }
            Part::Heading { level, .. } => {
                let has_more = filled.is_some_and(|below| below > *level);
                if has_more || title == Some(at) {
                    filled = Some(*level);
                    kept.push(part);
                }
            }
        }
    }
    kept.reverse();
    *parts = kept;
}

struct Sorting<'l> {
    language: &'l str,
    is_addressed: bool,
    /// Whether somebody writes to somebody: then nobody can tell where what is said to them ends.
    is_message: bool,
    is_chat: bool,
    real_headings: Vec<String>,
    /// Where the title stands.
    title: Option<usize>,
    kept: Vec<Part>,
    left_out: Vec<LeftOut>,
    /// The level of the private heading below which all is left out.
    private: Option<u8>,
    /// Whether a real heading stands above.
    is_headed: bool,
    /// Whether prose below the last heading was left out: nobody can tell where a note ends.
    is_stopped: bool,
}

impl<'l> Sorting<'l> {
    const fn new(language: &'l str) -> Self {
        Self {
            language,
            is_addressed: false,
            is_message: false,
            is_chat: false,
            real_headings: Vec::new(),
            title: None,
            kept: Vec::new(),
            left_out: Vec::new(),
            private: None,
            is_headed: false,
            is_stopped: false,
        }
    }

    fn leave_out(&mut self, reason: Reason, text: &str) {
        let text = one_line(&text.replace(SOFT_BREAK_CHAR, " "));
        if !text.is_empty() {
            self.left_out.push(LeftOut { reason, text });
        }
    }

    fn leave_block_out(&mut self, reason: Reason, block: Block) {
        let text = texts_of(&[block]).join("\n");
        let lines: Vec<String> = text
            .lines()
            .map(|line| one_line(&line.replace(SOFT_BREAK_CHAR, " ")))
            .collect();
        let text = lines.join("\n");
        if !text.trim().is_empty() {
            self.left_out.push(LeftOut { reason, text });
        }
    }

    /// Why a text must not be printed, if there is a reason in its own words.
    fn sign(&self, text: &str) -> Option<Reason> {
        let part = |text: &str| {
            let runs = vec![Run::plain(text.to_owned())];
            vec![Part::Block(Block::Paragraph(Paragraph::of(runs)))]
        };
        if private_notes::is_in_confidence(text, self.language) {
            return Some(Reason::Confidential);
        }
        if !self.is_addressed {
            return None;
        }
        let told = !mentions::told(part(text), self.language).1.is_empty()
            || !asides::parted(part(text), self.language).1.is_empty()
            || addressed::is_said_to_the_writer(text, self.language);
        told.then_some(Reason::ToTheWriter)
    }

    fn take(&mut self, at: usize, part: Part, above: Option<&Part>) {
        match part {
            Part::Heading { level, runs } => self.heading(at, level, runs),
            Part::Block(block) if self.private.is_some() => {
                self.leave_block_out(Reason::Confidential, block);
            }
            Part::Block(block) => self.block(block, above),
        }
    }

    fn heading(&mut self, at: usize, level: u8, runs: Vec<Run>) {
        let text = one_line(&plain_text(&runs));
        if self.private.is_some_and(|outer| level > outer) {
            self.leave_out(Reason::Confidential, &text);
            return;
        }
        self.private = None;
        self.is_stopped = false;
        let folded = fold(&text);
        let words = split(&folded);
        let is_note = self.is_addressed && NOTE_WORDS.are(&words);
        if private_notes::is_private_heading(&text) || is_note {
            self.private = Some(level);
            self.leave_out(Reason::Confidential, &text);
            return;
        }
        if self.is_addressed && directions::is_direction_heading(&text) {
            self.private = Some(level);
            self.leave_out(Reason::ToTheWriter, &text);
            return;
        }
        let is_real = self.real_headings.contains(&bare_heading(&text));
        if self.is_addressed && (self.is_chat || !is_real) {
            // A line of a message that only looks like a heading.
            let is_line = line_kinds::is_sentence(&text) || self.sign(&text).is_some();
            self.is_headed = false;
            if self.is_chat || is_line {
                self.leave_out(Reason::RunningProse, &text);
                return;
            }
        } else if let Some(reason) = self.sign(&text).filter(|_| self.is_addressed) {
            self.is_headed = false;
            self.leave_out(reason, &text);
            return;
        } else {
            self.is_headed = !self.is_message || self.title != Some(at);
        }
        self.kept.push(Part::Heading { level, runs });
    }

    fn block(&mut self, block: Block, above: Option<&Part>) {
        let lead = above.and_then(|part| match part {
            Part::Block(Block::Paragraph(paragraph)) => Some(plain_text(&paragraph.runs)),
            Part::Block(_) | Part::Heading { .. } => None,
        });
        match block {
            Block::Paragraph(paragraph) => self.paragraph(paragraph),
            Block::Bullets(Bullets { ordered, items }) => {
                if let Some(reason) = lead.and_then(|lead| self.reason_of_lead(&lead)) {
                    self.leave_block_out(reason, Block::Bullets(Bullets { ordered, items }));
                    return;
                }
                let items = self.items(items);
                if !items.is_empty() {
                    let list = Block::Bullets(Bullets { ordered, items });
                    self.kept.push(Part::Block(list));
                }
            }
            Block::Table(_) | Block::Comparison(_) | Block::Chart(_) => {
                match lead.and_then(|lead| self.reason_of_lead(&lead)) {
                    Some(reason) => self.leave_block_out(reason, block),
                    None => self.kept.push(Part::Block(block)),
                }
            }
            other => {
                let texts = texts_of(std::slice::from_ref(&other));
                let reason = texts.iter().find_map(|text| self.sign(text));
                let is_prose = self.is_addressed && (!self.is_headed || self.is_stopped);
                match reason.or(is_prose.then_some(Reason::RunningProse)) {
                    Some(reason) => self.leave_block_out(reason, other),
                    None => self.kept.push(Part::Block(other)),
                }
            }
        }
    }

    /// Why what stands below a line that leads to it is left out as a whole: the line says it in confidence, or to the writer.
    fn reason_of_lead(&self, lead: &str) -> Option<Reason> {
        let lead = one_line(&lead.replace(SOFT_BREAK_CHAR, " "));
        let leads = lead.ends_with([':', '：']);
        let last = crate::runs::sentences_of(&lead, self.language).pop();
        let last = last.and_then(|place| lead.get(place)).unwrap_or(&lead);
        let is_private = private_notes::is_in_confidence(last, self.language)
            || private_notes::is_label_alone(last);
        match (is_private, leads && self.is_addressed) {
            (true, _) => Some(Reason::Confidential),
            (false, true) => (mentions::forbids(last) || addressed::says_you(last))
                .then_some(Reason::ToTheWriter),
            (false, false) => None,
        }
    }

    fn paragraph(&mut self, paragraph: Paragraph) {
        let text = plain_text(&paragraph.runs);
        let reason = self.sign(&text);
        if !self.is_addressed {
            match reason {
                Some(reason) => self.leave_out(reason, &text),
                None => self.kept.push(Part::Block(Block::Paragraph(paragraph))),
            }
            return;
        }
        if reason.is_none()
            && !self.is_chat
            && let Some(list) = self.labeled_lines(&text)
        {
            self.kept.push(Part::Block(list));
            return;
        }
        if reason.is_some() || !self.is_headed || self.is_stopped {
            self.is_stopped |= self.is_message || reason == Some(Reason::Confidential);
            self.leave_out(reason.unwrap_or(Reason::RunningProse), &text);
            return;
        }
        self.kept.push(Part::Block(Block::Paragraph(paragraph)));
    }

    /// Lines that each have a label and a short value, as a list: `Start: 4 May`. One alone may be a note: `FYI: they pay late`.
    fn labeled_lines(&self, text: &str) -> Option<Block> {
        let lines: Vec<&str> = text
            .split(['\n', SOFT_BREAK_CHAR])
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let is_one = |line: &&str| {
            line.split_once([':', '：']).is_some_and(|(label, value)| {
                let value = value.trim();
                (1..=LABEL_WORDS).contains(&label.split_whitespace().count())
                    && (1..=VALUE_WORDS).contains(&value.split_whitespace().count())
                    && !line_kinds::is_sentence(value)
                    && !private_notes::is_label(label)
                    && !value.starts_with("//")
                    && self.sign(line).is_none()
            })
        };
        if lines.len() < FEWEST_LINES || !lines.iter().all(is_one) {
            return None;
        }
        let is_order = |line: &str| {
            let label = line.split([':', '：']).next().unwrap_or_default();
            line_kinds::is_direction_label(label) || mails::is_of_a_head(line)
        };
        let items: Vec<Item> = lines
            .into_iter()
            .filter(|line| !is_order(line))
            .map(|line| Item {
                runs: vec![Run::plain(line.to_owned())],
                items: Vec::new(),
            })
            .collect();
        let ordered = false;
        (!items.is_empty()).then_some(Block::Bullets(Bullets { ordered, items }))
    }

    fn items(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut kept = Vec::with_capacity(items.len());
        for item in items {
            let text = one_line(&plain_text(&item.runs));
            let is_label = private_notes::is_label_alone(&text) && !item.items.is_empty();
            let reason = self
                .sign(&text)
                .or(is_label.then_some(Reason::Confidential));
            match reason {
                Some(reason) => {
                    let ordered = false;
                    let items = vec![item];
                    self.leave_block_out(reason, Block::Bullets(Bullets { ordered, items }));
                }
                None => {
                    let items = self.items(item.items);
                    let runs = item.runs;
                    kept.push(Item { runs, items });
                }
            }
        }
        kept
    }
}
