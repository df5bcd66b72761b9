//! What codes and glyph names of simple fonts mean, and the widths of the fonts that every reader has.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};

/// Adobe's glyph list without the scripts that no simple font has (BSD-3-Clause, copyright Adobe).
const GLYPH_NAMES: &str = include_str!("glyph_names.txt");

/// The upper half of StandardEncoding.
#[rustfmt::skip]
const STANDARD: &[(u8, char)] = &[
    (161, '¡'), (162, '¢'), (163, '£'), (164, '⁄'), (165, '¥'), (166, 'ƒ'), (167, '§'), (168, '¤'),
    (169, '\''), (170, '“'), (171, '«'), (172, '‹'), (173, '›'), (174, 'ﬁ'), (175, 'ﬂ'), (177, '–'),
    (178, '†'), (179, '‡'), (180, '·'), (182, '¶'), (183, '•'), (184, '‚'), (185, '„'), (186, '”'),
    (187, '»'), (188, '…'), (189, '‰'), (191, '¿'), (193, '`'), (194, '´'), (195, 'ˆ'), (196, '˜'),
    (197, '¯'), (198, '˘'), (199, '˙'), (200, '¨'), (202, '˚'), (203, '¸'), (205, '˝'), (206, '˛'),
    (207, 'ˇ'), (208, '—'), (225, 'Æ'), (227, 'ª'), (232, 'Ł'), (233, 'Ø'), (234, 'Œ'), (235, 'º'),
    (241, 'æ'), (245, 'ı'), (248, 'ł'), (249, 'ø'), (250, 'œ'), (251, 'ß'),
];

// Widths of the characters from space to tilde, in thousandths of the size.
#[rustfmt::skip]
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
#[rustfmt::skip]
const HELVETICA_BOLD: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
    611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
    278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
];
#[rustfmt::skip]
const TIMES: [u16; 95] = [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611,
    556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722,
    722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500,
    278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
];
#[rustfmt::skip]
const TIMES_BOLD: [u16; 95] = [
    250, 333, 555, 500, 500, 1000, 833, 278, 333, 333, 500, 570, 250, 333, 250, 278, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 500, 333, 333, 570, 570, 570, 500, 930, 722, 667, 722, 722, 667,
    611, 778, 778, 389, 500, 778, 667, 944, 722, 778, 611, 778, 722, 556, 667, 722, 722, 1000, 722,
    722, 667, 333, 278, 333, 581, 500, 333, 500, 556, 444, 556, 444, 333, 500, 556, 278, 333, 556,
    278, 833, 556, 500, 556, 556, 444, 389, 333, 556, 500, 722, 500, 500, 444, 394, 220, 394, 520,
];

/// A base encoding of simple fonts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Base {
    Standard,
    WinAnsi,
    MacRoman,
    /// A font of symbols, of which only the bullet is known.
    Symbol,
}

impl Base {
    pub(super) fn of_name(name: &[u8]) -> Option<Self> {
        match name {
            b"WinAnsiEncoding" => Some(Self::WinAnsi),
            b"MacRomanEncoding" => Some(Self::MacRoman),
            b"StandardEncoding" => Some(Self::Standard),
            _ => None,
        }
    }

    /// The character of a code.
    pub(super) fn character(self, code: u8) -> Option<char> {
        match self {
            Self::Standard => match code {
                0x27 => Some('\u{2019}'),
                0x60 => Some('\u{2018}'),
                0x20..=0x7E => Some(char::from(code)),
                _ => {
                    let found = STANDARD.iter().find(|(standard, _)| *standard == code);
                    found.map(|(_, character)| *character)
                }
            },
            Self::WinAnsi => decoded(WINDOWS_1252, code),
            Self::MacRoman => decoded(MACINTOSH, code),
            Self::Symbol => match code {
                0xB7 => Some('\u{2022}'),
                0x20 => Some(' '),
                _ => None,
            },
        }
    }
}

fn decoded(encoding: &'static Encoding, code: u8) -> Option<char> {
    let bytes = [code];
    let (text, _) = encoding.decode_without_bom_handling(&bytes);
    text.chars()
        .next()
        .filter(|character| !character.is_control())
}

fn glyph_names() -> &'static BTreeMap<&'static str, char> {
    static NAMES: OnceLock<BTreeMap<&'static str, char>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let lines = GLYPH_NAMES.lines();
        lines
            .filter_map(|line| {
                let (name, code) = line.split_once(' ')?;
                Some((name, char::from_u32(u32::from_str_radix(code, 16).ok()?)?))
            })
            .collect()
    })
}

/// Longest name of a glyph that is read.
const MAX_NAME: usize = 64;

/// The characters that a glyph's name stands for, by the rules of the Adobe Glyph List Specification.
pub(super) fn characters_of(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name)
        .ok()
        .filter(|name| name.len() <= MAX_NAME)?;
    let base = name.split('.').next()?;
    let text: String = base.split('_').filter_map(component).collect();
    (!text.is_empty()).then_some(text)
}

fn component(name: &str) -> Option<char> {
    let mut letters = name.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return Some(letter);
    }
    if let Some(character) = glyph_names().get(name) {
        return Some(*character);
    }
    let digits = name.strip_prefix("uni").filter(|digits| digits.len() == 4);
    let digits = digits.or_else(|| {
        let digits = name.strip_prefix('u')?;
        (4..=6).contains(&digits.len()).then_some(digits)
    })?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

/// Width of a character in one of the fonts that need not be embedded, or in one that looks like it.
pub(super) fn known_width(font: &str, character: char) -> f64 {
    let name = font.to_ascii_lowercase();
    let bold = name.contains("bold");
    let widths = if name.contains("courier") || name.contains("mono") {
        return 600.0;
    } else if name.contains("times") || name.contains("serif") {
        if bold { &TIMES_BOLD } else { &TIMES }
    } else if bold {
        &HELVETICA_BOLD
    } else {
        &HELVETICA
    };
    let at = u32::from(character)
        .checked_sub(32)
        .and_then(|at| usize::try_from(at).ok());
    let width = at.and_then(|at| widths.get(at));
    width.map_or(500.0, |width| f64::from(*width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_glyphs_are_read() {
        for (name, text) in [
            ("Adieresis", "Ä"),
            ("a", "a"),
            ("uni00E9", "é"),
            ("u1F600", "😀"),
            ("f_f_i.alt", "ffi"),
            ("afii10017", "А"),
            ("eight.oldstyle", "8"),
        ] {
            assert_eq!(
                characters_of(name.as_bytes()).as_deref(),
                Some(text),
                "{name}"
            );
        }
        assert_eq!(characters_of(b"g123"), None);
        assert_eq!(characters_of(b".notdef"), None);
    }

    #[test]
    fn encodings_differ_above_ascii() {
        assert_eq!(Base::WinAnsi.character(0x95), Some('•'));
        assert_eq!(Base::WinAnsi.character(0xE4), Some('ä'));
        assert_eq!(Base::MacRoman.character(0x8A), Some('ä'));
        assert_eq!(Base::Standard.character(0xAE), Some('ﬁ'));
        assert_eq!(Base::Standard.character(b'a'), Some('a'));
    }
}
