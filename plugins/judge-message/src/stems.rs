//! Stems: what is left of a word when forms of it are brought together, and how a stem is found again.

use std::collections::BTreeSet;

use gtm_lexicon::words::STOPWORDS;
use gtm_lexicon::{fold, split};

/// Letters of a stem: enough to bring `meters` and `metering` together.
const LETTERS: usize = 5;
/// Fewest letters of a word that counts.
const LEAST: usize = 4;

/// Words of a text that carry its subject, folded, each once.
pub fn content(text: &str) -> Vec<String> {
    let acronyms = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| is_acronym(word))
        .map(fold);
    let folded = fold(text);
    let words = split(&folded)
        .into_iter()
        .filter(|word| word.chars().count() >= LEAST && word.chars().any(char::is_alphabetic))
        .filter(|word| !STOPWORDS.contains(word))
        .map(str::to_owned);
    let all: BTreeSet<String> = words.chain(acronyms).collect();
    all.into_iter().collect()
}

/// Stems of these words.
pub fn stems(text: &str) -> BTreeSet<String> {
    let words = content(text).into_iter();
    words
        .map(|word| word.chars().take(LETTERS).collect())
        .collect()
}

/// Whether a word is too short to count and yet names something, such as `ERP`.
fn is_acronym(word: &str) -> bool {
    let letters = word.chars().count();
    (2..LEAST).contains(&letters) && word.chars().all(char::is_uppercase)
}

/// Whether one of the words has the stem: at its beginning, or inside of a compound such as `stromzahler`.
pub fn stands_in(stem: &str, words: &[String]) -> bool {
    let letters = stem.chars().count();
    words.iter().any(|word| {
        word.starts_with(stem)
            // `bill` and `billing`, in either order.
            || (letters == LETTERS && word.chars().count() == LEAST && stem.starts_with(word.as_str()))
            || (letters == LETTERS && word.chars().count() >= LETTERS + 3 && word.contains(stem))
    })
}

/// How many of the stems stand among the words.
pub fn hits<'s>(stems: impl IntoIterator<Item = &'s String>, words: &[String]) -> usize {
    stems
        .into_iter()
        .filter(|stem| stands_in(stem, words))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(stem_of: &str, text: &str) -> bool {
        let folded = fold(text);
        let words: Vec<String> = split(&folded).into_iter().map(str::to_owned).collect();
        hits(&stems(stem_of), &words) > 0
    }

    #[test]
    fn forms_and_compounds_are_brought_together() {
        assert!(found("metering", "two meters"));
        assert!(found("metering", "submetering"));
        assert!(found("billing", "one bill"));
        assert!(found("bill", "the billing"));
        assert!(found("Zähler", "Wir bauen Stromzähler ein"));
        assert!(found("ERP", "your ERP"));
        assert!(!found("ERP", "your interpretation"));
        assert!(!found("with your this", "with your this"));
        assert!(!found("metering", "a metre"));
    }
}
