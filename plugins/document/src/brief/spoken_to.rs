//! Whom the words of a brief speak to.

use gtm_lexicon::company::{WE, YOU};
use gtm_lexicon::documents::ADDRESSING;
use gtm_lexicon::{fold, split};

/// Whether a text speaks to its reader or of those who write.
pub fn is_to_the_reader(text: &str) -> bool {
    split(text)
        .iter()
        .any(|word| ADDRESSING.any_has(word) || WE.has_word(&fold(word)))
}

/// Whether folded words speak to somebody.
pub fn says_you(words: &[&str]) -> bool {
    words.iter().any(|word| YOU.has_word(word))
}
