//! Results of which a sentence denies that it promises them: “we do not promise that you save”, “savings are not
//! guaranteed”, “we promise no savings”.
//!
//! DANGER: to deny a result is to promise another one (“your costs never rise”). So a promise must be denied, or be one of
//! nothing that is saved.

use gtm_lexicon::Phrases;
use gtm_lexicon::denials::{CONCORD, NOBODY, OF_NOUNS, OF_VERBS, PROMISES, THAT, WITHOUT};
use gtm_lexicon::messages::{CLAIMS, ENDINGS};

use super::denial::Sentence;

/// The class of what is saved.
const SAVING: &str = "saving";

/// Whether a sentence denies that it promises what stands at this byte: in the clause that speaks of it, or in the one before
/// if `that` joins them.
pub(crate) fn is_no_promise(sentence: &str, at: usize) -> bool {
    let before = sentence.get(..at).unwrap_or_default();
    let place = Sentence::of(before).words.len();
    let read = Read(Sentence::of(sentence));
    let own = read.begin_of(place);
    let is_that = read.has(own, &THAT);
    let first = match own.checked_sub(1).filter(|_| is_that) {
        Some(before) => read.begin_of(before),
        None => own,
    };
    let end = read.end_of(place);
    (first..=place).any(|promise| read.is_denied(promise) && !read.denies_again(promise, place))
        || (place + 1..end).any(|promise| read.is_denied_of(promise, place))
        || (own..=place).any(|promise| read.promises_nothing(promise, place, end))
}

struct Read(Sentence);

impl Read {
    fn begin_of(&self, place: usize) -> usize {
        let begins = self.0.begins.get(..=place).unwrap_or_default();
        begins
            .iter()
            .rposition(|begins| *begins)
            .unwrap_or_default()
    }

    /// Where the clause of a word ends.
    fn end_of(&self, place: usize) -> usize {
        let behind = self.0.begins.get(place + 1..).unwrap_or_default();
        let next = behind.iter().position(|begins| *begins);
        next.map_or(self.0.words.len(), |next| place + 1 + next)
    }

    fn has(&self, place: usize, phrases: &'static Phrases) -> bool {
        let word = self.0.words.get(place);
        word.is_some_and(|word| phrases.has_word(word))
    }

    /// Whether a promise stands there and is denied.
    fn is_denied(&self, promise: usize) -> bool {
        self.has(promise, &PROMISES) && self.0.denies(&[promise])
    }

    /// Whether between a promise and what it promises something else is denied: `do not promise that you will not lose`. Of
    /// `ne promettons pas`, the second word only repeats the first.
    fn denies_again(&self, promise: usize, place: usize) -> bool {
        let behind = self.0.words.get(promise + 1..=place).unwrap_or_default();
        let that = behind.iter().rposition(|word| THAT.has_word(word));
        let again = behind.get(that.map_or(0, |that| that + 1)..);
        let mut again: Vec<&str> = again
            .unwrap_or_default()
            .iter()
            .map(String::as_str)
            .collect();
        if that.is_none() {
            again.retain(|word| !CONCORD.has_word(word));
        }
        [&NOBODY, &OF_NOUNS, &OF_VERBS, &WITHOUT]
            .into_iter()
            .any(|phrases| phrases.any_in(&again))
    }

    /// Whether a promise behind what it promises is denied: `savings are not guaranteed`. Not where the result is denied as well
    /// (`no savings are not guaranteed`), nor in a clause that says of which savings something is told.
    fn is_denied_of(&self, promise: usize, place: usize) -> bool {
        let between = self.0.words.get(place + 1..promise).unwrap_or_default();
        self.is_denied(promise)
            && !self.0.denies(&[place])
            && !between.iter().any(|word| THAT.has_word(word))
    }

    /// Whether a promise that is not denied is one of no savings: `we promise no savings`.
    fn promises_nothing(&self, promise: usize, place: usize, end: usize) -> bool {
        let is_none = |saved: usize| {
            let rest = self.0.words.get(saved..end).unwrap_or_default();
            let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
            let before = self.0.words.get(promise + 1..saved).unwrap_or_default();
            is_saving(&rest)
                && before.iter().any(|word| OF_NOUNS.has_word(word))
                && self.0.denies(&[saved])
        };
        self.has(promise, &PROMISES)
            && !self.0.denies(&[promise])
            && (promise + 1..end).any(|saved| place <= saved && is_none(saved))
    }
}

/// Whether words begin with what is saved, in any language.
fn is_saving(words: &[&str]) -> bool {
    let mut languages = ENDINGS.iter();
    languages.any(|(code, _)| {
        let mut classes = CLAIMS.of(code);
        classes.any(|(class, phrases)| class == SAVING && phrases.open(words))
    })
}
