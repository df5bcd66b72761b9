//! Characters that no document contains.
//!
//! XML cannot carry them, PDF/UA forbids them, or they make a reader see something else than what is written.
//! Reading removes them, so that neither a check nor a renderer meets one.

use std::borrow::Cow;

use serde_json::Value;

/// What stands for a tab between two numbers.
const BETWEEN_NUMBERS: &str = " | ";

/// The text without control characters, bidirectional embeddings and overrides, and code points that are no
/// characters. Every kind of line break becomes U+000A, a tab becomes a space. Isolates and marks of direction
/// stay: they are how text of mixed direction is written properly.
///
/// Danger: a space between two numbers makes them one, for a reader and for a check: `12 400`. So a tab between them
/// becomes a mark that parts columns.
#[must_use]
pub fn cleaned(text: &str) -> Cow<'_, str> {
    if !text.contains(is_changed) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' => {
                let _ = characters.next_if_eq(&'\n');
                out.push('\n');
            }
            '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\t' => {
                // What follows the last of several tabs and blanks.
                while characters
                    .next_if(|next| matches!(next, '\t' | ' '))
                    .is_some()
                {}
                let behind = characters.peek().is_some_and(|next| next.is_numeric());
                let before = out.trim_end_matches(' ').ends_with(char::is_numeric);
                match before && behind {
                    true => {
                        out.truncate(out.trim_end_matches(' ').len());
                        out.push_str(BETWEEN_NUMBERS);
                    }
                    false => out.push(' '),
                }
            }
            other if is_changed(other) => {}
            other => out.push(other),
        }
    }
    Cow::Owned(out)
}

/// The value with all texts cleaned; names of members stay, because an odd one is a fault anyway.
pub(crate) fn clean(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(clean) = cleaned(text) {
                *text = clean;
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(clean),
        Value::Object(members) => members.values_mut().for_each(clean),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_changed(character: char) -> bool {
    match character {
        '\n' => false,
        '\u{2028}'..='\u{202e}' | '\u{206a}'..='\u{206f}' => true,
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fdd0}'..='\u{fdef}' => true,
        other => other.is_control() || u32::from(other) & 0xfffe == 0xfffe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_deceives_or_breaks_a_file_is_removed() {
        assert_eq!(cleaned("a\u{0}b\u{1b}[0mc\u{7f}\u{9c}"), "ab[0mc");
        assert_eq!(cleaned("invoice\u{202e}fdp.exe\u{202c}"), "invoicefdp.exe");
        assert_eq!(cleaned("\u{feff}a\u{fffe}\u{1ffff}\u{fdd0}"), "a");
    }

    #[test]
    fn line_breaks_have_one_form() {
        assert_eq!(cleaned("a\r\nb\rc\u{2028}d\u{b}e\tf"), "a\nb\nc\nd\ne f");
    }

    #[test]
    fn a_tab_between_two_numbers_does_not_join_them() {
        assert_eq!(cleaned("12\t400"), "12 | 400");
        assert_eq!(cleaned("12 \t\t 400\tpallets"), "12 | 400 pallets");
        assert_eq!(cleaned("Hall\t12\nHall 4\t"), "Hall 12\nHall 4 ");
        assert_eq!(cleaned("12 400"), "12 400");
    }

    #[test]
    fn writing_systems_keep_what_they_need() {
        // Joiners, marks of direction, isolates, soft hyphen, emoji with a variation and a joiner.
        for text in [
            "می\u{200c}خواهم",
            "\u{200f}a\u{2067}ב\u{2069}",
            "Do\u{ad}ku",
            "👩\u{200d}💻✔\u{fe0f}",
        ] {
            assert!(matches!(cleaned(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
