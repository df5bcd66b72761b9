//! Figures in scripts that write digits, signs and units in ways of their own.

use std::borrow::Cow;

use gtm_lexicon::figures::COUNTERS;
use gtm_lexicon::with_ascii_digits;

/// A text in whose figures digits and signs are those of ASCII: `９８％` is `98%`.
pub fn plain(text: &str) -> Cow<'_, str> {
    let wide = |c: char| {
        matches!(
            c,
            '\u{ff05}' | '\u{ff0b}' | '\u{ff0c}' | '\u{ff0e}' | '\u{ff10}'..='\u{ff19}'
        )
    };
    if !text.contains(wide) {
        return Cow::Borrowed(text);
    }
    let ascii = |c: char| match c {
        '\u{ff05}' => '%',
        '\u{ff0b}' => '+',
        '\u{ff0c}' => ',',
        '\u{ff0e}' => '.',
        other => other,
    };
    Cow::Owned(with_ascii_digits(text).chars().map(ascii).collect())
}

/// The unit with which a text without blanks goes on behind a number: `名` of `名の職人`.
pub fn counted_by(behind: &str) -> Option<&'static str> {
    let units = COUNTERS.iter().filter(|unit| behind.starts_with(unit));
    units.max_by_key(|unit| unit.len())
}
