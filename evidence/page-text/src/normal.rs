//! The normal form of text: what makes two spellings of the same words equal.

use unicode_normalization::UnicodeNormalization;

/// Brings text into normal form: invisible characters dropped, NFC, every run of white space replaced by one
/// space, no white space at the ends.
///
/// Dropped are control characters other than white space, and the format characters that change no letter:
/// soft hyphen, zero-width space, word joiner, byte order mark and directional marks. The joiners U+200C and
/// U+200D stay, because in some scripts they change the word.
pub fn normalize(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut pending_space = false;
    for character in raw.chars().filter(|c| !is_dropped(*c)).nfc() {
        if character.is_whitespace() {
            pending_space = !out.is_empty();
        } else {
            if pending_space {
                out.push(' ');
                pending_space = false;
            }
            out.push(character);
        }
    }
    out
}

fn is_dropped(character: char) -> bool {
    (character.is_control() && !character.is_whitespace())
        || matches!(
            character,
            '\u{AD}'
                | '\u{200B}'
                | '\u{200E}'
                | '\u{200F}'
                | '\u{202A}'..='\u{202E}'
                | '\u{2060}'
                | '\u{2066}'..='\u{2069}'
                | '\u{FEFF}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_collapses_and_ends_are_trimmed() {
        assert_eq!(normalize("  a \u{A0}\t\n b\u{2003}"), "a b");
        assert_eq!(normalize(" \n\u{85} "), "");
    }

    #[test]
    fn composed_and_decomposed_are_equal() {
        assert_eq!(normalize("Cafe\u{301}"), normalize("Café"));
    }

    #[test]
    fn invisible_characters_go() {
        assert_eq!(normalize("in\u{AD}vis\u{200B}ible\u{0}\u{7}"), "invisible");
        assert_eq!(normalize("نمی\u{200C}خواهم"), "نمی\u{200C}خواهم");
    }
}
