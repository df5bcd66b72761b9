//! Whether words are forms of one word. There is no dictionary behind it: two words are the same if they share their
//! first five letters, or if one is the other with an ending of up to three letters. That is what `meter` and
//! `metering` have in common, `bill` and `billed`, `Zähler` and `Zählern`, and it is the same in all languages whose
//! words have such endings.

use std::collections::BTreeSet;

use gtm_lexicon::words::STOPWORDS;

use super::passage::Word;

/// Letters by which long words are compared.
const LETTERS: usize = 5;
/// Most letters of an ending.
const ENDING: usize = 3;
/// Fewest letters of a word that carries a subject.
const SHORTEST: usize = 4;

/// Letters of a short word, such as `day`, and most of its ending.
const SHORT: usize = 3;
const SHORT_ENDING: usize = 2;

/// Whether two folded words are forms of one.
pub(super) fn are_forms(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars());
    let shared = shared.take_while(|(a, b)| a == b).count();
    let (one_length, other_length) = (one.chars().count(), other.chars().count());
    let shorter = one_length.min(other_length);
    let ending = one_length.max(other_length) - shorter;
    let most = match shorter {
        ..SHORT => 0,
        SHORT => SHORT_ENDING,
        _ => ENDING,
    };
    shared >= LETTERS || (shared == shorter && ending <= most)
}

/// Words of a text that carry its subject.
#[derive(Debug, Clone, Default)]
pub(super) struct Stems {
    words: BTreeSet<String>,
    /// The words without their endings, whatever these are.
    bare: BTreeSet<String>,
    openings: BTreeSet<String>,
}

impl Stems {
    pub(super) fn of_text(text: &str) -> Self {
        let folded = gtm_lexicon::fold(text);
        let acronyms: Vec<String> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter_map(acronym)
            .collect();
        let words = gtm_lexicon::split(&folded).into_iter();
        Self::of(words.chain(acronyms.iter().map(String::as_str)))
    }

    pub(super) fn of<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let mut found = Self::default();
        for word in words.into_iter().filter(|word| carries_subject(word)) {
            found.words.insert(word.to_owned());
            found.bare.extend(without_endings(word));
            found.openings.extend(opening(word));
        }
        found
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains(word)
            || self.bare.contains(word)
            || opening(word).is_some_and(|opening| self.openings.contains(&opening))
            || without_endings(word).any(|bare| self.words.contains(&bare))
    }

    /// How many of the words carry a subject, and how many of these have a form among the stems.
    pub(super) fn covered<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> (usize, usize) {
        let mut counted = (0, 0);
        let mut seen = BTreeSet::new();
        for word in words.into_iter().filter(|word| carries_subject(word)) {
            if seen.insert(word) {
                counted.0 += 1;
                counted.1 += usize::from(self.has(word));
            }
        }
        counted
    }
}

/// Whether a folded word says what a text is about: a long one, a number, or an acronym, which alone keeps its capitals.
pub(super) fn carries_subject(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let names = word.chars().any(|c| c.is_ascii_digit()) || acronym(word).is_some();
    names || (letters >= SHORTEST && !STOPWORDS.contains(word))
}

/// A word of two or three capitals, such as `ISO`. Folded it would be too short to be compared.
pub(super) fn acronym(word: &str) -> Option<String> {
    let letters = word.chars().count();
    let is_one = (2..SHORTEST).contains(&letters) && word.chars().all(char::is_uppercase);
    is_one.then(|| word.to_owned())
}

/// The bare words.
pub(super) fn bare(words: &[Word]) -> impl Iterator<Item = &str> {
    words.iter().map(|word| word.folded.as_str())
}

fn opening(word: &str) -> Option<String> {
    let letters: String = word.chars().take(LETTERS).collect();
    (letters.chars().count() == LETTERS).then_some(letters)
}

fn without_endings(word: &str) -> impl Iterator<Item = String> {
    let length = word.chars().count();
    let shortest = SHORTEST.max(length.saturating_sub(ENDING));
    (shortest..length).map(move |letters| word.chars().take(letters).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn forms_of_a_word_are_one() {
        let stems =
            Stems::of_text("Book a call about metering; we bill blocks; die Zähler, content");
        for word in [
            "calls", "meters", "block", "zahlern", "booking", "billed", "billing",
        ] {
            assert!(stems.has(word), "{word}");
        }
        for word in ["about", "demo", "contact", "contract"] {
            assert!(!stems.has(word), "{word}");
        }
        assert_eq!(stems.covered(["meter", "the", "tariff", "meter"]), (2, 1));
        assert!(Stems::of_text("a of to").is_empty());
    }

    #[test]
    fn short_words_have_short_endings() {
        assert!(are_forms("day", "days") && !are_forms("car", "carpet"));
        assert!(are_forms("h", "h") && !are_forms("of", "off") && !are_forms("", "a"));
    }

    proptest! {
        #[test]
        fn one_word_and_many_are_compared_alike(one in "[ab]{4,9}", other in "[ab]{4,9}") {
            let stems = Stems::of([one.as_str()]);
            prop_assert_eq!(stems.has(&other), are_forms(&one, &other));
        }
    }
}
