//! The clauses of an excerpt. What it tells of one thing must not be told of another, and where one of them ends is seen by
//! the words with which the next one begins.

use std::ops::Range;

use gtm_lexicon::denials::JOINTS;
use gtm_lexicon::messages::{ACTING, DETERMINERS, FUNCTION_WORDS, PREPOSITIONS};

use super::super::super::passage::Word;
use super::super::super::vocabulary::Vocabulary;
use super::read::Read;
use super::said::Content;
use super::tellings::Telling;

/// Fewest words that say something in a clause of its own, and how many of them are told of: `, butter, and the milk of local
/// farms` goes on with what is told before.
const CLAUSE: usize = 3;
const CORE: usize = 2;
/// What parts two clauses whatever stands behind it.
const STOP: char = ';';

/// A clause, as bytes of the text, with the number of its sentence.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub(super) range: Range<usize>,
    pub(super) sentence: usize,
}

/// The clauses of all sentences, in order.
pub(super) fn clauses(read: &Read, vocabulary: &Vocabulary) -> Vec<Clause> {
    let sentences = read.passage.sentences();
    let clauses = sentences.iter().enumerate().flat_map(|(at, sentence)| {
        let ranges = of_sentence(read, sentence, vocabulary).into_iter();
        ranges.map(move |range| Clause {
            range,
            sentence: at,
        })
    });
    clauses.collect()
}

fn of_sentence(read: &Read, sentence: &Range<usize>, vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    let language = vocabulary.language.as_str();
    let small = FUNCTION_WORDS.of(language);
    let is_one = |range: &Range<usize>| {
        let words = read.words_in(range).iter();
        let says = words.filter(|word| !small.contains(&word.folded)).count();
        let content = Content::of(read, range, &[], vocabulary);
        let telling = Telling::of(read, range, &content, vocabulary);
        let core = telling.map_or(0, |telling| telling.core());
        let acts = read
            .words_in(range)
            .iter()
            .any(|word| acts(read, word, language));
        says >= CLAUSE && core + usize::from(acts) >= CORE
    };
    let mut begins = Vec::new();
    let mut is_stopped = false;
    for part in read.parts_of(sentence) {
        let words = read.words_in(&part);
        if is_stopped || begins_anew(read, words, language) {
            begins.push(part.start);
        }
        for (at, joint) in words.iter().enumerate().skip(1) {
            let behind = words.get(at + 1..).unwrap_or_default();
            if JOINTS.has_word(&joint.folded) && begins_anew(read, behind, language) {
                begins.push(joint.range.start);
            }
        }
        let text = read.passage.text.get(part).unwrap_or_default();
        is_stopped = text.trim_end().ends_with(STOP);
    }
    begins.retain(|at| *at > sentence.start);
    begins.push(sentence.end);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut from = sentence.start;
    for end in begins {
        let range = from..end;
        match found.last_mut() {
            // What is too short goes on with the clause before, or is the opening of the next one.
            Some(last) if !is_one(&range) || !is_one(last) => last.end = end,
            _ => found.push(range),
        }
        from = end;
    }
    found
}

/// Whether words begin with something else of which is told: `the depot`, `while the depot`, `we`, `in Hull we`. A German
/// relative clause begins with the same words, but with no noun behind.
fn begins_anew(read: &Read, words: &[Word], language: &str) -> bool {
    let (small, determiners) = (FUNCTION_WORDS.of(language), DETERMINERS.of(language));
    let says_something = |word: &Word| !small.contains(&word.folded);
    let opening: Vec<&Word> = (words.iter())
        .take_while(|word| !says_something(word))
        .collect();
    let Some(last) = opening.last().filter(|_| opening.len() < words.len()) else {
        return false;
    };
    let is_tied = |word: &Word| {
        let mut classes = PREPOSITIONS.of(language);
        classes.any(|(_, phrases)| phrases.has_word(&word.folded))
    };
    opening.iter().any(|word| acts(read, word, language))
        || determiners.contains(&last.folded)
        || (is_tied(last) && words.iter().any(|word| acts(read, word, language)))
}

/// Whether a word is a pronoun of who acts: `we`.
fn acts(read: &Read, word: &Word, language: &str) -> bool {
    let (printed, acting) = (read.printed(word), ACTING.of(language));
    acting.contains(printed) || acting.contains(&printed.to_lowercase())
}
