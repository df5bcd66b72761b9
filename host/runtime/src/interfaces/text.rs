//! Text from guests, made fit to be shown and logged.

use unicode_general_category::{GeneralCategory, get_general_category};

/// What stands in a line for a character of somebody else's text: a space for what would end the line or
/// control a terminal, nothing for what cannot be seen and can turn around or hide what stands beside it
/// (directions, joiners, tags).
#[must_use]
pub fn shown(character: char) -> Option<char> {
    match get_general_category(character) {
        GeneralCategory::Control
        | GeneralCategory::LineSeparator
        | GeneralCategory::ParagraphSeparator => Some(' '),
        GeneralCategory::Format => None,
        _ => Some(character),
    }
}

/// The text as one line that shows all it holds, cut at `max_bytes` between two characters.
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
        ] {
            assert_eq!(
                one_line(&format!("not{invisible}hing"), 100),
                "nothing",
                "{invisible:?}"
            );
        }
        assert_eq!(one_line("שלום, Grüße, 你好", 100), "שלום, Grüße, 你好");
    }
}
