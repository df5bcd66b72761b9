//! Sets of words and phrases, sorted at build time, so that a lookup compares a few words and splits nothing.

use std::collections::BTreeSet;

/// A phrase: consecutive folded words, where `wor*` stands for every word that begins with `wor`. A phrase of a
/// script without blanks may begin with `*wor*`, which stands for every run of letters that has `wor` in it.
pub type Phrase = &'static [&'static str];

/// Phrases to look for among the words of a folded text.
#[derive(Debug)]
pub struct Phrases {
    /// Phrases whose first word is complete, sorted.
    whole: &'static [Phrase],
    /// Phrases whose first word is only a prefix, sorted.
    begun: &'static [Phrase],
    /// Phrases that are looked for inside of runs of letters, sorted.
    inside: &'static [Phrase],
}

impl Phrases {
    pub(crate) const fn new(
        whole: &'static [Phrase],
        begun: &'static [Phrase],
        inside: &'static [Phrase],
    ) -> Self {
        Self {
            whole,
            begun,
            inside,
        }
    }

    /// All phrases.
    pub fn iter(&self) -> impl Iterator<Item = Phrase> {
        let begun = self.begun.iter().chain(self.inside);
        self.whole.iter().chain(begun).copied()
    }

    /// The phrases with which the words begin. A phrase `*wor*` counts wherever the first word has it, and as
    /// often.
    pub fn at_start<'w>(&self, words: &'w [&'w str]) -> impl Iterator<Item = Phrase> + 'w {
        let first = words.first().copied().unwrap_or_default();
        let whole = between(self.whole, |known| known.cmp(first));
        // A prefix shares the first letter of the word.
        let letter = first.chars().next();
        let begun = between(self.begun, |known| known.chars().next().cmp(&letter));
        let inside = self.inside;
        let letters = first.char_indices().filter(|(_, c)| !c.is_ascii());
        let inside = letters.flat_map(move |(at, letter)| {
            let rest = first.get(at..).unwrap_or_default();
            let known = between(inside, |known| known.chars().nth(1).cmp(&Some(letter)));
            known.iter().filter(move |phrase| {
                let part = phrase.first().map(|part| part.trim_matches('*'));
                part.is_some_and(|part| rest.starts_with(part))
            })
        });
        let fits = move |phrase: &&Phrase| fit(phrase, words);
        whole
            .iter()
            .chain(begun)
            .chain(inside)
            .filter(fits)
            .copied()
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

/// Whether a word is what a part of a phrase stands for.
fn fits(part: &str, word: &str) -> bool {
    match part.strip_suffix('*') {
        None => part == word,
        Some(beginning) => match beginning.strip_prefix('*') {
            Some(inner) => word.contains(inner),
            None => word.starts_with(beginning),
        },
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

    /// Whether the text is a word of some language.
    #[must_use]
    pub fn any_has(&self, text: &str) -> bool {
        self.0.iter().any(|(_, words)| words.contains(text))
    }

    /// All languages with their words, ordered by code.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Words)> {
        self.0.iter().copied()
    }
}

/// Phrases that count only in texts of their own language.
#[derive(Debug)]
pub struct PhrasesByLanguage(&'static [(&'static str, Phrases)]);

impl PhrasesByLanguage {
    pub(crate) const fn new(languages: &'static [(&'static str, Phrases)]) -> Self {
        Self(languages)
    }

    /// The phrases of a language; none if it has no list, which is not the same as an empty one: nothing can be
    /// said about its texts.
    #[must_use]
    pub fn of(&self, code: &str) -> Option<&'static Phrases> {
        let known = self.0.iter().find(|(known, _)| *known == code);
        known.map(|(_, phrases)| phrases)
    }

    /// Whether the words begin with a phrase of some language.
    #[must_use]
    pub fn open(&self, words: &[&str]) -> bool {
        self.iter().any(|(_, phrases)| phrases.open(words))
    }

    /// Whether the words contain a phrase of some language.
    #[must_use]
    pub fn any_in(&self, words: &[&str]) -> bool {
        self.iter().any(|(_, phrases)| phrases.any_in(words))
    }

    /// All languages with their phrases, ordered by code.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static Phrases)> {
        self.0.iter().map(|(code, phrases)| (*code, phrases))
    }
}

/// Phrases in classes by what they mean, by language. A phrase may be in several.
#[derive(Debug)]
pub struct Classes(&'static [(&'static str, &'static [(&'static str, Phrases)])]);

impl Classes {
    pub(crate) const fn new(
        languages: &'static [(&'static str, &'static [(&'static str, Phrases)])],
    ) -> Self {
        Self(languages)
    }

    /// The classes of a language with their names, which are the same in all languages.
    pub fn of(&self, code: &str) -> impl Iterator<Item = (&'static str, &'static Phrases)> {
        let known = self.0.iter().find(|(known, _)| *known == code);
        let classes = known.into_iter().flat_map(|(_, classes)| *classes);
        classes.map(|(name, phrases)| (*name, phrases))
    }
}

/// The phrases of one language, each with its number, sorted.
type Table = &'static [(Phrase, f64)];

/// Words and phrases that stand for numbers, by language.
#[derive(Debug, Clone, Copy)]
pub struct Values(&'static [(&'static str, Table)]);

impl Values {
    pub(crate) const fn new(languages: &'static [(&'static str, Table)]) -> Self {
        Self(languages)
    }

    /// The tables of a language and of no language, or without a language all.
    fn tables(self, language: Option<&str>) -> impl Iterator<Item = (&'static str, Table)> {
        let wanted = language.map(str::to_owned);
        let is_wanted = move |code: &str| {
            let wanted = wanted.as_deref();
            wanted.is_none_or(|wanted| wanted == code || code == "international")
        };
        self.0
            .iter()
            .filter(move |(code, _)| is_wanted(code))
            .copied()
    }

    /// The numbers for which the first words stand, longest phrase first in each language, with the
    /// language and how many words it takes. `language` restricts it to one.
    #[must_use]
    pub fn at_start(
        self,
        words: &[&str],
        language: Option<&str>,
    ) -> Vec<(&'static str, usize, f64)> {
        let mut found = Vec::new();
        let first = words.first().copied().unwrap_or_default();
        let letter = first.chars().next();
        for (code, table) in self.tables(language) {
            let begin = table.partition_point(|(phrase, _)| letter_of(phrase) < letter);
            let longest = table
                .get(begin..)
                .unwrap_or_default()
                .iter()
                .take_while(|(phrase, _)| letter_of(phrase) == letter)
                .filter(|(phrase, _)| fit(phrase, words))
                .max_by_key(|(phrase, _)| phrase.len());
            found.extend(longest.map(|(phrase, value)| (code, phrase.len(), *value)));
        }
        found
    }

    /// The languages that have words.
    pub fn languages(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(code, _)| *code)
    }

    /// Whether a phrase of some language begins with the word.
    #[must_use]
    pub fn begins(self, word: &str) -> bool {
        let letter = word.chars().next();
        self.tables(None).any(|(_, table)| {
            let begin = table.partition_point(|(phrase, _)| letter_of(phrase) < letter);
            let rest = table.get(begin..).unwrap_or_default();
            rest.iter()
                .take_while(|(phrase, _)| letter_of(phrase) == letter)
                .any(|(phrase, _)| fit(phrase.get(..1).unwrap_or_default(), &[word]))
        })
    }

    /// The number of the longest word with which a text without spaces begins, and the word's length in bytes.
    #[must_use]
    pub fn longest_prefix_of(self, text: &str) -> Option<(usize, f64)> {
        let letter = text.chars().next();
        self.tables(None)
            .flat_map(|(_, table)| table)
            .filter(|(phrase, _)| phrase.len() == 1 && letter_of(phrase) == letter)
            .filter_map(|(phrase, value)| {
                let word = phrase.first().filter(|word| text.starts_with(**word))?;
                Some((word.len(), *value))
            })
            .max_by_key(|(length, _)| *length)
    }

    /// The number of the word with which a text without spaces ends, and the word's length in bytes.
    #[must_use]
    pub fn longest_suffix_of(self, text: &str) -> Option<(usize, f64)> {
        self.tables(None)
            .flat_map(|(_, table)| table)
            .filter_map(|(phrase, value)| {
                let word = phrase.first().filter(|word| text.ends_with(**word))?;
                Some((word.len(), *value))
            })
            .max_by_key(|(length, _)| *length)
    }

    /// Whether the word by itself stands for a number in some language.
    #[must_use]
    pub fn contains(self, word: &str) -> bool {
        !self.at_start(&[word], None).is_empty()
    }
}

fn letter_of(phrase: Phrase) -> Option<char> {
    phrase.first().and_then(|word| word.chars().next())
}

/// Whether words begin with a phrase.
fn fit(phrase: Phrase, words: &[&str]) -> bool {
    let mut parts = phrase.iter().zip(words);
    words.len() >= phrase.len() && parts.all(|(part, word)| fits(part, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    static PHRASES: Phrases = Phrases::new(
        &[&["die"], &["die", "firma"], &["firma"], &["uber", "uns*"]],
        &[&["an*", "uns"], &["zahl*"], &["zahle*"]],
        &[],
    );
    static UNSPACED: Phrases = Phrases::new(
        &[&["約"], &["製品"]],
        &[&["ぜひ*"]],
        &[
            &["*会社概要*"],
            &["*会社設立*"],
            &["*採用*", "2027"],
            &["*採用情報*"],
        ],
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

    /// A script without blanks gives long runs of letters: a phrase says whether it is a whole run, its
    /// beginning, or stands anywhere in it.
    #[test]
    fn phrases_are_found_inside_of_runs() {
        let places = |words: &[&str]| UNSPACED.places(words).count();
        assert_eq!(places(&["当社の会社概要のご案内"]), 1);
        assert_eq!(places(&["会社概要", "会社設立と会社概要"]), 3);
        assert_eq!(places(&["会社案内", "社概要"]), 0);
        assert!(UNSPACED.any_in(&["製品"]) && !UNSPACED.any_in(&["新製品"]));
        assert!(UNSPACED.any_in(&["約", "120"]) && !UNSPACED.any_in(&["契約", "120"]));
        assert!(UNSPACED.open(&["ぜひご覧ください"]) && !UNSPACED.open(&["今ぜひ"]));
        assert!(UNSPACED.any_in(&["新卒採用", "2027"]) && !UNSPACED.any_in(&["新卒採用", "2026"]));
        assert!(UNSPACED.are(&["新卒採用情報"]) && !UNSPACED.are(&["新卒", "採用情報"]));
        assert!(UNSPACED.has_word("製品") && !UNSPACED.has_word("製品一覧"));
        assert_eq!(UNSPACED.count_in(&["採用情報", "採用情報と会社概要"]), 2);
        assert_eq!(UNSPACED.iter().count(), 7);
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
