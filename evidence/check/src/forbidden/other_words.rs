//! Claims that are made in other words: “we assure you that you save” says `guaranteed savings`.
//!
//! Only the usual words of a promise are known, in classes of one meaning (`messages.claims`). Where a word of a claim is in
//! none, only its forms say it.

use gtm_lexicon::messages::FUNCTION_WORDS;

use super::are_near;
use super::claim_words::{ClaimWords, Said};
use super::compounds::{JOINING, Stem};
use super::denial::is_negative;
use super::meanings::classes;

/// Most words from the first part of a claim to its last. Other words say less surely the same, so they stand nearer.
const APART: usize = 8;

/// A part of a claim: a word, or a phrase that is in a class.
#[derive(Debug)]
struct Part {
    /// Its word, by its place among those of all claims; none of a phrase.
    own: Option<usize>,
    /// The classes that have it, in all languages, by their places.
    classes: Vec<usize>,
}

/// The parts of a claim. None if no other words are known for it.
#[derive(Debug, Default)]
pub(super) struct Parts {
    parts: Vec<Part>,
    /// Two parts that one word may join, by their place among those of all claims.
    pair: Option<usize>,
}

impl Parts {
    pub(super) fn of(words: &[String], all: &mut ClaimWords) -> Self {
        let bare: Vec<&str> = words.iter().map(String::as_str).collect();
        // Words with the classes of each, and how many words it has.
        let mut parts: Vec<(&[String], Vec<usize>)> = Vec::new();
        let mut at = 0;
        while at < bare.len() {
            let rest = bare.get(at..).unwrap_or_default();
            let of_classes = classes().iter().flat_map(|class| {
                let found = class.phrases.at_start(rest);
                found.map(|phrase| (class.meaning, phrase.len()))
            });
            let of_classes: Vec<(&str, usize)> = of_classes.collect();
            let longest = of_classes.iter().map(|(_, length)| *length).max();
            let length = longest.unwrap_or(1);
            let of_meaning = classes().iter().enumerate();
            let of_meaning =
                of_meaning.filter(|(_, it)| of_classes.contains(&(it.meaning, length)));
            let of_meaning = of_meaning.map(|(place, _)| place).collect();
            let own = words.get(at..at + length).unwrap_or_default();
            parts.push((own, of_meaning));
            at += length;
        }
        // Small words between say nothing of their own: `savings that are guaranteed`.
        let says_little = |word: &String| {
            FUNCTION_WORDS.any_has(word) && !is_negative(std::slice::from_ref(word))
        };
        parts.retain(|(words, classes)| !classes.is_empty() || !words.iter().all(says_little));
        // A single word has no second one to bear out that it is meant.
        let is_known = parts.iter().any(|(_, classes)| !classes.is_empty())
            && (parts.len() > 1 || parts.iter().any(|(words, _)| words.len() > 1));
        if !is_known {
            return Self::default();
        }
        let pair = match parts.as_slice() {
            [one, other] => {
                Some(all.place_of_pair([one, other].map(|(words, classes)| stems(words, classes))))
            }
            _ => None,
        };
        let parts = parts.into_iter();
        let parts = parts.map(|(words, classes)| Part::of(words, classes, all));
        Self {
            parts: parts.collect(),
            pair,
        }
    }

    /// Whether no other words are known for it.
    pub(super) const fn are_unknown(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether every part is said by words near to each other.
    pub(super) fn are_said_in(&self, said: &Said, says: impl Fn(&[usize]) -> bool) -> bool {
        if self.parts.is_empty() {
            return false;
        }
        let joined = |at: usize| self.pair.is_some_and(|pair| said.joins_at(at, pair));
        if (0..said.len()).any(|at| joined(at) && says(&[at])) {
            return true;
        }
        let is_said = |part: &Part, at| part.is_said_at(said, at);
        are_near(&self.parts, APART, said.len(), is_said, says)
    }

    /// Whether what stands there says one of them.
    pub(super) fn have_one_at(&self, said: &Said, at: usize) -> bool {
        self.parts.iter().any(|part| part.is_said_at(said, at))
    }
}

impl Part {
    fn of(words: &[String], of_meaning: Vec<usize>, all: &mut ClaimWords) -> Self {
        for class in &of_meaning {
            all.note_class(*class);
        }
        Self {
            own: own_word(words).map(|own| all.place_of(own)),
            classes: of_meaning,
        }
    }

    /// Whether the words from there on begin with what says this part.
    fn is_said_at(&self, said: &Said, at: usize) -> bool {
        let mut classes = self.classes.iter();
        self.own.is_some_and(|own| said.is_form_at(at, own))
            || classes.any(|class| said.is_of_class_at(at, *class))
    }
}

fn own_word(words: &[String]) -> Option<&String> {
    match words {
        [own] => Some(own),
        _ => None,
    }
}

/// Beginnings of words that say a part, in languages that join nouns.
fn stems(words: &[String], classes_of_it: &[usize]) -> Vec<Stem> {
    let joined = classes_of_it.iter().filter_map(|it| classes().get(*it));
    let joined = joined.filter(|class| JOINING.contains(&class.language));
    let stems = joined.flat_map(|class| Stem::of_phrases(class.phrases));
    stems
        .chain(own_word(words).map(|own| Stem::of_word(own)))
        .collect()
}
