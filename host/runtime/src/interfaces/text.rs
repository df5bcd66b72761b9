//! Makes text from guests safe to show and log.

use gtm_domain::message::characters::is_default_ignorable;
use unicode_general_category::{GeneralCategory, get_general_category};

/// What replaces a character of untrusted text in a single line. Danger: a character may end the line,
/// control a terminal, or invisibly reorder or hide its neighbours (direction marks, joiners, tags,
/// fillers, variation selectors). Line ends, control characters and blanks become a space; invisible
/// characters are dropped.
#[must_use]
pub fn shown(character: char) -> Option<char> {
    match get_general_category(character) {
        GeneralCategory::Control
        | GeneralCategory::LineSeparator
        | GeneralCategory::ParagraphSeparator
        | GeneralCategory::SpaceSeparator => Some(' '),
        GeneralCategory::Format => None,
        _ if character == BRAILLE_BLANK => Some(' '),
        _ if is_default_ignorable(character) => None,
        _ => Some(character),
    }
}

/// Its category is symbol, but it is as blank as a space.
const BRAILLE_BLANK: char = '\u{2800}';

/// The text as one line without hidden characters, cut at `max_bytes` between two characters.
pub fn one_line(text: &str, max_bytes: usize) -> String {
    let mut line = String::with_capacity(text.len().min(max_bytes));
    for c in text.chars().filter_map(shown) {
        if line.len() + c.len_utf8() > max_bytes {
            break;
        }
        line.push(c);
    }
    line
}

/// Whether a text is a code in snake_case of at most 64 characters.
pub fn is_code(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_lines() {
        assert_eq!(one_line("a\nb\u{1b}[31m", 100), "a b [31m");
        assert_eq!(one_line("äää", 5), "ää");
        assert!(is_code("http_404") && !is_code("4xx") && !is_code("Bad") && !is_code(""));
    }

    #[test]
    fn nothing_turns_a_line_around_or_hides_in_it() {
        assert_eq!(
            one_line("a\u{2028}b\u{2029}c\u{85}d", 100),
            "a b c d",
            "ends of lines that few think of"
        );
        for invisible in [
            '\u{202e}',
            '\u{2066}',
            '\u{200b}',
            '\u{200d}',
            '\u{feff}',
            '\u{ad}',
            '\u{61c}',
            '\u{e0041}',
            '\u{34f}',
            '\u{115f}',
            '\u{1160}',
            '\u{17b4}',
            '\u{17b5}',
            '\u{180b}',
            '\u{180f}',
            '\u{2065}',
            '\u{3164}',
            '\u{fe00}',
            '\u{fe0f}',
            '\u{ffa0}',
            '\u{fff0}',
            '\u{e0100}',
            '\u{e01ef}',
        ] {
            assert_eq!(
                one_line(&format!("not{invisible}hing"), 100),
                "nothing",
                "{invisible:?}"
            );
        }
        for blank in ['\u{a0}', '\u{2003}', '\u{202f}', '\u{2800}', '\u{3000}'] {
            assert_eq!(one_line(&format!("a{blank}b"), 100), "a b", "{blank:?}");
        }
        assert_eq!(one_line("שלום, Grüße, 你好", 100), "שלום, Grüße, 你好");
    }
}
