//! Where a passage says what something achieves.

use std::ops::Range;

use gtm_lexicon::fold;
use gtm_lexicon::messages::RESULT_ACRONYMS;

use super::passage::{Passage, Word, found};
use super::vocabulary::Vocabulary;

/// Where a passage says what something achieves. Acronyms count in capitals only: a street may be `rue du Roi`.
pub(super) fn results(
    passage: &Passage,
    words: &[Word],
    vocabulary: &Vocabulary,
) -> Vec<Range<usize>> {
    let acronyms = RESULT_ACRONYMS.of(&vocabulary.language);
    let is_acronym = |word: &&Word| {
        let printed = passage.text.get(word.range.clone()).unwrap_or_default();
        // What is not read has another word in its place.
        acronyms.contains(printed) && word.folded == fold(printed)
    };
    let mut results = found(words, vocabulary.results);
    let printed = words.iter().filter(is_acronym);
    results.extend(printed.map(|word| word.range.clone()));
    results.sort_by_key(|range| range.start);
    results
}
