//! What a writer tells colleagues of the reader, as of somebody else: `FYI their buyer is a pain`, `I think they would go to 0.026`.
//!
//! Danger: `Note that the client portal is free` is for the reader. So a word that only colleagues open a sentence with must stand
//! before whoever is spoken of, or what is said must be of how that person is or what he would give.

use gtm_lexicon::company::{WE, YOU};
use gtm_lexicon::documents::{
    ABSENT_READERS, ADDRESSING, ATTITUDES, CLAUSE_OPENINGS, GUESSES, HEADS_UP, HESITATIONS,
    NOTICES, OBTAINING, PER, PRIVATE_ASIDES, READING_ROLES, SLIGHTS, STYLE_MATTERS, THEIRS, THEY,
    TOLD_ONES, YIELDING, YIELDING_ALONE,
};
use gtm_lexicon::foundations::AND;
use gtm_lexicon::founding::OUR;
use gtm_lexicon::trade::{ARTICLES, WE as PRONOUNS};
use gtm_lexicon::{Phrase, Phrases, currency_of, fold, is_currency_code, split};

use super::clauses::parts_clauses;

/// How far behind such a beginning the one stands of whom it speaks, in words.
const SUBJECT_REACH: usize = 4;
/// Longest words for giving something, in words.
const YIELDING_REACH: usize = 4;
/// Fewest letters of a pronoun that no other language has as another word.
const LEAST_LETTERS: usize = 3;
/// Most words before an aside that say nothing: `Well, between us, …`
const FILLERS: usize = 1;
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
        names_the_reader(rest)
            || ABSENT_READERS.open(rest) && ATTITUDES.any_in(rest)
            || begins_with_others(rest, sentence)
    });
    // `Entre nous et le client` speaks of both.
    let aside = (0..=FILLERS).any(|from| {
        let (before, rest) = words.split_at(from.min(words.len()));
        let filled = before
            .iter()
            .all(|word| HESITATIONS.has_word(word) || CLAUSE_OPENINGS.has_word(word));
        let length = PRIVATE_ASIDES.at_start(rest).map(<[_]>::len).max();
        let said = length
            .and_then(|length| rest.get(length..))
            .filter(|_| filled);
        said.is_some_and(|said| {
            !said.first().is_some_and(|word| AND.contains(word))
                && (names_the_reader(said) || THEIRS.open(said))
        })
    });
    let noticed =
        behind(&NOTICES).is_some_and(|rest| names_the_reader(rest) && ATTITUDES.any_in(rest));
    warned
        || aside
        || noticed
        || warns_behind(sentence)
        || slights_the_reader(sentence, &words)
        || guesses_what_he_gives(sentence)
        || guesses_what_we_get(sentence)
}

/// `Their budget is 340k, just so you know.` What `your manager` does, a reader may be told so.
fn warns_behind(sentence: &str) -> bool {
    sentence
        .rsplit_once([',', ';', '–', '—'])
        .is_some_and(|(said, last)| {
            let (said, last) = (fold(said), fold(last));
            let words = split(&said);
            HEADS_UP.are(&split(&last)) && (THEIRS.open(&words) || names_the_reader(&words))
        })
}

/// `Their buyer is difficult, tread carefully`, `The buyer hates superlatives`: what nobody says to somebody's face, and what only a
/// writer needs to know. `The owner is difficult to replace` goes on.
fn slights_the_reader(sentence: &str, words: &[&str]) -> bool {
    let slights = |clause: &str| {
        let folded = fold(clause);
        let words = split(&folded);
        names_the_reader(&words)
            && SLIGHTS
                .places(&words)
                .any(|(at, phrase)| at + phrase.len() == words.len())
    };
    let of_style =
        names_the_reader(words) && ATTITUDES.any_in(words) && STYLE_MATTERS.any_in(words);
    of_style || sentence.split(parts_clauses).any(slights)
}

/// Whether words begin with a pronoun for others, as the sentence has it: `Btw they still owe 12k`. `Sie` is the reader.
fn begins_with_others(rest: &[&str], sentence: &str) -> bool {
    rest.first().is_some_and(|first| {
        let mut printed = sentence.split(|c: char| !c.is_alphabetic());
        THEY.contains(first) && !is_ambiguous(first) && printed.any(|word| word == *first)
    })
}

/// Whether a pronoun is an article as well, or short enough to be a word of another language: `die 40 Sensoren`, Dutch `er`.
fn is_ambiguous(word: &str) -> bool {
    word.chars().count() < LEAST_LETTERS
        || ARTICLES.iter().any(|(_, articles)| articles.contains(word))
}

/// Whether the one who reads the document is named at the beginning of words: by a noun, as a pronoun may be anybody's. `Your
/// manager` is the reader's own.
fn names_the_reader(words: &[&str]) -> bool {
    let opening = words
        .get(..SUBJECT_REACH.min(words.len()))
        .unwrap_or_default();
    let is_theirs = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| opening.get(before));
        before.is_some_and(|word| YOU.has_word(word))
    };
    let mut readers = ABSENT_READERS.places(opening);
    let is_noun = |phrase: Phrase| {
        let letters: usize = phrase.iter().map(|word| word.chars().count()).sum();
        letters > PRONOUN_LETTERS && !TOLD_ONES.are(phrase)
    };
    let mut roles = READING_ROLES.places(opening);
    roles.any(|(at, _)| !is_theirs(at))
        || readers.any(|(at, phrase)| is_noun(phrase) && !is_theirs(at))
}

/// `I reckon we get 40k out of them`: a guess of what a sum comes to for the seller. What is supposed of the reader speaks to the
/// reader: `I think we save you 40 euros a day`. So does a price: `Btw our day rate is 480 euros`,
/// `I think we charge 20 euros a month`.
fn guesses_what_we_get(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let behind =
        |rest: &[&str], openings: &'static Phrases| openings.at_start(rest).map(<[_]>::len).max();
    let warning = behind(&words, &HEADS_UP).unwrap_or_default();
    let rest = words.get(warning..).unwrap_or_default();
    let guess = behind(rest, &GUESSES).unwrap_or_default();
    let rest = rest
        .get(guess..)
        .filter(|_| warning + guess > 0)
        .unwrap_or_default();
    let opening = rest
        .get(..SUBJECT_REACH.min(rest.len()))
        .unwrap_or_default();
    let to_the_reader = split(sentence)
        .iter()
        .any(|word| YOU.has_word(&fold(word)) || ADDRESSING.any_has(word));
    // `our` alone may open a price. Behind a guess, nobody tells a reader what something costs without saying for what.
    let is_ours = match guess {
        0 => opening
            .iter()
            .any(|word| PRONOUNS.contains(word) && !OUR.has_word(word)),
        _ => WE.any_in(opening),
    };
    let obtains = WE.any_in(opening) && OBTAINING.any_in(rest);
    (obtains || is_ours && !counts_by_unit(rest)) && !to_the_reader && names_money(sentence)
}

/// Whether a unit follows the first figure: `20 euros a month`, `20 € pro Kopf`.
fn counts_by_unit(words: &[&str]) -> bool {
    let is_figure = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let from = words.iter().position(|word| is_figure(word));
    let Some(said) = from.and_then(|from| words.get(from..)) else {
        return false;
    };
    let is_of_the_sum = |word: &str| {
        is_figure(word) || currency_of(word).is_some() || is_currency_code(&word.to_uppercase())
    };
    let sum = said.iter().take_while(|word| is_of_the_sum(word)).count();
    said.get(sum..).is_some_and(|behind| PER.open(behind))
}

/// `40k`, `€ 400`, `400 euros` of a currency's code.
fn names_money(sentence: &str) -> bool {
    let is_short = |word: &str| {
        let digits = word.trim_end_matches(char::is_alphabetic);
        let unit = word.get(digits.len()..).unwrap_or_default();
        digits.ends_with(|c: char| c.is_ascii_digit()) && matches!(unit, "k" | "K" | "m" | "M")
    };
    let mut words =
        sentence.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')'));
    let signed = sentence.contains(['€', '£', '$', '¥', '₹']);
    let coded = || {
        let words = sentence.split(|c: char| !c.is_alphabetic());
        words.into_iter().any(gtm_lexicon::is_currency_code)
    };
    sentence.contains(char::is_numeric)
        && (signed || coded() || words.any(|word| is_short(word.trim_end_matches(['.', '!', '?']))))
}

/// `I think they would go to 0.026`, `Creo que llegarían a 0,026`. What the reader himself would pay is told to him.
fn guesses_what_he_gives(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let printed: Vec<&str> = sentence
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
        .collect();
    // `Die gehen bis 40` speaks of somebody, and `die 40 Sensoren zahlen sich aus` does not.
    let gives = |at: usize| {
        let behind: Vec<String> = (printed.iter().skip(at + 1))
            .take(YIELDING_REACH)
            .map(|word| fold(word))
            .collect();
        let behind: Vec<&str> = behind.iter().map(String::as_str).collect();
        YIELDING.open(&behind)
    };
    let is_pronoun =
        |(at, word): (usize, &&str)| THEY.contains(word) && (!is_ambiguous(word) || gives(at));
    let of_others = printed.iter().enumerate().any(is_pronoun) || names_the_reader(&words);
    sentence.contains(char::is_numeric)
        && GUESSES.places(&words).any(|(at, guess)| {
            let rest = words.get(at + guess.len()..).unwrap_or_default();
            YIELDING_ALONE.any_in(rest) || of_others && YIELDING.any_in(rest)
        })
}
