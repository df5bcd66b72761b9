//! The characters of a message. DANGER: a control character can end a line of a mail's head, and a
//! bidirectional override can make a text show the reverse of what it says. Neither may pass.

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization as _;

use super::letters::{is_of_flag, undressed};

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

/// Whether it is a sign that shows an empty place and no white space for Unicode: the pattern of Braille without a dot, the
/// blanks of hieroglyphs and of Khitan, a note without a head. DANGER: fonts show nothing there, but programs a text.
#[must_use]
pub const fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{2800}' | '\u{13430}'..='\u{13442}' | '\u{16fe4}' | '\u{1d159}'
    )
}

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
/// letter, and in Unicode's normal form C: a run of line breaks and tabs becomes one space, everything else that is refused
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
    without_stacks(clean.nfc())
}

/// Whether a reader sees anything of it.
#[must_use]
pub fn is_seen(text: &str) -> bool {
    let clean = clean(text);
    let mut shown = clean.chars().filter(|c| !is_default_ignorable(*c));
    shown.any(|c| !c.is_whitespace())
}

/// Whether a word has letters of Latin beside letters of another script that look like them, or letters in another
/// [dress](super::letters). Such a word is read like one of plain Latin letters, and found by no list.
#[must_use]
pub fn has_lookalikes(text: &str) -> bool {
    if has_dressed_words(text) {
        return true;
    }
    let shown = text.chars().filter(|c| !is_default_ignorable(*c));
    let (mut has_latin, mut has_other) = (false, false);
    // Latin capitals, and a small letter of Greek behind them: a name as in chemistry, `TNFα`.
    let (mut capitals, mut ends_in_greek) = (Some(0_usize), false);
    for c in shown.chain([' ']) {
        if c.is_alphabetic() {
            capitals = match c {
                'A'..='Z' => capitals.filter(|_| !ends_in_greek).map(|count| count + 1),
                '\u{3b1}'..='\u{3c9}' => capitals.filter(|_| !ends_in_greek),
                _ => None,
            };
            ends_in_greek = matches!(c, '\u{3b1}'..='\u{3c9}');
            has_latin |= is_latin(c);
            has_other |= looks_latin(c);
            continue;
        }
        let is_name = ends_in_greek && capitals.is_some_and(|count| count > 1);
        if has_latin && has_other && !is_name {
            return true;
        }
        (has_latin, has_other) = (false, false);
        (capitals, ends_in_greek) = (Some(0), false);
    }
    false
}

/// Whether a word has two letters in another dress, or one beside a Latin letter, or there is half of a flag. One letter
/// alone is a sign, such as that of a car park.
fn has_dressed_words(text: &str) -> bool {
    let shown = text.chars().filter(|c| !is_default_ignorable(*c));
    let (mut dressed, mut has_latin, mut is_half) = (0_usize, false, false);
    for c in shown.chain([' ']) {
        if is_of_flag(c) {
            is_half = !is_half;
        } else if is_half {
            return true;
        } else if undressed(c).is_some() {
            dressed += 1;
            continue;
        } else if c.is_alphabetic() {
            has_latin |= is_latin(c);
            continue;
        }
        if dressed > 1 || (dressed == 1 && has_latin) {
            return true;
        }
        (dressed, has_latin) = (0, false);
    }
    false
}

const fn is_latin(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}')
}

/// Letters of Cyrillic, Armenian, Coptic, Cherokee and Lisu, and those of Greek and of phonetics that look like Latin ones.
/// The sign of an ohm does not.
const fn looks_latin(c: char) -> bool {
    matches!(
        c,
        '\u{400}'..='\u{556}'
            | '\u{561}'..='\u{587}'
            | '\u{13a0}'..='\u{13fd}'
            | '\u{2c80}'..='\u{2cf3}'
            | '\u{a4d0}'..='\u{a4f7}'
            | '\u{ab70}'..='\u{abbf}'
            | '\u{251}'
            | '\u{261}'
            | '\u{391}'..='\u{392}'
            | '\u{395}'..='\u{397}'
            | '\u{399}'..='\u{39a}'
            | '\u{39c}'..='\u{39d}'
            | '\u{39f}'
            | '\u{3a1}'
            | '\u{3a4}'..='\u{3a5}'
            | '\u{3a7}'
            | '\u{3b1}'
            | '\u{3b9}'
            | '\u{3bd}'
            | '\u{3bf}'
            | '\u{3c1}'
            | '\u{3c5}'
    )
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

    #[test]
    fn letters_that_look_like_others_are_told_within_a_word() {
        for text in [
            "gu\u{430}ranteed s\u{430}vings",
            "R\u{435}: hello",
            "gu\u{251}ranteed",
            "p\u{200b}\u{3b1}y",
            "P\u{3b1}",
            "S\u{3b1}VE",
            "SAV\u{395}",
            "TNF\u{3b1}\u{3b1}",
            // Of Cherokee, Armenian, Lisu and Coptic.
            "S\u{13aa}VE",
            "\u{57d}ave",
            "\u{a4e2}AVE",
            "s\u{2c81}ve",
            // In another dress.
            "\u{262}\u{1d1c}\u{1d00}\u{280}\u{1d00}\u{274}\u{1d1b}\u{1d07}\u{1d07}\u{1d05}",
            "s\u{1d00}ve",
            "\u{1f175}\u{1f181}\u{1f174}\u{1f174}",
            "\u{24a1}\u{24ad}\u{24a0}\u{24a0}",
            "a \u{1f1f1}\u{1f1e6}\u{1f1f8}",
        ] {
            assert!(has_lookalikes(text), "{text}");
        }
        for text in [
            "guaranteed",
            "\u{41e}\u{41e}\u{41e} Volga-\u{421}\u{435}\u{432}\u{435}\u{440}",
            "10 k\u{3a9}",
            "\u{b5}m",
            "\u{3b1}-blocker",
            "TNF\u{3b1} inhibitors",
            "Ko\u{161}ice na\u{ef}ve",
            "\u{396}\u{3b5}\u{3c5}\u{3c2}",
            "\u{540}\u{561}\u{575}\u{561}\u{57d}\u{57f}\u{561}\u{576}",
            // Signs and flags.
            "\u{1f17f} on site",
            "\u{24d8} \u{8a73}\u{7d30}\u{24d8}",
            "\u{1f1e9}\u{1f1ea}\u{1f1eb}\u{1f1f7} and \u{1f1ec}\u{1f1e7}",
            "\u{1f193} 1\u{2b3}\u{1d49}",
        ] {
            assert!(!has_lookalikes(text), "{text}");
        }
    }

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

    proptest! {
        #[test]
        fn what_is_clean_stays_as_it_is(text in any::<String>()) {
            let once = clean(&text);
            prop_assert!(!once.contains(is_refused));
            prop_assert!(is_nfc(&once));
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
