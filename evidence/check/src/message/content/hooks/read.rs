//! A text as hooks and excerpts are compared: its words, its sentences and their parts.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use gtm_lexicon::company::YOU;
use gtm_lexicon::months;

use super::super::super::numbers;
use super::super::super::passage::{Passage, Source, Word};
use super::super::super::stems::carries_subject;
use super::super::super::vocabulary::Vocabulary;
use crate::small_words::is_small;

/// Marks that part a sentence. A hyphen does between blanks.
const MARKS: [char; 8] = [',', ';', ':', '–', '—', '(', ')', '、'];

/// A text, read.
pub(super) struct Read {
    pub(super) passage: Passage,
    pub(super) words: Vec<Word>,
    numbers: OnceCell<Vec<Range<usize>>>,
}

impl Read {
    pub(super) fn of(text: &str) -> Self {
        let mut passage = Passage::default();
        passage.push(text, Source::Literal);
        let words = passage.words(Source::is_own);
        Self {
            passage,
            words,
            numbers: OnceCell::new(),
        }
    }

    /// Where its numbers stand. A text is read with one vocabulary alone.
    pub(super) fn numbers(&self, vocabulary: &Vocabulary) -> &[Range<usize>] {
        let numbers = || numbers::places_of(&self.passage, vocabulary);
        self.numbers.get_or_init(numbers)
    }

    pub(super) fn words_in(&self, range: &Range<usize>) -> &[Word] {
        let first = (self.words).partition_point(|word| word.range.start < range.start);
        let end = (self.words).partition_point(|word| word.range.start < range.end);
        self.words.get(first..end).unwrap_or_default()
    }

    /// The parts of a range between marks.
    pub(super) fn parts_of(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let text = self.passage.text.get(range.clone()).unwrap_or_default();
        let mut from = range.start;
        let mut parts = Vec::new();
        for (at, c) in text.char_indices() {
            if MARKS.contains(&c) || (c == '-' && is_between_blanks(text, at)) {
                let end = range.start + at + c.len_utf8();
                parts.push(from..end);
                from = end;
            }
        }
        if from < range.start + text.len() {
            parts.push(from..range.start + text.len());
        }
        parts
    }

    /// The parts of all sentences.
    pub(super) fn parts(&self) -> Vec<Range<usize>> {
        let sentences = self.passage.sentences();
        sentences.iter().flat_map(|it| self.parts_of(it)).collect()
    }

    /// Whether a sentence greets and says nothing else: `Congratulations to you!`
    pub(super) fn only_greets(
        &self,
        sentence: &Range<usize>,
        greetings: &[Range<usize>],
        known: &[Word],
    ) -> bool {
        let greets = |word: &Word| greetings.iter().any(|it| it.contains(&word.range.start));
        let is_known = |word: &Word| known.iter().any(|it| it.folded == word.folded);
        let words = self.words_in(sentence);
        let says_nothing = |word: &Word| greets(word) || !is_compared(word) || is_known(word);
        words.iter().any(greets) && words.iter().all(says_nothing)
    }

    /// The names among words of this text: those with a capital that carry a subject.
    pub(super) fn names_in(&self, words: &[Word]) -> BTreeSet<String> {
        let names = words.iter().filter(|word| {
            let printed = self.printed(word);
            printed.chars().next().is_some_and(char::is_uppercase)
                && carries_subject(&word.folded)
                && !is_month(printed)
        });
        names.map(|word| word.folded.clone()).collect()
    }

    pub(super) fn printed(&self, word: &Word) -> &str {
        self.passage
            .text
            .get(word.range.clone())
            .unwrap_or_default()
    }
}

/// Whether a word, as it is printed, is the name of a month in any language.
pub(super) fn is_month(printed: &str) -> bool {
    months().any(|(name, _)| name == printed)
}

fn is_between_blanks(text: &str, hyphen: usize) -> bool {
    let (before, behind) = (text.get(..hyphen), text.get(hyphen + 1..));
    before.is_some_and(|before| before.ends_with(char::is_whitespace))
        && behind.is_some_and(|behind| behind.starts_with(char::is_whitespace))
}

/// Whether a word is looked at where none carries a subject. Who is spoken of differs between hook and excerpt.
pub(super) fn is_compared(word: &Word) -> bool {
    !is_small(&word.folded) && !YOU.has_word(&word.folded)
}
