//! Sets of words and phrases, sorted at build time, so that a lookup compares a few words and splits nothing.

use std::collections::BTreeSet;

/// A phrase: consecutive folded words, where `wor*` stands for every word that begins with `wor`.
pub type Phrase = &'static [&'static str];

/// Phrases to look for among the words of a folded text.
#[derive(Debug)]
pub struct Phrases {
    /// Phrases whose first word is complete, sorted.
    whole: &'static [Phrase],
    /// Phrases whose first word is only a prefix, sorted.
    begun: &'static [Phrase],
}

impl Phrases {
    pub(crate) const fn new(whole: &'static [Phrase], begun: &'static [Phrase]) -> Self {
        Self { whole, begun }
    }

    /// All phrases.
    pub fn iter(&self) -> impl Iterator<Item = Phrase> {
        self.whole.iter().chain(self.begun).copied()
    }

    /// The phrases with which the words begin.
    pub fn at_start<'w>(&self, words: &'w [&'w str]) -> impl Iterator<Item = Phrase> + 'w {
        let first = words.first().copied().unwrap_or_default();
        let whole = between(self.whole, |known| known.cmp(first));
        // A prefix shares the first letter of the word.
        let letter = first.chars().next();
        let begun = between(self.begun, |known| known.chars().next().cmp(&letter));
        let fits = move |phrase: &&Phrase| {
            words.len() >= phrase.len()
                && phrase
                    .iter()
                    .zip(words)
                    .all(|(part, word)| match part.strip_suffix('*') {
                        Some(beginning) => word.starts_with(beginning),
                        None => part == word,
                    })
        };
        whole.iter().chain(begun).filter(fits).copied()
    }

    /// Every occurrence of a phrase, with the index of its first word, in text order.
    pub fn places<'w>(
        &'static self,
        words: &'w [&'w str],
    ) -> impl Iterator<Item = (usize, Phrase)> + 'w {
        (0..words.len()).flat_map(move |at| {
            let rest = words.get(at..).unwrap_or_default();
            self.at_start(rest).map(move |phrase| (at, phrase))
        })
    }

    /// Whether the words contain one of the phrases.
    #[must_use]
    pub fn any_in(&'static self, words: &[&str]) -> bool {
        self.places(words).next().is_some()
    }

    /// Whether the words begin with one of the phrases.
    #[must_use]
    pub fn open(&self, words: &[&str]) -> bool {
        self.at_start(words).next().is_some()
    }

    /// Whether the words are exactly one of the phrases; after a phrase that ends in a prefix, anything may
    /// follow.
    #[must_use]
    pub fn are(&self, words: &[&str]) -> bool {
        self.at_start(words).any(|phrase| {
            phrase.len() == words.len() || phrase.last().is_some_and(|word| word.ends_with('*'))
        })
    }

    /// How many different phrases the words contain.
    #[must_use]
    pub fn count_in(&'static self, words: &[&str]) -> usize {
        let found: BTreeSet<Phrase> = self.places(words).map(|(_, phrase)| phrase).collect();
        found.len()
    }

    /// Whether the word by itself is one of the phrases.
    #[must_use]
    pub fn has_word(&self, word: &str) -> bool {
        self.are(&[word])
    }
}

/// The range of the sorted phrases whose first word compares as equal.
fn between(
    phrases: &'static [Phrase],
    compare: impl Fn(&str) -> std::cmp::Ordering,
) -> &'static [Phrase] {
    let first = |phrase: &Phrase| compare(phrase.first().copied().unwrap_or_default());
    let begin = phrases.partition_point(|phrase| first(phrase).is_lt());
    let rest = phrases.get(begin..).unwrap_or_default();
    let end = rest.partition_point(|phrase| first(phrase).is_eq());
    rest.get(..end).unwrap_or_default()
}

/// Texts that are compared as a whole, sorted.
#[derive(Debug, Clone, Copy)]
pub struct Words(&'static [&'static str]);

impl Words {
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        Self(words)
    }

    /// Whether the text is one of these.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.0.binary_search(&text).is_ok()
    }

    /// All texts.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().copied()
    }
}

/// Words that count only in texts of their own language.
#[derive(Debug)]
pub struct ByLanguage(&'static [(&'static str, Words)]);

impl ByLanguage {
    pub(crate) const fn new(languages: &'static [(&'static str, Words)]) -> Self {
        Self(languages)
    }

    /// The words of a language; empty if the language is unknown.
    #[must_use]
    pub fn of(&self, code: &str) -> Words {
        let known = self.0.iter().find(|(known, _)| *known == code);
        known.map_or(Words::new(&[]), |(_, words)| *words)
    }

    /// All languages with their words, ordered by code.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Words)> {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static PHRASES: Phrases = Phrases::new(
        &[&["die"], &["die", "firma"], &["firma"], &["uber", "uns*"]],
        &[&["an*", "uns"], &["zahl*"], &["zahle*"]],
    );

    #[test]
    fn phrases_are_found_where_they_stand() {
        let found = |words: &[&str]| -> Vec<(usize, usize)> {
            let places = PHRASES.places(words);
            places.map(|(at, phrase)| (at, phrase.len())).collect()
        };
        assert_eq!(
            found(&["die", "firma", "zahlen"]),
            [(0, 1), (0, 2), (1, 1), (2, 1), (2, 1)]
        );
        assert_eq!(found(&["viel", "uber", "unsere"]), [(1, 2)]);
        assert_eq!(found(&["uber", "un"]), []);
        assert_eq!(found(&["anders", "uns"]), [(0, 2)]);
        assert_eq!(found(&["anders"]), []);
        assert_eq!(found(&[]), []);
    }

    #[test]
    fn what_is_asked_of_phrases() {
        assert!(PHRASES.any_in(&["bei", "firma"]) && !PHRASES.any_in(&["bei", "firmen"]));
        assert!(PHRASES.open(&["firma", "x"]) && !PHRASES.open(&["x", "firma"]));
        assert!(!PHRASES.open(&[]) && !PHRASES.any_in(&[]) && !PHRASES.are(&[]));
        assert!(PHRASES.are(&["die", "firma"]) && !PHRASES.are(&["die", "firma", "x"]));
        assert!(PHRASES.are(&["uber", "unsere", "werkstatt"]));
        assert!(PHRASES.has_word("firma") && !PHRASES.has_word("uber"));
        // Both prefixes match, and each phrase counts once, however often it occurs.
        assert_eq!(PHRASES.count_in(&["zahlen", "zahlen"]), 2);
        assert_eq!(PHRASES.iter().count(), 7);
    }

    #[test]
    fn words_are_compared_whole() {
        static WORDS: ByLanguage = ByLanguage::new(&[
            ("de", Words::new(&["das", "der"])),
            ("en", Words::new(&["the"])),
        ]);
        assert!(WORDS.of("de").contains("der") && !WORDS.of("de").contains("de"));
        assert!(!WORDS.of("xx").contains(""));
        assert_eq!(WORDS.iter().count(), 2);
    }
}
