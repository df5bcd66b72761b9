//! Does the recipient learn what gets better? An outcome is concrete if it is the offer's: a value proposition, or a
//! sentence about the offer that says in which direction something changes, or what the reader gets.

use gtm_lexicon::judging::READERS;

use crate::copy::{Copy, CopyBlock, Sentence};
use crate::points::{Judged, note};
use crate::question::BlockKind;
use crate::stems;

const MAX: u32 = 6;
/// Words of the offer that a sentence about it has at least.
const ABOUT: usize = 2;
/// The share of a value proposition's words that repeat it, in percent.
const REPEATED: usize = 60;

/// Gives up to six points.
pub fn judge(copy: &Copy) -> Judged {
    let value = |block: &&CopyBlock| block.kind != BlockKind::Cta;
    let best = copy
        .blocks
        .iter()
        .filter(value)
        .flat_map(|block| {
            block
                .sentences
                .iter()
                .map(|sentence| points(copy, block, sentence))
        })
        .max()
        .unwrap_or(0);
    let said = copy
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Value | BlockKind::Proof));
    Judged {
        key: "recipient_value.concrete_outcome",
        points: copy.bounded(best),
        max: MAX,
        note: note(
            "No sentence says concretely, to the reader and in the words of the offer, what gets better, or what the reader gets",
            said.flat_map(|block| &block.sentences).take(1),
        ),
    }
}

fn points(copy: &Copy, block: &CopyBlock, sentence: &Sentence) -> u32 {
    if sentence.empty_talk {
        return 0;
    }
    let offer = &copy.subjects.offer;
    let shared = stems::hits(offer, &sentence.words);
    let kept = (sentence.content.iter())
        .filter(|word| stems::hits(offer, std::slice::from_ref(*word)) > 0)
        .count();
    // A promise of the writer's own beside some words of the offer is not the offer's.
    let keeps = kept * 2 >= sentence.content.len();
    // A language without a list can't say whom it addresses.
    let has_list = READERS.of(&copy.language).iter().next().is_some();
    let addressed = !has_list || block.addresses_reader(&copy.language);
    let repeats = copy
        .subjects
        .values
        .iter()
        .any(|value| stems::hits(value, &sentence.words) * 100 >= value.len() * REPEATED);
    let own = match (sentence.outcome, sentence.gain || repeats) {
        (true, _) if shared >= ABOUT && addressed => MAX,
        (_, true) if shared >= ABOUT && keeps && addressed => MAX,
        (true, _) if shared >= ABOUT => 5,
        (_, true) if shared >= ABOUT && keeps => 4,
        (true, _) => 1 + u32::from(shared > 0),
        _ => 0,
    };
    let carried = if sentence.has_placeholder("offer.value_proposition") {
        MAX
    } else if !sentence.has_placeholder("offer.proof_point") {
        0
    } else if copy.subjects.offer_has_outcome {
        4
    } else {
        2
    };
    own.max(carried)
}
