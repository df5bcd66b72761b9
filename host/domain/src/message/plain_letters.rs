//! Texts as they are compared with words.

use super::characters::{is_blank, is_decoration, is_default_ignorable};
use super::letters::{is_of_flag, undressed};
use super::letters_apart::joined;

/// A text as a reader reads it, to be compared with words: without what shows nothing or only decorates, with a space for each
/// [blank](is_blank), and with plain letters for those in another [dress](super::letters). A flag is a word of its own.
///
/// DANGER: nothing else gives plain letters, so that whoever looks for words says how letters are read that stand one by
/// one: `f r e e`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading(String);

impl Reading {
    /// With such letters as they stand. For what is looked for, and not for what it is looked for in.
    #[must_use]
    pub fn as_written(text: &str) -> Self {
        Self(with_plain_letters(text))
    }

    /// With such letters read as words.
    #[must_use]
    pub fn joined(text: &str) -> Self {
        let plain = with_plain_letters(text);
        Self(joined(&plain).into_owned())
    }

    /// Both readings, or one if they are the same: what is looked for may have single letters of its own.
    #[must_use]
    pub fn both(text: &str) -> Vec<Self> {
        let (plain, joined) = (Self::as_written(text), Self::joined(text));
        match plain == joined {
            true => vec![plain],
            false => vec![plain, joined],
        }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn with_plain_letters(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut in_flags = false;
    let shown = text.chars();
    for c in shown.filter(|c| !is_default_ignorable(*c) && !is_decoration(*c)) {
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_compared_in_plain_letters() {
        for (given, want) in [
            ("\u{29f}\u{1d00}s\u{1d1b} \u{1f132}hance", "last chance"),
            ("to \u{1f1e9}\u{1f1ea}now", "to  de now"),
            ("a\u{200b}b\u{2800}c", "ab c"),
            ("\u{1f193}now", " free now"),
        ] {
            assert_eq!(Reading::as_written(given).as_str(), want);
            assert_eq!(Reading::both(given).len(), 1, "{given}");
        }
    }

    #[test]
    fn letters_one_by_one_are_read_both_ways() {
        let read = |text| {
            let both = Reading::both(text).into_iter();
            both.map(|reading| reading.0).collect::<Vec<_>>()
        };
        assert_eq!(read("It is f r e e"), ["It is f r e e", "It is free"]);
        assert_eq!(read("\u{493}\u{280}\u{1d07}\u{1d07}").len(), 1);
        // Small capitals one by one.
        assert_eq!(
            read("\u{280} \u{1d07} \u{1d07} \u{29f}")
                .last()
                .map(String::as_str),
            Some("reel")
        );
    }

    proptest! {
        #[test]
        fn a_joined_reading_stays_as_it_is(text in "[a-z .]{0,40}|\\PC{0,40}") {
            let joined = Reading::joined(&text);
            prop_assert!(Reading::both(&text).contains(&joined));
            prop_assert_eq!(&Reading::joined(joined.as_str()), &joined);
        }
    }
}
