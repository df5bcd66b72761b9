//! Texts whose letters run in two directions. DANGER: a reader's program orders them by rules of Unicode (UAX #9), and shows
//! other figures, or figures beside other words, than what was approved.

use super::characters::is_default_ignorable;

/// Whether a letter is written from the right: Unicode keeps whole blocks for such scripts.
#[must_use]
pub fn is_right_to_left(c: char) -> bool {
    let is_of_block = matches!(
        c,
        '\u{590}'..='\u{8ff}'
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}'
    );
    is_of_block && c.is_alphabetic()
}

/// The mark behind a value that is written in the other direction than the text around it, if it is. It shows nothing, and
/// keeps what follows where it stands: without it, the `5` of `דנה, 5 flats` moves before the name.
pub(super) fn mark_behind(value: &str, is_text_right_to_left: bool) -> Option<char> {
    let mut letters = value.chars().filter(|c| c.is_alphabetic());
    let is_other = letters.any(|c| is_right_to_left(c) != is_text_right_to_left);
    let mark = match is_text_right_to_left {
        true => '\u{200f}',
        false => '\u{200e}',
    };
    is_other.then_some(mark)
}

/// Whether a mark of direction makes a reader see something else than what is written: in a text without a letter from the
/// right it serves nothing, and between two digits it turns their order round, `1\u{200f}2` shows 21.
#[must_use]
pub fn has_misleading_mark(text: &str) -> bool {
    if !text.contains(is_mark) {
        return false;
    }
    if !text.contains(is_right_to_left) {
        return true;
    }
    let mut digit_before = false;
    let mut mark_since = false;
    for c in text.chars() {
        if is_mark(c) {
            mark_since = true;
        } else if !is_default_ignorable(c) && !".,'’ \u{a0}\u{202f}".contains(c) {
            if c.is_numeric() && digit_before && mark_since {
                return true;
            }
            digit_before = c.is_numeric();
            mark_since = false;
        }
    }
    false
}

/// The marks of direction that scripts need at times.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn marks_that_serve_no_letter_mislead() {
        for text in [
            "Sam\u{200f} Okafor",
            "1\u{200f}2",
            "5\u{200e}0%",
            "1\u{61c}2 \u{5d3}\u{5e0}\u{5d4}",
            "\u{5d3}\u{5e0}\u{5d4} 1,\u{200f}2",
            "\u{200e}",
        ] {
            assert!(has_misleading_mark(text), "{text:?}");
        }
        for text in [
            "",
            "Sam Okafor 12",
            "\u{5d3}\u{5e0}\u{5d4}\u{200e}, 5 flats",
            "\u{200f}(\u{645}\u{631}\u{62d}\u{628}\u{627}) 12",
            "12 \u{5d3}\u{5e0}\u{5d4}\u{200f} 13",
        ] {
            assert!(!has_misleading_mark(text), "{text:?}");
        }
    }

    #[test]
    fn a_value_in_the_other_direction_is_closed() {
        assert_eq!(
            mark_behind("\u{5d3}\u{5e0}\u{5d4}", false),
            Some('\u{200e}')
        );
        assert_eq!(mark_behind("Sam", true), Some('\u{200f}'));
        for (value, is_rtl) in [
            ("Sam", false),
            ("\u{645}", true),
            ("12", true),
            ("12", false),
            ("", false),
        ] {
            assert_eq!(mark_behind(value, is_rtl), None, "{value:?}");
        }
    }

    proptest! {
        #[test]
        fn a_mark_between_digits_is_always_told(
            before in "[ a-z\u{5d0}-\u{5ea}]{0,8}", one in "[0-9]{1,3}", mark in "[\u{200e}\u{200f}\u{61c}]", other in "[0-9]{1,3}",
            behind in "[ a-z\u{5d0}-\u{5ea}]{0,8}",
        ) {
            let text = format!("{before}{one}{mark}{other}{behind}");
            prop_assert!(has_misleading_mark(&text), "{:?}", text);
        }

        #[test]
        fn no_text_without_a_mark_misleads(text in "[^\u{200e}\u{200f}\u{61c}]{0,40}") {
            prop_assert!(!has_misleading_mark(&text));
        }
    }
}
