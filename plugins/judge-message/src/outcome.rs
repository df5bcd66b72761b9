//! Does the recipient learn what gets better? An outcome is concrete if it is the offer's and says in which
//! direction.

use crate::copy::{Copy, CopyBlock, Sentence};
use crate::points::Judged;
use crate::question::BlockKind;
use crate::stems;

const MAX: u32 = 6;

/// Gives up to six points.
pub fn judge(copy: &Copy) -> Judged {
    let best = copy
        .blocks
        .iter()
        .filter(|block| block.kind != BlockKind::Cta)
        .flat_map(|block| {
            block
                .sentences
                .iter()
                .map(|sentence| points(copy, block, sentence))
        })
        .max()
        .unwrap_or(0);
    Judged {
        key: "recipient_value.concrete_outcome",
        points: copy.bounded(best),
        max: MAX,
        note: "No sentence says concretely, in the words of the offer, what gets better for the recipient.",
    }
}

fn points(copy: &Copy, block: &CopyBlock, sentence: &Sentence) -> u32 {
    if sentence.empty_talk {
        return 0;
    }
    let offers = sentence.has_placeholder("offer.value_proposition")
        || sentence.has_placeholder("offer.proof_point");
    let shared = stems::hits(&copy.subjects.offer, &sentence.words);
    let addressed = block.addresses_reader(&copy.language);
    let own = match (sentence.has_outcome(), shared) {
        (true, 1..) if addressed => MAX,
        (true, 1..) => 5,
        (true, 0) => 1,
        (false, _) => 0,
    };
    let carried = match (offers, copy.subjects.offer_has_outcome) {
        (true, true) if addressed => MAX,
        (true, true) => 4,
        (true, false) => 2,
        (false, _) => 0,
    };
    own.max(carried)
}
