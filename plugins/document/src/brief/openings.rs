//! Phrases with which a sentence opens, such as those of orders.

use gtm_lexicon::{Phrases, fold, split};

/// Whether a sentence begins with one of the phrases, or has one where verbs stand at the end.
pub fn opens(phrases: &'static Phrases, sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let at_the_end =
        |phrase: gtm_lexicon::Phrase| phrase.first().is_some_and(|word| word.starts_with('*'));
    phrases.open(&words) || phrases.places(&words).any(|(_, phrase)| at_the_end(phrase))
}
