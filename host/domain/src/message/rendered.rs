//! A filled template: what rendering returns, and what stands where in its text.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::placeholder::Placeholder;
use super::structure::BlockKind;
use crate::Digest;

/// The renderer, which is the host's own and deterministic: the same values give the same bytes under the same
/// version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RendererIdentity {
    pub key: String,
    pub version: String,
}

/// Sizes of a filled template.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MessageCounts {
    /// Words from greeting to sign-off.
    pub words: usize,
    /// Links.
    pub links: usize,
    /// Code points of the subject.
    pub subject_chars: usize,
}

/// A fault of a template, a draft or a value, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageFault {
    /// RFC 6901 pointer into what was given.
    pub pointer: String,
    /// Stable name of the rule that it breaks, in snake_case.
    pub rule: String,
    /// What is wrong, in one sentence that repeats nothing of the value.
    pub message: String,
}

impl MessageFault {
    /// A fault at a pointer, by a rule's name, told in one sentence.
    #[must_use]
    pub fn new(
        pointer: impl Into<String>,
        rule: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            pointer: pointer.into(),
            rule: rule.into(),
            message: message.into(),
        }
    }
}

/// What a piece of the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceSource {
    /// The template's own words, or its fallback's.
    Literal,
    /// The value of a placeholder.
    Value(Placeholder),
}

/// A piece of the plain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins in the text, in code points.
    pub start: usize,
    /// Where it ends: the first code point after it.
    pub end: usize,
    /// The block that it stands in.
    pub block: BlockKind,
    /// Index of that block in the structure.
    pub block_index: usize,
    /// What it is.
    pub source: PieceSource,
}

/// A filled template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedMessage {
    /// One line.
    pub subject: String,
    /// Shown beside the subject in a mailbox; in the HTML only.
    pub preview_text: Option<String>,
    /// Plain text: blocks with a blank line between them, CRLF, no line end at the end.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// Ids of optional blocks that were dropped.
    pub dropped_blocks: Vec<String>,
    /// Ids of blocks whose fallback stands in their place.
    pub used_fallbacks: Vec<String>,
    pub counts: MessageCounts,
    pub renderer: RendererIdentity,
    /// Hash of the values as given.
    pub values_hash: Digest,
    /// Hash of template, values, renderer and everything that was made of them.
    pub render_hash: Digest,
    /// What stands where in `text`, in order.
    pub pieces: Vec<Piece>,
    /// What stands where in `subject`, in order: from which code point, to which, and what it is.
    pub subject_pieces: Vec<(usize, usize, PieceSource)>,
    /// The same of `preview_text`.
    pub preview_pieces: Vec<(usize, usize, PieceSource)>,
}
