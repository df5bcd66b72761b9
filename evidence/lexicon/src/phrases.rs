//! Sets of words and of words in a row, sorted when this crate is built, so that looking one up compares a few words
//! and splits nothing.

use std::collections::BTreeSet;

/// A phrase: folded words in a row, where `wor*` is every word that begins with `wor`.
pub type Phrase = &'static [&'static str];

/// Phrases that are looked for in the words of a folded text.
#[derive(Debug)]
pub struct Phrases {
    /// Those whose first word is whole, sorted.
    whole: &'static [Phrase],
    /// Those of whose first word only the beginning counts, sorted.
    begun: &'static [Phrase],
}

impl Phrases {
    pub(crate) const fn new(whole: &'static [Phrase], begun: &'static [Phrase]) -> Self {
        Self { whole, begun }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Phrase> {
        self.whole.iter().chain(self.begun).copied()
    }

    /// Those with which the words begin.
    pub fn at_start<'w>(&self, words: &'w [&'w str]) -> impl Iterator<Item = Phrase> + 'w {
        let first = words.first().copied().unwrap_or_default();
        let whole = between(self.whole, |known| known.cmp(first));
        // Beginnings of a word share its first letter.
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

    /// Every place where one of them stands, with the index of its first word, in the order of the text.
    pub fn places<'w>(
        &'static self,
        words: &'w [&'w str],
    ) -> impl Iterator<Item = (usize, Phrase)> + 'w {
        (0..words.len()).flat_map(move |at| {
            let rest = words.get(at..).unwrap_or_default();
            self.at_start(rest).map(move |phrase| (at, phrase))
        })
    }

    /// Whether the words hold one of them.
    #[must_use]
    pub fn any_in(&'static self, words: &[&str]) -> bool {
        self.places(words).next().is_some()
    }

    /// Whether the words begin with one of them.
    #[must_use]
    pub fn open(&self, words: &[&str]) -> bool {
        self.at_start(words).next().is_some()
    }

    /// Whether the words are one of them and nothing else; behind a word that is only begun, anything may follow.
    #[must_use]
    pub fn are(&self, words: &[&str]) -> bool {
        self.at_start(words).any(|phrase| {
            phrase.len() == words.len() || phrase.last().is_some_and(|word| word.ends_with('*'))
        })
    }

    /// How many of them the words hold, each counted once.
    #[must_use]
    pub fn count_in(&'static self, words: &[&str]) -> usize {
        let found: BTreeSet<Phrase> = self.places(words).map(|(_, phrase)| phrase).collect();
        found.len()
    }

    /// Whether the word alone is one of them.
    #[must_use]
    pub fn has_word(&self, word: &str) -> bool {
        self.are(&[word])
    }
}

/// The part of the sorted phrases whose first word compares as equal.
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

/// Texts that are compared whole, sorted.
#[derive(Debug, Clone, Copy)]
pub struct Words(&'static [&'static str]);

impl Words {
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        Self(words)
    }

    /// Whether the text is one of them.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.0.binary_search(&text).is_ok()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().copied()
    }
}

/// Words that count in texts of their own language only.
#[derive(Debug)]
pub struct ByLanguage(&'static [(&'static str, Words)]);

impl ByLanguage {
    pub(crate) const fn new(languages: &'static [(&'static str, Words)]) -> Self {
        Self(languages)
    }

    /// The words of a language; none if nothing is known of it.
    #[must_use]
    pub fn of(&self, code: &str) -> Words {
        let known = self.0.iter().find(|(known, _)| *known == code);
        known.map_or(Words::new(&[]), |(_, words)| *words)
    }

    /// All languages with their words, by their codes.
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
        // Both beginnings fit, and each phrase counts once however often it stands there.
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
