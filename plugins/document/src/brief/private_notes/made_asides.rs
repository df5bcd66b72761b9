//! What a writer tells colleagues of the reader, as of somebody else: `FYI their buyer is a pain`, `I think they would go to 0.026`.
//!
//! Danger: `Note that the client portal is free` is for the reader. So a word that only colleagues open a sentence with must stand
//! before whoever is spoken of, or what is said must be of how that person is or what he would give.

use gtm_lexicon::documents::{
    ABSENT_READERS, ATTITUDES, GUESSES, HEADS_UP, NOTICES, PRIVATE_ASIDES, READING_ROLES, THEY,
    TOLD_ONES, YIELDING, YIELDING_ALONE,
};
use gtm_lexicon::{Phrase, Phrases, fold, split};

/// How far behind such a beginning the one stands of whom it speaks, in words.
const SUBJECT_REACH: usize = 4;
/// Longest pronoun, in letters.
const PRONOUN_LETTERS: usize = 4;

/// Whether a sentence tells colleagues something of its reader.
pub fn speaks_of_the_reader(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let behind = |openings: &'static Phrases| {
        let longest = openings.at_start(&words).map(<[_]>::len).max();
        longest.and_then(|length| words.get(length..))
    };
    let warned = behind(&HEADS_UP).is_some_and(|rest| {
        names_the_reader(rest) || ABSENT_READERS.open(rest) && ATTITUDES.any_in(rest)
    });
    let aside = behind(&PRIVATE_ASIDES).is_some_and(names_the_reader);
    let noticed =
        behind(&NOTICES).is_some_and(|rest| names_the_reader(rest) && ATTITUDES.any_in(rest));
    warned || aside || noticed || guesses_what_he_gives(sentence)
}

/// Whether the one who reads the document is named at the beginning of words: by a noun, as a pronoun may be anybody's.
fn names_the_reader(words: &[&str]) -> bool {
    let opening = words
        .get(..SUBJECT_REACH.min(words.len()))
        .unwrap_or_default();
    let mut readers = ABSENT_READERS.places(opening);
    let is_noun = |phrase: Phrase| {
        let letters: usize = phrase.iter().map(|word| word.chars().count()).sum();
        letters > PRONOUN_LETTERS && !TOLD_ONES.are(phrase)
    };
    READING_ROLES.any_in(opening) || readers.any(|(_, phrase)| is_noun(phrase))
}

/// `I think they would go to 0.026`, `Creo que llegarían a 0,026`. What the reader himself would pay is told to him.
fn guesses_what_he_gives(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let mut printed = sentence.split(|c: char| !c.is_alphabetic());
    let of_others = printed.any(|word| THEY.contains(word)) || names_the_reader(&words);
    sentence.contains(char::is_numeric)
        && GUESSES.places(&words).any(|(at, guess)| {
            let rest = words.get(at + guess.len()..).unwrap_or_default();
            YIELDING_ALONE.any_in(rest) || of_others && YIELDING.any_in(rest)
        })
}
