//! The words of a text with their places in it.

use std::ops::Range;

use gtm_lexicon::fold;

/// Words with their places, without the marks around them.
pub fn tokens(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut begin = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = c.is_alphanumeric() || matches!(c, '\'' | '’' | '&' | '-' | '/' | '@');
        let dot = matches!(c, '.')
            && begin.is_some()
            && text
                .get(at + 1..)
                .is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
        match begin {
            None if inside && c != '-' => begin = Some(at),
            Some(from) if !inside && !dot => {
                let word = text.get(from..at).unwrap_or_default();
                found.push((from..at, fold(word)));
                begin = None;
            }
            _ => {}
        }
    }
    found
}
