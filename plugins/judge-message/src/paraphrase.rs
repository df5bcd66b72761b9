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
    let claims: Vec<&Sentence> = copy
        .blocks
        .iter()
        .flat_map(|block| {
            block
                .sentences
                .iter()
                .filter(|sentence| is_claim(block.kind, sentence))
        })
        .collect();
    let (kept, strayed): (Vec<&Sentence>, Vec<&Sentence>) = claims
        .iter()
        .partition(|claim| keeps_to_offer(claim, &copy.subjects));
    let kept = kept.len();
    let note = match claims.is_empty() {
        true => "Nothing of the offer is said.".to_owned(),
        false => note("This says something that the offer does not say", strayed),
    };
    Judged {
        key: "evidence.faithful_paraphrase",
        points: share(kept, claims.len(), MAX),
        max: MAX,
        note,
    }
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
