//! Private labels: what stands before a colon or a dash where a brief tells its writer something in confidence.

use std::ops::Range;

use gtm_lexicon::documents::{
    NOTE_WORDS, NOTICES, PRICE_HEADINGS, PRIVATE_ASIDES, PRIVATE_LABELS, TASK_LABELS,
};
use gtm_lexicon::{fold, split};
use gtm_page_text::primary_language;

use super::super::soft_breaks::SOFT_BREAK_CHAR;
use super::clauses::is_colon;
use super::made_labels::is_made;
use super::made_tasks::is_task_with_somebody;

/// Brackets, each with its closing one.
pub const BRACKETS: [(char, char); 6] = [
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('（', '）'),
    ('［', '］'),
    ('【', '】'),
];

/// Longest label, in words.
const LABEL_WORDS: usize = 5;
/// Fewest letters of a label that needs no sign behind it because it is in capitals.
const SHOUTED_LETTERS: usize = 3;
/// Fewest letters of a mark of what is to be done that needs none.
const SHOUTED_TASK_LETTERS: usize = 4;
/// Languages in which `todo` means all.
const LANGUAGES_WITH_TODO: [&str; 2] = ["es", "pt"];

/// A private label in a text.
#[derive(Debug, Clone)]
pub struct Label {
    /// Where what it speaks of begins: at the sign before the label.
    pub begin: usize,
    pub words: Range<usize>,
    /// The bracket, dash, bar or comma before it; none where it begins a line or a sentence.
    pub sign: Option<char>,
    /// Whether it speaks of its own sentence alone: `The floor is £3 – internal.`, `Between us, the floor is £3.`
    pub of_sentence: bool,
}

impl Label {
    const fn at(begin: usize, from: usize, sign: Option<char>) -> Self {
        Self {
            begin,
            words: from..from,
            sign,
            of_sentence: false,
        }
    }

    /// Whether nothing stands between the beginning of a line and a place.
    fn is_at_the_start(&self, text: &str, at: usize) -> bool {
        let between = text.get(self.words.start..at).unwrap_or_default();
        self.sign.is_none() && between.trim().is_empty()
    }

    /// Whether words before it only lead to it: `Please note, internal: …`. Behind a dash, a bar or a figure it follows
    /// something that is for the reader.
    pub fn may_be_led_to(&self) -> bool {
        self.sign
            .is_none_or(|sign| is_colon(sign) || matches!(sign, ',' | '，' | '、' | ';' | '；'))
    }
}

/// What a character does to a label before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// A colon, a dash, a bar: what follows is what the label speaks of.
    Announces,
    Comma,
    /// A sentence or a line ends.
    Ends,
    Opens,
    Closes,
    /// Something else that parts words.
    Parts,
    None,
}

impl Sign {
    fn of(c: char, before: Option<char>, next: Option<char>) -> Self {
        let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        match c {
            _ if is_colon(c) => Self::Announces,
            '–' | '—' | '―' | '|' | '｜' | '=' | '→' => Self::Announces,
            // A hyphen stands between two letters.
            '-' if blank(before) || blank(next) || next == Some('-') => Self::Announces,
            ',' | '，' | '、' | ';' | '；' => Self::Comma,
            '.' | '!' | '?' | '…' | '。' | '！' | '？' | '\n' | SOFT_BREAK_CHAR => Self::Ends,
            '"' | '“' | '„' | '«' | '<' | '#' => Self::Parts,
            '/' if blank(before) => Self::Parts,
            // `£4.10 internal: …`
            ' ' if before.is_some_and(is_figure) => Self::Parts,
            _ if BRACKETS.iter().any(|(begin, _)| c == *begin) => Self::Opens,
            _ if BRACKETS.iter().any(|(_, end)| c == *end) => Self::Closes,
            _ => Self::None,
        }
    }
}

/// The first private label of a text: at the beginning or behind a bracket, a dash, a bar or another sign.
pub fn label_in(text: &str) -> Option<Label> {
    let mut label = Label::at(0, 0, None);
    // What stands before the last bracket: `Internal (sales): …`.
    let mut outer: Option<Label> = None;
    // Where a notice begins that stands directly before: `Nota: uso interno, …`, `Note – internal: …`.
    let mut notice: Option<usize> = None;
    let mut before = None;
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let behind = at + c.len_utf8();
        let sign = Sign::of(c, before, letters.peek().map(|(_, next)| *next));
        before = Some(c);
        if sign == Sign::None {
            continue;
        }
        label.words.end = at;
        let words = text.get(label.words.clone()).unwrap_or_default();
        let follows = || text.get(behind..).is_some_and(says_something);
        if let Some(begin) = notice.filter(|_| says_something(words)) {
            notice = None;
            let ends = matches!(sign, Sign::Announces | Sign::Comma | Sign::Ends);
            if ends && is_label(words) {
                return Some(Label {
                    begin,
                    sign: None,
                    ..label
                });
            }
        } else if sign == Sign::Announces && label.sign.is_none() && is_notice(words) {
            notice = Some(label.begin);
        }
        let found = match sign {
            Sign::Announces => announces(words) || is_made(words),
            Sign::Ends => c != '?' && label.sign.is_none() && is_label(words) && follows(),
            // `Confidential, fast and safe` tells nothing in confidence; `For internal use, …` does.
            Sign::Comma => {
                let is = if matches!(c, ';' | '；') {
                    is_label
                } else {
                    is_long_label
                };
                label.sign.is_none() && is(words)
            }
            _ => false,
        };
        if found {
            return Some(label);
        }
        // `The owner, between us, is broke.`
        let parted = label
            .sign
            .is_none_or(|sign| matches!(sign, ',' | '，' | '–' | '—'));
        if matches!(sign, Sign::Comma | Sign::Announces)
            && !is_colon(c)
            && parted
            && is_aside(words)
        {
            label.of_sentence = true;
            return Some(label);
        }
        if sign == Sign::Announces {
            let around = outer.take().filter(|_| words.trim().is_empty());
            if let Some(around) = around
                && text.get(around.words.clone()).is_some_and(announces)
            {
                return Some(around);
            }
        }
        if sign == Sign::Ends && trails(&label, words) {
            label.of_sentence = true;
            return Some(label);
        }
        if sign == Sign::Opens {
            outer = Some(label.clone());
        }
        let ends = sign == Sign::Ends;
        let parts = matches!(sign, Sign::Announces | Sign::Comma | Sign::Parts) && !is_colon(c);
        // A dash may stand before an item.
        let starts = ends || parts && label.is_at_the_start(text, at);
        let begin = if ends { behind } else { at };
        label = Label::at(begin, behind, (!starts).then_some(c));
    }
    label.words.end = text.len();
    let words = text.get(label.words.clone()).unwrap_or_default();
    if let Some(begin) = notice.filter(|_| is_label(words)) {
        return Some(Label {
            begin,
            sign: None,
            ..label
        });
    }
    trails(&label, words).then_some(Label {
        of_sentence: true,
        ..label
    })
}

/// Whether a label stands behind a dash and ends what it speaks of.
fn trails(label: &Label, words: &str) -> bool {
    let sign = label.sign;
    sign.is_some_and(|sign| matches!(sign, '–' | '—' | '―' | '-' | '|' | '｜'))
        && (is_label(words) || is_task_with_somebody(words))
}

/// Whether a sentence begins with a label in capitals and goes on in small letters: `INTERNAL the margin is 40 %`; or with
/// a tag: `#internal the margin`.
pub fn is_shouted(sentence: &str) -> bool {
    let bare = sentence.trim_start_matches(is_no_letter);
    let Some((word, rest)) = bare.split_once(char::is_whitespace) else {
        return false;
    };
    let tagged = sentence.trim_start().starts_with(['#', '@']);
    let capitals = word.chars().all(char::is_uppercase) && word.chars().count() >= SHOUTED_LETTERS;
    // `TODO` is a word in some languages ([`has_shouted_task`]).
    let is_todo = fold(word).starts_with("todo");
    (capitals || tagged) && rest.contains(char::is_lowercase) && is_label(word) && !is_todo
}

/// Whether a mark of what is to be done stands in a sentence in capitals, which needs no sign behind it: `TODO ask Anna`. In
/// Spanish and Portuguese it is a word.
pub fn has_shouted_task(sentence: &str, language: &str) -> bool {
    let mut words = sentence.split(|c: char| !c.is_alphanumeric());
    !LANGUAGES_WITH_TODO.contains(&primary_language(language))
        && words.any(|word| {
            word.len() >= SHOUTED_TASK_LETTERS
                && word.chars().all(char::is_uppercase)
                && TASK_LABELS.has_word(&fold(word))
        })
}

/// Whether a line is a label and nothing else, with or without the sign behind it.
pub fn is_label_line(line: &str) -> bool {
    let bare = line.trim_matches(is_no_letter);
    let behind = line.rsplit(bare).next().unwrap_or_default();
    let signed = behind.contains(|c| is_colon(c) || matches!(c, '–' | '—' | '-'));
    is_label(bare) || (signed && (announces(bare) || is_made(bare)))
}

/// Whether a text is a private label, or a mark of what is to be done.
pub fn is_label(text: &str) -> bool {
    with_words(text, |words| {
        PRIVATE_LABELS.are(words) || PRIVATE_ASIDES.are(words) || TASK_LABELS.are(words)
    })
}

/// Whether a text only says that a note follows: `Nota`, `Remarque`, `For info`.
fn is_notice(text: &str) -> bool {
    with_words(text, |words| NOTICES.are(words) || NOTE_WORDS.are(words))
}

fn is_aside(text: &str) -> bool {
    with_words(text, |words| PRIVATE_ASIDES.are(words))
}

/// Whether a text is a mark of what is to be done.
pub fn is_task(text: &str) -> bool {
    with_words(text, |words| TASK_LABELS.are(words))
}

/// Whether a text is a label of several words. One word may be a value as well: `Training: internal`.
pub fn is_long_label(text: &str) -> bool {
    with_words(text, |words| words.len() > 1 && PRIVATE_LABELS.are(words))
}

fn with_words(text: &str, is: impl Fn(&[&str]) -> bool) -> bool {
    let folded = fold(text.trim_matches(is_no_letter));
    let words = split(&folded);
    (1..=LABEL_WORDS).contains(&words.len()) && is(&words)
}

/// Whether the words before a colon or a dash say that what follows is private: a label, one behind a notice or ordinary words
/// (`NB internal`, `A quick internal note`), or one that goes on (`Internal note from Jo`).
pub fn announces(text: &str) -> bool {
    if is_label(text) {
        return true;
    }
    let folded = fold(text.trim_matches(is_no_letter));
    let words = split(&folded);
    let is_long = |label: &[&str]| label.len() > 1 && PRIVATE_LABELS.are(label);
    let goes_on = PRIVATE_LABELS
        .at_start(&words)
        .any(|phrase| phrase.len() > 1);
    let from = words.len().saturating_sub(LABEL_WORDS);
    let ends = (from..words.len()).any(|at| words.get(at..).is_some_and(is_long));
    let noticed = words.split_last().is_some_and(|(last, before)| {
        let counts = |word: &&str| word.chars().all(char::is_numeric);
        let leads = NOTICES.are(before) || PRICE_HEADINGS.are(before);
        PRIVATE_LABELS.has_word(last) && (leads || before.iter().all(counts))
    });
    goes_on || ends || noticed
}

/// Whether a label of several words stands anywhere in a text: `Our internal notes on the price`.
pub fn has_long_label(text: &str) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    PRIVATE_LABELS
        .places(&words)
        .any(|(_, phrase)| phrase.len() > 1)
}

fn is_figure(c: char) -> bool {
    c.is_numeric() || matches!(c, '%' | '€' | '£' | '$' | '¥')
}

pub fn is_no_letter(c: char) -> bool {
    !c.is_alphanumeric()
}

pub fn says_something(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}
