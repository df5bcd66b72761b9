//! Where a check found what fails it, in a form that whoever has to mend it can use: the block, the words, and the value of
//! the request that they are of.

use std::ops::Range;

use gtm_domain::message::compliance::{CheckKey, CheckOutcome, ContentCheck, Span};
use gtm_domain::message::prospect_message_result::{FOUND_CHARS, MAX_FOUND};
use gtm_domain::message::values::mended_at;
use serde_json::Value;

use super::super::filled::{Filled, Paragraph};
use super::super::passage::{Passage, Source};

/// The pointer to what has no place of its own: the message as a whole.
const WHOLE: &str = "/blocks";

/// A place that fails a check.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    /// Pointer into the template's structure.
    pointer: String,
    place: Place,
    /// Pointer into the request to the value that stands there.
    mend: Option<&'static str>,
}

#[derive(Debug, Clone)]
enum Place {
    Body(Span),
    /// Words of the subject or of the preview text, which are no part of the body.
    Before(String),
}

impl Hit {
    /// Bytes of a paragraph.
    pub(super) fn of(filled: &Filled, paragraph: &Paragraph, range: &Range<usize>) -> Self {
        Self {
            pointer: format!("{WHOLE}/{}", paragraph.block_index),
            place: Place::Body(filled.span(paragraph, range)),
            mend: mend(&paragraph.passage, range.start),
        }
    }

    /// Bytes of a line before the body.
    pub(super) fn of_line(pointer: &str, line: &Passage, range: &Range<usize>) -> Self {
        let words = line.text.get(range.clone()).unwrap_or_default();
        Self {
            pointer: pointer.to_owned(),
            place: Place::Before(words.chars().take(FOUND_CHARS).collect()),
            mend: mend(line, range.start),
        }
    }

    pub(super) fn of_whole_line(pointer: &str, line: &Passage) -> Self {
        Self {
            mend: None,
            ..Self::of_line(pointer, line, &(0..line.text.len()))
        }
    }

    /// Where it begins in the body; what stands before the body comes last.
    pub(super) const fn begins_at(&self) -> usize {
        match self.place {
            Place::Body(span) => span.start,
            Place::Before(_) => usize::MAX,
        }
    }
}

fn mend(passage: &Passage, byte: usize) -> Option<&'static str> {
    match passage.source_at(byte)? {
        Source::Value(placeholder) => mended_at(placeholder),
        _ => None,
    }
}

pub(super) fn result(
    check: CheckKey,
    passed: bool,
    observed: Value,
    limit: Value,
    hits: Vec<Hit>,
) -> ContentCheck {
    let mut told = ContentCheck {
        check,
        outcome: if passed {
            CheckOutcome::Passed
        } else {
            CheckOutcome::Failed
        },
        observed: Some(observed),
        limit: Some(limit),
        spans: Vec::new(),
        found: Vec::new(),
        pointers: Vec::new(),
        message: None,
        mend: hits.first().and_then(|hit| hit.mend),
    };
    for hit in hits {
        if !told.pointers.contains(&hit.pointer) {
            told.pointers.push(hit.pointer);
        }
        match hit.place {
            Place::Body(span) => told.spans.push(span),
            Place::Before(words) if told.found.len() < MAX_FOUND => told.found.push(words),
            Place::Before(_) => {}
        }
    }
    if !passed && told.pointers.is_empty() {
        told.pointers.push(WHOLE.to_owned());
    }
    told
}
