//! Sentences that say of all that follows that it is private: `Everything below this line is just for you, not for the customer.`
//!
//! Danger: `All of the following is confidential` is what a reader is told. So they say for whom it is not, or are very short.

use gtm_lexicon::documents::{ALL_BELOW, PRIVATE_LABELS};
use gtm_lexicon::{fold, split};

/// Longest sentence of that kind, and longest one that needs only one word for it, in words.
const MOST_WORDS: usize = 16;
const SHORT_WORDS: usize = 5;
/// How far from its beginning it speaks of what follows, in words.
const REACH: usize = 3;

/// Whether a text says that all that follows is private.
pub fn speaks_of_all(text: &str) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    let early = ALL_BELOW.places(&words).any(|(at, _)| at <= REACH);
    let short = words.len() <= SHORT_WORDS;
    let mut labels = PRIVATE_LABELS.places(&words);
    early && words.len() <= MOST_WORDS && labels.any(|(_, label)| short || label.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::super::super::Brief;

    #[test]
    fn all_that_follows_goes() {
        for note in [
            "Everything below this line is just for you, not for the customer.",
            "Everything below is internal.",
        ] {
            let brief = Brief::read(
                &format!("# A\n\n## B\n\nRooms.\n\n{note}\n\n40.\n\n## C\n\n- 41"),
                "en",
            );
            assert_eq!(brief.text(), "A\nB\nRooms.\n", "{note}");
            assert!(brief.withheld.len() >= 3, "{:?}", brief.withheld);
        }
        let brief = Brief::read(
            "# A\n\n## B\n\nAll of the following prices are confidential and net.\n\n40.",
            "en",
        );
        assert!(brief.text().contains("40"));
    }
}
