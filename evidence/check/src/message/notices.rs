//! Words on how to get no more messages. The policy's notice is the only one: a second one may name another way, which nobody
//! watches, and one that says that there is none contradicts it.

use std::ops::Range;

use super::passage::{Passage, Word, found};
use super::stems::Stems;
use super::vocabulary::Vocabulary;

/// Most words between what ends and what the reader no longer gets.
const APART: usize = 5;
/// The share of the notice's words by which a sentence repeats it, in percent, and fewest of them.
const REPEATED: usize = 60;
const FEWEST: usize = 3;

/// Where a passage says how to get no more messages: in words of a notice, or where it denies in one sentence what the reader
/// gets of the writer.
pub(super) fn notices(
    passage: &Passage,
    words: &[Word],
    vocabulary: &Vocabulary,
) -> Vec<Range<usize>> {
    let mut notices = found(words, vocabulary.opt_out_phrases);
    let denials = found(words, vocabulary.opt_out_denials);
    let mails = match denials.is_empty() {
        true => Vec::new(),
        false => found(words, vocabulary.opt_out_mail),
    };
    let sentences = match mails.is_empty() {
        true => Vec::new(),
        false => passage.sentences(),
    };
    let at = |byte: usize| words.partition_point(|word| word.range.start < byte);
    for mail in mails {
        let of = sentences.partition_point(|sentence| sentence.end <= mail.start);
        let Some(sentence) = sentences.get(of) else {
            continue;
        };
        let denial = denials.iter().find(|denial| {
            let between = match denial.start < mail.start {
                true => at(mail.start).saturating_sub(at(denial.end)),
                false => at(denial.start).saturating_sub(at(mail.end)),
            };
            sentence.contains(&denial.start) && between <= APART
        });
        if let Some(denial) = denial {
            notices.push(denial.start.min(mail.start)..denial.end.max(mail.end));
        }
    }
    notices.sort_by_key(|range| range.start);
    notices.dedup_by(|next, before| next.start < before.end);
    notices
}

/// Whether a sentence has most words of the policy's notice that carry a subject.
pub(super) fn repeats_notice(words: &[Word], sentence: &Range<usize>, notice: &str) -> bool {
    let within = words
        .iter()
        .filter(|word| sentence.contains(&word.range.start));
    let own = Stems::of(within.map(|word| word.folded.as_str()));
    let notice = gtm_lexicon::fold(notice);
    let (all, repeated) = own.covered(gtm_lexicon::split(&notice));
    repeated >= FEWEST && repeated * 100 >= all * REPEATED
}
