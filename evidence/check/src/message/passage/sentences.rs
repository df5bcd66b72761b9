//! Where the sentences of a passage stand.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::document::sentences::goes_on;

/// The ranges of the sentences of a text; [`Passage::sentences`](super::Passage::sentences) says how they end.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<usize> = None;
    let (short, places) = without_long_runs(text);
    let place = |at: usize| {
        let behind = places.partition_point(|(begin, _)| *begin <= at);
        let (begin, long) = places
            .get(behind.saturating_sub(1))
            .copied()
            .unwrap_or_default();
        long + (at - begin)
    };
    for (at, piece) in short.split_sentence_bound_indices() {
        let start = open.take().unwrap_or_else(|| place(at));
        // Behind the last byte, not at the next one: a run between them belongs to what it follows.
        let end = at + piece.len();
        let end = if end == short.len() {
            text.len()
        } else {
            place(end)
        };
        let trimmed = piece.trim_end();
        if let Some(before) = trimmed.strip_suffix('.')
            && end < text.len()
            && goes_on(before)
        {
            open = Some(start);
            continue;
        }
        found.extend(trimmed_range(text, start..end));
    }
    if let Some(start) = open {
        found.extend(trimmed_range(text, start..text.len()));
    }
    found.retain(|range| {
        let text = text.get(range.clone()).unwrap_or_default();
        text.chars().any(char::is_alphanumeric)
    });
    found
}

/// Most signs in a row, neither letters nor digits nor ends of sentences, that are looked at.
const LONGEST_RUN: usize = 8;

/// The text without what exceeds such a run, and where its parts stand in the text: to find out whether a full stop ends
/// a sentence, each sign behind it is asked for the next letter, which is quadratic work for a long run.
fn without_long_runs(text: &str) -> (Cow<'_, str>, Vec<(usize, usize)>) {
    let mut places = vec![(0, 0)];
    let mut short = String::new();
    let (mut run, mut from) = (0, 0);
    for (at, c) in text.char_indices() {
        run = match c.is_alphanumeric() || ".!?。！？".contains(c) {
            true => 0,
            false => run + 1,
        };
        if run > LONGEST_RUN {
            short.push_str(text.get(from..at).unwrap_or_default());
            from = at + c.len_utf8();
            match places.last_mut() {
                Some(last) if last.0 == short.len() => last.1 = from,
                _ => places.push((short.len(), from)),
            }
        }
    }
    if from == 0 {
        return (Cow::Borrowed(text), places);
    }
    short.push_str(text.get(from..).unwrap_or_default());
    (Cow::Owned(short), places)
}

fn trimmed_range(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let piece = text.get(range.clone())?;
    let start = range.start + (piece.len() - piece.trim_start().len());
    let end = start + piece.trim().len();
    (start < end).then_some(start..end)
}
