//! Does the copy keep to what the offer says? Each statement about the sender's side must share its words, or
//! be the offer's own.

use std::collections::BTreeSet;

use gtm_lexicon::company::WE;

use crate::copy::{Copy, Sentence, Subjects};
use crate::points::{Judged, note, share};
use crate::question::BlockKind;
use crate::stems;

const MAX: u32 = 4;
/// Words of its own that a sentence may have beside a text of the offer.
const AROUND: usize = 4;

/// Gives up to four points.
pub fn judge(copy: &Copy) -> Judged {
    let (kept, strayed) = claims(copy);
    let all = kept.len() + strayed.len();
    let kept = kept.len();
    let note = match all {
        0 => "Nothing of the offer is said.".to_owned(),
        _ => note("This says something that the offer does not say", strayed),
    };
    Judged {
        key: "evidence.faithful_paraphrase",
        points: share(kept, all, MAX),
        max: MAX,
        note,
    }
}

/// Whether something is said of the sender's side, and nothing of it is the offer's: then the copy is about something else.
pub fn strays(copy: &Copy) -> bool {
    let (kept, strayed) = claims(copy);
    kept.is_empty() && !strayed.is_empty()
}

/// The statements about the sender's side: those that keep to the offer, and the others.
fn claims(copy: &Copy) -> (Vec<&Sentence>, Vec<&Sentence>) {
    copy.blocks
        .iter()
        .flat_map(|block| {
            block
                .sentences
                .iter()
                .filter(|sentence| is_claim(block.kind, sentence))
        })
        .partition(|claim| keeps_to_offer(claim, &copy.subjects))
}

/// Whether a sentence states something of the sender's side.
fn is_claim(kind: BlockKind, sentence: &Sentence) -> bool {
    if sentence.is_question() {
        return false;
    }
    match kind {
        BlockKind::Value | BlockKind::Proof => true,
        BlockKind::Opening => {
            let words: Vec<&str> = sentence.words.iter().map(String::as_str).collect();
            sentence.has_placeholder("offer.") || sentence.empty_talk || WE.any_in(&words)
        }
        _ => false,
    }
}

fn keeps_to_offer(sentence: &Sentence, subjects: &Subjects) -> bool {
    if sentence.empty_talk {
        return false;
    }
    // Not the objective: what the seller is after promises nothing to the reader.
    let known = [&subjects.offer, &subjects.wished];
    let shared = sentence
        .content
        .iter()
        .filter(|word| is_known(word, known))
        .count();
    let all = sentence.content.len();
    if sentence.has_placeholder("offer.") {
        return all - shared <= AROUND;
    }
    // Two fifths of what it says at least, and not a single word by chance.
    shared >= 2 && shared * 5 >= all * 2
}

/// Whether a word of the copy is one of the known.
fn is_known(word: &String, known: [&BTreeSet<String>; 2]) -> bool {
    stems::hits(known.into_iter().flatten(), std::slice::from_ref(word)) > 0
}
