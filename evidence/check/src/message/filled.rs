//! A filled message as it is read: its paragraphs, each with its place in the body.

use std::ops::Range;

use gtm_domain::message::compliance::Span;
use gtm_domain::message::{BlockKind, Piece, PieceSource, RenderedMessage};

use super::asks::{Ask, asks};
use super::passage::{Passage, Source};
use super::said_by::is_worded;
use super::vocabulary::Vocabulary;

#[derive(Debug, Clone)]
pub(super) struct Paragraph {
    pub kind: BlockKind,
    /// Index of its block in the template's structure.
    pub block_index: usize,
    pub passage: Passage,
    pub sentences: Vec<Range<usize>>,
    pub asks: Vec<Ask>,
    /// Byte of the text at which it begins.
    begin: usize,
}

/// The message's text by paragraphs.
#[derive(Debug, Clone)]
pub(super) struct Filled {
    pub paragraphs: Vec<Paragraph>,
    pub subject: Passage,
    /// Stands first in the HTML and beside the subject in a mailbox.
    pub preview: Passage,
    /// Byte of each code point of the text, and its length.
    bytes: Vec<usize>,
    /// Code points of the body before the text.
    text_begins_at: usize,
}

impl Filled {
    pub(super) fn of(
        message: &RenderedMessage,
        text_begins_at: usize,
        vocabulary: &Vocabulary,
    ) -> Self {
        let bytes = bytes_of(&message.text);
        let mut paragraphs = Vec::new();
        for pieces in message
            .pieces
            .chunk_by(|one, other| one.block_index == other.block_index)
        {
            let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
                continue;
            };
            let passage = passage(
                &message.text,
                &bytes,
                first.start..last.end,
                pieces
                    .iter()
                    .map(|piece: &Piece| (piece.start, piece.end, piece.source)),
            );
            let sentences = passage.sentences();
            let asks = asks(&passage, &sentences, vocabulary, is_worded);
            paragraphs.push(Paragraph {
                kind: first.block,
                block_index: first.block_index,
                sentences,
                asks,
                passage,
                begin: byte_of(&bytes, first.start),
            });
        }
        let preview = message.preview_text.as_deref().unwrap_or_default();
        Self {
            subject: line(&message.subject, &message.subject_pieces),
            preview: line(preview, &message.preview_pieces),
            paragraphs,
            bytes,
            text_begins_at,
        }
    }

    /// The place in the body of bytes of a paragraph.
    pub(super) fn span(&self, paragraph: &Paragraph, range: &Range<usize>) -> Span {
        let at = |byte: usize| {
            self.bytes
                .partition_point(|start| *start < paragraph.begin + byte)
        };
        Span {
            start: self.text_begins_at + at(range.start),
            end: self.text_begins_at + at(range.end),
        }
    }
}

/// A line outside of the body.
fn line(text: &str, pieces: &[(usize, usize, PieceSource)]) -> Passage {
    let bytes = bytes_of(text);
    let whole = 0..bytes.len().saturating_sub(1);
    passage(text, &bytes, whole, pieces.iter().copied())
}

/// The bytes at which the code points begin, and where the text ends.
fn bytes_of(text: &str) -> Vec<usize> {
    text.char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect()
}

fn byte_of(bytes: &[usize], point: usize) -> usize {
    let last = bytes.last().copied().unwrap_or_default();
    bytes.get(point).copied().unwrap_or(last)
}

/// What stands between these code points, with the pieces in it. What no piece has was added by the renderer.
fn passage(
    text: &str,
    bytes: &[usize],
    points: Range<usize>,
    pieces: impl Iterator<Item = (usize, usize, PieceSource)>,
) -> Passage {
    let slice = |from: usize, to: usize| {
        let range = byte_of(bytes, from)..byte_of(bytes, to);
        text.get(range).unwrap_or_default()
    };
    let mut passage = Passage::default();
    let mut at = points.start;
    for (start, end, source) in pieces {
        if start > at {
            passage.push(slice(at, start), Source::Added);
        }
        let source = match source {
            PieceSource::Literal => Source::Literal,
            PieceSource::Value(placeholder) => Source::Value(placeholder),
        };
        passage.push(slice(start.max(at), end), source);
        at = at.max(end);
    }
    if at < points.end {
        passage.push(slice(at, points.end), Source::Added);
    }
    passage
}
