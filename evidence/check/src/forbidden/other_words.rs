//! Claims that are made in other words: “we assure you that you save” says `guaranteed savings`.
//!
//! Only the usual words of a promise are known, in classes of one meaning (`messages.claims`). Where a word of a claim is in
//! none, only its forms say it.

use gtm_lexicon::messages::FUNCTION_WORDS;

use super::are_near;
use super::claim_words::{ClaimWords, Said};
use super::compounds::{JOINING, Stem, joins};
use super::denial::{Sentence, is_negative};
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
    /// Beginnings of words that say it, in languages that join nouns.
    stems: Vec<Stem>,
}

/// The parts of a claim. None if no other words are known for it.
#[derive(Debug)]
pub(super) struct Parts(Vec<Part>);

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
            return Self(Vec::new());
        }
        let parts = parts.into_iter();
        let parts = parts.map(|(words, classes)| Part::of(words, classes, all));
        Self(parts.collect())
    }

    /// Whether no other words are known for it.
    pub(super) const fn are_unknown(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every part is said by words near to each other.
    pub(super) fn are_said_in(
        &self,
        sentence: &Sentence,
        said: &Said,
        says: impl Fn(&[usize]) -> bool,
    ) -> bool {
        if self.0.is_empty() {
            return false;
        }
        if let [one, other] = self.0.as_slice() {
            let mut words = sentence.words.iter().enumerate();
            if words.any(|(at, word)| joins(word, &one.stems, &other.stems) && says(&[at])) {
                return true;
            }
        }
        let is_said = |part: &Part, at| part.is_said_at(said, at);
        are_near(&self.0, APART, said.len(), is_said, says)
    }

    /// Whether what stands there says one of them.
    pub(super) fn have_one_at(&self, said: &Said, at: usize) -> bool {
        self.0.iter().any(|part| part.is_said_at(said, at))
    }
}

impl Part {
    fn of(words: &[String], of_meaning: Vec<usize>, all: &mut ClaimWords) -> Self {
        let own = match words {
            [own] => Some(own),
            _ => None,
        };
        let joined = of_meaning.iter().filter_map(|place| classes().get(*place));
        let joined = joined.filter(|class| JOINING.contains(&class.language));
        let stems = joined.flat_map(|class| Stem::of_phrases(class.phrases));
        let stems = stems.chain(own.map(|own| Stem::of_word(own))).collect();
        for class in &of_meaning {
            all.note_class(*class);
        }
        Self {
            own: own.map(|own| all.place_of(own)),
            classes: of_meaning,
            stems,
        }
    }

    /// Whether the words from there on begin with what says this part.
    fn is_said_at(&self, said: &Said, at: usize) -> bool {
        let mut classes = self.classes.iter();
        self.own.is_some_and(|own| said.is_form_at(at, own))
            || classes.any(|class| said.is_of_class_at(at, *class))
    }
}
