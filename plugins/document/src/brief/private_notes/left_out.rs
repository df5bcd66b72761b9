//! Orders to leave something out of the document whose words nobody can list: `## À ne pas mettre`, `that mustn't be in there`,
//! `2 weeks late – leave the delay out`, `legal said no`.
//!
//! Danger: what such an order keeps from the reader stands beside it, so the whole sentence goes, and all below such a heading. But
//! `Not included`, `Water must not get in there` and `That must not be missing` are for the reader. So an order has a verb of
//! taking into a text or a place in one; and where that may be any place, the order is about what was said just before.

use gtm_lexicon::company::YOU;
use gtm_lexicon::documents::{
    ADDRESSING, APPEARING, CLAUSE_OPENINGS, DESTINATIONS, FORBIDDING_MODALS, IMPERATIVE_NEGATIONS,
    INCLUDING, INTO_TEXTS, LEAVING_OUT, LEFT_ASIDE, LEFT_OUT, LIKEWISE, MARGINS, MODALS,
    NOTE_FILLERS, POINTING, REFUSALS, STANDING_IN_TEXTS, STANDING_INSIDE,
};
use gtm_lexicon::{Phrases, fold, split};

use super::clauses::parts_clauses;

/// Longest label of what is left out, in words.
const LABEL_WORDS: usize = 9;
/// Most words behind the verb that ends such an order: `darf da nicht rein, klar`.
const WORDS_BEHIND: usize = 1;
/// Most words between such a verb and a place: `must not be in the document`.
const WORDS_BEFORE_A_PLACE: usize = 1;
/// Longest order to leave something out in two halves, in words.
const HALVES_WORDS: usize = 7;
/// Most words before a margin that a sentence opens with: `Unsere Zielmarge`.
const WORDS_BEFORE: usize = 2;

/// Whether words only say that something is to be left out: `À ne pas mettre`, `Nicht in das Dokument`, `Do not include`. What is
/// `not included`, a reader is told.
pub fn is_label(words: &[&str]) -> bool {
    let lists: [&'static Phrases; 4] = [
        &IMPERATIVE_NEGATIONS,
        &INCLUDING,
        &INTO_TEXTS,
        &NOTE_FILLERS,
    ];
    if words.len() > LABEL_WORDS
        || !IMPERATIVE_NEGATIONS.any_in(words)
        || !(INCLUDING.any_in(words) || INTO_TEXTS.any_in(words))
    {
        return false;
    }
    let mut at = 0;
    while at < words.len() {
        let rest = words.get(at..).unwrap_or_default();
        let known = lists.iter().flat_map(|list| list.at_start(rest));
        match known.map(<[_]>::len).max() {
            Some(length) => at += length,
            None => return false,
        }
    }
    true
}

/// Whether a sentence says that something of it is to be left out, or was refused.
pub fn is_ordered(sentence: &str) -> bool {
    // Somebody who is quoted refuses something else.
    let quotes = sentence.contains(['"', '“', '”', '„', '«', '»', '「']);
    sentence
        .split(parts_clauses)
        .any(|clause| must_not_stand(clause) || is_left_out(clause))
        || halves(sentence)
        || !quotes && sentence.split(parts_clauses).any(refuses)
        || tells_a_margin(sentence)
}

/// Whether a sentence that forbids something adds it to what is forbidden before: `Please don't name Nagel either.`
pub fn adds_to_a_ban(sentence: &str) -> bool {
    let folded = fold(sentence);
    LIKEWISE.any_in(&split(&folded))
}

/// Where a modal verb with a negation begins and ends among words: `mustn't`, `darf da nicht`.
fn forbidden(words: &[&str]) -> Option<(usize, usize)> {
    let close = FORBIDDING_MODALS.places(words).next();
    let close = close.map(|(at, verb)| (at, at + verb.len()));
    close.or_else(|| {
        let (at, verb) = MODALS.places(words).next()?;
        let begin = at + verb.len();
        let behind = words.get(begin..)?;
        let (no, negation) = IMPERATIVE_NEGATIONS.places(behind).next()?;
        Some((at, begin + no + negation.len()))
    })
}

/// `Das darf da natürlich nicht drinstehen`, `it should not appear in the offer`.
fn must_not_stand(clause: &str) -> bool {
    let folded = fold(clause);
    let words = split(&folded);
    let Some((begin, end)) = forbidden(&words) else {
        return false;
    };
    let behind = words.get(end..).unwrap_or_default();
    let ends_with = |verbs: &'static Phrases| {
        verbs
            .places(behind)
            .any(|(at, verb)| at + verb.len() + WORDS_BEHIND >= behind.len())
    };
    let placed = DESTINATIONS.any_in(&words) || INTO_TEXTS.any_in(&words);
    // `must not be in the document`
    let goes_there = INTO_TEXTS
        .places(behind)
        .any(|(at, _)| at <= WORDS_BEFORE_A_PLACE);
    placed && APPEARING.any_in(behind)
        || goes_there
        || ends_with(&STANDING_IN_TEXTS)
        || ends_with(&STANDING_INSIDE) && points_back(clause, &words, begin)
}

/// Whether what stands before a verb is a word for what was said just before, and no noun: `das darf`, not `das Wasser darf`.
fn points_back(clause: &str, words: &[&str], verb: usize) -> bool {
    let mut from = 0;
    while let Some(length) = words.get(from..).and_then(longest_opening) {
        from += length;
    }
    let printed = split(clause);
    let before = printed.get(from + 1..verb).unwrap_or_default();
    let names = before
        .iter()
        .any(|word| word.starts_with(char::is_uppercase));
    from < verb && words.get(from).is_some_and(|word| POINTING.has_word(word)) && !names
}

fn longest_opening(words: &[&str]) -> Option<usize> {
    CLAUSE_OPENINGS.at_start(words).map(<[_]>::len).max()
}

/// `資料には載せないでください`: the verb has the negation.
fn is_left_out(clause: &str) -> bool {
    let folded = fold(clause);
    let words = split(&folded);
    LEFT_OUT.any_in(&words) && DESTINATIONS.any_in(&words)
}

/// `… – leave the delay out`: the last clause, and another before it. `Leave the heat out` alone may sell something.
fn halves(sentence: &str) -> bool {
    let dashed = sentence.replace(" - ", " – ");
    let mut clauses = dashed.rsplit([',', ';', '–', '—']);
    let Some(last) = clauses.next() else {
        return false;
    };
    let folded = fold(last);
    let words = split(&folded);
    let ends = words.len() <= HALVES_WORDS
        && LEAVING_OUT.open(&words)
        && LEFT_ASIDE
            .places(&words)
            .any(|(at, phrase)| at > 0 && at + phrase.len() == words.len());
    let to_the_reader = split(last)
        .iter()
        .any(|word| ADDRESSING.any_has(word) || YOU.has_word(&fold(word)));
    ends && !to_the_reader && clauses.any(|clause| clause.contains(char::is_alphanumeric))
}

/// `… but I said no`: what was refused is not offered. `I said no to paper` goes on.
fn refuses(clause: &str) -> bool {
    let folded = fold(clause);
    let words = split(&folded);
    REFUSALS
        .places(&words)
        .any(|(at, phrase)| at + phrase.len() == words.len())
}

/// `Target margin is 21 %.` The margin of a reader is theirs to know: `Your target margin`.
fn tells_a_margin(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let opens = (0..=WORDS_BEFORE).any(|at| {
        let rest = words.get(at..).unwrap_or_default();
        MARGINS.open(rest)
    });
    let to_the_reader = split(sentence)
        .iter()
        .any(|word| ADDRESSING.any_has(word) || YOU.has_word(&fold(word)));
    opens && sentence.contains(['%', '％', '٪']) && !to_the_reader
}
