//! Which words of a hook its excerpt says. All that are not of grammar must be: as they are, in another form, as a part of
//! a compound, or by another word of one meaning. DANGER: one word that is let through is enough for a lie: of a clinic
//! that opens, `was raided` differs in one.

use std::collections::BTreeSet;
use std::ops::Range;

use gtm_lexicon::messages::{FUNCTION_WORDS, PARAPHRASES};

use super::super::super::passage::Word;
use super::super::super::stems::bare;
use super::super::super::vocabulary::Vocabulary;
use super::names::month_of;
use super::read::Read;
use crate::forms::Forms;

/// Most words from a verb to a particle of it that does not end the clause.
const PARTED: usize = 4;

/// Words with what they say, by which others are compared with them.
pub(super) struct Said<'w> {
    words: Vec<&'w str>,
    /// Verbs with the particle that stands at the end of their clause.
    joined: Vec<String>,
    /// The classes of one meaning of which they have a word.
    classes: BTreeSet<&'static str>,
    forms: Forms,
}

impl<'w> Said<'w> {
    /// What these parts of a text say.
    pub(super) fn of(parts: &[&'w [Word]], language: &str) -> Self {
        let forms = Forms::of(language);
        let (mut joined, mut classes) = (Vec::new(), BTreeSet::new());
        for part in parts {
            joined.extend(joined_verbs(part, forms));
            classes.extend(
                classes_of(part, language)
                    .into_iter()
                    .map(|(_, class)| class),
            );
        }
        Self {
            words: parts.iter().flat_map(|part| bare(part)).collect(),
            joined,
            classes,
            forms,
        }
    }

    /// What single words say.
    pub(super) fn of_words(words: impl Iterator<Item = &'w str>, language: &str) -> Self {
        Self {
            words: words.collect(),
            joined: Vec::new(),
            classes: BTreeSet::new(),
            forms: Forms::of(language),
        }
    }

    /// Whether they have a word or a form of it.
    pub(super) fn has(&self, word: &str) -> bool {
        let all = || (self.words.iter().copied()).chain(self.joined.iter().map(String::as_str));
        all().any(|it| self.forms.are_one(it, word)) || self.forms.is_compound_of(word, all())
    }

    /// The words of a part of a hook that they do not have, as bytes.
    pub(super) fn lacks(&self, part: &Content<'_>, language: &str) -> Vec<Range<usize>> {
        let classes = classes_of(part.words, language).into_iter();
        let said = classes.filter(|(_, class)| self.classes.contains(class));
        let said: Vec<usize> = said.flat_map(|(places, _)| places).collect();
        let parted = joined_verbs(part.words, self.forms);
        let particle = part.words.len().saturating_sub(1);
        let is_said = |at: usize, word: &Word| {
            said.contains(&at)
                || self.has(&word.folded)
                || parted
                    .iter()
                    .any(|verb| verb.ends_with(&word.folded) && self.has(verb))
        };
        let mut lacking: Vec<Range<usize>> = (part.content())
            .filter(|(at, word)| !is_said(*at, word))
            .map(|(_, word)| word.range.clone())
            .collect();
        // `Ziehen aus` does not say `ziehen ein`.
        if !parted.is_empty()
            && !said.contains(&particle)
            && !parted.iter().any(|verb| self.has(verb))
            && let Some(last) = part.words.last()
            && !self.words.contains(&last.folded.as_str())
        {
            lacking.push(last.range.clone());
        }
        lacking
    }

    /// How many words of a part of a hook they have.
    pub(super) fn shares(&self, part: &Content<'_>, language: &str) -> usize {
        let lacking = self.lacks(part, language);
        let all = part.content();
        all.filter(|(_, word)| !lacking.contains(&word.range))
            .count()
    }
}

/// The words of a part of a hook, with those that say something.
pub(super) struct Content<'w> {
    words: &'w [Word],
    says_something: Vec<bool>,
}

impl<'w> Content<'w> {
    /// Months, numbers and what is set aside are compared elsewhere.
    pub(super) fn of(
        read: &'w Read,
        part: &Range<usize>,
        aside: &[Range<usize>],
        vocabulary: &Vocabulary,
    ) -> Self {
        let small = FUNCTION_WORDS.of(&vocabulary.language);
        let numbers = read.numbers(vocabulary);
        let is_in = |places: &[Range<usize>], word: &Word| {
            places.iter().any(|it| it.contains(&word.range.start))
        };
        let words = read.words_in(part);
        let says_something = words.iter().map(|word| {
            !small.contains(&word.folded)
                && month_of(read, word, vocabulary).is_none()
                && !is_in(numbers, word)
                && !is_in(aside, word)
        });
        Self {
            words,
            says_something: says_something.collect(),
        }
    }

    pub(super) fn content(&self) -> impl Iterator<Item = (usize, &'w Word)> {
        let all = self.words.iter().enumerate().zip(&self.says_something);
        all.filter(|(_, says)| **says).map(|(word, _)| word)
    }

    pub(super) fn count(&self) -> usize {
        self.content().count()
    }
}

/// The classes of which words have one, with the places of its words.
fn classes_of(words: &[Word], language: &str) -> Vec<(Vec<usize>, &'static str)> {
    let bare: Vec<&str> = bare(words).collect();
    let mut found = Vec::new();
    for (class, phrases) in PARAPHRASES.of(language) {
        let places = phrases.places(&bare);
        found.extend(places.map(|(at, phrase)| ((at..at + phrase.len()).collect(), class)));
        // A verb and its particle: `stellen zehn Schweißer ein`, `bring waiting times down`.
        let last = bare.len().saturating_sub(1);
        for (at, verb) in bare.iter().enumerate() {
            let parted = (at + 2..bare.len()).filter(|end| {
                let both = [*verb, bare.get(*end).copied().unwrap_or_default()];
                (*end == last || end - at <= PARTED)
                    && phrases
                        .at_start(&both)
                        .any(|phrase| phrase.len() == both.len())
            });
            found.extend(parted.map(|end| (vec![at, end], class)));
        }
    }
    found
}

/// The words of a clause that ends with the particle of a verb, each with that before it: one of them is the verb.
fn joined_verbs(words: &[Word], forms: Forms) -> Vec<String> {
    let Some((last, before)) = words.split_last() else {
        return Vec::new();
    };
    if !forms.particles.contains(&last.folded) {
        return Vec::new();
    }
    let joined = before
        .iter()
        .map(|word| format!("{}{}", last.folded, word.folded));
    joined.collect()
}

/// Which words of two texts say the same: forms of one, parts of a compound, or of one meaning.
pub(super) struct Same<'w> {
    words: (&'w [Word], &'w [Word]),
    classes: (Classed, Classed),
    forms: Forms,
}

/// The places of the words of a class, with the class.
type Classed = Vec<(Vec<usize>, &'static str)>;

impl<'w> Same<'w> {
    pub(super) fn of(words: &'w [Word], others: &'w [Word], language: &str) -> Self {
        Self {
            words: (words, others),
            classes: (classes_of(words, language), classes_of(others, language)),
            forms: Forms::of(language),
        }
    }

    /// Whether two words, one of each text, are forms of one, or one is a part of the other.
    pub(super) fn are_forms(&self, at: usize, other: usize) -> bool {
        let (Some(word), Some(other_word)) = (self.words.0.get(at), self.words.1.get(other)) else {
            return false;
        };
        let (word, other_word) = (word.folded.as_str(), other_word.folded.as_str());
        self.forms.are_one(word, other_word)
            || (self.forms).is_compound_of(word, std::iter::once(other_word))
    }

    /// Whether two words, one of each text, say the same.
    pub(super) fn are_one(&self, at: usize, other: usize) -> bool {
        self.are_forms(at, other)
            || self.classes.0.iter().any(|(places, class)| {
                let mut others = self.classes.1.iter();
                places.contains(&at)
                    && others.any(|(others, it)| it == class && others.contains(&other))
            })
    }
}
