//! Where a text says something in confidence.
//!
//! Danger: nobody can tell where a note ends that begins in the middle of a text. So it goes on to the end of the text, though
//! some of it might have been meant for the reader; only a bracket that is closed ends it before.

use std::ops::Range;

use gtm_lexicon::company::REFERRING;
use gtm_lexicon::documents::NOTICES;
use gtm_lexicon::{fold, split};
use gtm_site_research::sentences;

use super::super::soft_breaks::SOFT_BREAK_CHAR;
use super::super::{mentions, wishes};
use super::brackets::{blanked, first_tag, private_brackets, tags_of};
use super::clauses::is_colon;
use super::labels::{
    Label, has_shouted_task, is_label, is_shouted, is_task, label_in, says_something,
};
use super::left_out::adds_to_a_ban;
use super::orders::{foresees_a_move, is_ordered, is_statement, may_be_secret};
use super::{Kind, bargains, placeholders};
use crate::runs::apart;

/// Most words that only lead to a label: `Just so you know, internal: …`.
const LEAD_WORDS: usize = 4;

/// What of a text is private.
#[derive(Debug, Default)]
pub struct Private {
    /// In order of where they begin; some may stand within others.
    pub places: Vec<Range<usize>>,
    /// Whether it goes on below the text: in the items of an inner list, or in who is quoted.
    pub goes_on: bool,
    /// Whether it says so of what stands around it, a list below it included.
    pub states: bool,
}

/// What of a text in a language is private. `forbidding` says that what stands above it forbids to say what it asks for.
pub fn private_in(text: &str, language: &str, kind: Kind, forbidding: bool) -> Private {
    let brackets = private_brackets(text);
    // A label alone in a bracket speaks of its sentence.
    let tags = tags_of(text);
    let brackets: Vec<Range<usize>> = brackets
        .into_iter()
        .filter(|place| {
            tags.binary_search_by_key(&place.end, |tag| tag.end)
                .is_err()
        })
        .chain(bargains::places(text, language))
        .collect();
    let brackets = apart(brackets);
    // One behind a sentence speaks of that: `We could go to £3. (internal)`
    let (behind, tags): (Vec<Range<usize>>, Vec<Range<usize>>) =
        tags.into_iter().partition(|tag| stands_behind(text, tag));
    let open = blanked(&blanked(text, &brackets), &behind);
    let flat = open.replace(['\n', SOFT_BREAK_CHAR], " ");
    // A bracket that states it speaks of its own sentence, unless it is one.
    let plain = blanked(&open, &tags);
    let alone = |tag: &Range<usize>| {
        let before = text.get(..tag.start).unwrap_or_default().trim_end();
        before.is_empty() || before.ends_with(['.', '!', '?', '。', '\n', SOFT_BREAK_CHAR])
    };
    let mut stating = tags
        .iter()
        .filter(|tag| text.get((*tag).clone()).is_some_and(is_statement));
    if is_statement(&plain) || stating.any(alone) {
        return Private {
            places: std::iter::once(0..text.len()).collect(),
            goes_on: true,
            states: true,
        };
    }
    let mut found = Private {
        places: brackets,
        ..Private::default()
    };
    found.places.extend(behind.iter().cloned());
    let end_of_text = text.trim_end().len();
    // Nobody can tell whether the next line goes on with a comment.
    if let Some(begin) = begin_of_comment(&open) {
        found.places.push(begin..text.len());
        found.goes_on = true;
    }
    let mut after_private = false;
    let mut before_it: Option<Range<usize>> = None;
    for place in sentence_places(&flat, language) {
        let sentence = open.get(place.clone()).unwrap_or_default();
        let is_last = place.end >= end_of_text;
        let is_label_alone = is_label(sentence) && !is_task(sentence);
        let alone = is_label_alone && !is_last;
        // `We could go to £3. Internal.` speaks of what stands before it.
        if is_label_alone && is_last {
            let marked = before_it.take().map(|before| before.start..place.end);
            found.places.extend(marked);
        }
        let tag = first_tag(&tags, &place);
        let announced = tag.is_some_and(|tag| announces_text(text, tag, &place));
        let label = label_in(sentence);
        let of_sentence = label.as_ref().is_some_and(|label| label.of_sentence);
        let reaches_on =
            alone || announced || is_shouted(sentence) || (label.is_some() && !of_sentence);
        let begin = match &label {
            Some(label) => place.start + label.begin,
            None => place.end,
        };
        let before = flat.get(place.start..begin).unwrap_or_default();
        let lines = open.get(place.start..begin).unwrap_or_default();
        // What to answer whom is what a playbook is for; up to which price, it is not to say.
        let answers = kind == Kind::Advice && !before.contains(char::is_numeric);
        let forbidden =
            is_ordered(before) || !answers && foresees_a_move(before) || wishes::is_ban(before);
        // `We won't go below 3.70, but not a word. Don't name Nagel either.`
        if forbidden && adds_to_a_ban(before) {
            found.places.extend(before_it.take().filter(|place| {
                let sentence = open.get(place.clone()).unwrap_or_default();
                may_be_secret(sentence)
            }));
        }
        let is_marked = behind.iter().any(|tag| {
            let between = text.get(place.end..tag.start).unwrap_or("-");
            between.trim().is_empty()
        });
        let whole = alone
            || is_marked
            || placeholders::is_one(sentence)
            || (after_private && refers(sentence))
            || of_sentence
            || tag.is_some()
            || has_shouted_task(sentence, language)
            || is_shouted(sentence)
            || label.as_ref().is_some_and(|label| is_led_to(label, lines))
            || (forbidding && mentions::asks(before))
            || forbidden;
        let from = if whole { place.start } else { begin };
        let end = if reaches_on { text.len() } else { place.end };
        after_private = from < end;
        if after_private {
            found.places.push(from..end);
        }
        let marks = tag.is_some_and(|tag| text.get(tag.clone()).is_some_and(|it| !is_task(it)));
        found.goes_on |= reaches_on || (is_last && (of_sentence || marks));
        before_it = Some(place);
        if reaches_on {
            break;
        }
    }
    found
        .places
        .sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
    found
}

/// Whether a bracketed label stands behind the sentence of which it speaks: nothing follows, or another sentence does.
fn stands_behind(text: &str, tag: &Range<usize>) -> bool {
    let mark = text.get(tag.clone()).unwrap_or_default();
    let before = text
        .get(..tag.start)
        .unwrap_or_default()
        .trim_end_matches(' ');
    let behind = text
        .get(tag.end..)
        .unwrap_or_default()
        .trim_start_matches(' ');
    let ends = before.ends_with(['.', '!', '?', '。', '！', '？']);
    let bare = mark.trim_start_matches(['(', '（']);
    let is_round = bare.len() < mark.len();
    let next = behind
        .starts_with(|c: char| !c.is_lowercase() && !matches!(c, ':' | '：' | '–' | '—' | '-'));
    let is_said_on = behind
        .trim_matches(|c: char| !c.is_alphanumeric())
        .is_empty();
    ends && !is_task(mark)
        && !is_statement(mark)
        && !is_statement(mark)
        && (is_said_on || is_round && !bare.starts_with(char::is_uppercase) && next)
}

/// Whether a bracketed label speaks of all that follows: `[Internal] They pay late. …`, and `PS (internal): …`. A mark of what
/// is to be done speaks of its own sentence.
fn announces_text(text: &str, tag: &Range<usize>, sentence: &Range<usize>) -> bool {
    let mark = text.get(tag.clone()).unwrap_or_default();
    let behind = text.get(tag.end..).unwrap_or_default().trim_start();
    let signed = behind.starts_with(|c| is_colon(c) || matches!(c, '–' | '—' | '-'));
    let before = fold(text.get(sentence.start..tag.start).unwrap_or_default());
    let before = split(&before);
    !is_task(mark) && (before.is_empty() || signed || NOTICES.are(&before))
}

/// Where a comment begins as programmers write it: `// don't send`, at the beginning of a line or a sentence.
fn begin_of_comment(text: &str) -> Option<usize> {
    text.match_indices("//").map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).unwrap_or_default();
        // `//server/share` is a path.
        let behind = text.get(at + "//".len()..).unwrap_or_default();
        if !behind.starts_with(char::is_whitespace) {
            return false;
        }
        let ends = ['.', '!', '?', ';', '…', '。', '\n', SOFT_BREAK_CHAR];
        let parted = before.ends_with(char::is_whitespace) || before.ends_with(SOFT_BREAK_CHAR);
        let line = before.trim_end_matches(' ');
        line.is_empty() || parted && line.ends_with(ends)
    })
}

/// Whether a sentence speaks of what stands before it: `He saw the other offer.`
fn refers(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let first = words.first();
    first.is_some_and(|word| REFERRING.contains(word))
}

/// Whether the words before a label only lead to it.
pub fn is_led_to(label: &Label, before: &str) -> bool {
    let words = before
        .split_whitespace()
        .filter(|word| says_something(word));
    // Another line, or a figure, says something by itself.
    let parts = |c: char| c.is_numeric() || matches!(c, '\n' | SOFT_BREAK_CHAR);
    label.may_be_led_to() && !before.contains(parts) && words.count() <= LEAD_WORDS
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
