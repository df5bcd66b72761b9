//! Results of which a sentence denies that it promises them: “we do not promise that you save”, “savings are not
//! guaranteed”, “we promise no savings”.
//!
//! DANGER: to deny a result is to promise another one (“your costs never rise”). So a promise must be denied, or be one of
//! nothing that is saved.

use gtm_lexicon::denials::{CONCORD, NOBODY, OF_NOUNS, OF_VERBS, PROMISES, THAT, WITHOUT};
use gtm_lexicon::messages::{CLAIMS, ENDINGS};
use gtm_lexicon::{fold, split};
use unicode_normalization::UnicodeNormalization as _;

use super::denial::Sentence;

/// The class of what is saved.
const SAVING: &str = "saving";

/// Most words between what is promised and the promise.
///
/// DANGER: a clause may have any length, and it is read again for each of its results.
const FAR: usize = 24;

/// A sentence that may deny its own promise.
pub(crate) struct Promise {
    sentence: Sentence,
    /// What each word may do, looked up once: the clause of each result is read anew.
    words: Vec<Does>,
}

/// What a word may do in a promise.
struct Does {
    promises: bool,
    /// It joins a promise to what is promised.
    joins: bool,
    denies_nouns: bool,
}

impl Promise {
    pub(crate) fn of(sentence: &str) -> Self {
        let sentence = Sentence::of(sentence);
        let does = |word: &String| Does {
            promises: PROMISES.has_word(word),
            joins: THAT.has_word(word),
            denies_nouns: OF_NOUNS.has_word(word),
        };
        Self {
            words: sentence.words.iter().map(does).collect(),
            sentence,
        }
    }

    /// Whether the sentence denies that it promises what stands behind these words, with which it begins: in the clause that
    /// speaks of it, or in the one before if `that` joins them.
    pub(crate) fn is_denied_behind(&self, before: &str) -> bool {
        let folded = fold(&before.nfkc().collect::<String>());
        let place = split(&folded).len();
        let near = place.saturating_sub(FAR);
        let own = self.begin_of(place);
        let is_that = self.words.get(own).is_some_and(|word| word.joins);
        let first = match own.checked_sub(1).filter(|_| is_that) {
            Some(before) => self.begin_of(before),
            None => own,
        };
        let end = self.end_of(place).min(place + FAR);
        (first.max(near)..=place)
            .any(|promise| self.is_denied(promise) && !self.denies_again(promise, place))
            || (place + 1..end).any(|promise| self.is_denied_of(promise, place))
            || (own.max(near)..=place).any(|promise| self.promises_nothing(promise, place, end))
    }

    fn begin_of(&self, place: usize) -> usize {
        let begins = self.sentence.begins.get(..=place).unwrap_or_default();
        begins
            .iter()
            .rposition(|begins| *begins)
            .unwrap_or_default()
    }

    /// Where the clause of a word ends.
    fn end_of(&self, place: usize) -> usize {
        let behind = self.sentence.begins.get(place + 1..).unwrap_or_default();
        let next = behind.iter().position(|begins| *begins);
        next.map_or(self.sentence.words.len(), |next| place + 1 + next)
    }

    fn promises(&self, place: usize) -> bool {
        self.words.get(place).is_some_and(|word| word.promises)
    }

    /// Whether a promise stands there and is denied.
    fn is_denied(&self, promise: usize) -> bool {
        self.promises(promise) && self.sentence.denies(&[promise])
    }

    /// Whether between a promise and what it promises something else is denied: `do not promise that you will not lose`. Of
    /// `ne promettons pas`, the second word only repeats the first.
    fn denies_again(&self, promise: usize, place: usize) -> bool {
        let behind = self
            .sentence
            .words
            .get(promise + 1..=place)
            .unwrap_or_default();
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
        let between = self.words.get(place + 1..promise).unwrap_or_default();
        self.is_denied(promise)
            && !self.sentence.denies(&[place])
            && !between.iter().any(|word| word.joins)
    }

    /// Whether a promise that is not denied is one of no savings: `we promise no savings`.
    fn promises_nothing(&self, promise: usize, place: usize, end: usize) -> bool {
        let is_none = |saved: usize| {
            let before = self.words.get(promise + 1..saved).unwrap_or_default();
            before.iter().any(|word| word.denies_nouns) && self.sentence.denies(&[saved]) && {
                let rest = self.sentence.words.get(saved..end).unwrap_or_default();
                let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
                is_saving(&rest)
            }
        };
        self.promises(promise)
            && !self.sentence.denies(&[promise])
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
