//! Whether words tell of whoever reads the document as of somebody else: `Their chairman says we are ahead`, `Me han dicho que pagan
//! tarde`. To his face nobody speaks so.
//!
//! Danger: a text may tell of a customer as well. So this counts only where a note is likely: behind a colleague's name, below a
//! signature, in a postscript.

use gtm_lexicon::company::{WE, YOU};
use gtm_lexicon::documents::{
    ABSENT_READERS, ADDRESSING, HEARSAY, READING_ROLES, THEIRS, THEY, TOLD_ONES,
};
use gtm_lexicon::trade::ARTICLES;
use gtm_lexicon::{Phrase, fold, split};

/// How far into a text the one stands of whom it speaks, in words.
const REACH: usize = 4;
/// Longest pronoun, in letters, and fewest letters of one that no other language has as another word.
const PRONOUN_LETTERS: usize = 4;
const LEAST_LETTERS: usize = 3;

/// Whether a text tells of others than its reader.
pub fn are_told_of(text: &str) -> bool {
    let printed = split(text);
    let to_the_reader = printed
        .iter()
        .any(|word| ADDRESSING.any_has(word) || YOU.has_word(&fold(word)));
    if to_the_reader {
        return false;
    }
    let folded = fold(text);
    let words = split(&folded);
    let opening = words.get(..REACH.min(words.len())).unwrap_or_default();
    is_heard(&words)
        // `Su pedido` is the reader's, and `his tools` are anybody's.
        || THEIRS
            .at_start(&words)
            .any(|phrase| letters(phrase) >= PRONOUN_LETTERS)
        || printed.first().is_some_and(|word| begins_with_others(word))
        || names_one(opening)
}

/// Whether a text begins with what somebody only heard, or with what is others': that alone tells in a letter, too.
pub fn are_gossiped_of(text: &str) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    let theirs = THEIRS
        .at_start(&words)
        .any(|phrase| letters(phrase) >= PRONOUN_LETTERS);
    let first = split(text).first().copied().unwrap_or_default();
    are_told_of(text) && (is_heard(&words) || theirs || begins_with_others(first))
}

/// Whether words begin with what somebody only heard. Japanese says so at the end.
fn is_heard(words: &[&str]) -> bool {
    let in_one_run = |phrase: Phrase| phrase.first().is_some_and(|word| word.starts_with('*'));
    HEARSAY.open(words) || HEARSAY.places(words).any(|(_, phrase)| in_one_run(phrase))
}

fn letters(phrase: Phrase) -> usize {
    phrase.iter().map(|word| word.chars().count()).sum()
}

/// Whether a text begins with a pronoun for others. German `die` is an article, too.
fn begins_with_others(word: &str) -> bool {
    let folded = fold(word);
    THEY.contains(folded.as_str())
        && folded.chars().count() >= LEAST_LETTERS
        && !ARTICLES
            .iter()
            .any(|(_, list)| list.contains(folded.as_str()))
}

/// Whether a role or another name of whoever reads stands among words, and is neither the reader's nor the writer's own: `your
/// manager`, `our director`.
fn names_one(words: &[&str]) -> bool {
    let is_others = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        !before.is_some_and(|word| YOU.has_word(word) || WE.has_word(word))
    };
    let is_noun = |phrase: Phrase| letters(phrase) > PRONOUN_LETTERS && !TOLD_ONES.are(phrase);
    READING_ROLES.places(words).any(|(at, _)| is_others(at))
        || ABSENT_READERS
            .places(words)
            .any(|(at, phrase)| is_noun(phrase) && is_others(at))
}
