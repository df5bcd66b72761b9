//! Where a letter has its sender and its signature. Both are told by the form of its lines, in any language.
//!
//! Danger: short lines stand in the text, too. So a formula that closes a letter comes after a sentence and before a line that
//! may be a name; what cannot be told apart stays as it is.

use std::borrow::Cow;

use gtm_document_model::block::{Block, Paragraph};
use gtm_document_model::{Document, Run, plain_text};

/// Longest formula that closes a letter, and longest name below it, in words and in characters.
const FORMULA_WORDS: usize = 10;
const FORMULA_CHARS: usize = 80;
const NAME_WORDS: usize = 6;
const NAME_CHARS: usize = 60;
/// Most lines of a sender at the head of a page.
const SENDER_LINES: usize = 6;

/// The block of a section that holds a letter's signature. Above it is room for a pen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    pub section: usize,
    pub block: usize,
}

/// The letter with its signature in a paragraph of its own, and where that is. Another document, or a letter whose signature
/// cannot be told, stays as it is.
#[must_use]
pub fn signed(document: &Document) -> (Cow<'_, Document>, Option<Signature>) {
    let Some(place) = place_of(document) else {
        return (Cow::Borrowed(document), None);
    };
    let (section, mut block) = (place.section, place.block);
    if place.line == 0 {
        return (Cow::Borrowed(document), Some(Signature { section, block }));
    }
    let mut parted = document.clone();
    let Some(blocks) = parted.sections.get_mut(section).map(|it| &mut it.blocks) else {
        return (Cow::Borrowed(document), None);
    };
    if let Some(Block::Paragraph(whole)) = blocks.get_mut(block) {
        let (first, second) = parted_at(&whole.runs, place.line);
        whole.runs = first;
        let below = Paragraph {
            runs: second,
            align: whole.align,
        };
        block += 1;
        blocks.insert(block, Block::Paragraph(below));
    }
    (Cow::Owned(parted), Some(Signature { section, block }))
}

/// The lines of who sends a letter, where its head begins with them: the organization's name and its address. They belong to
/// the head of the page, and who reads the letter begins below.
#[must_use]
pub fn sender(document: &Document) -> Option<Vec<String>> {
    let head = document.sections.first().filter(|_| document.is_letter())?;
    let [Block::Paragraph(first), Block::Paragraph(_), ..] = head.blocks.as_slice() else {
        return None;
    };
    let organization = folded(document.meta.organization.as_deref()?);
    let text = plain_text(&first.runs);
    let lines: Vec<String> = (text.lines().map(str::trim))
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    let name = folded(lines.first()?);
    let is_own = name.contains(&organization) || organization.contains(&name);
    let has_address = (2..=SENDER_LINES).contains(&lines.len());
    let is_plain = first.align.is_none() && first.runs.iter().all(|run| run.cite.is_empty());
    (is_own && has_address && is_plain).then_some(lines)
}

fn folded(text: &str) -> String {
    text.trim().to_lowercase()
}

/// A line of a paragraph, counted from 0.
#[derive(Clone, Copy)]
struct Place {
    section: usize,
    block: usize,
    line: usize,
}

struct Line {
    place: Place,
    text: String,
    /// Whether something that is no paragraph stands above it.
    is_below_more: bool,
}

/// The line that signs a letter.
fn place_of(document: &Document) -> Option<Place> {
    if !document.is_letter() {
        return None;
    }
    let mut last = document.sections.iter().enumerate().rev();
    let (section, text) = last.find(|(index, it)| *index > 0 && !it.blocks.is_empty())?;
    let mut lines: Vec<Line> = Vec::new();
    let mut is_below_more = false;
    for (block, it) in text.blocks.iter().enumerate() {
        let Block::Paragraph(paragraph) = it else {
            is_below_more = true;
            continue;
        };
        let text = plain_text(&paragraph.runs);
        for (line, text) in text.split('\n').enumerate() {
            lines.push(Line {
                place: Place {
                    section,
                    block,
                    line,
                },
                text: text.trim().to_owned(),
                is_below_more,
            });
            is_below_more = false;
        }
    }
    // What is written without blanks is sealed beside the name.
    if lines.iter().any(|line| is_unspaced(&line.text)) {
        return None;
    }
    let first_sentence = lines
        .iter()
        .position(|line| ends_as_sentence(&line.text) || line.is_below_more)?;
    let pairs = lines.windows(2).enumerate().skip(first_sentence);
    let formula = pairs.clone().find_map(|(at, pair)| {
        let [formula, name] = pair else { return None };
        let is_first = formula.place.line == 0;
        let above = at.checked_sub(1).and_then(|above| lines.get(above));
        let is_behind = formula.is_below_more || above.is_some_and(|it| ends_as_sentence(&it.text));
        let is_alone = formula.place.block != name.place.block;
        (is_first
            && is_behind
            && closes(&formula.text, is_alone)
            && !name.is_below_more
            && may_be_name(&name.text))
        .then_some(name.place)
    });
    // A sentence may close a letter as well: then nothing but the signature follows it.
    let sentence = || {
        pairs.clone().find_map(|(at, pair)| {
            let [sentence, name] = pair else { return None };
            let rest = lines.get(at + 1..)?;
            (ends_as_sentence(&sentence.text)
                && name.place.line == 0
                && is_capitalized(&name.text)
                && rest
                    .iter()
                    .all(|line| may_be_name(&line.text) && !line.is_below_more))
            .then_some(name.place)
        })
    };
    formula.or_else(sentence)
}

/// Whether a line may close a letter: `Yours sincerely,`, `Mit freundlichen Grüßen`. A name has no small words but particles,
/// and a title below a name may have some, but stands below no sentence.
fn closes(line: &str, is_alone: bool) -> bool {
    let words = line.split_whitespace().count();
    let is_short = (1..=FORMULA_WORDS).contains(&words) && line.chars().count() <= FORMULA_CHARS;
    let ends_open = line.ends_with([',', '،', '，']);
    let has_small = line
        .split_whitespace()
        .any(|word| word.starts_with(char::is_lowercase));
    let is_uncased = !line.chars().any(|c| c.is_lowercase() || c.is_uppercase());
    is_short
        && !ends_as_sentence(line)
        && !line.contains(|c: char| c.is_numeric())
        && (ends_open || has_small || words == 1 || is_uncased && is_alone)
}

fn may_be_name(line: &str) -> bool {
    let words = line.split_whitespace().count();
    (1..=NAME_WORDS).contains(&words)
        && line.chars().count() <= NAME_CHARS
        && !ends_as_sentence(line)
        && !line.contains(|c: char| c.is_numeric())
        && !line.contains([':', '：'])
}

/// Whether a line is of two or more words, all but short ones capitalized: `Élise Delorme`, `Jan van der Berg`.
fn is_capitalized(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let large = |word: &&&str| word.starts_with(char::is_uppercase);
    let is_large = |word: &&str| word.starts_with(char::is_uppercase) || word.chars().count() <= 3;
    may_be_name(line) && words.iter().filter(large).count() >= 2 && words.iter().all(is_large)
}

/// An abbreviation of a word or two is no sentence: `Dr.`, `e. V.`.
fn ends_as_sentence(line: &str) -> bool {
    let ends = line.ends_with(['.', '!', '?', ':', '：', '؟', '…']);
    ends && line.split_whitespace().count() > 2
}

fn is_unspaced(line: &str) -> bool {
    line.chars()
        .any(|c| matches!(u32::from(c), 0x2e80..=0x9fff | 0xac00..=0xd7ff | 0xf900..=0xfaff))
}

/// The runs before a line, without the break between, and those from it on.
fn parted_at(runs: &[Run], line: usize) -> (Vec<Run>, Vec<Run>) {
    let (mut first, mut second): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
    let mut left = line;
    for run in runs {
        if left == 0 {
            second.push(run.clone());
            continue;
        }
        let breaks = run.text.match_indices('\n').nth(left - 1);
        match breaks {
            Some((at, _)) => {
                let text = |part: &str| Run {
                    text: part.to_owned(),
                    ..run.clone()
                };
                first.push(text(run.text.get(..at).unwrap_or_default()));
                second.push(text(run.text.get(at + 1..).unwrap_or_default()));
                left = 0;
            }
            None => {
                left -= run.text.matches('\n').count();
                first.push(run.clone());
            }
        }
    }
    for part in [&mut first, &mut second] {
        part.retain(|run| !run.text.is_empty());
    }
    (first, second)
}
