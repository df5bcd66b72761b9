//! Texts as they are compared with words.

use super::characters::{is_blank, is_default_ignorable};
use super::letters::{is_of_flag, undressed};

/// The text as a reader reads it, to be compared with words: without what shows nothing, with a space for each
/// [blank](is_blank), and with plain letters for those in another [dress](super::letters). A flag is a word of its own.
#[must_use]
pub fn with_plain_letters(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut in_flags = false;
    for c in text.chars().filter(|c| !is_default_ignorable(*c)) {
        if is_of_flag(c) != in_flags {
            in_flags = !in_flags;
            plain.push(' ');
        }
        match undressed(c) {
            Some(letter) if letter.len() == 1 => plain.push_str(letter),
            // A whole word.
            Some(word) => plain.extend([" ", word, " "]),
            None if is_blank(c) => plain.push(' '),
            None => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_in_plain_letters() {
        for (given, want) in [
            ("\u{29f}\u{1d00}s\u{1d1b} \u{1f132}hance", "last chance"),
            ("to \u{1f1e9}\u{1f1ea}now", "to  de now"),
            ("a\u{200b}b\u{2800}c", "ab c"),
            ("\u{1f193}now", " free now"),
        ] {
            assert_eq!(with_plain_letters(given), want);
        }
    }
}
