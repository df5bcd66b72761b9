//! Claims that are made in other words: “we assure you that you save” says `guaranteed savings`.
//!
//! Only the usual words of a promise are known, in classes of one meaning (`messages.claims`). Where a word of a claim is in
//! none, only its forms say it.

use gtm_lexicon::Phrases;
use gtm_lexicon::messages::{CLAIMS, ENDINGS, FUNCTION_WORDS};

use super::compounds::{JOINING, Stem, joins};
use super::denial::{Sentence, is_negative};
use super::words::{are_different, is_form};

/// Most words from the first part of a claim to its last. Other words say less surely the same, so they stand nearer.
const APART: usize = 8;

/// A part of a claim: a word, or a phrase that is in a class.
struct Part {
    /// One word, or those of a phrase.
    words: Vec<String>,
    /// The classes that have it, in all languages.
    others: Vec<&'static Phrases>,
    /// Beginnings of words that say it, in languages that join nouns.
    stems: Vec<Stem>,
}

/// The parts of a claim. None if no other words are known for it.
pub(super) struct Parts(Vec<Part>);

impl Parts {
    pub(super) fn of(words: &[String]) -> Self {
        let bare: Vec<&str> = words.iter().map(String::as_str).collect();
        let classes = classes();
        let mut parts = Vec::new();
        let mut at = 0;
        while at < bare.len() {
            let rest = bare.get(at..).unwrap_or_default();
            let of_classes = classes.iter().flat_map(|(class, phrases)| {
                let found = phrases.at_start(rest);
                found.map(move |phrase| (*class, phrase.len()))
            });
            let of_classes: Vec<(&str, usize)> = of_classes.collect();
            let longest = of_classes.iter().map(|(_, length)| *length).max();
            let length = longest.unwrap_or(1);
            let is_of = |class: &str| of_classes.contains(&(class, length));
            let others = classes.iter().filter(|(class, _)| is_of(class));
            let words = words.get(at..at + length).unwrap_or_default().to_vec();
            let joined = JOINING.into_iter().flat_map(|code| CLAIMS.of(code));
            let joined = joined.filter(|(class, _)| is_of(class));
            let stems = joined.flat_map(|(_, phrases)| Stem::of_phrases(phrases));
            let own = words.first().filter(|_| length == 1);
            parts.push(Part {
                others: others.map(|(_, phrases)| *phrases).collect(),
                stems: stems.chain(own.map(|own| Stem::of_word(own))).collect(),
                words,
            });
            at += length;
        }
        // Small words between say nothing of their own: `savings that are guaranteed`.
        let says_little = |word: &String| {
            FUNCTION_WORDS.any_has(word) && !is_negative(std::slice::from_ref(word))
        };
        parts.retain(|part| !part.others.is_empty() || !part.words.iter().all(says_little));
        // A single word has no second one to bear out that it is meant.
        let is_known = parts.iter().any(|part| !part.others.is_empty())
            && (parts.len() > 1 || parts.iter().any(|part| part.words.len() > 1));
        Self(if is_known { parts } else { Vec::new() })
    }

    /// Whether no other words are known for it.
    pub(super) const fn are_unknown(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every part is said by words near to each other.
    pub(super) fn are_said_in(&self, sentence: &Sentence, says: impl Fn(&[usize]) -> bool) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let bare: Vec<&str> = sentence.words.iter().map(String::as_str).collect();
        if let [one, other] = self.0.as_slice() {
            let mut words = bare.iter().enumerate();
            if words.any(|(at, word)| joins(word, &one.stems, &other.stems) && says(&[at])) {
                return true;
            }
        }
        let mut places: Vec<Option<usize>> = vec![None; self.0.len()];
        (0..bare.len()).any(|at| {
            let rest = bare.get(at..).unwrap_or_default();
            let mut hit = false;
            for (place, part) in places.iter_mut().zip(&self.0) {
                if part.is_said_by(rest) {
                    *place = Some(at);
                    hit = true;
                }
            }
            let near = |place: &Option<usize>| place.is_some_and(|place| at - place < APART);
            hit && places.iter().all(near) && are_different(&places) && {
                let places: Vec<usize> = places.iter().flatten().copied().collect();
                says(&places)
            }
        })
    }

    /// Whether a word is one of those that say a part.
    pub(super) fn have_word(&self, word: &str) -> bool {
        self.0.iter().any(|part| part.is_said_by(&[word]))
    }
}

impl Part {
    /// Whether the words begin with what says this part.
    fn is_said_by(&self, words: &[&str]) -> bool {
        let is_own = match (self.words.as_slice(), words.first()) {
            ([own], Some(word)) => is_form(word, own, false),
            _ => false,
        };
        is_own || self.others.iter().any(|phrases| phrases.open(words))
    }
}

/// Whether a word by itself is in a class.
pub(super) fn is_of_a_class(word: &str) -> bool {
    let mut classes = classes().into_iter();
    classes.any(|(_, phrases)| phrases.has_word(word))
}

/// The classes of all languages.
fn classes() -> Vec<(&'static str, &'static Phrases)> {
    let languages = ENDINGS.iter();
    languages.flat_map(|(code, _)| CLAIMS.of(code)).collect()
}
