//! Brackets of a text that say something in confidence.

use std::ops::Range;

use gtm_lexicon::documents::{PRIVATE_LABELS, PRIVATE_ORDERS, TASK_LABELS};
use gtm_lexicon::{fold, split};

use super::super::mentions;
use super::labels::{BRACKETS, is_label, is_task};
use super::made_labels::is_made;
use super::orders::{is_private, is_statement};
use super::{placeholders, signed};
use crate::runs::apart;

/// As much of a bracket's beginning as is compared with labels, in characters.
const LABEL_LETTERS: usize = 80;
/// Most words of a bracket that only marks what stands around it.
const MARK_WORDS: usize = 10;

/// The text with blanks of the same length in these places, so that all others stay the same and a bracket's full stop ends
/// no sentence.
pub fn blanked(text: &str, places: &[Range<usize>]) -> String {
    let mut open: Vec<u8> = text.bytes().collect();
    for place in places {
        open.get_mut(place.clone())
            .into_iter()
            .for_each(|bytes| bytes.fill(b' '));
    }
    String::from_utf8_lossy(&open).into_owned()
}

/// Where a bracket says something in confidence, with the blank before it: in order, and none within another.
pub fn private_brackets(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (begin, end) in BRACKETS {
        for bracket in outer_brackets(text, begin, end) {
            let inner = bracket.start + begin.len_utf8()..bracket.end - end.len_utf8();
            let inner = text.get(inner).unwrap_or_default();
            if is_private_within(inner, begin == '(') {
                let before = text.get(..bracket.start).unwrap_or_default();
                found.push(before.trim_end_matches(' ').len()..bracket.end);
            }
        }
    }
    apart(found)
}

/// Where a bracket has a private label or an order and nothing else: `[internal]`, `(please do not show)`.
pub fn tags_of(text: &str) -> Vec<Range<usize>> {
    let brackets = BRACKETS.into_iter();
    let brackets = brackets.flat_map(|(begin, end)| outer_brackets(text, begin, end));
    let mut tags: Vec<Range<usize>> = brackets
        .filter(|place| text.get(place.clone()).is_some_and(is_mark))
        .collect();
    tags.sort_by_key(|tag| tag.start);
    tags
}

/// Whether all parts of a bracket are labels or orders, so that they speak of what stands around it.
fn is_mark(bracket: &str) -> bool {
    if bracket.split_whitespace().nth(MARK_WORDS).is_some() {
        return false;
    }
    let orders = |part: &str| {
        let words = mentions::plain_words(part);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        // `do not show this`
        let mut orders = PRIVATE_ORDERS.at_start(&words);
        orders.any(|order| words.len() <= order.len() + 1)
    };
    let inner = bracket.trim_matches(|c: char| !c.is_alphanumeric());
    let mut parts = inner.split([',', ';', '–', '/', '，', '、']);
    is_statement(inner) || parts.all(|part| is_label(part) || is_made(part) || orders(part))
}

/// The label in the bracket with which a line begins: `[Internal] Our margins`.
pub fn opening_tag(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (_, end) = BRACKETS
        .iter()
        .find(|(begin, _)| line.starts_with(*begin))?;
    let label = line.get(..line.find(*end)?)?;
    (is_label(label) && !is_task(label)).then_some(label)
}

/// The first of the tags, which are in order, that begins in a place.
pub fn first_tag<'t>(tags: &'t [Range<usize>], place: &Range<usize>) -> Option<&'t Range<usize>> {
    let next = tags.partition_point(|tag| tag.start < place.start);
    tags.get(next).filter(|tag| tag.start < place.end)
}

/// The closed brackets of a kind that stand in no other closed one. Each letter is looked at once.
fn outer_brackets(text: &str, begin: char, end: char) -> Vec<Range<usize>> {
    let mut closed: Vec<Range<usize>> = Vec::new();
    for (from, behind) in closings(text, (begin, end)) {
        let Some(from) = from else { continue };
        while closed.last().is_some_and(|inner| inner.start > from) {
            closed.pop();
        }
        closed.push(from..behind);
    }
    closed
}

/// Where brackets of a kind close: the place of the sign that opened it, if one did, and that behind the closing sign.
pub fn closings(
    text: &str,
    (begin, end): (char, char),
) -> impl Iterator<Item = (Option<usize>, usize)> {
    let mut open: Vec<usize> = Vec::new();
    text.char_indices().filter_map(move |(at, c)| {
        if c == begin {
            open.push(at);
            return None;
        }
        (c == end).then(|| (open.pop(), at + c.len_utf8()))
    })
}

/// Whether what stands behind the sign that opens a bracket begins with a private label.
pub fn begins_in_confidence(inner: &str, is_round: bool) -> bool {
    let begin: String = inner.chars().take(LABEL_LETTERS).collect();
    let folded = fold(&begin);
    let words = split(&folded);
    // A round bracket may begin so, too: `(to do this, …)`.
    let marks = !is_round || begin.starts_with("TODO");
    PRIVATE_LABELS.open(&words) || (marks && TASK_LABELS.open(&words))
}

/// Whether what stands in a bracket is private, or something in a bracket within it.
fn is_private_within(inner: &str, is_round: bool) -> bool {
    let opens = |part: &str| begins_in_confidence(part, is_round);
    let is_bracket = |c: char| BRACKETS.iter().any(|(begin, _)| c == *begin);
    // `(floor £3.05, internal)`: without a figure it may be a value, as in `(two days, internal)`.
    let ends = inner.contains(char::is_numeric)
        && inner
            .rsplit_once([',', ';', '–', '—'])
            .is_some_and(|(_, end)| is_label(end));
    ends || signed::calls_somebody(inner)
        || signed::is_one(inner, is_round)
        || !is_round && placeholders::ends_bracket(inner)
        || is_private(inner)
        || inner.split(is_bracket).any(opens)
}
