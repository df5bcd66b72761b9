//! Words that say nothing of what a text is about.

use gtm_lexicon::prose::SMALL_WORDS;
use gtm_lexicon::words::STOPWORDS;

/// Whether a folded word carries no subject.
pub(crate) fn is_small(word: &str) -> bool {
    let mut small = SMALL_WORDS.iter();
    STOPWORDS.contains(word) || small.any(|(_, words)| words.contains(word))
}
