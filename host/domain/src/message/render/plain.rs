//! The plain text, and what stands where in it.

use super::fill::{Body, Line};
use crate::message::rendered::{Piece, PieceSource};

/// Between blocks.
const PARAGRAPH_END: &str = "\r\n\r\n";

/// A line outside of the body, with its pieces in code points.
pub(super) fn line(
    line: &Line,
    marker: Option<&str>,
) -> (String, Vec<(usize, usize, PieceSource)>) {
    let mut writer = Writer::default();
    if let Some(marker) = marker {
        writer.push(marker);
        writer.push(" ");
    }
    let pieces = line
        .0
        .iter()
        .map(|part| writer.piece(&part.text, part.source));
    let pieces = pieces.collect();
    (writer.text, pieces)
}

/// The body: one line a block, a blank line between two, no line end at the end.
pub(super) fn text(body: &Body, marker: Option<&str>) -> (String, Vec<Piece>) {
    let mut writer = Writer::default();
    let mut pieces = Vec::new();
    if let Some(marker) = marker {
        writer.push(marker);
    }
    for paragraph in &body.paragraphs {
        if !writer.text.is_empty() {
            writer.push(PARAGRAPH_END);
        }
        for part in &paragraph.line.0 {
            let mut piece = |text: &str, source| {
                let (start, end, source) = writer.piece(text, source);
                pieces.push(Piece {
                    start,
                    end,
                    block: paragraph.kind,
                    block_index: paragraph.index,
                    source,
                });
            };
            piece(&part.text, part.source);
            if let Some(link) = &part.link {
                piece(" (", PieceSource::Literal);
                piece(link.address.as_str(), link.source);
                piece(")", PieceSource::Literal);
            }
        }
    }
    (writer.text, pieces)
}

#[derive(Default)]
struct Writer {
    text: String,
    chars: usize,
}

impl Writer {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.chars += text.chars().count();
    }

    fn piece(&mut self, text: &str, source: PieceSource) -> (usize, usize, PieceSource) {
        let start = self.chars;
        self.push(text);
        (start, self.chars, source)
    }
}
