//! What of a paragraph is judged by itself: its sentences, and its lines that begin with a label.

use std::ops::Range;

use gtm_lexicon::documents::DIRECTION_LABELS;
use gtm_lexicon::{fold, split};

use super::super::soft_breaks::SOFT_BREAK_CHAR;
use super::super::verdicts::{Place, Verdict};
use super::super::{forms, outline, wishes};
use crate::runs::sentences_of;

/// Longest label before a colon, in words.
const LABEL_WORDS: usize = 4;

/// The sentences of a text, its lines that begin with a label and, at the beginning, those that order a form as a whole.
pub fn segments_of(text: &str, language: &str, at_the_beginning: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut segment = 0..0;
    let mut labeled = false;
    let mut begin = 0;
    for line in text.split_inclusive([SOFT_BREAK_CHAR, '\n']) {
        let end = begin + line.len();
        let next = text.get(end..).unwrap_or_default();
        let is_label = is_labeled(line)
            || outline::is_told(line)
            || at_the_beginning
                && next.starts_with(|c: char| !c.is_lowercase())
                && ends_with_a_form(line, language);
        // A label's text may go on in the next line.
        let goes_on = labeled && !is_label && line.starts_with(char::is_lowercase);
        if (is_label || labeled) && !goes_on {
            close(text, segment, labeled, language, &mut found);
            segment = begin..end;
            labeled = is_label;
        } else {
            segment.end = end;
        }
        begin = end;
    }
    close(text, segment, labeled, language, &mut found);
    found
}

/// Whether a line is an order that ends with a length or a format: `Présentation pour Kerhoz, à faire en PDF, 5 pages max`. Only
/// such a line was certainly not wrapped.
fn ends_with_a_form(line: &str, language: &str) -> bool {
    let last = line.rsplit([',', ';', '–', '—']).next().unwrap_or_default();
    let form = wishes::is_size(last, language, false) || forms::are_named(last, language);
    form && Verdict::of(line.trim_end(), language, Place::Beginning).orders_a_document()
}

fn close(
    text: &str,
    segment: Range<usize>,
    labeled: bool,
    language: &str,
    found: &mut Vec<Range<usize>>,
) {
    if labeled {
        found.push(segment);
    } else {
        let part = text.get(segment.clone()).unwrap_or_default();
        for place in sentences_of(part, language) {
            let (begin, end) = (place.start + segment.start, place.end + segment.start);
            // An abbreviated limit ends a sentence where it says how long the document is to be: `Two pages max. Keep it plain.`
            let sentence = text.get(begin..end).unwrap_or_default();
            let size = sentence.match_indices(". ").map(|(at, dot)| at + dot.len());
            let size = size.take(1).find(|at| {
                let (before, behind) = sentence.split_at(*at);
                behind.starts_with(char::is_uppercase) && wishes::is_size(before, language, false)
            });
            let middle = begin + size.unwrap_or(0);
            if size.is_some() {
                found.push(begin..middle);
            }
            found.push(middle..end);
        }
    }
}

/// Whether a line begins with the label of a direction.
pub fn is_labeled(line: &str) -> bool {
    let Some((label, rest)) = line.split_once([':', '：']) else {
        return false;
    };
    let folded = fold(label);
    let words = split(&folded);
    (1..=LABEL_WORDS).contains(&words.len())
        && !rest.trim().is_empty()
        && DIRECTION_LABELS.are(&words)
}
