//! How much a structure may hold (decision 0129).
//!
//! DANGER: whoever creates a template decides how much there is to read, and each text is read many times. So this is asked
//! first, and of a structure that is too large nothing else is looked at.

use super::BLOCKS;
use crate::message::rendered::MessageFault;
use crate::message::structure::{Inline, Structure};

/// Most pieces of a subject.
const SUBJECT_INLINES: usize = 6;
/// Most pieces of a preview text, a block and a fallback.
const LINE_INLINES: usize = 40;
/// Longest preview text, block and fallback, in code points of the author's own words.
const LINE_CHARS: usize = 3_000;
/// Longest structure, in code points of the author's own words.
const STRUCTURE_CHARS: usize = 20_000;

/// What makes a structure too large.
pub(super) fn faults(structure: &Structure) -> Vec<MessageFault> {
    if structure.blocks.len() > BLOCKS.1 {
        return vec![block_count()];
    }
    if structure.subject.len() > SUBJECT_INLINES {
        return vec![subject_size()];
    }
    let blocks = structure.blocks.iter().enumerate().flat_map(|(at, block)| {
        [
            (format!("/blocks/{at}/inlines"), &block.inlines),
            (format!("/blocks/{at}/fallback"), &block.fallback),
        ]
    });
    let preview = ("/preview_text".to_owned(), &structure.preview_text);
    let (mut found, mut whole) = (Vec::new(), chars(&structure.subject));
    for (pointer, inlines) in std::iter::once(preview).chain(blocks) {
        let chars = chars(inlines);
        whole += chars;
        if inlines.len() > LINE_INLINES {
            let message = format!("It must have at most {LINE_INLINES} pieces.");
            found.push(MessageFault::new(pointer, "too_many_pieces", message));
        } else if chars > LINE_CHARS {
            let message = format!("Its pieces must have at most {LINE_CHARS} characters together.");
            found.push(MessageFault::new(pointer, "line_too_long", message));
        }
    }
    if found.is_empty() && whole > STRUCTURE_CHARS {
        let message = format!("The whole template must have at most {STRUCTURE_CHARS} characters.");
        found.push(MessageFault::new("", "template_too_long", message));
    }
    found
}

/// The fault of a subject with too few or too many pieces.
pub(super) fn subject_size() -> MessageFault {
    let message = format!("The subject must have 1 to {SUBJECT_INLINES} pieces.");
    MessageFault::new("/subject", "subject_size", message)
}

/// The fault of a structure with too few or too many blocks.
pub(super) fn block_count() -> MessageFault {
    let (fewest, most) = BLOCKS;
    let message = format!("There must be {fewest} to {most} blocks.");
    MessageFault::new("/blocks", "block_count", message)
}

fn chars(inlines: &[Inline]) -> usize {
    let words = inlines.iter().filter_map(Inline::own_words);
    words.map(|words| words.chars().count()).sum()
}
