//! The characters of a message. DANGER: a control character can end a line of a mail's head, and a
//! bidirectional override can make a text show the reverse of what it says. Neither may pass.

use icu_properties::props::{DefaultIgnorableCodePoint, Script};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization as _;

/// Whether a message may never contain it: control characters, the marks that override or isolate the direction of
/// text, and those around an annotation, which some programs hide. Directional marks and joiners stay, because scripts
/// and emoji need them.
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
pub fn is_default_ignorable(c: char) -> bool {
    // No character before the soft hyphen has the property.
    c >= '\u{ad}' && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Whether this letter or digit is of a script that puts blanks between words and writes no small words on to others, as Hebrew
/// and Arabic do.
#[must_use]
pub fn is_of_spaced_script(c: char) -> bool {
    // Before Hebrew there is no other, and signs of no script, such as digits.
    let is_spaced = || match CodePointMapData::<Script>::new().get(c) {
        Script::Latin | Script::Greek | Script::Cyrillic | Script::Armenian | Script::Georgian => {
            true
        }
        _ => u32::from(c) < 0x590,
    };
    c.is_alphanumeric() && (c.is_ascii() || is_spaced())
}

/// Whether it is a hyphen or a dash as short as one.
#[must_use]
pub const fn is_hyphen(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}'
    )
}

/// Whether it is a sign that shows an empty place and no white space for Unicode: the pattern of Braille without a dot, the
/// blanks of hieroglyphs and of Khitan, a note without a head. DANGER: fonts show nothing there, but programs a text.
#[must_use]
pub const fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{2800}' | '\u{13430}'..='\u{13442}' | '\u{16fe4}' | '\u{1d159}'
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

/// Whether it shows nothing, and no script or emoji needs it: blanks without width, operators that are not seen, fillers,
/// what stands for an object that is not there, and what is no character. DANGER: who approves a message does not see what a program reads there.
const fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{115f}'..='\u{1160}'
            | '\u{200b}'
            | '\u{2060}'..='\u{2064}'
            | '\u{206a}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fdd0}'..='\u{fdef}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fffc}'
            | '\u{fffe}'..='\u{ffff}'
    )
}

/// Whether it is a letter of a tag, which nobody sees. Only the flags of regions are written with them.
const fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// Most letters of a region's name in the tags of its flag.
const REGION: usize = 6;

/// The flag with whose tags a text begins, such as that of Scotland.
fn regional_flag(text: &str) -> Option<&str> {
    let tags = text.strip_prefix('\u{1f3f4}')?;
    let letters = tags.find(|c| !matches!(c, '\u{e0020}'..='\u{e007e}'))?;
    let (region, behind) = tags.split_at_checked(letters)?;
    let end = text.len() - behind.strip_prefix('\u{e007f}')?.len();
    let is_one = (1..=REGION).contains(&region.chars().count());
    text.get(..end).filter(|_| is_one)
}

/// Whether it is drawn through the letter before it, or crosses it out in a circle. DANGER: a reader takes a struck word for
/// one that is taken back, and a program reads it: `not guaranteed` with a line through `not` promises. Letters that have such a
/// stroke by themselves, and signs such as `≠`, are characters of their own.
#[must_use]
pub const fn is_overlay(c: char) -> bool {
    matches!(
        c,
        '\u{334}'..='\u{338}'
            | '\u{20d2}'..='\u{20d3}'
            | '\u{20d8}'..='\u{20da}'
            | '\u{20e0}'
            | '\u{20e5}'..='\u{20e6}'
            | '\u{20ea}'..='\u{20eb}'
    )
}

/// Whether it is a mark that decorates a letter or a sign and is part of no writing: circles and squares around it, arrows and
/// ligatures above.
#[must_use]
pub const fn is_decoration(c: char) -> bool {
    matches!(
        c,
        '\u{488}'..='\u{489}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{a670}'..='\u{a672}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// More marks than these on a letter are no writing: they run over the lines above and below. Hebrew with all its signs has
/// four.
const MOST_MARKS: usize = 4;

/// Without what is stacked on a letter beyond that.
fn without_stacks(text: impl Iterator<Item = char>) -> String {
    let mut marks = 0;
    let mut kept = String::new();
    for c in text {
        let is_mark = !c.is_ascii()
            && matches!(
                get_general_category(c),
                GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark
            );
        // A joiner between them ends no stack.
        if is_mark {
            marks += 1;
        } else if !is_default_ignorable(c) {
            marks = 0;
        }
        if marks <= MOST_MARKS || !is_mark {
            kept.push(c);
        }
    }
    kept
}

/// The text without [refused](is_refused) characters, without those that nobody sees or needs, without marks stacked on one
/// letter or [drawn through](is_overlay) it, and in Unicode's normal form C: a run of line breaks and tabs becomes one space, everything else that is refused
/// goes. Spaces at the ends stay.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut in_run = false;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = regional_flag(rest).map_or(c.len_utf8(), str::len);
        let (part, behind) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        rest = behind;
        if is_break(c) || is_blank(c) {
            if !in_run {
                clean.push(' ');
            }
            in_run = true;
        } else if !is_refused(c) && !is_unseen(c) && !is_tag(c) {
            clean.push_str(part);
            in_run = false;
        }
    }
    // Composed first, so that `≠` keeps what makes it one; what a mark held apart is composed then.
    let bare = clean.nfc().filter(|c| !is_overlay(*c));
    without_stacks(bare.nfc())
}

/// Whether a reader sees anything of it.
#[must_use]
pub fn is_seen(text: &str) -> bool {
    let clean = clean(text);
    let mut shown = clean.chars().filter(|c| !is_default_ignorable(*c));
    shown.any(|c| !c.is_whitespace())
}

/// Whether a reader sees a letter in it. Fillers of Hangul and blanks of hieroglyphs count as letters in Unicode and show
/// nothing.
#[must_use]
pub fn has_letter(text: &str) -> bool {
    let shows_nothing = |c: char| is_default_ignorable(c) || is_blank(c);
    let mut shown = text.chars().filter(|c| !is_refused(*c));
    shown.any(|c| c.is_alphabetic() && !shows_nothing(c))
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
            // Tags nobody sees but programs that read; those of a flag stay.
            ("storage\u{e0070}\u{e0061}\u{e0079} it", "storage it"),
            (
                "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
                "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            ),
            ("\u{1f3f4}\u{e0070}\u{e0061}", "\u{1f3f4}"),
            ("\u{1f3f4}\u{e007f}", "\u{1f3f4}"),
            ("a\u{200b}b\u{2060}\u{3164}\u{feff}\u{fdd0}", "ab"),
            ("a\u{fffc}b", "ab"),
            // What is struck through is shown as it is read.
            ("n\u{336}o\u{336}t\u{336}", "not"),
            ("n\u{338}o\u{335}t\u{20d2} s\u{20e0}o", "not so"),
            ("e\u{20e0}\u{301} a\u{336}\u{301}", "\u{e9} \u{e1}"),
            (
                "=\u{338} \u{2260} \u{f8}\u{142}\u{111}",
                "\u{2260} \u{2260} \u{f8}\u{142}\u{111}",
            ),
            // What shows an empty place is one.
            ("a\u{2800}\u{2800}b\u{13441}c", "a b c"),
            ("\u{1f469}\u{200d}\u{1f692}", "\u{1f469}\u{200d}\u{1f692}"),
            (" a ", " a "),
            // Stacked marks go; those that writing needs stay.
            (
                "Z\u{327}\u{316}\u{317}\u{318}\u{319}\u{31c}\u{31d}",
                "Z\u{327}\u{316}\u{317}\u{318}",
            ),
            (
                "\u{5e9}\u{5bc}\u{5c1}\u{5b8}\u{591}",
                "\u{5e9}\u{5b8}\u{5bc}\u{5c1}\u{591}",
            ),
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
            "\u{13441}\u{2800}",
            "123",
        ] {
            assert!(!has_letter(text), "{text:?}");
        }
        for text in ["a", "[D\u{e9}mo]", "\u{5e9}", "\u{793a}"] {
            assert!(has_letter(text), "{text:?}");
        }
    }

    #[test]
    fn what_shows_nothing_is_not_seen() {
        for text in [
            "",
            " \u{200b}",
            "\u{3164}",
            "\u{200d}\u{fe0f}",
            "\u{e0041}\u{e0042}",
            "\u{2800}",
            "\u{2800} \u{13442}\u{16fe4}\u{1d159}",
        ] {
            assert!(!is_seen(text), "{text:?}");
        }
        for text in ["a", "-", "\u{1f692}", " \u{5e9}\u{200f}"] {
            assert!(is_seen(text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_clean_stays_as_it_is(text in "\\PC{0,20}|[a-e=\u{301}\u{327}\u{334}-\u{338}\u{20d2}\u{20e0}]{0,12}|(?s:.{0,40})") {
            let once = clean(&text);
            prop_assert!(!once.contains(is_refused));
            prop_assert!(is_nfc(&once));
            prop_assert!(!once.contains(is_overlay));
            prop_assert_eq!(clean(&once), once);
        }

        #[test]
        fn no_letter_keeps_a_stack(letter in "[A-Za-zа-я]", marks in "[\u{316}-\u{319}\u{323}-\u{326}\u{329}-\u{333}\u{200d}]{0,40}", rest in "[a-z ]{0,5}") {
            let clean = clean(&format!("{letter}{marks}{rest}"));
            let stacked = clean.chars().filter(|c| ('\u{300}'..='\u{36f}').contains(c)).count();
            prop_assert!(stacked <= MOST_MARKS, "{:?}", clean);
            prop_assert!(clean.ends_with(&rest));
        }
    }
}
