//! Words of a text: their positions, and stems for measuring overlap.

use std::collections::BTreeSet;

use gtm_lexicon::words::STOPWORDS;
use gtm_page_text::is_joined;

pub use gtm_lexicon::{fold, split, with_ascii_digits};

/// The folded letters and digits of a text, for comparing names.
#[must_use]
pub fn letters(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Index of the first word of the phrase's first occurrence.
pub fn position(words: &[&str], phrase: &str) -> Option<usize> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    words
        .windows(parts.len())
        .position(|window| window == parts.as_slice())
}

/// Content words cut to five letters, which is enough to match `meters` and `metering`.
pub fn stems(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    split(&folded)
        .into_iter()
        .filter(|word| word.chars().count() >= 4 && word.chars().any(char::is_alphabetic))
        .filter(|word| !STOPWORDS.contains(word))
        .map(|word| word.chars().take(5).collect())
        .collect()
}

/// How many words a text has; of a script without blanks, two letters count as one.
pub fn count(text: &str) -> usize {
    let letters = text.chars().filter(|c| is_joined(*c)).count();
    let others = text.split(|c: char| c.is_whitespace() || is_joined(c));
    letters.div_ceil(2)
        + others
            .filter(|word| word.chars().any(char::is_alphanumeric))
            .count()
}

/// The words between white space, each with its byte range.
pub fn tokens(text: &str) -> Vec<(usize, usize, &str)> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(begin)) => {
                found.push((begin, at, text.get(begin..at).unwrap_or_default()));
                start = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_have_their_place() {
        assert_eq!(position(&["a", "new", "york", "b"], "new york"), Some(1));
        assert_eq!(position(&["new", "a", "york"], "new york"), None);
        assert_eq!(position(&[], "new york"), None);
    }

    #[test]
    fn words_are_counted_without_blanks_too() {
        assert_eq!(count("Signals for regional lines – today"), 5);
        assert_eq!(count("印刷会社です"), 3);
        assert_eq!(count("Kelvio正規代理店"), 4);
    }

    #[test]
    fn stems_bring_forms_together() {
        assert!(stems("metering of buildings").contains("meter"));
        assert!(stems("smart meters").contains("meter"));
        assert!(stems("with your the and").is_empty());
    }
}
