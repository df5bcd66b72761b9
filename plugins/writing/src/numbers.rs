//! Numbers in what a model writes: the sums that it declares, and the numbers that it writes as words.

use std::collections::BTreeSet;

use gtm_lexicon::figures::NUMBERS;
use gtm_site_research::words;

/// A sum that the model did, and that code did again.
pub use gtm_lexicon::formula::Sum as Derivation;

/// The numbers of a text that are written as words: `five`. `One` is an article in most languages.
#[must_use]
pub fn in_words(text: &str) -> BTreeSet<String> {
    let folded = words::fold(text);
    words::split(&folded)
        .into_iter()
        .filter(|word| {
            NUMBERS
                .at_start(&[word], None)
                .iter()
                .any(|(.., value)| *value >= 2.0)
        })
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words_are_told() {
        let told = in_words("Two of five sites, and 3 more for one");
        assert_eq!(told, ["five", "two"].map(str::to_owned).into());
    }
}
