//! The characters of a message. DANGER: a control character can end a line of a mail's head, and a
//! bidirectional override can make a text show the reverse of what it says. Neither may pass.

use unicode_normalization::UnicodeNormalization as _;

/// Whether a message may never contain it: control characters, the marks that override or isolate the direction of
/// text, and those around an annotation, which some programs hide. Directional marks, joiners and tags stay, because
/// scripts and emoji need them.
#[must_use]
pub fn is_refused(c: char) -> bool {
    let is_mark = matches!(
        c,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fff9}'..='\u{fffb}'
    );
    c.is_control() || is_mark || is_break(c)
}

/// Whether it would begin a new line, or a new column of a table.
const fn is_break(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether nothing is seen where it stands (Unicode's `Default_Ignorable_Code_Point`): two texts that differ in
/// such characters alone look the same.
#[must_use]
pub const fn is_default_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a reader takes what stands before it, or behind it, for a question: the question marks of the scripts, and
/// signs that look like one.
#[must_use]
pub const fn is_question_mark(c: char) -> bool {
    matches!(
        c,
        '?' | '¿'
            | '\u{37e}'
            | '\u{55e}'
            | '\u{61f}'
            | '\u{1367}'
            | '\u{1945}'
            | '\u{203d}'
            | '\u{2047}'..='\u{2049}'
            | '\u{2753}'..='\u{2754}'
            | '\u{2cfa}'..='\u{2cfb}'
            | '\u{2e18}'
            | '\u{2e2e}'
            | '\u{a60f}'
            | '\u{a6f7}'
            | '\u{fe16}'
            | '\u{fe56}'
            | '\u{ff1f}'
            | '\u{1e95f}'
    )
}

/// The text without [refused](is_refused) characters and in Unicode's normal form C: a run of line breaks and
/// tabs becomes one space, everything else that is refused goes. Spaces at the ends stay.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut in_run = false;
    for c in text.chars() {
        if is_break(c) {
            if !in_run {
                clean.push(' ');
            }
            in_run = true;
        } else if !is_refused(c) {
            clean.push(c);
            in_run = false;
        }
    }
    clean.nfc().collect()
}

/// Whether a reader sees a letter in it. Fillers of Hangul count as letters in Unicode and show nothing.
#[must_use]
pub fn has_letter(text: &str) -> bool {
    let is_filler = |c: char| matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}');
    let mut shown = text.chars().filter(|c| !is_refused(*c));
    shown.any(|c| c.is_alphabetic() && !is_filler(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::is_nfc;

    use super::*;

    #[test]
    fn what_is_refused_goes_and_what_scripts_need_stays() {
        for (given, want) in [
            ("a\r\n\t\u{2028}b", "a b"),
            ("a\r \n\u{85}b", "a   b"),
            ("a\r\0\nb", "a b"),
            ("a\u{0}\u{7f}\u{9b}b", "ab"),
            ("\u{202e}a\u{2066}b\u{2069}", "ab"),
            ("a\u{fff9}b\u{fffa}c\u{fffb}", "abc"),
            ("\u{200e}\u{200f}\u{200d}", "\u{200e}\u{200f}\u{200d}"),
            ("Cafe\u{301}", "Caf\u{e9}"),
            (" a ", " a "),
        ] {
            assert_eq!(clean(given), want, "{given:?}");
        }
    }

    #[test]
    fn questions_end_in_many_ways() {
        for mark in "?¿؟？⁇⁈⁉՞‽❓❔﹖⸮\u{37e}".chars() {
            assert!(is_question_mark(mark), "{mark}");
        }
        assert!(!".!;:…ʔ".contains(is_question_mark));
    }

    #[test]
    fn what_shows_nothing_has_no_letter() {
        for text in [
            "",
            " ",
            "...",
            "\u{202e}\u{2066}",
            "\u{3164}\u{ffa0}",
            "\u{200b}-",
            "123",
        ] {
            assert!(!has_letter(text), "{text:?}");
        }
        for text in ["a", "[D\u{e9}mo]", "\u{5e9}", "\u{793a}"] {
            assert!(has_letter(text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_clean_stays_as_it_is(text in any::<String>()) {
            let once = clean(&text);
            prop_assert!(!once.contains(is_refused));
            prop_assert!(is_nfc(&once));
            prop_assert_eq!(clean(&once), once);
        }
    }
}
