//! A filled message as it is read: its paragraphs, each with its place in the body.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use gtm_domain::message::characters::clean;
use gtm_domain::message::compliance::Span;
use gtm_domain::message::{BlockKind, Piece, PieceSource, Placeholder, RenderedMessage};

use super::asks::{Ask, asks};
use super::passage::{Passage, Source};
use super::vocabulary::Vocabulary;

/// A paragraph.
#[derive(Debug, Clone)]
pub(super) struct Paragraph {
    pub kind: BlockKind,
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

/// Whether it is what the template's author wrote, or what the caller wrote of the ask and of the sender: nobody else
/// looked at that.
pub(super) const fn is_written(source: Source) -> bool {
    is_praising(source) || is_name(source)
}

/// Whether praise is looked for in it. A name such as `Best Meters` is none.
pub(super) const fn is_praising(source: Source) -> bool {
    use Placeholder::{NextStepAsk, SenderRole};
    source.is_own() || matches!(source, Source::Value(NextStepAsk | SenderRole))
}

/// Whether it is a name of the sender.
pub(super) const fn is_name(source: Source) -> bool {
    use Placeholder::{SenderFullName, SenderOrganization};
    matches!(source, Source::Value(SenderFullName | SenderOrganization))
}

/// Whether it is the text of the policy or of the platform.
pub(super) const fn is_notice(source: Source) -> bool {
    use Placeholder::{ComplianceOptOut, CompliancePostalIdentity, CompliancePrivacyNotice};
    matches!(
        source,
        Source::Value(ComplianceOptOut | CompliancePostalIdentity | CompliancePrivacyNotice)
    )
}

impl Filled {
    pub(super) fn of(
        message: &RenderedMessage,
        values: &BTreeMap<String, String>,
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
            let asks = asks(&passage, &sentences, vocabulary, Source::is_own);
            paragraphs.push(Paragraph {
                kind: first.block,
                sentences,
                asks,
                passage,
                begin: byte_of(&bytes, first.start),
            });
        }
        let of_subject = bytes_of(&message.subject);
        let whole = 0..of_subject.len().saturating_sub(1);
        let pieces = message.subject_pieces.iter().copied();
        Self {
            subject: passage(&message.subject, &of_subject, whole, pieces),
            preview: with_values(message.preview_text.as_deref().unwrap_or_default(), values),
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

/// A filled line of which nobody says what is a value: where the words of one stand, they are taken for it.
fn with_values(text: &str, values: &BTreeMap<String, String>) -> Passage {
    let mut known: Vec<(Placeholder, String)> = values
        .iter()
        .filter_map(|(name, value)| {
            let value = clean(value).trim().to_owned();
            Some((Placeholder::from_name(name)?, value))
        })
        .filter(|(_, value)| value.contains(char::is_alphabetic))
        .collect();
    known.sort_by_key(|(_, value)| Reverse(value.len()));
    let mut passage = Passage::default();
    let (mut own, mut at) = (0, 0);
    let mut before = None;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let is_whole = |value: &str| {
            let behind = rest.strip_prefix(value).map(|behind| behind.chars().next());
            let behind = behind.is_some_and(|next| !next.is_some_and(char::is_alphanumeric));
            behind && !before.is_some_and(char::is_alphanumeric)
        };
        if let Some((placeholder, value)) = known.iter().find(|(_, value)| is_whole(value)) {
            passage.push(text.get(own..at).unwrap_or_default(), Source::Literal);
            passage.push(value, Source::Value(*placeholder));
            at += value.len();
            own = at;
            before = value.chars().next_back();
        } else {
            before = rest.chars().next();
            at += before.map_or(1, char::len_utf8);
        }
    }
    passage.push(text.get(own..).unwrap_or_default(), Source::Literal);
    passage
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
