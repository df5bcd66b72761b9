//! Words of claims: which of them are forms of one, and what says nothing beside them.

use gtm_lexicon::messages::ENDINGS;
use gtm_lexicon::numbers::{is_currency, is_unspaced};

use crate::forms::Forms;
use crate::small_words::is_small;

/// Letters that forms of one word share at least.
pub(super) const SHARED: usize = 5;
/// Most letters by which they differ behind them.
const ENDING: usize = 3;

/// Whether a word beside a claim's says nothing of its own: `we guarantee it`.
pub(super) fn says_little(word: &str) -> bool {
    is_small(word) || (word.chars().count() <= 2 && !word.starts_with(is_unspaced))
}

/// Whether it means something in a claim: `100 %` is not `100`.
pub(super) fn is_sign(c: char) -> bool {
    "%‰+<>=".contains(c) || is_currency(c)
}

/// Whether it only parts words.
pub(super) fn is_mark(c: char) -> bool {
    "-‑–—'’‘‚\"“”„«».,;:!?¡¿…&/()[]".contains(c)
}

pub(super) fn are_different(places: &[Option<usize>]) -> bool {
    let mut seen: Vec<usize> = places.iter().flatten().copied().collect();
    seen.sort_unstable();
    seen.windows(2).all(|pair| pair.first() != pair.last())
}

/// Whether a word is long enough to be known in another form, or is of a script without blanks.
pub(super) fn has_forms(word: &str) -> bool {
    word.starts_with(is_unspaced) || word.chars().filter(|c| c.is_alphabetic()).count() >= SHARED
}

/// Whether a word of a text is a form of a claim's. A claim of a single word has no second one to bear it out: there, one
/// of the two is the other's beginning.
pub(super) fn is_form(word: &str, of_claim: &str, alone: bool) -> bool {
    if word == of_claim {
        return true;
    }
    if of_claim.starts_with(is_unspaced) {
        return word.contains(of_claim);
    }
    if !has_forms(of_claim) || word.chars().any(|c| c.is_ascii_digit()) {
        return false;
    }
    let shared = word
        .chars()
        .zip(of_claim.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let (rest, rest_of_claim) = (
        word.chars().count() - shared,
        of_claim.chars().count() - shared,
    );
    // `contrast` and `contribute` share five letters and little more.
    let mostly = |rest: usize| shared >= 2 * rest;
    let is_short = |rest: usize| rest <= ENDING && mostly(rest);
    let differ_little = is_short(rest) && is_short(rest_of_claim);
    shared >= SHARED
        && match alone {
            true => differ_little && (rest_of_claim == 0 || rest == 0),
            false => differ_little || are_forms(word, of_claim),
        }
}

/// Whether two words are forms of one in some language: `garanties`, `garantissons`.
fn are_forms(word: &str, of_claim: &str) -> bool {
    let mut languages = ENDINGS.iter();
    languages.any(|(code, _)| Forms::of(code).are_one(word, of_claim))
}
