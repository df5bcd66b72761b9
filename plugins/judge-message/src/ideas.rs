//! Does each block have one idea? A statement and its consequence are one; a block without any has none.

use crate::copy::{Copy, CopyBlock};
use crate::points::{Judged, note, share};
use crate::sentences::clauses;

const MAX: u32 = 4;
/// Clauses that one idea may take.
const ONE_IDEA: usize = 2;

/// Gives up to four points.
pub fn judge(copy: &Copy) -> Judged {
    let (clear, blurred): (Vec<&CopyBlock>, Vec<&CopyBlock>) = copy
        .blocks
        .iter()
        .partition(|block| has_one_idea(block, &copy.language));
    let clear = clear.len();
    Judged {
        key: "clarity.one_idea",
        points: share(clear, copy.blocks.len(), MAX),
        max: MAX,
        note: note(
            "A block joins several ideas, or says nothing of the offer, the objective or the next step",
            blurred.iter().filter_map(|block| block.sentences.first()),
        ),
    }
}

fn has_one_idea(block: &CopyBlock, language: &str) -> bool {
    let joined: usize = block
        .sentences
        .iter()
        .map(|sentence| clauses(&sentence.text, language))
        .sum();
    let says = block.sentences.iter().any(|sentence| sentence.has_subject);
    let empty = block.sentences.iter().any(|sentence| sentence.empty_talk);
    joined <= ONE_IDEA && says && !empty
}
